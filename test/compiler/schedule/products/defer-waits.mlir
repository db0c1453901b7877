// Products of an iteration are in flight together.
// RUN: tegula-opt %s --defer-waits | FileCheck %s
// RUN: tegula-opt %s --defer-waits --remarks-filter=defer-waits -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

// Attention backwards: of four products two need no other. They start first, what threads load comes under them, weights are
// computed under the second, and slots are given back when all have read them.
// CHECK-LABEL: func.func @backward
// CHECK: scf.for
// CHECK-NEXT: tgpu.barrier_wait %[[FULLQ:.*]][
// CHECK-NEXT: %[[S:.*]] = tgpu.mma
// CHECK-NEXT: tgpu.barrier_wait %[[FULLD:.*]][
// CHECK-NEXT: %[[D:.*]] = tgpu.mma
// CHECK-NEXT: tile.load
// CHECK-NEXT: %[[SCORES:.*]] = tgpu.mma_wait pending 1 %[[S]]
// CHECK-NEXT: %[[WEIGHTS:.*]] = math.exp2 %[[SCORES]]
// CHECK-NEXT: %[[P:.*]] = arith.truncf %[[WEIGHTS]]
// CHECK-NEXT: tgpu.mma_begin
// CHECK-NEXT: %[[V:.*]] = tgpu.mma %[[P]]
// CHECK-NEXT: %[[SLOPES:.*]] = tgpu.mma_wait pending 1 %[[D]] holding(%[[WEIGHTS]], %[[P]] :
// CHECK-NEXT: arith.mulf %[[WEIGHTS]], %[[SLOPES]]
// CHECK: %[[K:[0-9]+]] = tgpu.mma %
// CHECK-NEXT: tgpu.mma_wait pending 1 %[[V]] holding(%[[P]]
// CHECK-NEXT: tgpu.barrier_arrive %[[EMPTYD:.*]][
// CHECK-NEXT: tgpu.mma_wait pending 0 %[[K]]
// CHECK-NEXT: tgpu.barrier_arrive %[[EMPTYQ:.*]][
// REMARK: [Passed] products | Category:defer-waits | Function=backward | Products=3, Remark="products start before earlier ones are over"
func.func @backward(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %k = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %v = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %q = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %do = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %fullQ = tgpu.barriers : !tgpu.barriers<1>
  %emptyQ = tgpu.barriers : !tgpu.barriers<1>
  %fullD = tgpu.barriers : !tgpu.barriers<1>
  %emptyD = tgpu.barriers : !tgpu.barriers<1>
  %p = tile.splat %x : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>, #sums>
  %all:2 = scf.for %i = %c0 to %n step %c1 iter_args(%dk = %zero, %dv = %zero) -> (tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>) : i32 {
    tgpu.barrier_wait %fullQ[%c0] parity %c0 : !tgpu.barriers<1>
    %s = tgpu.mma %k[%c0], %q[%c0] transposed unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %scores = tgpu.mma_wait pending 0 %s : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    %weights = math.exp2 %scores : tensor<64x64xf32, #sums>
    %w = arith.truncf %weights : tensor<64x64xf32, #sums> to tensor<64x64xbf16, #sums>
    %begunV = tgpu.mma_begin %dv : tensor<64x64xf32, #sums>
    tgpu.barrier_wait %fullD[%c0] parity %c0 : !tgpu.barriers<1>
    %ofV = tgpu.mma %w, %do[%c0] adding %begunV unit <wgmma, m64n64k16> : tensor<64x64xbf16, #sums>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %nextV = tgpu.mma_wait pending 0 %ofV : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    %d = tgpu.mma %v[%c0], %do[%c0] transposed unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %slopes = tgpu.mma_wait pending 0 %d : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    tgpu.barrier_arrive %emptyD[%c0] : !tgpu.barriers<1>
    %scaled = arith.mulf %weights, %slopes : tensor<64x64xf32, #sums>
    %delta = tile.load %p : tensor<64x64x!tile.ptr<f32>, #sums>
    %less = arith.subf %scaled, %delta : tensor<64x64xf32, #sums>
    %ds = arith.truncf %less : tensor<64x64xf32, #sums> to tensor<64x64xbf16, #sums>
    %begunK = tgpu.mma_begin %dk : tensor<64x64xf32, #sums>
    %ofK = tgpu.mma %ds, %q[%c0] adding %begunK unit <wgmma, m64n64k16> : tensor<64x64xbf16, #sums>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %nextK = tgpu.mma_wait pending 0 %ofK : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    tgpu.barrier_arrive %emptyQ[%c0] : !tgpu.barriers<1>
    scf.yield %nextK, %nextV : tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>
  }
  return
}

// A product whose operand is stored in between stays where it is, and so does a wait before a store that may reach a slot
// that is read.
// CHECK-LABEL: func.func @stored
// CHECK: tgpu.mma_wait pending 0
// CHECK-NEXT: tgpu.local_store
// CHECK-NEXT: tgpu.mma
// CHECK-NEXT: tgpu.mma_wait pending 0
// REMARK-NOT: Function=
func.func @stored(%n: i32, %t: tensor<64x64xbf16, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %k = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %q = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %all:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>) : i32 {
    %s = tgpu.mma %k[%c0], %k[%c0] transposed unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %one = tgpu.mma_wait pending 0 %s : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    tgpu.local_store %t into %q[%c0] : tensor<64x64xbf16, #sums>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
    %d = tgpu.mma %q[%c0], %k[%c0] transposed unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %two = tgpu.mma_wait pending 0 %d : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    %x = arith.addf %a, %one : tensor<64x64xf32, #sums>
    %y = arith.addf %b, %two : tensor<64x64xf32, #sums>
    scf.yield %x, %y : tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>
  }
  return
}

// One product, or products in parts, are others' business.
// CHECK-LABEL: func.func @alone
// CHECK: tgpu.mma_wait pending 0
func.func @alone(%n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %k = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %s = tgpu.mma %k[%c0], %k[%c0] transposed unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %one = tgpu.mma_wait pending 0 %s : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    %x = arith.addf %a, %one : tensor<64x64xf32, #sums>
    scf.yield %x : tensor<64x64xf32, #sums>
  }
  return
}
