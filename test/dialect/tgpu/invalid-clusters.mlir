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
