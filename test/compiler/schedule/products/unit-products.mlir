// Dots of warp groups: operands in memory that a descriptor describes, and products in flight round a loop.
// RUN: tegula-opt %s --split-input-file --buffer-operands | FileCheck %s
// RUN: tegula-opt %s --split-input-file --form-boxes --buffer-operands --plan-loops --specialize-warps --pipeline-loops | FileCheck %s --check-prefix=LOOP
// RUN: tegula-opt %s --split-input-file --form-boxes --buffer-operands --plan-loops --specialize-warps --pipeline-loops --allocate-shared --place-barriers | FileCheck %s --check-prefix=FENCE

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 32]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16], [0, 32]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [32, 64]>
#ra = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#rb = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 64]>

// Rows of a are 64 bytes of K, rows of b 128 bytes of columns; the sums are handed over and waited for at once.
// CHECK-DAG: #[[MA:.*]] = #tile.layout<{offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]} : [64, 32]>
// CHECK-DAG: #[[MB:.*]] = #tile.layout<{offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]} : [32, 64]>
// CHECK-LABEL: func.func @loop
// CHECK-DAG: %[[A:.*]] = tgpu.alloc : <1 of tensor<64x32xbf16>, #[[MA]]>
// CHECK-DAG: %[[B:.*]] = tgpu.alloc : <1 of tensor<32x64xbf16>, #[[MB]]>
// CHECK: tgpu.local_store %{{.*}} into %[[A]]
// CHECK: tgpu.local_store %{{.*}} into %[[B]]
// CHECK: %[[F:.*]] = tgpu.mma_begin
// CHECK: %[[G:.*]] = tgpu.mma %[[A]][%{{.*}}], %[[B]][%{{.*}}] adding %[[F]] unit <wgmma, m64n64k16>
// CHECK: tgpu.mma_wait pending 0 %[[G]] : {{.*}} -> tensor<64x64xf32
// CHECK-NOT: tile.dot

// In the loop a product starts before the one of the iteration before has been waited for, whose slot is filled behind
// the wait. Behind the loop all are waited for.
// LOOP-LABEL: func.func @loop
// LOOP-DAG: tgpu.alloc : <3 of tensor<64x32xbf16>
// LOOP-DAG: tgpu.alloc : <3 of tensor<32x64xbf16>
// LOOP: %[[START:.*]] = tgpu.mma_begin
// LOOP: scf.for {{.*}} = %[[START]]
// LOOP: tgpu.async_wait pending 1
// LOOP: %[[G:.*]] = tgpu.mma %{{.*}} adding
// LOOP: %[[H:.*]] = tgpu.mma_wait pending 1 %[[G]] : {{.*}} -> !tgpu.in_flight
// LOOP: tgpu.async_copy
// LOOP: tgpu.async_commit
// LOOP: scf.yield {{.*}}%[[H]]
// LOOP: tgpu.mma_wait pending 0 {{.*}} -> tensor<64x64xf32

