// What each stage promises, each promise broken once; the module without a mistake passes all it can.
// RUN: split-file %s %t
// RUN: tegula-opt %t/tile.mlir --verify-stage -o /dev/null
// RUN: tegula-opt %t/tile-bad.mlir --verify-stage=stage=tile --split-input-file --verify-diagnostics
// RUN: tegula-opt %t/distributed.mlir --verify-stage=stage=distributed -o /dev/null
// RUN: tegula-opt %t/distributed-bad.mlir --verify-stage=stage=distributed --split-input-file --verify-diagnostics
// RUN: tegula-opt %t/distributed.mlir --verify-stage=stage=scheduled -o /dev/null
// RUN: tegula-opt %t/scheduled-bad.mlir --verify-stage=stage=scheduled --split-input-file --verify-diagnostics
// RUN: tegula-opt %t/llvm.mlir --verify-stage=stage=llvm -o /dev/null
// RUN: tegula-opt %t/llvm-bad.mlir --verify-stage=stage=llvm --split-input-file --verify-diagnostics

//--- tile.mlir
module attributes {tile.target = "sm_90a"} {
  func.func @k(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = arith.constant dense<0.0> : tensor<64xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<64xf32> : i32 {
      %e = math.exp %a : tensor<64xf32>
      scf.yield %e : tensor<64xf32>
    }
    %b = arith.cmpi eq, %n, %c0 : i32
    scf.if %b {
      %q = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      tile.store %q, %r : tensor<64x!tile.ptr<f32>>
    }
    return
  }
}

//--- tile-bad.mlir
// expected-error @+1 {{expected a `tile.target`}}
module {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} { return }
}

// -----

// expected-error @+1 {{expected a known target, found `sm_90`, did you mean `sm_90a`?}}
module attributes {tile.target = "sm_90"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} { return }
}

// -----

// expected-error @+1 {{expected a known target, found `gfx942`}}
module attributes {tile.target = "gfx942"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} { return }
}

// -----

// expected-error @+1 {{expected a kernel}}
module attributes {tile.target = "sm_90a"} {}

// -----

module attributes {tile.target = "sm_90a"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} { return }
  // expected-error @+1 {{expected `tile.kernel`: helpers are inlined}}
  func.func @helper() { return }
  // expected-error @+1 {{expected one kernel in a module, found a second}}
  func.func @l() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} { return }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // expected-error @+1 {{expected a public kernel}}
  func.func private @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} { return }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // expected-error @+1 {{expected `tile.param` on argument 0}}
  func.func @k(%x: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} { return }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // expected-error @+1 {{expected one block, found 2}}
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    // expected-error @+1 {{is no part of stage `tile`}}
    cf.br ^bb1
  ^bb1:
    return
  }
}

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
module attributes {tile.target = "sm_90a"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
    // expected-error @+1 {{'tile.arange' op expected no layout before the distribute stage, found}}
    %0 = tile.arange 0 to 64 : tensor<64xi32, #a>
    // expected-error @+1 {{'tile.convert_layout' op is no part of stage `tile`}}
    %1 = tile.convert_layout %0 : tensor<64xi32, #a> -> tensor<64xi32, #a>
    return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    // expected-error @+1 {{expected static power-of-two sides and at most 1048576 elements, found 'tensor<3xf32>'}}
    %0 = arith.constant dense<0.0> : tensor<3xf32>
    // expected-error @+1 {{expected values of integer, float or pointer type or tensors of them, found 'index'}}
    %1 = arith.constant 0 : index
    // expected-error @+1 {{expected values of integer, float or pointer type or tensors of them, found 'vector<4xf32>'}}
    %2 = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @+1 {{expected values of integer, float or pointer type or tensors of them, found 'tensor<4xi7>'}}
    %3 = arith.constant dense<0> : tensor<4xi7>
    return
  }
}

