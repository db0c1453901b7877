// Products that a unit computes on its own: what is written is read back.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --cse | FileCheck %s --check-prefix=CSE

// 64 rows of 16 halves, rows of 32 bytes; and 16 rows of 64 columns of b, which are contiguous.
#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]} : [64, 16]>
#b = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]} : [16, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

// CHECK-LABEL: func.func @product
func.func @product(%c: tensor<64x64xf32, #sums>, %slot: i32) -> tensor<64x64xf32, #sums> {
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<16x64xbf16>, #b>
  // CHECK: %[[F:.*]] = tgpu.mma_begin %{{.*}} : tensor<64x64xf32, #{{.*}}>
  %f = tgpu.mma_begin %c : tensor<64x64xf32, #sums>
  // CHECK: %[[G:.*]] = tgpu.mma %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}] adding %[[F]] unit <wgmma, m64n64k16> : {{.*}} -> <tensor<64x64xf32, #{{.*}}>>
  %g = tgpu.mma %a[%slot], %b[%slot] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>, !tgpu.buffer<2 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  // CHECK: %[[H:.*]] = tgpu.mma_wait pending 1 %[[G]]
  %h = tgpu.mma_wait pending 1 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  // CHECK: tgpu.proxy_fence
  tgpu.proxy_fence
  // CHECK: tgpu.mma_wait pending 0 %[[H]] : {{.*}} -> tensor<64x64xf32, #{{.*}}>
  %t = tgpu.mma_wait pending 0 %h : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
  return %t : tensor<64x64xf32, #sums>
}

// Sums come out while a product that started behind theirs is pending; what is held stays until then.
// CHECK-LABEL: func.func @behind_others
func.func @behind_others(%slot: i32) -> (tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>) {
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<16x64xbf16>, #b>
  %f = tgpu.mma %a[%slot], %b[%slot] unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>, !tgpu.buffer<2 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  %g = tgpu.mma %a[%slot], %b[%slot] unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>, !tgpu.buffer<2 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  // CHECK: %[[T:.*]] = tgpu.mma_wait pending 1 %{{.*}} : {{.*}} -> tensor<64x64xf32
  %t = tgpu.mma_wait pending 1 %f : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
  // CHECK: tgpu.mma_wait pending 0 %{{.*}} holding(%[[T]] : tensor<64x64xf32, #{{.*}}>) : {{.*}} -> tensor<64x64xf32
  %u = tgpu.mma_wait pending 0 %g holding (%t : tensor<64x64xf32, #sums>) : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
  return %t, %u : tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>
}

// The slot of a may hold the tensor with its axes in the other order, and products may start from zero.
// CHECK-LABEL: func.func @transposed
func.func @transposed(%slot: i32) -> tensor<64x64xf32, #sums> {
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<16x64xbf16>, #b>
  // CHECK: tgpu.mma %{{.*}}[%{{.*}}] transposed, %{{.*}}[%{{.*}}] unit <wgmma, m64n64k16>
  %g = tgpu.mma %b[%slot] transposed, %b[%slot] unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<16x64xbf16>, #b>, !tgpu.buffer<1 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  %t = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
  return %t : tensor<64x64xf32, #sums>
}

// Two that begin with equal sums stay two: a product adds to each.
// CSE-LABEL: func.func @begin_alike
func.func @begin_alike(%c: tensor<64x64xf32, #sums>, %slot: i32) -> (tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>) {
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<16x64xbf16>, #b>
  %d = tgpu.alloc : !tgpu.buffer<2 of tensor<16x64xbf16>, #b>
  // CSE-COUNT-2: tgpu.mma_begin
  %f = tgpu.mma_begin %c : tensor<64x64xf32, #sums>
  %g = tgpu.mma_begin %c : tensor<64x64xf32, #sums>
  %h = tgpu.mma %a[%slot], %b[%slot] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>, !tgpu.buffer<2 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  %i = tgpu.mma %a[%slot], %d[%slot] adding %g unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x16xbf16>, #a>, !tgpu.buffer<2 of tensor<16x64xbf16>, #b> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  %t:2 = tgpu.mma_wait pending 0 %h, %i : !tgpu.in_flight<tensor<64x64xf32, #sums>>, !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>
  return %t#0, %t#1 : tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>
}
