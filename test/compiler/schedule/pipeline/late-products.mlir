// The second product of attention stays in flight until the next iteration's first is waited for. Its slots are filled
// again behind that wait; those of the first product, before it.
// RUN: tegula-opt %s --pipeline-loops | FileCheck %s --implicit-check-not=tgpu.overlap

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

// CHECK-LABEL: func.func @attention
// CHECK-DAG: %[[K:.*]] = tgpu.alloc : <2 of
// CHECK-DAG: %[[V:.*]] = tgpu.alloc : <2 of
// CHECK: %[[BEGIN:.*]] = tgpu.mma_begin
// CHECK: %[[RESULTS:.*]]:{{.*}} = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[BEGIN]],
// CHECK: tgpu.tma_copy {{.*}} into %[[K]][
// CHECK: %[[F:.*]] = tgpu.mma %{{.*}}, %[[K]][
// CHECK: %[[BOTH:.*]]:2 = tgpu.mma_wait pending 0 %[[F]], %[[BEFORE]]
// CHECK: tgpu.tma_copy {{.*}} into %[[V]][
// CHECK: %[[WEIGHTS:.*]] = arith.truncf %[[BOTH]]#0
// CHECK: %[[SCALED:.*]] = arith.addf %[[BOTH]]#1, %[[BOTH]]#0
// CHECK: %[[G:.*]] = tgpu.mma_begin %[[SCALED]]
// CHECK: %[[H:.*]] = tgpu.mma %[[WEIGHTS]], %[[V]][{{.*}} adding %[[G]]
// CHECK-NOT: tgpu.mma_wait
// CHECK: scf.yield %[[H]],
// CHECK: tgpu.mma_wait pending 0 %[[RESULTS]]#0
func.func @attention(%x: !tile.ptr<bf16>, %y: tensor<64x64x!tile.ptr<f32>, #sums>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %q = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %k = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %v = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    tgpu.tma_load %map[%j, %c0] into %k[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    tgpu.tma_load %map[%c0, %j] into %v[%c0] {tgpu.fetch = #tgpu.fetch<by = tma, group = 1>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma %q[%c0], %k[%c0] unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %scores = tgpu.mma_wait pending 0 %f : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    %weights = arith.truncf %scores : tensor<64x64xf32, #sums> to tensor<64x64xbf16, #sums>
    %scaled = arith.addf %before, %scores : tensor<64x64xf32, #sums>
    %g = tgpu.mma_begin %scaled : tensor<64x64xf32, #sums>
    %h = tgpu.mma %weights, %v[%c0] adding %g unit <wgmma, m64n64k16> {tgpu.overlap = #tgpu.overlap<back_edge>} : tensor<64x64xbf16, #sums>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %h : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  tile.store %y, %sum : tensor<64x64x!tile.ptr<f32>, #sums>
  return
}
