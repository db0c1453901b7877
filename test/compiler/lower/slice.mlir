// A part of a tensor is registers under another name, there and back: no instruction.
// RUN: tegula-opt %s --split-input-file --convert-tile-to-llvm | FileCheck %s

#whole = #tile.layout<{register = [[0, 1], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]]} : [4, 64]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]]} : [4, 16]>

// Registers 4 and 5 of eight are at column 32.
// CHECK-LABEL: llvm.func @third
// CHECK-NOT: llvm.add
// CHECK: llvm.return
module attributes {tile.target = "sm_90a"} {
func.func @third(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %x = arith.constant dense<1.0> : tensor<4x64xf32, #whole>
  %0 = tgpu.slice %x at [0, 32] : tensor<4x64xf32, #whole> -> tensor<4x16xf32, #part>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x16x!tile.ptr<f32>, #part>
  tile.store %ps, %0 : tensor<4x16x!tile.ptr<f32>, #part>
  return
}
}

// -----

#whole = #tile.layout<{register = [[0, 1], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]]} : [4, 64]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]]} : [4, 16]>

// Of eight registers 4 and 5 are the part's.
// CHECK-LABEL: llvm.func @put_third
// CHECK: %[[WHOLE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[PART:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-COUNT-4: llvm.bitcast %[[WHOLE]]
// CHECK-NOT: llvm.bitcast %[[WHOLE]]
// CHECK-COUNT-2: llvm.bitcast %[[PART]]
// CHECK-NOT: llvm.bitcast %[[PART]]
// CHECK-COUNT-2: llvm.bitcast %[[WHOLE]]
// CHECK: llvm.return
module attributes {tile.target = "sm_90a"} {
func.func @put_third(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %x = arith.constant dense<1.0> : tensor<4x64xf32, #whole>
  %part = arith.constant dense<2.0> : tensor<4x16xf32, #part>
  %0 = tgpu.insert %part into %x at [0, 32] : tensor<4x16xf32, #part> -> tensor<4x64xf32, #whole>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x64x!tile.ptr<f32>, #whole>
  tile.store %ps, %0 : tensor<4x64x!tile.ptr<f32>, #whole>
  return
}
}
