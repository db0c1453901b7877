// The attributes of kernels, parameters and modules.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a power of two from 1 to 32 warps, found 3}}
func.func @kernel_c1() attributes {tile.kernel = #tile.kernel<warps = 3, stages = 1>} { return }

// -----

// expected-error @+1 {{expected a power of two from 1 to 32 warps, found 64}}
func.func @kernel_c1_many() attributes {tile.kernel = #tile.kernel<warps = 64, stages = 1>} { return }

// -----

// expected-error @+1 {{expected 1 to 32 stages, found 0}}
func.func @kernel_c2() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 0>} { return }

// -----

// expected-error @+1 {{expected `tile.kernel` on a function with a body}}
module @kernel_c3 attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {}

// -----

// expected-error @+1 {{expected `tile.kernel` on a function with a body}}
func.func private @kernel_c3_external() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>}

// -----

// expected-error @+1 {{expected a kernel without results, found 1}}
func.func @kernel_c4(%x: i32) -> i32 attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} { return %x : i32 }

// -----

// expected-error @+1 {{expected a power of two from 1 to 32 programs, found 3}}
func.func @kernel_c5() attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 3>} { return }

// -----

// expected-error @+1 {{expected a power of two from 1 to 32 programs, found 64}}
func.func @kernel_c5_many() attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 64>} { return }

// -----

// expected-error @+1 {{expected 1 warp where a block has 4 programs, found 2}}
func.func @kernel_c5_warps() attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1, programs = 4>} { return }

// -----

// expected-error @+1 {{expected a `#tile.kernel` as `tile.kernel`, found `unit`}}
func.func @kernel_other() attributes {tile.kernel} { return }

// -----

// expected-error @+1 {{expected the name of a parameter, found an empty one}}
func.func @param_c1(%x: i32 {tile.param = #tile.param<"", "i32", 1>}) { return }

// -----

// expected-error @+1 {{expected a power of two as divisibility, found 12}}
func.func @param_c2(%x: i32 {tile.param = #tile.param<"x", "i32", 12>}) { return }

// -----

// expected-error @+1 {{expected `tile.param = #tile.param<...>` on argument 1, found `tile.parm = 1 : i64`}}
func.func @param_c3(%x: i32, %y: i32 {tile.parm = 1}) { return }

// -----

// expected-error @+1 {{expected parameter `x` of type '!tile.ptr<f32>', found '!tile.ptr<f16>'}}
func.func @param_c4(%x: !tile.ptr<f16> {tile.param = #tile.param<"x", "*fp32", 16>}) { return }

// -----

// expected-error @+1 {{expected the type of parameter `x`, found `float`}}
func.func @param_c4_spelling(%x: f32 {tile.param = #tile.param<"x", "float", 1>}) { return }

// -----

// expected-error @+1 {{expected a signed integer to be `nonneg`, found `u32`}}
func.func @param_c5(%x: i32 {tile.param = #tile.param<"x", "u32", 1, nonneg>}) { return }

// -----

// expected-error @+1 {{expected a pointer to be `constant`, found `i32`}}
func.func @param_c6(%x: i32 {tile.param = #tile.param<"x", "i32", 1, constant>}) { return }

// -----

// expected-error @+1 {{expected `tile.target` on a module to name an architecture}}
module @target_c1 attributes {tile.target = ""} {}

// -----

// expected-error @+1 {{expected `tile.target` on a module to name an architecture}}
func.func @target_c1_function() attributes {tile.target = "sm_90a"} { return }

// -----

// expected-error @+1 {{expected `tile.kernel`, `tile.loop` or `tile.target`, found `tile.other`}}
func.func @other() attributes {tile.other} { return }

// -----

// expected-error @+1 {{expected `tile.ordered` on a kernel, without a value}}
func.func @ordered_c1() attributes {tile.ordered} { return }

// -----

// expected-error @+1 {{expected `tile.ordered` on a kernel, without a value}}
func.func @ordered_c2() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.ordered = 8 : i32} { return }

// -----

// expected-error @+1 {{expected `tile.without` on a module to name features}}
module @without_c1 attributes {tile.without = "wgmma"} {}
