// Layouts that no code for a dot fits: what distribution must not leave.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file --verify-diagnostics

#a = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = []} : [16, 16]>
#b = #tile.layout<{register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [16, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// No fragments.
module attributes {tile.target = "sm_90a"} {
  func.func @f16(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f16 -> tensor<16x16xf16, #a>
    %b = tile.splat %x : f16 -> tensor<16x8xf16, #b>
    %c = arith.constant dense<0.0> : tensor<16x8xf32, #c>
    // expected-error @+2 {{expected operands in the fragments of m16n8k16 on f16 and f16, sums in f32}}
    // expected-error @+1 {{failed to legalize}}
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k16> : tensor<16x16xf16, #a>, tensor<16x8xf16, #b> -> tensor<16x8xf32, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []} : [8, 4]>
#b = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []} : [4, 8]>
#c = #tile.layout<{register = [[4, 0]], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []} : [8, 8]>

// A row lies over several lanes.
module attributes {tile.target = "sm_90a"} {
  func.func @f32(%x: f32 {tile.param = #tile.param<"x", "fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f32 -> tensor<8x4xf32, #a>
    %b = tile.splat %x : f32 -> tensor<4x8xf32, #b>
    %c = arith.constant dense<0.0> : tensor<8x8xf32, #c>
    // expected-error @+2 {{expected whole rows of the first operand and columns of the second in each thread}}
    // expected-error @+1 {{failed to legalize}}
    %d = tile.dot %a, %b, %c unit <fma> : tensor<8x4xf32, #a>, tensor<4x8xf32, #b> -> tensor<8x8xf32, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = []} : [8, 2]>
#b = #tile.layout<{register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]], warp = []} : [2, 4]>
#c = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []} : [8, 4]>

// No pass chose a unit.
module attributes {tile.target = "sm_80"} {
  func.func @no_unit(%x: f32 {tile.param = #tile.param<"x", "fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f32 -> tensor<8x2xf32, #a>
    %b = tile.splat %x : f32 -> tensor<2x4xf32, #b>
    %c = arith.constant dense<0.0> : tensor<8x4xf32, #c>
    // expected-error @+2 {{expected a unit on a dot: `choose-matrix-units` writes it}}
    // expected-error @+1 {{failed to legalize}}
    %d = tile.dot %a, %b, %c : tensor<8x2xf32, #a>, tensor<2x4xf32, #b> -> tensor<8x4xf32, #c>
    return
  }
}
