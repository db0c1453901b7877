// Tensors in control flow: carried register by register.
// RUN: tegula-opt %s --convert-tile-to-llvm | FileCheck %s
// RUN: tegula-opt %s --tegula-lower | FileCheck %s --check-prefix=LLVM

#two = #tile.layout<{register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []} : [64]>

// LLVM-NOT: scf.
// LLVM: llvm.cond_br
// LLVM-NOT: scf.
module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: llvm.func @control(
func.func @control(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #two>
  %v = tile.load %ps : tensor<64x!tile.ptr<f32>, #two>
  // CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %arg0, %{{.*}} = %arg0) -> (f32, f32, !llvm.ptr<1>, !llvm.ptr<1>) : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v, %q = %ps) -> (tensor<64xf32, #two>, tensor<64x!tile.ptr<f32>, #two>) : i32 {
    %big = arith.cmpi sgt, %i, %c1 : i32
    // CHECK: scf.if %{{.*}} -> (f32, f32)
    %s = scf.if %big -> (tensor<64xf32, #two>) {
      %t = arith.addf %a, %a : tensor<64xf32, #two>
      scf.yield %t : tensor<64xf32, #two>
    } else {
      scf.yield %a : tensor<64xf32, #two>
    }
    scf.yield %s, %q : tensor<64xf32, #two>, tensor<64x!tile.ptr<f32>, #two>
  }
  // CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (f32, f32, i32) -> (f32, f32, i32)
  %w:2 = scf.while (%a = %r#0, %k = %n) : (tensor<64xf32, #two>, i32) -> (tensor<64xf32, #two>, i32) {
    %more = arith.cmpi sgt, %k, %c0 : i32
    scf.condition(%more) %a, %k : tensor<64xf32, #two>, i32
  } do {
  ^bb0(%a: tensor<64xf32, #two>, %k: i32):
    %less = arith.subi %k, %c1 : i32
    %b = arith.mulf %a, %a : tensor<64xf32, #two>
    scf.yield %b, %less : tensor<64xf32, #two>, i32
  }
  tile.store %r#1, %w#0 : tensor<64x!tile.ptr<f32>, #two>
  return
}
}
