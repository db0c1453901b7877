// Loops parted into one of the producer warps and one of the consumers.
// RUN: tegula-opt %s --specialize-warps | FileCheck %s --implicit-check-not=tgpu.roles --implicit-check-not='tgpu.pipeline =' --implicit-check-not=tgpu.fetch

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

// Two loads are first read by one product, so they have a phase together. Registers are handed over.
// CHECK-LABEL: func.func @together
// CHECK-SAME: tile.occupancy = #tile.occupancy<blocks = 1>
// CHECK: %[[FULL:.*]] = tgpu.barriers : <2>
// CHECK-NEXT: %[[EMPTY:.*]] = tgpu.barriers : <2>
// CHECK: tgpu.producer warps 4 registers [24, 240] {
// CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%[[FILL:.*]] = %{{.*}}) -> (!tgpu.pipeline_state<2>)
// CHECK-NEXT: %[[S:.*]] = tgpu.pipeline_slot %[[FILL]]
// CHECK-NEXT: %[[P:.*]] = tgpu.pipeline_phase %[[FILL]]
// CHECK-NEXT: tgpu.barrier_wait %[[EMPTY]][%[[S]]] parity %[[P]]
// CHECK-NEXT: tgpu.barrier_expect 16384 at %[[FULL]][%[[S]]]
// CHECK-NEXT: tgpu.tma_copy %{{.*}}[%[[K]], %{{.*}}] into %{{.*}}[%[[S]]] signals %[[FULL]][%[[S]]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[K]]
// CHECK-NEXT: tgpu.tma_copy %{{.*}}[%[[NEXT]], %{{.*}}] into %{{.*}}[%[[S]]] signals %[[FULL]][%[[S]]] {tile.in_front = array<i32: 0>}
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[READ:.*]] = %{{.*}}) ->
// CHECK: %[[T:.*]] = tgpu.pipeline_slot %[[READ]]
// CHECK: %[[Q:.*]] = tgpu.pipeline_phase %[[READ]]
// CHECK: tgpu.barrier_wait %[[FULL]][%[[T]]] parity %[[Q]]
// CHECK: tgpu.mma %{{.*}}[%[[T]]], %{{.*}}[%[[T]]]
// CHECK: tgpu.mma_wait pending 0
// CHECK-NEXT: tgpu.barrier_arrive %[[EMPTY]][%[[T]]]
func.func @together(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.roles = #tgpu.roles<producers = 4, producer_registers = 24, consumer_registers = 240>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %next = arith.addi %k, %c64 : i32
    tgpu.tma_load %map[%next, %c0] into %b[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>, tile.in_front = array<i32: 0>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %b[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  return
}

// The program has waited for others in front of the loop: consumers say so when they come there, and the fence is that of
// who starts the loads.
// CHECK-LABEL: func.func @behind_a_wait
// CHECK: %[[TOLD:.*]] = tgpu.barriers : <1>
// CHECK: tgpu.barriers_init %[[TOLD]]
// CHECK: tgpu.producer warps 1 {
// CHECK: tgpu.barrier_wait %[[TOLD]][%[[ZERO:.*]]] parity %[[ZERO]]
// CHECK-NEXT: tgpu.global_fence
// CHECK: scf.for
// CHECK: tgpu.tma_copy
// CHECK: tile.atomic_rmw
// CHECK-NEXT: tgpu.barrier_arrive %[[TOLD]][%[[ZERO]]]
// CHECK-NOT: tgpu.global_fence
// CHECK: scf.for
func.func @behind_a_wait(%x: !tile.ptr<bf16>, %flag: !tile.ptr<i32>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.roles = #tgpu.roles<producers = 1>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %seen = tile.atomic_rmw add, acquire, gpu, %flag, %c0 : !tile.ptr<i32>
  tgpu.global_fence
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  return
}

// A product in flight gives the slot of the iteration before back, and the last one's is given back by the loop behind,
// which goes on with the slots.
// CHECK-LABEL: func.func @behind_one_another
// CHECK: tgpu.producer warps 1 {
// CHECK: %[[LEFT:.*]] = scf.for
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[LEFT]])
// CHECK: scf.for
// CHECK: tgpu.mma_wait pending 1
// CHECK: %[[ANY:.*]] = arith.cmpi ne
// CHECK: tgpu.barrier_arrive %[[EMPTY:.*]][%{{.*}}] if %[[ANY]]
// CHECK: tgpu.mma_wait pending 0
// CHECK: %[[RAN:.*]] = arith.cmpi slt
// CHECK: tgpu.barrier_arrive %[[EMPTY]][%{{.*}}] if %[[RAN]]
// CHECK: scf.for
func.func @behind_one_another(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.roles = #tgpu.roles<producers = 1>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> {tgpu.overlap = #tgpu.overlap<back_edge>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  %all = scf.for %k = %c0 to %n step %c64 iter_args(%before = %sum) -> (tensor<64x64xf32, #sums>) : i32 {
    tgpu.tma_load %map[%c0, %k] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  return
}
