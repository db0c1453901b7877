// Products that cannot start in the next iteration, whatever is asked for.
// RUN: tegula-opt %s --split-input-file --overlap-products --verify-diagnostics

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

func.func @slot_given_back_elsewhere(%x: !tile.ptr<bf16>, %n: i32, %row: i64, %any: i1) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
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
  tgpu.producer warps 1 {
    %p = scf.for %j = %c0 to %n step %c64 iter_args(%p = %c1) -> (i32) : i32 {
      tgpu.barrier_wait %emptyK[%c0] parity %p : !tgpu.barriers<1>
      tgpu.barrier_expect 8192 at %fullK[%c0] : !tgpu.barriers<1>
      tgpu.tma_copy %map[%j, %c0] into %k[%c0] signals %fullK[%c0] : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.barriers<1>
      tgpu.barrier_wait %emptyV[%c0] parity %p : !tgpu.barriers<1>
      tgpu.barrier_expect 8192 at %fullV[%c0] : !tgpu.barriers<1>
      tgpu.tma_copy %map[%c0, %j] into %v[%c0] signals %fullV[%c0] : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.barriers<1>
      %other = arith.xori %p, %c1 : i32
      scf.yield %other : i32
    }
  }
  %sum:3 = scf.for %j = %c0 to %n step %c64 iter_args(%before = %zero, %s = %c0, %p = %c0) -> (tensor<64x64xf32, #sums>, i32, i32) : i32 {
    tgpu.barrier_wait %fullK[%s] parity %p : !tgpu.barriers<1>
    %f = tgpu.mma %q[%c0], %k[%s] unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %scores = tgpu.mma_wait pending 0 %f : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    tgpu.barrier_arrive %emptyK[%s] : !tgpu.barriers<1>
    %weights = arith.truncf %scores : tensor<64x64xf32, #sums> to tensor<64x64xbf16, #sums>
    tgpu.barrier_wait %fullV[%s] parity %p : !tgpu.barriers<1>
    %g = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    // expected-error @+1 {{expected slots of its own that a producer fills}}
    %h = tgpu.mma %weights, %v[%s] adding %g unit <wgmma, m64n64k16> {tgpu.overlap = #tgpu.overlap<next_iteration>} : tensor<64x64xbf16, #sums>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %h : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    tgpu.barrier_arrive %emptyV[%s] if %any : !tgpu.barriers<1>
    %other = arith.xori %p, %c1 : i32
    scf.yield %after, %c0, %other : tensor<64x64xf32, #sums>, i32, i32
  }
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

func.func @alone(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    // expected-error @+1 {{expected the second of a loop's two products}}
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> {tgpu.overlap = #tgpu.overlap<next_iteration>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  }
  return
}
