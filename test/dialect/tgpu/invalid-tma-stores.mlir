// Each hand-written check of stores of boxes, by its number in TmaStoreOps.td.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>
#blocked = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [128, 64]>
func.func @tma_store_c1(%x: !tile.ptr<bf16>, %n: i32, %v: tensor<128x64xbf16, #sums>) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 128] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  // expected-error @+1 {{expected a coordinate for each axis of a map with two or more}}
  tgpu.tma_store %v by %b[%n] to %map[%n] : tensor<128x64xbf16, #sums>, !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>
#blocked = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [128, 64]>
func.func @tma_store_c2(%x: !tile.ptr<bf16>, %n: i32, %v: tensor<128x64xf16, #sums>) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 128] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  // expected-error @+1 {{expected a tensor like the buffer's}}
  tgpu.tma_store %v by %b[%n] to %map[%n, %n] : tensor<128x64xf16, #sums>, !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>
#blocked = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [128, 64]>
func.func @tma_store_c3(%x: !tile.ptr<bf16>, %n: i32, %v: tensor<128x64xbf16, #sums>) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 128] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xbf16>, #plain>
  // expected-error @+1 {{expected a buffer of whole boxes of the map for each part}}
  tgpu.tma_store %v by %b[%n] to %map[%n, %n] : tensor<128x64xbf16, #sums>, !tgpu.buffer<2 of tensor<128x64xbf16>, #plain>
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>
#blocked = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [128, 64]>
func.func @tma_store_c3_parts(%x: !tile.ptr<bf16>, %n: i32, %v: tensor<128x64xbf16, #sums>) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 128] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  // expected-error @+1 {{expected a buffer of whole boxes of the map for each part}}
  tgpu.tma_store %v by %b[%n] to %map[%n, %n] parts 2 : tensor<128x64xbf16, #sums>, !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>
#blocked = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [128, 64]>
func.func @tma_store_c3_elements(%x: !tile.ptr<bf16>, %n: i32, %v: tensor<128x64xf16, #sums>) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 128] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xf16>, #rows>
  // expected-error @+1 {{expected a buffer of whole boxes of the map for each part}}
  tgpu.tma_store %v by %b[%n] to %map[%n, %n] : tensor<128x64xf16, #sums>, !tgpu.buffer<2 of tensor<128x64xf16>, #rows>
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>
#blocked = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [128, 64]>
func.func @tma_store_c4(%x: !tile.ptr<bf16>, %n: i32, %v: tensor<128x64xbf16, #sums>) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 128] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  // expected-error @+1 {{expected 1, 2, 4 or 8 parts, found 3}}
  tgpu.tma_store %v by %b[%n] to %map[%n, %n] parts 3 : tensor<128x64xbf16, #sums>, !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>
#blocked = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [128, 64]>
func.func @tma_store_c4_many(%x: !tile.ptr<bf16>, %n: i32, %v: tensor<128x64xbf16, #sums>) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 128] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  // expected-error @+1 {{expected 1, 2, 4 or 8 parts, found 16}}
  tgpu.tma_store %v by %b[%n] to %map[%n, %n] parts 16 : tensor<128x64xbf16, #sums>, !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>
#blocked = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [128, 64]>
func.func @tma_store_c4_warps(%x: !tile.ptr<bf16>, %n: i32, %v: tensor<128x64xbf16, #blocked>) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  // expected-error @+1 {{expected 2 parts of the warps with boxes of their own}}
  tgpu.tma_store %v by %b[%n] to %map[%n, %n] parts 2 : tensor<128x64xbf16, #blocked>, !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  return
}

// -----

func.func @tma_store_wait_c1() {
  // expected-error @+1 {{expected a number of stores, found -1}}
  tgpu.tma_store_wait pending -1
  return
}

// -----

func.func @tma_store_wait_c2() {
  // expected-error @+1 {{expected 1, 2, 4 or 8 parts, found 0}}
  tgpu.tma_store_wait pending 0 refill parts 0
  return
}
