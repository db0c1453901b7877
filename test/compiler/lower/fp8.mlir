// Floats of 8 bits: bytes in registers; four at a time become wider floats where the target has instructions.
// RUN: tegula-opt %s --split-input-file --convert-tile-to-llvm | FileCheck %s

#a = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]]} : [128]>
module attributes {tile.target = "sm_90a"} {
// A word that is loaded is converted as it is, and four bytes are stored as one word.
// CHECK-LABEL: @memory
// CHECK: %[[W:.*]] = llvm.load {{.*}} -> i32
// CHECK-DAG: %[[LO:.*]] = arith.trunci %[[W]] : i32 to i16
// CHECK-DAG: %[[S:.*]] = arith.shrui %[[W]], %{{.*}} : i32
// CHECK-DAG: %[[HI:.*]] = arith.trunci %[[S]] : i32 to i16
// CHECK-DAG: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%[[LO]]) : (i16) -> vector<2xf16>
// CHECK-DAG: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%[[HI]]) : (i16) -> vector<2xf16>
// CHECK-COUNT-4: arith.extf %{{.*}} : f16 to f32
// CHECK: %[[P:.*]] = llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"(%{{.*}}, %{{.*}}) : (f32, f32) -> i16
// CHECK: %[[Q:.*]] = llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"(%{{.*}}, %{{.*}}) : (f32, f32) -> i16
// CHECK: %[[PW:.*]] = arith.extui %[[P]] : i16 to i32
// CHECK: %[[QW:.*]] = arith.extui %[[Q]] : i16 to i32
// CHECK: %[[QS:.*]] = arith.shli %[[QW]]
// CHECK: %[[WORD:.*]] = arith.ori %[[PW]], %[[QS]] : i32
// CHECK: llvm.store %[[WORD]], {{.*}} : i32
func.func @memory(%p: !tile.ptr<f8E4M3FN> {tile.param = #tile.param<"p", "*fp8e4nv", 16>},
                  %q: !tile.ptr<f8E5M2> {tile.param = #tile.param<"q", "*fp8e5", 16>})
    attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #a>
  %ps = tile.splat %p : !tile.ptr<f8E4M3FN> -> tensor<128x!tile.ptr<f8E4M3FN>, #a>
  %qs = tile.splat %q : !tile.ptr<f8E5M2> -> tensor<128x!tile.ptr<f8E5M2>, #a>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<f8E4M3FN>, #a>, tensor<128xi32, #a>
  %qi = tile.addptr %qs, %i : tensor<128x!tile.ptr<f8E5M2>, #a>, tensor<128xi32, #a>
  %x = tile.load %pi : tensor<128x!tile.ptr<f8E4M3FN>, #a>
  %y = arith.extf %x : tensor<128xf8E4M3FN, #a> to tensor<128xf32, #a>
  %z = arith.truncf %y : tensor<128xf32, #a> to tensor<128xf8E5M2, #a>
  tile.store %qi, %z : tensor<128x!tile.ptr<f8E5M2>, #a>
  return
}
}

// -----

module attributes {tile.target = "sm_89"} {
// Scalars: the other byte of the pair is zero. Selections, reinterpretations and constants are those of bytes.
// CHECK-LABEL: @scalars
// CHECK-SAME: %[[A:.*]]: i8 {{.*}}, %[[H:.*]]: f16 {{.*}}, %[[C:.*]]: i1
// CHECK-DAG: %[[W:.*]] = arith.extui %[[A]] : i8 to i16
// CHECK-DAG: llvm.call_intrinsic "llvm.nvvm.e5m2x2.to.f16x2.rn"(%[[W]])
// CHECK: %[[X:.*]] = llvm.call_intrinsic "llvm.nvvm.f16x2.to.e5m2x2.rn"(%{{.*}}) : (vector<2xf16>) -> i16
// CHECK: %[[XB:.*]] = arith.trunci %[[X]] : i16 to i8
// CHECK: %[[S:.*]] = arith.select %[[C]], %[[XB]], %{{.*}} : i8
// CHECK: llvm.zext %[[S]] : i8 to i16
// CHECK: arith.constant 126 : i8
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: arith.truncf {{.*}} : f32 to bf16
func.func @scalars(%a: f8E5M2 {tile.param = #tile.param<"a", "fp8e5", 1>},
                   %h: f16 {tile.param = #tile.param<"h", "fp16", 1>},
                   %c: i1 {tile.param = #tile.param<"c", "i1", 1>},
                   %p: !tile.ptr<i8> {tile.param = #tile.param<"p", "*u8", 1>},
                   %q: !tile.ptr<bf16> {tile.param = #tile.param<"q", "*bf16", 1>},
                   %r: !tile.ptr<f8E4M3FN> {tile.param = #tile.param<"r", "*fp8e4nv", 1>})
    attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %f = arith.extf %a : f8E5M2 to f16
  %s = arith.addf %f, %h : f16
  %x = arith.truncf %s : f16 to f8E5M2
  %y = arith.select %c, %x, %a : f8E5M2
  %z = arith.bitcast %y : f8E5M2 to i8
  tile.store %p, %z : !tile.ptr<i8>
  %k = arith.constant 4.48e+02 : f8E4M3FN
  tile.store %r, %k : !tile.ptr<f8E4M3FN>
  %b = arith.extf %y : f8E5M2 to bf16
  tile.store %q, %b : !tile.ptr<bf16>
  return
}
}

// -----

module attributes {tile.target = "sm_80"} {
// Without the instructions the same in integers; so is what rounds towards zero everywhere.
// CHECK-LABEL: @integers
// CHECK-NOT: llvm.call_intrinsic
// CHECK: arith.shli {{.*}} : i16
// CHECK: arith.bitcast {{.*}} : i16 to f16
// CHECK: arith.mulf {{.*}} : f16
// CHECK: arith.minsi
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.trunci {{.*}} : i32 to i8
func.func @integers(%p: !tile.ptr<f8E4M3FN> {tile.param = #tile.param<"p", "*fp8e4nv", 1>},
                    %q: !tile.ptr<f8E5M2> {tile.param = #tile.param<"q", "*fp8e5", 1>})
    attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %x = tile.load %q : !tile.ptr<f8E5M2>
  %y = arith.extf %x : f8E5M2 to f16
  %z = tile.load %p : !tile.ptr<f8E4M3FN>
  %w = arith.extf %z : f8E4M3FN to f16
  %s = arith.addf %y, %w : f16
  %t = arith.truncf %s : f16 to f8E5M2
  tile.store %q, %t : !tile.ptr<f8E5M2>
  return
}
}

// -----

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: @toward_zero
// CHECK-NOT: llvm.call_intrinsic
// CHECK: arith.fptoui
func.func @toward_zero(%x: f32 {tile.param = #tile.param<"x", "fp32", 1>},
                       %p: !tile.ptr<f8E4M3FN> {tile.param = #tile.param<"p", "*fp8e4nv", 1>})
    attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %y = arith.truncf %x toward_zero : f32 to f8E4M3FN
  tile.store %p, %y : !tile.ptr<f8E4M3FN>
  return
}
}
