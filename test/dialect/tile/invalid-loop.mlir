// What the author's words about loops may be, and where they stand.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @loop_c1() {
  // expected-error @+1 {{expected `tile.loop = #tile.loop<...>` on a loop}}
  %0 = arith.constant {tile.loop = #tile.loop<stages = 2>} 1 : i32
  return
}

// -----

func.func @loop_c1_other(%n: i32) {
  %c = arith.constant 1 : i32
  // expected-error @+1 {{expected `tile.loop = #tile.loop<...>` on a loop}}
  scf.for %i = %c to %n step %c : i32 {
  } {tile.loop = 3 : i32}
  return
}

// -----

// expected-error @+1 {{expected at most 32 stages, found 33}}
func.func @loop_c2() attributes {a = #tile.loop<stages = 33>} { return }

// -----

// expected-error @+1 {{expected at most 32 iterations as one, found 64}}
func.func @loop_c2_unroll() attributes {a = #tile.loop<unroll = 64>} { return }

// -----

// expected-error @+1 {{expected a property of a loop, found `depth`}}
func.func @property() attributes {a = #tile.loop<depth = 2>} { return }
