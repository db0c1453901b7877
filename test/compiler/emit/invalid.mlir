// What a module of the llvm form lacks, said at the place.
// RUN: tegula-opt %s --print-ptx --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a function marked `nvvm.kernel`}}
module attributes {tile.target = "sm_80"} {
}

// -----

module attributes {tile.target = "sm_80"} {
  // expected-error @+1 {{expected the number of threads as `nvvm.reqntid`}}
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

module attributes {tile.target = "sm_80"} {
  // expected-error @+1 {{expected `tile.param` on parameter 1}}
  llvm.func @k(%a: i32 {tile.param = #tile.param<"a", "i32", 1>}, %b: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    llvm.return
  }
}

// -----

// expected-error @+1 {{expected a known target, found `sm_1`}}
module attributes {tile.target = "sm_1"} {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    llvm.return
  }
}

// -----

module attributes {tile.target = "sm_80"} {
  // expected-error @+1 {{expected a warp for each of 4 programs, found 2}}
  llvm.func @k(%n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 4>} {
    llvm.return
  }
}

// -----

module attributes {tile.target = "sm_80"} {
  // expected-error @+1 {{expected the number of programs as last parameter, an i32}}
  llvm.func @k(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 2>} {
    llvm.return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // expected-error @+1 {{expected the number of programs as last parameter, an i32}}
  llvm.func @k(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %y: i32, %z: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.kernel = #tile.kernel<warps = 2, stages = 1>, tile.persistent = 1 : i32} {
    llvm.return
  }
}
