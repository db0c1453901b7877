// Products of warp groups as inline PTX.
// RUN: tegula-opt %s --split-input-file --allocate-shared --place-barriers --convert-tile-to-llvm | FileCheck %s

#ma = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 32]>
#mb = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]} : [32, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>
#ra = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [64, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0], [32, 0]]} : [128, 32]>
#rb = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [32, 64]>

// Two groups read 64 rows of a each, 4096 bytes apart; buffers start at atoms, and the array at the largest. Each of the
// two steps along K has one instruction: 32 bytes on in a, 2048 in b. The sums go in and come out in the same registers.
// CHECK: llvm.mlir.global external @tegula_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<12288 x i8>
// CHECK-LABEL: llvm.func @two_groups
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: nvvm.shfl.sync idx
// CHECK: nvvm.barrier
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK: llvm.inline_asm has_side_effects "{\0A.reg .b64 da, db;\0Awgmma.fence.sync.aligned;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, {{.*}}, $31}, $32, $33, 1, 1, 1, 0, 1;\0Aadd.s64 da, $32, 2;\0Aadd.s64 db, $33, 128;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, {{.*}}, $31}, da, db, 1, 1, 1, 0, 1;\0Awgmma.commit_group.sync.aligned;\0A}", "=f,{{.*}},l,l,0,1,{{.*}},31"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,{{.*}},0,1,{{.*}},31"
module attributes {tile.target = "sm_90a"} {
func.func @two_groups(%p: !tile.ptr<bf16> {tile.param = #tile.param<"p", "*bf16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %slot = arith.constant 0 : i32
  %ones = arith.constant dense<1.0> : tensor<128x32xbf16, #ra>
  %twos = arith.constant dense<2.0> : tensor<32x64xbf16, #rb>
  %c = arith.constant dense<1.0> : tensor<128x64xf32, #sums>
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<128x32xbf16>, #ma>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<32x64xbf16>, #mb>
  tgpu.local_store %ones into %a[%slot] : tensor<128x32xbf16, #ra>, !tgpu.buffer<1 of tensor<128x32xbf16>, #ma>
  tgpu.local_store %twos into %b[%slot] : tensor<32x64xbf16, #rb>, !tgpu.buffer<1 of tensor<32x64xbf16>, #mb>
  %f = tgpu.mma_begin %c : tensor<128x64xf32, #sums>
  %g = tgpu.mma %a[%slot], %b[%slot] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<128x32xbf16>, #ma>, !tgpu.buffer<1 of tensor<32x64xbf16>, #mb> -> !tgpu.in_flight<tensor<128x64xf32, #sums>>
  %d = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<128x64xf32, #sums>> -> tensor<128x64xf32, #sums>
  tile.print "d" [true] values(%d : tensor<128x64xf32, #sums>)
  return
}
}

// -----

#mb = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]} : [16, 16]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 16]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 16]>
#rb = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [16, 16]>

// A from registers, four words; b transposed, so that K is contiguous; sums of halves, two to a register, from zero.
// CHECK-LABEL: llvm.func @halves
// CHECK: llvm.inline_asm has_side_effects "{\0A.reg .b64 da, db;\0Awgmma.fence.sync.aligned;\0Awgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 0, 1, 1, 0;\0Awgmma.commit_group.sync.aligned;\0A}", "=r,=r,=r,=r,r,r,r,r,l"
module attributes {tile.target = "sm_90a"} {
func.func @halves() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %slot = arith.constant 0 : i32
  %a = arith.constant dense<1.0> : tensor<64x16xf16, #fa>
  %twos = arith.constant dense<2.0> : tensor<16x16xf16, #rb>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<16x16xf16>, #mb>
  tgpu.local_store %twos into %b[%slot] : tensor<16x16xf16, #rb>, !tgpu.buffer<1 of tensor<16x16xf16>, #mb>
  %g = tgpu.mma %a, %b[%slot] transposed unit <wgmma, m64n16k16> : tensor<64x16xf16, #fa>, !tgpu.buffer<1 of tensor<16x16xf16>, #mb> -> !tgpu.in_flight<tensor<64x16xf16, #sums>>
  %d = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x16xf16, #sums>> -> tensor<64x16xf16, #sums>
  tile.print "d" [true] values(%d : tensor<64x16xf16, #sums>)
  return
}
}
