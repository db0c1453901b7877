// TMA copies by tensor maps: implicit kernel arguments, barriers, and who waits.
// RUN: tegula-opt %s --split-input-file --allocate-shared --place-barriers --convert-tile-to-llvm | FileCheck %s

#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]]} : [32, 32]>
#rows = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [4, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [8, 0]], warp = [[16, 0]]} : [32, 32]>

// The map is a parameter behind the kernel's own, 128 bytes that LLVM may not copy; parameters are numbers of 32 bits in
// what the manifest is told, constants of 64. One elected thread acts for all.
// CHECK-LABEL: llvm.func @one_box
// CHECK-SAME: %[[MAP:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, tgpu.map = {base = 0 : i32, box = array<i32: 32, 32>, sizes = [1 : i32, 32], strides = [1 : i32], swizzle = 128 : i32}}
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: inline_asm has_side_effects "@$1 mbarrier.init.shared.b64 [$0+0], 1;", "r,b" %{{.*}}, %[[FIRST]]
// CHECK: inline_asm has_side_effects "@$1 mbarrier.init.shared.b64 [$0+8], 1;"
// CHECK-NEXT: nvvm.fence.mbarrier.init
// CHECK-NEXT: nvvm.barrier
// CHECK: inline_asm has_side_effects "@$5 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0+0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,b" %{{.*}}, %[[MAP]],
// CHECK: inline_asm has_side_effects "@$1 mbarrier.arrive.expect_tx.shared.b64 _, [$0], 4096;", "r,b"
// CHECK: scf.while
// CHECK: nvvm.mbarrier.try_wait %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32 -> i1
// What a barrier says is there is there: no thread waits for the others before it reads; but before the slot is filled
// again all have read.
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.load
// CHECK: nvvm.barrier
// CHECK-NOT: nvvm.fence.proxy
// CHECK: cp.async.bulk.tensor
// CHECK: scf.while
// CHECK: nvvm.barrier
// CHECK: inline_asm has_side_effects "@$1 mbarrier.inval.shared.b64 [$0+0];", "r,b"
module attributes {tile.target = "sm_90a"} {
func.func @one_box(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %side = arith.constant 32 : i64
  %map = tgpu.tensor_map %x, sizes [%n, %side], strides [%n] box [32, 32] swizzle 128 : !tile.ptr<f32>, [i32, i64], [i32]
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<32x32xf32>, #memory>
  %bars = tgpu.barriers : !tgpu.barriers<2>
  tgpu.barriers_init %bars : !tgpu.barriers<2>
  tgpu.tma_copy %map[%0, %0] into %b[%0] signals %bars[%0] : !tgpu.buffer<1 of tensor<32x32xf32>, #memory>, !tgpu.barriers<2>
  tgpu.barrier_expect 4096 at %bars[%0] : !tgpu.barriers<2>
  tgpu.barrier_wait %bars[%0] parity %0 : !tgpu.barriers<2>
  %v = tgpu.local_load %b[%0] at [0, 0] : !tgpu.buffer<1 of tensor<32x32xf32>, #memory> -> tensor<32x32xf32, #rows>
  tgpu.tma_copy %map[%1, %0] into %b[%0] signals %bars[%1] : !tgpu.buffer<1 of tensor<32x32xf32>, #memory>, !tgpu.barriers<2>
  tgpu.barrier_expect 4096 at %bars[%1] : !tgpu.barriers<2>
  tgpu.barrier_wait %bars[%1] parity %0 : !tgpu.barriers<2>
  %w = tgpu.local_load %b[%0] at [0, 0] : !tgpu.buffer<1 of tensor<32x32xf32>, #memory> -> tensor<32x32xf32, #rows>
  tgpu.barriers_end %bars : !tgpu.barriers<2>
  %z = arith.addf %v, %w : tensor<32x32xf32, #rows>
  tile.print "z" [true] values(%z : tensor<32x32xf32, #rows>)
  return
}
}

// -----

#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]]} : [32, 32]>
#rows = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [4, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [8, 0]], warp = [[16, 0]]} : [32, 32]>

// What threads wrote TMA does not see by itself: behind the barrier there is a fence.
// CHECK-LABEL: llvm.func @after_a_store
// CHECK: llvm.store
// CHECK: nvvm.barrier
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK: cp.async.bulk.tensor
module attributes {tile.target = "sm_90a"} {
func.func @after_a_store(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %0 = arith.constant 0 : i32
  %ones = arith.constant dense<1.0> : tensor<32x32xf32, #rows>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [32, 32] swizzle 128 : !tile.ptr<f32>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<32x32xf32>, #memory>
  %bars = tgpu.barriers : !tgpu.barriers<1>
  tgpu.barriers_init %bars : !tgpu.barriers<1>
  tgpu.local_store %ones into %b[%0] : tensor<32x32xf32, #rows>, !tgpu.buffer<1 of tensor<32x32xf32>, #memory>
  tgpu.tma_copy %map[%0, %0] into %b[%0] signals %bars[%0] : !tgpu.buffer<1 of tensor<32x32xf32>, #memory>, !tgpu.barriers<1>
  tgpu.barrier_expect 4096 at %bars[%0] : !tgpu.barriers<1>
  tgpu.barrier_wait %bars[%0] parity %0 : !tgpu.barriers<1>
  return
}
}
