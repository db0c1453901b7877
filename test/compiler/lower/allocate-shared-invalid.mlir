// More shared memory than there is: each allocation is named.
// RUN: tegula-opt %s --allocate-shared --split-input-file --verify-diagnostics

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

module attributes {tile.target = "sm_86"} {
// expected-error @+1 {{kernel `too_much` needs 139264 bytes of shared memory, `sm_86` has 101376 for a block}}
func.func @too_much(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.splat %x : f16 -> tensor<64x32xf16, #rowsA>
  // It is gone before the others come.
  %before = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  // expected-note @+1 {{a buffer for 32 times `64x32xf16`: 131072 bytes}}
  %a = tgpu.alloc : !tgpu.buffer<32 of tensor<64x32xf16>, #sharedA>
  // expected-note @+1 {{a buffer for `64x32xf16`: 4096 bytes}}
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  tgpu.local_store %v into %before[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tgpu.local_store %v into %a[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<32 of tensor<64x32xf16>, #sharedA>
    tgpu.local_store %v into %b[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
    %y = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<32 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
    // expected-note @+1 {{threads exchange `64x32xf16`: 4096 bytes}}
    %w = tile.convert_layout %y : tensor<64x32xf16, #fragmentA> -> tensor<64x32xf16, #rowsA>
    %z = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<32 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
    %s = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  }
  return
}
}

// -----

#one = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []} : [64, 32]>
#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]} : [64, 32]>

// Programs that share a block have as much each; without a target the largest counts.
// expected-error @+2 {{kernel `packed` needs 262144 bytes of shared memory, no target has more than 232448 for a block}}
// expected-note @+1 {{4 programs share a block, each with what follows}}
func.func @packed(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 4>} {
  %c0 = arith.constant 0 : i32
  %v = tile.splat %x : f16 -> tensor<64x32xf16, #one>
  // expected-note @+1 {{a buffer for 16 times `64x32xf16`: 65536 bytes}}
  %a = tgpu.alloc : !tgpu.buffer<16 of tensor<64x32xf16>, #shared>
  tgpu.local_store %v into %a[%c0] : tensor<64x32xf16, #one>, !tgpu.buffer<16 of tensor<64x32xf16>, #shared>
  return
}
