// Loops whose loads are told how to run ahead, one way each.
// RUN: tegula-opt %s --pipeline-loops | FileCheck %s --implicit-check-not='tgpu.pipeline =' --implicit-check-not=tgpu.fetch --implicit-check-not=tgpu.tma_load

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#regs = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [64, 64]>

// What is loaded is carried to the next iteration; beyond the last one nothing is.
// CHECK-LABEL: func.func @registers
// CHECK: %[[ANY:.*]] = arith.cmpi
// CHECK: %[[FIRST:.*]] = tile.load %{{.*}}, %[[ANY]]
// CHECK: scf.for {{.*}} iter_args(%[[NOW:.*]] = %[[FIRST]])
// CHECK: tile.load %{{.*}}, %{{.*}}
// CHECK: tile.store %{{.*}}, %[[NOW]]
func.func @registers(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %p = tile.addptr %x, %i : !tile.ptr<f32>, i32
    %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = registers>} : !tile.ptr<f32>
    %q = tile.addptr %y, %i : !tile.ptr<f32>, i32
    tile.store %q, %v : !tile.ptr<f32>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  return
}

// Threads copy into slots; one wait an iteration, and a last one behind the loop.
// CHECK-LABEL: func.func @async
// CHECK: tgpu.async_copy %{{.*}} if %{{.*}} into %[[B:.*]][%{{.*}}]
// CHECK: tgpu.async_commit
// CHECK: scf.for
// CHECK: tgpu.async_wait pending 0
// CHECK: tgpu.async_copy %{{.*}} if %{{.*}} into %[[B]][
// CHECK: tgpu.local_load %[[B]][
// CHECK: tgpu.async_wait pending 0
func.func @async(%x: !tile.ptr<bf16>, %y: tensor<64x64x!tile.ptr<bf16>, #regs>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %px = tile.addptr %x, %i : !tile.ptr<bf16>, i32
    %p = tile.splat %px : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
    %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = async>} : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v into %b[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %w = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #regs>
    tile.store %y, %w : tensor<64x64x!tile.ptr<bf16>, #regs>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  return
}

// Of one slot each: a copy for the next iteration starts behind the read, and is waited for by itself.
// CHECK-LABEL: func.func @one_slot
// CHECK: scf.for
// CHECK: tgpu.async_wait pending 1
// CHECK: tgpu.local_load %[[A:.*]][%c0
// CHECK: tgpu.async_copy %{{.*}} if %{{.*}} into %[[A]][%c0
// CHECK-NEXT: tgpu.async_commit
// CHECK: tile.store
// CHECK: tgpu.async_wait pending 1
// CHECK: tgpu.local_load %[[B:.*]][%c0
// CHECK: tgpu.async_copy %{{.*}} if %{{.*}} into %[[B]][%c0
// CHECK-NEXT: tgpu.async_commit
// CHECK: tgpu.async_wait pending 0
func.func @one_slot(%x: !tile.ptr<bf16>, %y: tensor<64x64x!tile.ptr<bf16>, #regs>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %px = tile.addptr %x, %i : !tile.ptr<bf16>, i32
    %p = tile.splat %px : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
    %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = async>} : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v into %a[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
    %w = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #regs>
    tile.store %y, %w : tensor<64x64x!tile.ptr<bf16>, #regs>
    %v2 = tile.load %p {tgpu.fetch = #tgpu.fetch<by = async, group = 1>} : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v2 into %b[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
    %w2 = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #regs>
    tile.store %y, %w2 : tensor<64x64x!tile.ptr<bf16>, #regs>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  return
}

// What goes through registers is stored to the other slot when the iteration is done.
// CHECK-LABEL: func.func @buffer
// CHECK: %[[FIRST:.*]] = tile.load
// CHECK: tgpu.local_store %[[FIRST]] into %[[B:.*]][
// CHECK: scf.for
// CHECK: %[[NEXT:.*]] = tile.load
// CHECK: tgpu.local_load %[[B]][
// CHECK: tile.store
// CHECK: tgpu.local_store %[[NEXT]] into %[[B]][
func.func @buffer(%x: !tile.ptr<bf16>, %y: tensor<64x64x!tile.ptr<bf16>, #regs>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %px = tile.addptr %x, %i : !tile.ptr<bf16>, i32
    %p = tile.splat %px : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
    %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = buffer>} : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v into %b[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %w = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #regs>
    tile.store %y, %w : tensor<64x64x!tile.ptr<bf16>, #regs>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  return
}

// TMA's copies of a group are a phase of a barrier, which the iteration waits for.
// CHECK-LABEL: func.func @tma
// CHECK: %[[BARS:.*]] = tgpu.barriers : <2>
// CHECK: tgpu.barriers_init %[[BARS]]
// CHECK: tgpu.tma_copy %[[MAP:.*]][%{{.*}}, %{{.*}}] if %{{.*}} into %[[B:.*]][%{{.*}}] signals %[[BARS]]
// CHECK: tgpu.barrier_expect 8192 at %[[BARS]]
// CHECK: scf.for {{.*}} iter_args
// CHECK: tgpu.barrier_wait %[[BARS]][%[[SLOT:.*]]] parity
// CHECK: tgpu.tma_copy %[[MAP]]{{.*}} into %[[B]][
// CHECK: tgpu.local_load %[[B]][%[[SLOT]]]
func.func @tma(%x: !tile.ptr<bf16>, %y: tensor<64x64x!tile.ptr<bf16>, #regs>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %k = arith.addi %i, %n : i32
    tgpu.tma_load %map[%k, %c0] into %b[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %w = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #regs>
    tile.store %y, %w : tensor<64x64x!tile.ptr<bf16>, #regs>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  return
}

// The copies of a later group are waited for where the first of their reads is, not where the last one is.
// CHECK-LABEL: func.func @later_group
// CHECK: scf.for
// CHECK: tgpu.barrier_wait
// CHECK: tgpu.local_load
// CHECK: tile.store
// CHECK-NEXT: tgpu.barrier_wait
// CHECK-NEXT: tgpu.local_load
// CHECK-NEXT: arith.muli
// CHECK-NEXT: tgpu.local_load
func.func @later_group(%x: !tile.ptr<bf16>, %y: tensor<64x64x!tile.ptr<bf16>, #regs>, %z: !tile.ptr<i32>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %c = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %k = arith.addi %i, %n : i32
    tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    tgpu.tma_load %map[%k, %c1] into %b[%c0] {tgpu.fetch = #tgpu.fetch<by = tma, group = 1>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    tgpu.tma_load %map[%k, %n] into %c[%c0] {tgpu.fetch = #tgpu.fetch<by = tma, group = 1>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %u = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #regs>
    tile.store %y, %u : tensor<64x64x!tile.ptr<bf16>, #regs>
    %v = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #regs>
    %between = arith.muli %i, %n : i32
    %w = tgpu.local_load %c[%c0] at [0, 0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #regs>
    %sum = arith.addf %v, %w : tensor<64x64xbf16, #regs>
    tile.store %y, %sum : tensor<64x64x!tile.ptr<bf16>, #regs>
    tile.store %z, %between : !tile.ptr<i32>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  return
}
