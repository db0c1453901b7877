// What a loop copies lies in whole copies in its buffer.
// RUN: tegula-opt %s --split-input-file --form-boxes --buffer-operands --plan-loops --specialize-warps --pipeline-loops | FileCheck %s

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [16, 0], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [64, 16]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]} : [64, 32]>
#fb = #tile.layout<{register = [[1, 0], [2, 0], [16, 0], [0, 8]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]]} : [32, 16]>
#ra = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 8], [0, 16]], lane = [[16, 0], [32, 0], [0, 1], [0, 2], [0, 4]]} : [64, 32]>

// Bytes of an operand a that are contiguous along its rows: every other basis is a multiple of 16 rows.
// CHECK-DAG: #[[M:.*]] = #tile.layout<{offset = {{\[}}[1, 0], [2, 0], [4, 0], [8, 0], [{{0|16|32|48}}, {{[0-9]+}}], [{{0|16|32|48}}, {{[0-9]+}}], [{{0|16|32|48}}, {{[0-9]+}}], [{{0|16|32|48}}, {{[0-9]+}}], [{{0|16|32|48}}, {{[0-9]+}}], [{{0|16|32|48}}, {{[0-9]+}}], [{{0|16|32|48}}, {{[0-9]+}}]]} : [64, 32]>
// CHECK-LABEL: func.func @bytes_across_k
// CHECK: tgpu.alloc : <2 of tensor<64x32xf8E5M2>, #[[M]]>
// CHECK: scf.for
// CHECK: tgpu.async_copy
module attributes {tile.target = "sm_90a"} {
func.func @bytes_across_k(%pa0: tensor<64x32x!tile.ptr<f8E5M2>, #ra>, %fb: tensor<32x16xf8E5M2, #fb>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %pa = tile.hint %pa0 contiguity = [64, 1] divisibility = [16, 16] : tensor<64x32x!tile.ptr<f8E5M2>, #ra>
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x16xf32, #sums>) : i32 {
    %si = tile.splat %i : i32 -> tensor<64x32xi32, #ra>
    %c2048 = arith.constant dense<2048> : tensor<64x32xi32, #ra>
    %step = arith.muli %si, %c2048 : tensor<64x32xi32, #ra>
    %qa = tile.addptr %pa, %step : tensor<64x32x!tile.ptr<f8E5M2>, #ra>, tensor<64x32xi32, #ra>
    %a = tile.load %qa : tensor<64x32x!tile.ptr<f8E5M2>, #ra>
    %fa = tile.convert_layout %a : tensor<64x32xf8E5M2, #ra> -> tensor<64x32xf8E5M2, #fa>
    %dot = tile.dot %fa, %fb, %acc unit <mma_sync, m16n8k32> : tensor<64x32xf8E5M2, #fa>, tensor<32x16xf8E5M2, #fb> -> tensor<64x16xf32, #sums>
    scf.yield %dot : tensor<64x16xf32, #sums>
  }
  tile.print "d" [true] values(%d : tensor<64x16xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [16, 0], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [64, 16]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]} : [64, 32]>
#fb = #tile.layout<{register = [[1, 0], [2, 0], [16, 0], [0, 8]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]]} : [32, 16]>
#ra = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 8], [0, 16]], lane = [[16, 0], [32, 0], [0, 1], [0, 2], [0, 4]]} : [64, 32]>
#memory = #tile.layout<{offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [0, 1], [0, 2], [0, 16], [16, 4], [33, 8]]} : [64, 32]>

// A buffer in which they are not whole, as one row in the last basis tells: what is loaded is stored.
// CHECK-LABEL: func.func @stored
// CHECK-NOT: tgpu.async_copy
// CHECK: scf.for
// CHECK-NOT: tgpu.async_copy
// CHECK: tgpu.local_store
// CHECK-NOT: tgpu.async_copy
// CHECK: return
module attributes {tile.target = "sm_90a"} {
func.func @stored(%pa0: tensor<64x32x!tile.ptr<f8E5M2>, #ra>, %fb: tensor<32x16xf8E5M2, #fb>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %buffer = tgpu.alloc : <1 of tensor<64x32xf8E5M2>, #memory>
  %pa = tile.hint %pa0 contiguity = [64, 1] divisibility = [16, 16] : tensor<64x32x!tile.ptr<f8E5M2>, #ra>
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x16xf32, #sums>) : i32 {
    %si = tile.splat %i : i32 -> tensor<64x32xi32, #ra>
    %c2048 = arith.constant dense<2048> : tensor<64x32xi32, #ra>
    %step = arith.muli %si, %c2048 : tensor<64x32xi32, #ra>
    %qa = tile.addptr %pa, %step : tensor<64x32x!tile.ptr<f8E5M2>, #ra>, tensor<64x32xi32, #ra>
    %a = tile.load %qa : tensor<64x32x!tile.ptr<f8E5M2>, #ra>
    tgpu.local_store %a into %buffer[%c0] : tensor<64x32xf8E5M2, #ra>, !tgpu.buffer<1 of tensor<64x32xf8E5M2>, #memory>
    %fa = tgpu.local_load %buffer[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x32xf8E5M2>, #memory> -> tensor<64x32xf8E5M2, #fa>
    %dot = tile.dot %fa, %fb, %acc unit <mma_sync, m16n8k32> : tensor<64x32xf8E5M2, #fa>, tensor<32x16xf8E5M2, #fb> -> tensor<64x16xf32, #sums>
    scf.yield %dot : tensor<64x16xf32, #sums>
  }
  tile.print "d" [true] values(%d : tensor<64x16xf32, #sums>)
  return
}
}