// One barrier an iteration makes known what was copied, to the unit as well, and one frees a slot.
// FENCE-LABEL: func.func @loop
// FENCE: scf.for
// FENCE: tgpu.async_wait pending 1
// FENCE-NEXT: tile.barrier
// FENCE-NEXT: tgpu.proxy_fence
// FENCE-NOT: tile.barrier
// FENCE: tgpu.mma_wait pending 1
// FENCE: tile.barrier
// FENCE-NOT: tile.barrier
// FENCE: scf.yield
module attributes {tile.target = "sm_90a"} {
func.func @loop(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %p: !tile.ptr<bf16> {tile.param = #tile.param<"p", "*bf16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<1.0> : tensor<64x64xf32, #sums>
  %ia = tile.arange 0 to 32 : tensor<32xi32, #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]]} : [32]>>
  %ea = tile.expand_dims %ia, 0 : tensor<32xi32, #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]]} : [32]>> -> tensor<1x32xi32, #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]} : [1, 32]>>
  %oa = tile.broadcast %ea : tensor<1x32xi32, #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]} : [1, 32]>> -> tensor<64x32xi32, #ra>
  %ib = tile.arange 0 to 64 : tensor<64xi32, #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]} : [64]>>
  %eb = tile.expand_dims %ib, 0 : tensor<64xi32, #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]} : [64]>> -> tensor<1x64xi32, #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]} : [1, 64]>>
  %ob = tile.broadcast %eb : tensor<1x64xi32, #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]} : [1, 64]>> -> tensor<32x64xi32, #rb>
  %sa = tile.splat %p : !tile.ptr<bf16> -> tensor<64x32x!tile.ptr<bf16>, #ra>
  %sb = tile.splat %p : !tile.ptr<bf16> -> tensor<32x64x!tile.ptr<bf16>, #rb>
  %qa = tile.addptr %sa, %oa : tensor<64x32x!tile.ptr<bf16>, #ra>, tensor<64x32xi32, #ra>
  %qb = tile.addptr %sb, %ob : tensor<32x64x!tile.ptr<bf16>, #rb>, tensor<32x64xi32, #rb>
  %step = arith.constant dense<64> : tensor<64x32xi32, #ra>
  %stepb = arith.constant dense<64> : tensor<32x64xi32, #rb>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%pa = %qa, %pb = %qb, %c = %zero) -> (tensor<64x32x!tile.ptr<bf16>, #ra>, tensor<32x64x!tile.ptr<bf16>, #rb>, tensor<64x64xf32, #sums>) : i32 {
    %a = tile.load %pa : tensor<64x32x!tile.ptr<bf16>, #ra>
    %b = tile.load %pb : tensor<32x64x!tile.ptr<bf16>, #rb>
    %xa = tile.convert_layout %a : tensor<64x32xbf16, #ra> -> tensor<64x32xbf16, #fa>
    %xb = tile.convert_layout %b : tensor<32x64xbf16, #rb> -> tensor<32x64xbf16, #fb>
    %d = tile.dot %xa, %xb, %c unit <wgmma, m64n64k16> : tensor<64x32xbf16, #fa>, tensor<32x64xbf16, #fb> -> tensor<64x64xf32, #sums>
    %na = tile.addptr %pa, %step : tensor<64x32x!tile.ptr<bf16>, #ra>, tensor<64x32xi32, #ra>
    %nb = tile.addptr %pb, %stepb : tensor<32x64x!tile.ptr<bf16>, #rb>, tensor<32x64xi32, #rb>
    scf.yield %na, %nb, %d : tensor<64x32x!tile.ptr<bf16>, #ra>, tensor<32x64x!tile.ptr<bf16>, #rb>, tensor<64x64xf32, #sums>
  }
  tile.print "d" [true] values(%r#2 : tensor<64x64xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 16]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 16]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [0, 8]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [16, 16]>

// What was computed in the fragments of a comes from registers; products from zero add to nothing; and what is b goes
// to memory from wherever it was.
// CHECK-LABEL: func.func @registers
// CHECK: tgpu.local_store %arg1 into %[[B:.*]][%
// CHECK-NOT: tgpu.mma_begin
// CHECK: tgpu.mma %arg0, %[[B]][%{{.*}}] unit <wgmma, m64n16k16> : tensor<64x16xf16
// FENCE-LABEL: func.func @registers
// FENCE: tgpu.local_store
// FENCE-NEXT: tile.barrier
// FENCE-NEXT: tgpu.proxy_fence
// FENCE: tgpu.mma
module attributes {tile.target = "sm_90a"} {
func.func @registers(%a: tensor<64x16xf16, #fa>, %b: tensor<16x16xf16, #fb>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %d = tile.dot %a, %b, %zero unit <wgmma, m64n16k16> : tensor<64x16xf16, #fa>, tensor<16x16xf16, #fb> -> tensor<64x16xf32, #sums>
  tile.print "d" [true] values(%d : tensor<64x16xf32, #sums>)
  return
}
}
