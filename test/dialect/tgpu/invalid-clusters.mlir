// Each hand-written check of blocks that share the work of a program, by its number.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @cluster_rank_c1() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  // expected-error @+1 {{expected a kernel whose `tile.splits` has `blocks`}}
  %r = tgpu.cluster_rank
  return
}

// -----

func.func @cluster_size_c1() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {size = 64, step = 1 : i32}} {
  // expected-error @+1 {{expected a kernel whose `tile.splits` has `blocks`}}
  %r = tgpu.cluster_size
  return
}

// -----

func.func @cluster_sum_c1(%x: tensor<64xf32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  // expected-error @+1 {{expected a kernel whose `tile.splits` has `blocks`}}
  %s = tgpu.cluster_sum %x : tensor<64xf32>
  return
}

// -----

func.func @cluster_sum_c2(%x: tensor<64xf16>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {blocks = 8 : i32, size = 64, step = 1 : i32}} {
  // expected-error @+1 {{expected elements of f32, f64 or i32, found 'f16'}}
  %s = tgpu.cluster_sum %x : tensor<64xf16>
  return
}

// -----

// expected-error @+1 {{expected `tile.pairs` on a kernel with `tile.persistent`, without a value}}
func.func @pairs_not_persistent() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.pairs} { return }

// -----

// expected-error @+1 {{expected `tile.pairs` on a kernel with `tile.persistent`, without a value}}
func.func @pairs_with_a_value() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.persistent = 1 : i32, tile.pairs = 2 : i32} { return }

// -----

func.func @cluster_barrier_c1() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.persistent = 1 : i32} {
  // expected-error @+1 {{expected a kernel with `tile.pairs` or `tile.cluster`}}
  tgpu.cluster_barrier
  return
}

// -----

// expected-error @+1 {{expected arrivals of 1 or 2 blocks, found 3}}
func.func @barriers_c3(%b: !tgpu.barriers<2 from 3 blocks>) { return }

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>

func.func @tma_copy_c3(%x: !tile.ptr<bf16>, %n: i32, %row: i64, %b: !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, %bars: !tgpu.barriers<2>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  // expected-error @+1 {{expected a kernel with `tile.pairs`, whose blocks a copy may be for}}
  tgpu.tma_copy %map[%c0, %c0] into %b[%c0] multicast signals %bars[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.barriers<2>
  return
}

// -----

// expected-error @+1 {{expected `tile.split_k` on a kernel, without a value}}
func.func @no_kernel() attributes {tile.split_k} { return }

// -----

// expected-error @+1 {{expected `tile.split_k` on a kernel, without a value}}
func.func @with_a_value() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.split_k = 8 : i32} { return }

// -----

// expected-error @+1 {{expected `tile.splits` on a kernel, with a `size`, a `step` of 1 or more, and 2, 4 or 8 `blocks` or none}}
func.func @splits_no_kernel() attributes {tile.splits = {size = 64, step = 1 : i32}} { return }

// -----

// expected-error @+1 {{expected `tile.splits` on a kernel, with a `size`, a `step` of 1 or more, and 2, 4 or 8 `blocks` or none}}
func.func @no_size() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {step = 1 : i32}} { return }

// -----

// expected-error @+1 {{expected `tile.splits` on a kernel, with a `size`, a `step` of 1 or more, and 2, 4 or 8 `blocks` or none}}
func.func @no_argument(%x: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {size = 1 : i32, step = 1 : i32}} { return }

// -----

// expected-error @+1 {{expected `tile.splits` on a kernel, with a `size`, a `step` of 1 or more, and 2, 4 or 8 `blocks` or none}}
func.func @step() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {size = 64, step = 0 : i32}} { return }

// -----

// expected-error @+1 {{expected `tile.splits` on a kernel, with a `size`, a `step` of 1 or more, and 2, 4 or 8 `blocks` or none}}
func.func @three_blocks() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {blocks = 3 : i32, size = 64, step = 1 : i32}} { return }

// -----

// expected-error @+1 {{expected `tile.splits` on a kernel, with a `size`, a `step` of 1 or more, and 2, 4 or 8 `blocks` or none}}
func.func @sixteen_blocks() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {blocks = 16 : i32, size = 64, step = 1 : i32}} { return }

// -----

// expected-error @+1 {{expected `tile.splits` on a kernel, with a `size`, a `step` of 1 or more, and 2, 4 or 8 `blocks` or none}}
func.func @blocks_of_many_bits() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {blocks = 8, size = 64, step = 1 : i32}} { return }

// -----

// expected-error @+1 {{expected `tile.splits` on a kernel, with a `size`, a `step` of 1 or more, and 2, 4 or 8 `blocks` or none}}
func.func @independent() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {independent = 1 : i32, size = 64, step = 1 : i32}} { return }

// -----

// expected-error @+1 {{expected `tile.cluster` on a kernel, as 2, 4 or 8 blocks, an i32}}
func.func @cluster_of_three() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.cluster = 3 : i32} { return }

// -----

// expected-error @+1 {{expected `tile.num_ctas` on a kernel, as 2, 4 or 8 blocks, an i32}}
func.func @ctas_no_kernel() attributes {tile.num_ctas = 2 : i32} { return }

// -----

func.func @cluster_arrive_c1() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  // expected-error @+1 {{expected a kernel with `tile.cluster`}}
  tgpu.cluster_arrive
  return
}

// -----

func.func @cluster_wait_c1() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  // expected-error @+1 {{expected a kernel with `tile.cluster`}}
  tgpu.cluster_wait
  return
}

// -----

func.func @cluster_gather_c1(%x: f32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.cluster = 4 : i32} {
  // expected-error @+1 {{expected an element for each block of the cluster, found 'tensor<2xf32>'}}
  %a = tgpu.cluster_gather %x : (f32) -> tensor<2xf32>
  return
}

// -----

func.func @cluster_gather_of_no_cluster(%x: f32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  // expected-error @+1 {{expected a kernel with `tile.cluster`}}
  %a = tgpu.cluster_gather %x : (f32) -> tensor<2xf32>
  return
}

// -----

func.func @cluster_gather_c2(%x: f32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.cluster = 2 : i32} {
  // expected-error @+1 {{expected elements of 'f32', found 'i32'}}
  %a = tgpu.cluster_gather %x : (f32) -> tensor<2xi32>
  return
}

// -----

func.func @cluster_gather_of_two(%x: f32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.cluster = 2 : i32} {
  // expected-error @+1 {{expected a result for each source, found 2 sources and 1 results}}
  %a = tgpu.cluster_gather %x, %x : (f32, f32) -> tensor<2xf32>
  return
}
