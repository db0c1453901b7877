// What the schedule and lower stages put on ops: occupancy, scratch, opt_barrier.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

// occupancy_c1
// expected-error@+1 {{expected `tile.occupancy = #tile.occupancy<...>` on a kernel}}
func.func @no_kernel() attributes {tile.occupancy = #tile.occupancy<blocks = 2>} {
  return
}

// -----

// expected-error@+1 {{expected `tile.registers` on a kernel, from 1 to 255 as an i32}}
func.func @no_kernel() attributes {tile.registers = 64 : i32} {
  return
}

// -----

// expected-error@+1 {{expected `tile.registers` on a kernel, from 1 to 255 as an i32}}
func.func @too_many() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>, tile.registers = 256 : i32} {
  return
}

// -----

// occupancy_c2
// expected-error@+1 {{expected 1 to 32 blocks, found 33}}
#r = #tile.occupancy<blocks = 33>

// -----

// scratch_c1
func.func @not_ours(%a: f32) {
  // expected-error@+1 {{expected `tile.scratch = #tile.scratch<...>` on an op of `tile`}}
  %b = arith.addf %a, %a {tile.scratch = #tile.scratch<offset = 0, bytes = 16>} : f32
  return
}

// -----

// scratch_c2
// expected-error@+1 {{expected an offset that is a multiple of 16, found 8}}
#s = #tile.scratch<offset = 8, bytes = 16>

// -----

// scratch_c2_bytes
// expected-error@+1 {{expected some bytes of scratch, found 0}}
#s = #tile.scratch<offset = 16, bytes = 0>

// -----

// opt_barrier_c1
func.func @after_pointer(%x: tensor<64xf32>, %p: !tile.ptr<f32>) {
  // expected-error@+1 {{expected integers or floats to wait for, found '!tile.ptr<f32>'}}
  %y = tile.opt_barrier %x after %p : tensor<64xf32>, !tile.ptr<f32>
  return
}
