// Each hand-written check of products, by its number in ProductOps.td.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected sums with a layout}}
func.func private @in_flight_c1(!tgpu.in_flight<tensor<64x64xf32>>)

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_c1(%a: !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, %b: !tgpu.buffer<1 of tensor<16x64xbf16>, #b>, %s: i32) {
  // expected-error @+1 {{expected M by K, K by N and M by N elements}}
  %g = tgpu.mma %a[%s], %a[%s] unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, !tgpu.buffer<1 of tensor<64x16xbf16>, #a> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  return
}

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_c1_elements(%a: !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, %b: !tgpu.buffer<1 of tensor<16x64xf16>, #b>, %s: i32) {
  // expected-error @+1 {{expected elements that can be multiplied and added up}}
  %g = tgpu.mma %a[%s], %b[%s] unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, !tgpu.buffer<1 of tensor<16x64xf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  return
}

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_c2(%a: !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, %b: !tgpu.buffer<1 of tensor<16x64xbf16>, #b>, %s: i32) {
  // expected-error @+1 {{expected a slot of `a` where it is a buffer}}
  %g = tgpu.mma %a, %b[%s] unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, !tgpu.buffer<1 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  return
}

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_c3(%a: !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, %b: !tgpu.buffer<1 of tensor<16x64xbf16>, #plain>, %s: i32) {
  // expected-error @+1 {{expected a buffer that lies as a matrix descriptor can say}}
  %g = tgpu.mma %a[%s], %b[%s] unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, !tgpu.buffer<1 of tensor<16x64xbf16>, #plain> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  return
}

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_c4(%a: !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, %b: !tgpu.buffer<1 of tensor<16x64xbf16>, #b>, %s: i32) {
  // expected-error @+1 {{expected `wgmma` with a K of at most 16}}
  %g = tgpu.mma %a[%s], %b[%s] unit <mma_sync, m16n8k16> : !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, !tgpu.buffer<1 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  return
}

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_c5(%a: !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, %b: !tgpu.buffer<1 of tensor<16x64xbf16>, #b>, %s: i32) {
  // expected-error @+1 {{expected a part of K = 16 in steps of 16, found [16, 16]}}
  %g = tgpu.mma %a[%s], %b[%s] part [16, 16] unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, !tgpu.buffer<1 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  return
}

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_c6(%a: !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, %b: !tgpu.buffer<1 of tensor<16x64xbf16>, #b>, %s: i32) {
  // expected-error @+1 {{expected the 64 columns of the result, of 64 in steps of 64, found [64, 64]}}
  %g = tgpu.mma %a[%s], %b[%s] columns [64, 64] unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x16xbf16>, #a>, !tgpu.buffer<1 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  return
}

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_wait_c1(%f: !tgpu.in_flight<tensor<64x64xf32, #sums>>) {
  // expected-error @+1 {{expected each of the sums as a tensor or in flight}}
  %t = tgpu.mma_wait pending 0 %f : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf16, #sums>
  return
}

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_wait_c2(%f: !tgpu.in_flight<tensor<64x64xf32, #sums>>) {
  // expected-error @+1 {{expected sums to stay in flight whose product may be among the 1 pending}}
  %t = tgpu.mma_wait pending 1 %f : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
  return
}

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_wait_c2_last(%slot: i32) {
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<16x64xbf16>, #b>
  %f = tgpu.mma %a[%slot], %b[%slot] unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>, !tgpu.buffer<2 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  %g = tgpu.mma %a[%slot], %b[%slot] unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>, !tgpu.buffer<2 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  // expected-error @+1 {{expected sums to stay in flight whose product may be among the 1 pending}}
  %t = tgpu.mma_wait pending 1 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
  %u = tgpu.mma_wait pending 0 %f : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
  return
}

// -----

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @mma_wait_c3(%f: !tgpu.in_flight<tensor<64x64xf32, #sums>>) {
  // expected-error @+1 {{expected a number of products, found -1}}
  %t = tgpu.mma_wait pending -1 %f : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  return
}
