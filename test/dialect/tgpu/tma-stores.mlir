// Stores of boxes: what is written is read back.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>

// CHECK-LABEL: func.func @store
func.func @store(%x: !tile.ptr<bf16>, %n: i32, %m: i32, %row: i64, %at: i32, %v: tensor<128x64xbf16, #sums>) {
  %whole = tgpu.tensor_map %x, sizes [%n, %m], strides [%row] box [64, 128] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %half = tgpu.tensor_map %x, sizes [%n, %m, %m], strides [%row, %row] box [64, 64, 1] swizzle 128 : !tile.ptr<bf16>, [i32, i32, i32], [i64, i64]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  // CHECK: tgpu.tma_store %{{.*}} by %[[B:.*]][%[[AT:.*]]] to %{{.*}}[%[[AT]], %[[AT]]] : tensor<128x64xbf16, #[[SUMS:.*]]>, <2 of tensor<128x64xbf16>, #{{.*}}>
  tgpu.tma_store %v by %b[%at] to %whole[%at, %at] : tensor<128x64xbf16, #sums>, !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  // CHECK: tgpu.tma_store_wait pending 1 read refill parts 2
  tgpu.tma_store_wait pending 1 read refill parts 2
  // CHECK: tgpu.tma_store %{{.*}} by %[[B]][%[[AT]]] to %{{.*}}[%[[AT]], %[[AT]], %[[AT]]] parts 2 : tensor<128x64xbf16, #[[SUMS]]>
  tgpu.tma_store %v by %b[%at] to %half[%at, %at, %at] parts 2 : tensor<128x64xbf16, #sums>, !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  // CHECK: tgpu.tma_store_wait pending 0{{$}}
  tgpu.tma_store_wait pending 0
  return
}
