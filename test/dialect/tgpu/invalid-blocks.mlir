// Each hand-written check of programs that a block runs one after the other, by its number.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @block_id_c1() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  // expected-error @+1 {{expected a kernel with `tile.persistent`: else blocks are programs}}
  %b = tgpu.block_id
  return
}

// -----

func.func @num_blocks_c1() {
  // expected-error @+1 {{expected a kernel with `tile.persistent`: else blocks are programs}}
  %b = tgpu.num_blocks
  return
}

// -----

func.func @program_id_c1(%t: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  // expected-error @+1 {{expected no number of a program in a kernel whose blocks have one}}
  %b = tile.program_id x of %t
  return
}

// -----

func.func @program_id_c1_persistent() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.persistent = 1 : i32} {
  // expected-error @+1 {{expected the number of a program, as blocks of the kernel run several}}
  %b = tile.program_id x
  return
}

// -----

// expected-error @+1 {{expected `tile.persistent` on a kernel whose programs share no block, from 1 to 32 as an i32}}
func.func @no_kernel() attributes {tile.persistent = 1 : i32} {
  return
}

// -----

// expected-error @+1 {{expected `tile.persistent` on a kernel whose programs share no block, from 1 to 32 as an i32}}
func.func @packed() attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3, programs = 4>, tile.persistent = 1 : i32} {
  return
}

// -----

// expected-error @+1 {{expected `tile.persistent` on a kernel whose programs share no block, from 1 to 32 as an i32}}
func.func @many() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.persistent = 33 : i32} {
  return
}
