// The second product of attention starts in the next iteration, behind that one's first.
// RUN: tegula-opt %s --overlap-products | FileCheck %s --implicit-check-not=tgpu.overlap

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

// CHECK-LABEL: func.func @attention
// CHECK-DAG: %[[FULLK:.*]] = tgpu.barriers
// CHECK: tgpu.producer
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[LOW:.*]], %[[HIGH:.*]] : i32
// CHECK: %{{.*}}:2 = scf.if %[[ANY]]
// The first iteration: its first product, and what is computed of it.
// CHECK: tgpu.barrier_wait
// CHECK: %[[F0:.*]] = tgpu.mma
// CHECK: tgpu.mma_wait pending 0 %[[F0]]
// CHECK: tgpu.barrier_arrive
// CHECK: %[[W0:.*]] = arith.truncf
// CHECK-NOT: tgpu.mma
// CHECK: %[[SECOND:.*]] = arith.addi %[[LOW]]
// CHECK: %[[LEFT:.*]]:4 = scf.for %{{.*}} = %[[SECOND]] to %[[HIGH]] {{.*}}iter_args({{.*}}, %[[W:.*]] = %[[W0]], %[[STATE:.*]] = %{{.*}}) ->
// The others: this one's first product, the second of the one before, and both are waited for.
// CHECK: tgpu.barrier_wait %[[FULLQ:.*]][
// CHECK: %[[F:.*]] = tgpu.mma
// CHECK: %[[SLOT:.*]] = tgpu.pipeline_slot %[[STATE]]
// CHECK: %[[PARITY:.*]] = tgpu.pipeline_phase %[[STATE]]
// CHECK: tgpu.barrier_wait %[[FULLV:.*]][%[[SLOT]]] parity %[[PARITY]]
// CHECK: %[[H:.*]] = tgpu.mma %[[W]], %{{.*}}[%[[SLOT]]] adding
// CHECK: tgpu.mma_wait pending 1 %[[F]]
// CHECK: tgpu.mma_wait pending 0 %[[H]] holding(%[[W]]
// CHECK: tgpu.barrier_arrive %{{.*}}[%[[SLOT]]]
// CHECK: arith.truncf
// The last one's second product is behind the loop.
// CHECK: %[[LAST:.*]] = tgpu.pipeline_slot %[[LEFT]]#3
// CHECK: tgpu.barrier_wait %[[FULLV]][%[[LAST]]] parity
// CHECK: tgpu.mma %[[LEFT]]#2
// CHECK: tgpu.mma_wait pending 0
// CHECK: else
func.func @attention(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %q = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %k = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %v = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %fullK = tgpu.barriers : !tgpu.barriers<1>
  %emptyK = tgpu.barriers : !tgpu.barriers<1>
  %fullV = tgpu.barriers : !tgpu.barriers<1>
  %emptyV = tgpu.barriers : !tgpu.barriers<1>
  tgpu.barriers_init %fullK : !tgpu.barriers<1>
  tgpu.barriers_init %emptyK : !tgpu.barriers<1>
  tgpu.barriers_init %fullV : !tgpu.barriers<1>
  tgpu.barriers_init %emptyV : !tgpu.barriers<1>
  %free = tgpu.pipeline_begin parity 1 : !tgpu.pipeline_state<1>
  tgpu.producer warps 1 {
    %p = scf.for %j = %c0 to %n step %c64 iter_args(%fill = %free) -> (!tgpu.pipeline_state<1>) : i32 {
      %p = tgpu.pipeline_phase %fill : !tgpu.pipeline_state<1>
      tgpu.barrier_wait %emptyK[%c0] parity %p : !tgpu.barriers<1>
      tgpu.barrier_expect 8192 at %fullK[%c0] : !tgpu.barriers<1>
      tgpu.tma_copy %map[%j, %c0] into %k[%c0] signals %fullK[%c0] : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.barriers<1>
      tgpu.barrier_wait %emptyV[%c0] parity %p : !tgpu.barriers<1>
      tgpu.barrier_expect 8192 at %fullV[%c0] : !tgpu.barriers<1>
      tgpu.tma_copy %map[%c0, %j] into %v[%c0] signals %fullV[%c0] : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.barriers<1>
      %next = tgpu.pipeline_next %fill : !tgpu.pipeline_state<1>
      scf.yield %next : !tgpu.pipeline_state<1>
    }
  }
  %first = tgpu.pipeline_begin parity 0 : !tgpu.pipeline_state<1>
  %sum:2 = scf.for %j = %c0 to %n step %c64 iter_args(%before = %zero, %read = %first) -> (tensor<64x64xf32, #sums>, !tgpu.pipeline_state<1>) : i32 {
    %s = tgpu.pipeline_slot %read : !tgpu.pipeline_state<1>
    %p = tgpu.pipeline_phase %read : !tgpu.pipeline_state<1>
    tgpu.barrier_wait %fullK[%s] parity %p : !tgpu.barriers<1>
    %f = tgpu.mma %q[%c0], %k[%s] unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %scores = tgpu.mma_wait pending 0 %f : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    tgpu.barrier_arrive %emptyK[%s] : !tgpu.barriers<1>
    %weights = arith.truncf %scores : tensor<64x64xf32, #sums> to tensor<64x64xbf16, #sums>
    tgpu.barrier_wait %fullV[%s] parity %p : !tgpu.barriers<1>
    %g = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %h = tgpu.mma %weights, %v[%s] adding %g unit <wgmma, m64n64k16> {tgpu.overlap = #tgpu.overlap<next_iteration>} : tensor<64x64xbf16, #sums>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %h : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    tgpu.barrier_arrive %emptyV[%s] : !tgpu.barriers<1>
    %next = tgpu.pipeline_next %read : !tgpu.pipeline_state<1>
    scf.yield %after, %next : tensor<64x64xf32, #sums>, !tgpu.pipeline_state<1>
  }
  return
}
