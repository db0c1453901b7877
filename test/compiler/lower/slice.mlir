// A part of a tensor is registers under another name: no instruction.
// RUN: tegula-opt %s --convert-tile-to-llvm | FileCheck %s

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
