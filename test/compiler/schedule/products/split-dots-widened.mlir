// Where the assembler widens floats of 8 bits, long dots of them are loops of two steps.
// RUN: tegula-opt %s --split-input-file --split-dots | FileCheck %s

#sums = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [16, 8]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32], [0, 64]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]} : [16, 128]>
#fb = #tile.layout<{register = [[1, 0], [2, 0], [16, 0], [32, 0], [64, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]]} : [128, 8]>
#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 128]>
#columns = #tile.layout<{offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4]]} : [128, 8]>

// CHECK-LABEL: func.func @widened
// CHECK: scf.for %[[ROUND:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[SUM:.*]] = %arg0)
// CHECK: tgpu.local_load %{{.*}} at [0, 0] + %[[ROUND]] * 64 along 1
// CHECK: tgpu.local_load %{{.*}} at [0, 0] + %[[ROUND]] * 64 along 0
// CHECK: tgpu.local_load %{{.*}} at [0, 32] + %[[ROUND]] * 64 along 1
// CHECK: tgpu.local_load %{{.*}} at [32, 0] + %[[ROUND]] * 64 along 0
// CHECK-COUNT-2: tile.dot
// CHECK-NOT: tile.dot
// CHECK: scf.yield
module attributes {tile.target = "sm_100a"} {
func.func @widened(%c: tensor<16x8xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %as = tgpu.alloc : !tgpu.buffer<1 of tensor<16x128xf8E4M3FN>, #rows>
  %bs = tgpu.alloc : !tgpu.buffer<1 of tensor<128x8xf8E4M3FN>, #columns>
  %a = tgpu.local_load %as[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<16x128xf8E4M3FN>, #rows> -> tensor<16x128xf8E4M3FN, #fa>
  %b = tgpu.local_load %bs[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<128x8xf8E4M3FN>, #columns> -> tensor<128x8xf8E4M3FN, #fb>
  %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k32> : tensor<16x128xf8E4M3FN, #fa>, tensor<128x8xf8E4M3FN, #fb> -> tensor<16x8xf32, #sums>
  tile.print "d" [true] values(%d : tensor<16x8xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [16, 8]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32], [0, 64]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]} : [16, 128]>
#fb = #tile.layout<{register = [[1, 0], [2, 0], [16, 0], [32, 0], [64, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]]} : [128, 8]>
#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 128]>
#columns = #tile.layout<{offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4]]} : [128, 8]>

// A unit that takes them as they are needs no loop.
// CHECK-LABEL: func.func @as_they_are
// CHECK-NOT: scf.for
// CHECK-COUNT-4: tile.dot
module attributes {tile.target = "sm_89"} {
func.func @as_they_are(%c: tensor<16x8xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %as = tgpu.alloc : !tgpu.buffer<1 of tensor<16x128xf8E4M3FN>, #rows>
  %bs = tgpu.alloc : !tgpu.buffer<1 of tensor<128x8xf8E4M3FN>, #columns>
  %a = tgpu.local_load %as[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<16x128xf8E4M3FN>, #rows> -> tensor<16x128xf8E4M3FN, #fa>
  %b = tgpu.local_load %bs[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<128x8xf8E4M3FN>, #columns> -> tensor<128x8xf8E4M3FN, #fb>
  %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k32> : tensor<16x128xf8E4M3FN, #fa>, tensor<128x8xf8E4M3FN, #fb> -> tensor<16x8xf32, #sums>
  tile.print "d" [true] values(%d : tensor<16x8xf32, #sums>)
  return
}
}