//--- distributed.mlir
#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0], [0]]} : [64]>
#b = #tile.layout<{lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]} : [64]>
module attributes {tile.target = "sm_90a"} {
  func.func @k(%c: i1 {tile.param = #tile.param<"c", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    %0 = tile.arange 0 to 64 : tensor<64xi32, #a>
    %1 = tile.convert_layout %0 : tensor<64xi32, #a> -> tensor<64xi32, #b>
    %2 = arith.addi %1, %1 : tensor<64xi32, #b>
    %3 = arith.select %c, %1, %2 : tensor<64xi32, #b>
    return
  }
}

//--- distributed-bad.mlir
#a = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 16]>
#b = #tile.layout<{register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [16, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>
module attributes {tile.target = "sm_80"} {
  func.func @dots(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f16 -> tensor<16x16xf16, #a>
    %b = tile.splat %x : f16 -> tensor<16x8xf16, #b>
    %c = arith.constant dense<0.0> : tensor<16x8xf32, #c>
    // expected-error @+1 {{expected a unit on each dot}}
    %d = tile.dot %a, %b, %c : tensor<16x16xf16, #a>, tensor<16x8xf16, #b> -> tensor<16x8xf32, #c>
    // expected-error @+1 {{expected an instruction of sm_80, found `#tile.matrix_unit<mma_sync, m8n8k16>` on 'f16' and 'f16'}}
    %e = tile.dot %a, %b, %c unit <mma_sync, m8n8k16> : tensor<16x16xf16, #a>, tensor<16x8xf16, #b> -> tensor<16x8xf32, #c>
    %f = tile.dot %a, %b, %c unit <mma_sync, m16n8k16> : tensor<16x16xf16, #a>, tensor<16x8xf16, #b> -> tensor<16x8xf32, #c>
    return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    // expected-error @+1 {{expected a layout on each tensor, found 'tensor<64xi32>'}}
    %0 = tile.arange 0 to 64 : tensor<64xi32>
    return
  }
}

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]} : [64]>
#b = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0], [0]], block = [[0]]} : [64]>
module attributes {tile.target = "sm_90a"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    // expected-error @+1 {{expected layouts of 4 warps, found 2 in}}
    %0 = tile.arange 0 to 64 : tensor<64xi32, #a>
    // expected-error @+1 {{expected layouts of one block, found 2 in}}
    %1 = tile.arange 0 to 64 : tensor<64xi32, #b>
    return
  }
}

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
#b = #tile.layout<{register = [[32]], lane = [[1], [2], [4], [8], [16]]} : [64]>
module attributes {tile.target = "sm_90a"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
    %0 = tile.arange 0 to 64 : tensor<64xi32, #a>
    %1 = arith.constant dense<1.0> : tensor<64xf32, #b>
    // expected-error @+1 {{'math.fpowi' op expected one layout on all operands and results, found}}
    %2 = math.fpowi %1, %0 : tensor<64xf32, #b>, tensor<64xi32, #a>
    return
  }
}

//--- scheduled-bad.mlir
module attributes {tile.target = "sm_90a"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    // expected-error @+1 {{expected no attribute left by a pass, found `loop_stage`}}
    %0 = tile.program_id x {loop_stage = 1 : i32}
    return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    %0 = tile.program_id x
    // expected-error @+1 {{expected what `tile.loop` asks for to be done by now}}
    scf.for %i = %0 to %0 step %0 : i32 {
    } {tile.loop = #tile.loop<stages = 2>}
    return
  }
}

//--- llvm.mlir
module {
  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2048 x i8>
  llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @k() attributes {nvvm.kernel} {
    nvvm.barrier0
    llvm.return
  }
}

//--- llvm-bad.mlir
// expected-error @+1 {{expected a kernel}}
module {
  // expected-error @+1 {{expected a shared allocation of known size, found '!llvm.array<0 x i8>'}}
  llvm.mlir.global external @shared() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  // expected-error @+1 {{expected one shared allocation in a module, found a second}}
  llvm.mlir.global external @again() {addr_space = 3 : i32} : !llvm.array<16 x i8>
}

// -----

module {
  // expected-error @+1 {{expected `nvvm.kernel`: helpers are inlined}}
  llvm.func @helper() { llvm.return }
  llvm.func @k(%x: i32) attributes {nvvm.kernel} {
    // expected-error @+1 {{'arith.addi' op is no part of stage `llvm`}}
    %0 = arith.addi %x, %x : i32
    // expected-error @+1 {{'builtin.unrealized_conversion_cast' op is no part of stage `llvm`}}
    %1 = builtin.unrealized_conversion_cast %0 : i32 to tensor<1xi32>
    llvm.return
  }
  // expected-error @+1 {{expected one kernel in a module, found a second}}
  llvm.func @l() attributes {nvvm.kernel} { llvm.return }
}
