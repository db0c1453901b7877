// Loops that a producer cannot be given, whatever is asked for.
// RUN: tegula-opt %s --split-input-file --specialize-warps --verify-diagnostics

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

func.func @roles(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  // expected-error @+1 {{expected the kernel to have `tgpu.roles`}}
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

func.func @no_loads(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.roles = #tgpu.roles<producers = 1>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  // expected-error @+1 {{expected loads that a producer can make}}
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

func.func @by_tma(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.roles = #tgpu.roles<producers = 1>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  // expected-error @+1 {{expected loads by `tma` alone}}
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %px = tile.addptr %x, %k : !tile.ptr<bf16>, i32
    %v = tile.load %px {tgpu.fetch = #tgpu.fetch<by = registers>} : !tile.ptr<bf16>
    tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

func.func @slots(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.roles = #tgpu.roles<producers = 1>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<3 of tensor<64x64xbf16>, #rows>
  // expected-error @+1 {{expected buffers with a slot for each stage}}
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<3 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<3 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<3 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

func.func @readers(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.roles = #tgpu.roles<producers = 1>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xbf16, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  // expected-error @+1 {{expected products to read what a producer loads}}
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xbf16, #sums>) : i32 {
    tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %after = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #sums>
    scf.yield %after : tensor<64x64xbf16, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

func.func @branch(%x: !tile.ptr<bf16>, %n: i32, %row: i64, %any: i1) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.roles = #tgpu.roles<producers = 1>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  scf.if %any {
    // expected-error @+1 {{expected the loop to stand in loops alone}}
    %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
      tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
      scf.yield %after : tensor<64x64xf32, #sums>
    } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  }
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

func.func @once_without_a_loop(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.roles = #tgpu.roles<producers = 1>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %q = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  // expected-error @+1 {{expected a load without `tgpu.fetch` in the one loop around those of a producer}}
  tgpu.tma_load %map[%c0, %c0] into %q[%c0] : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %q[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

func.func @once_for_nothing(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.roles = #tgpu.roles<producers = 1>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %q = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  scf.for %tile = %c0 to %n step %c64 : i32 {
  // expected-error @+1 {{expected products in loops behind it to read what a producer loads once}}
  tgpu.tma_load %map[%c0, %c0] into %q[%c0] : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    tgpu.tma_load %map[%k, %c0] into %a[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2, by = producer>}
  }
  return
}
