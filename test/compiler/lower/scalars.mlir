// Scalars become llvm; flags choose between an instruction that approximates and one that rounds.
// RUN: split-file %s %t
// RUN: tegula-opt %t/valid.mlir --convert-scalars-to-llvm | FileCheck %t/valid.mlir
// RUN: tegula-opt %t/invalid.mlir --convert-scalars-to-llvm --split-input-file --verify-diagnostics

//--- valid.mlir
// CHECK-LABEL: llvm.func @approximate(
llvm.func @approximate(%x: f32, %d: f64) -> f32 {
  // CHECK: %[[A:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%arg0, %arg0) : (f32, f32) -> f32
  %a = arith.divf %x, %x fastmath<afn> : f32
  // CHECK: %[[B:.*]] = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.ftz.f"(%[[A]])
  %b = math.sqrt %a fastmath<afn> : f32
  // CHECK: %[[C:.*]] = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(%[[B]])
  %c = math.rsqrt %b fastmath<afn> : f32
  // CHECK: %[[E:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%[[C]])
  %e = math.exp2 %c fastmath<afn> : f32
  // CHECK: %[[P:.*]] = llvm.fmul %[[E]], %{{.*}} : f32
  // CHECK: %[[E2:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%[[P]])
  %e2 = math.exp %e fastmath<afn> : f32
  // CHECK: %[[F:.*]] = llvm.fdiv %[[E2]], %[[E2]] : f32
  %f = arith.divf %e2, %e2 : f32
  // CHECK: %[[G:.*]] = llvm.intr.sqrt(%[[F]]) : (f32) -> f32
  %g = math.sqrt %f : f32
  // CHECK: llvm.fdiv %arg1, %arg1 {fastmathFlags = #llvm.fastmath<afn>} : f64
  %h = arith.divf %d, %d fastmath<afn> : f64
  llvm.return %g : f32
}

// By a number: its reciprocal, where that has all its bits.
// CHECK-LABEL: llvm.func @quotients(
llvm.func @quotients(%x: f32) -> f32 {
  %ten = llvm.mlir.constant(1.000000e+01 : f32) : f32
  %huge = llvm.mlir.constant(2.000000e+38 : f32) : f32
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  // CHECK: %[[TENTH:.*]] = llvm.mlir.constant(1.000000e-01 : f32) : f32
  // CHECK: %[[A:.*]] = llvm.fmul %arg0, %[[TENTH]] : f32
  %a = arith.divf %x, %ten fastmath<afn> : f32
  // CHECK: %[[B:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[A]], %{{.*}})
  %b = arith.divf %a, %huge fastmath<afn> : f32
  // CHECK: %[[C:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[B]], %{{.*}})
  %c = arith.divf %b, %zero fastmath<afn> : f32
  // CHECK: llvm.fdiv %[[C]], %{{.*}} : f32
  %d = arith.divf %c, %ten : f32
  llvm.return %d : f32
}

// CHECK-LABEL: llvm.func @rounded(
llvm.func @rounded(%x: f32, %d: f64) -> f16 {
  // CHECK: llvm.call_intrinsic "llvm.nvvm.f2bf16.rz"(%arg0) : (f32) -> bf16
  %a = arith.truncf %x toward_zero : f32 to bf16
  // CHECK: llvm.fptrunc %arg0 : f32 to bf16
  %b = arith.truncf %x to_nearest_even : f32 to bf16
  // CHECK: %[[C:.*]] = llvm.call_intrinsic "llvm.nvvm.d2f.rz"(%arg1) : (f64) -> f32
  // CHECK: llvm.inline_asm "cvt.rz.f16.f32 $0, $1;", "=h,f" %[[C]] : (f32) -> f16
  %c = arith.truncf %d toward_zero : f64 to f16
  llvm.return %c : f16
}

// CHECK-LABEL: llvm.func @divide(
llvm.func @divide(%x: i32, %y: i32) -> i32 {
  // CHECK: llvm.sdiv
  %a = arith.ceildivsi %x, %y : i32
  %b = arith.floordivsi %a, %y : i32
  %c = arith.ceildivui %b, %y : i32
  llvm.return %c : i32
}

// Integers that f32 does not hold, where no instruction rounds them to bf16: once, not twice.
module attributes {tile.target = "sm_80"} {
  // CHECK-LABEL: llvm.func @integers(
  llvm.func @integers(%x: i64, %y: i32, %z: i16) -> bf16 {
    // CHECK: %[[CUT:.*]] = llvm.call_intrinsic "llvm.nvvm.ll2f.rz"(%arg0) : (i64) -> f32
    // CHECK: %[[BACK:.*]] = llvm.fptosi %[[CUT]] : f32 to i64
    // CHECK: %[[LOST:.*]] = llvm.icmp "ne" %[[BACK]], %arg0 : i64
    // CHECK: %[[STICKY:.*]] = llvm.zext %[[LOST]] : i1 to i32
    // CHECK: %[[ODD:.*]] = llvm.or %{{.*}}, %[[STICKY]] : i32
    // CHECK: %[[WIDE:.*]] = llvm.bitcast %[[ODD]] : i32 to f32
    // CHECK: llvm.fptrunc %[[WIDE]] : f32 to bf16
    %a = arith.sitofp %x : i64 to bf16
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ui2f.rz"(%arg1) : (i32) -> f32
    // CHECK: llvm.fptoui
    %b = arith.uitofp %y : i32 to bf16
    // CHECK: llvm.sitofp %arg2 : i16 to bf16
    %c = arith.sitofp %z : i16 to bf16
    // CHECK: llvm.sitofp %arg0 : i64 to f32
    %d = arith.sitofp %x : i64 to f32
    llvm.return %a : bf16
  }
}
module attributes {tile.target = "sm_90a"} {
  // CHECK-LABEL: llvm.func @by_one_instruction(
  llvm.func @by_one_instruction(%x: i64) -> bf16 {
    // CHECK: llvm.sitofp %arg0 : i64 to bf16
    %a = arith.sitofp %x : i64 to bf16
    llvm.return %a : bf16
  }
}

//--- invalid.mlir
llvm.func @left(%x: f32) -> f32 {
  // The backend would end the process.
  // expected-error @+1 {{'math.exp' op expected `expand-math` to have replaced it}}
  %a = math.exp %x : f32
  llvm.return %a : f32
}

// -----

llvm.func @accurate(%x: f32) -> f32 {
  // expected-error @+1 {{'math.exp2' op expected `expand-math` to have replaced it}}
  %a = math.exp2 %x : f32
  llvm.return %a : f32
}

// -----

llvm.func @narrow(%x: f16) -> f16 {
  // expected-error @+1 {{'math.sqrt' op expected `expand-math` to have replaced it}}
  %a = math.sqrt %x : f16
  llvm.return %a : f16
}
