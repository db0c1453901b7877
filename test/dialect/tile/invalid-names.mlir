// What the verifier of names says.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @bind_c1() {
  // expected-error @+1 {{expected either a value or a constant}}
  tile.bind "x" : "int" =
  return
}

// -----

func.func @bind_c1_both(%x: i32) {
  // expected-error @+1 {{expected either a value or a constant}}
  tile.bind "x" : "int" = "3" %x : i32
  return
}
