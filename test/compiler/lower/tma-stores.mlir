// Stores of boxes: which threads write, fence and wait, and the elected thread.
// RUN: tegula-opt %s --split-input-file --allocate-shared --place-barriers --convert-tile-to-llvm | FileCheck %s

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>

// Each half of the warps waits at a barrier of its own; its first thread starts the copy of its 64 rows, which lie 8192
// bytes after the others'. No thread waits for all.
// CHECK-LABEL: llvm.func @halves
// CHECK: inline_asm has_side_effects "@$1 prefetch.tensormap [$0];", "l,b"
// CHECK: inline_asm has_side_effects "cp.async.bulk.wait_group.read 1;"
// CHECK: inline_asm has_side_effects "@$0 bar.sync 2, 128;", "b"
// CHECK: inline_asm has_side_effects "@$0 bar.sync 3, 128;", "b"
// CHECK-NOT: nvvm.barrier
// CHECK: nvvm.stmatrix
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK: "@$0 bar.sync 2, 128;", "b"
// CHECK: "@$0 bar.sync 3, 128;", "b"
// CHECK: inline_asm has_side_effects "@$4 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$0, {$1, $2}], [$3+0];", "l,r,r,r,b"
// CHECK-NEXT: inline_asm has_side_effects "@$0 cp.async.bulk.commit_group;", "b"
// CHECK: inline_asm has_side_effects "cp.async.bulk.wait_group 0;"
// CHECK-NEXT: llvm.return
module attributes {tile.target = "sm_90a"} {
func.func @halves(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %0 = arith.constant 0 : i32
  %v = arith.constant dense<1.0> : tensor<128x64xbf16, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  tgpu.tma_store_wait pending 1 read refill parts 2
  tgpu.tma_store %v by %b[%0] to %map[%0, %0] parts 2 : tensor<128x64xbf16, #sums>, !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
  tgpu.tma_store_wait pending 0
  return
}
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>

// What others read before lies in the same bytes: all wait for all then. Without parts they do so in the op, too. A
// buffer that comes behind the last wait may have the bytes again, behind one more barrier.
// CHECK-LABEL: llvm.func @over_others
// CHECK-COUNT-4: nvvm.stmatrix
// CHECK: nvvm.barrier
// CHECK-COUNT-4: nvvm.ldmatrix
// CHECK: nvvm.barrier
// CHECK-COUNT-4: nvvm.stmatrix
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.barrier
// CHECK: bulk_group
// CHECK-NEXT: commit_group
// CHECK-NOT: nvvm.barrier
// CHECK: "cp.async.bulk.wait_group.read 0;"
// CHECK-NEXT: nvvm.barrier
// CHECK: nvvm.stmatrix
module attributes {tile.target = "sm_90a"} {
func.func @over_others(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %0 = arith.constant 0 : i32
  %v = arith.constant dense<1.0> : tensor<128x64xbf16, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 128] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<128x64xbf16>, #rows>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<128x64xbf16>, #rows>
  %c = tgpu.alloc : !tgpu.buffer<1 of tensor<128x64xbf16>, #rows>
  tgpu.local_store %v into %a[%0] : tensor<128x64xbf16, #sums>, !tgpu.buffer<1 of tensor<128x64xbf16>, #rows>
  %w = tgpu.local_load %a[%0] at [0, 0] : !tgpu.buffer<1 of tensor<128x64xbf16>, #rows> -> tensor<128x64xbf16, #sums>
  tgpu.tma_store %w by %b[%0] to %map[%0, %0] : tensor<128x64xbf16, #sums>, !tgpu.buffer<1 of tensor<128x64xbf16>, #rows>
  tgpu.tma_store_wait pending 0 read
  tgpu.local_store %w into %c[%0] : tensor<128x64xbf16, #sums>, !tgpu.buffer<1 of tensor<128x64xbf16>, #rows>
  return
}
}
