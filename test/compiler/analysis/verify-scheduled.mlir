// What the scheduled stage promises of copies and buffers.
// RUN: tegula-opt %s --verify-stage=stage=scheduled --split-input-file --verify-diagnostics

#rows = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
#memory = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32]]} : [64]>

// Copied, in a group, waited for, read.
module attributes {tile.target = "sm_90a"} {
  func.func @k(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 2>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64xf32>, #memory>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #rows>
    tgpu.async_copy %ps into %b[%c0] : tensor<64x!tile.ptr<f32>, #rows>, !tgpu.buffer<2 of tensor<64xf32>, #memory>
    tgpu.async_commit
    tgpu.async_wait pending 0
    scf.for %i = %c0 to %c1 step %c1 : i32 {
      %x = tgpu.local_load %b[%c0] at [0] : !tgpu.buffer<2 of tensor<64xf32>, #memory> -> tensor<64xf32, #rows>
      tile.store %ps, %x : tensor<64x!tile.ptr<f32>, #rows>
    }
    return
  }
}

// -----

#rows = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
#memory = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32]]} : [64]>
module attributes {tile.target = "sm_90a"} {
  func.func @k(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 2>} {
    %c0 = arith.constant 0 : i32
    %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64xf32>, #memory>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #rows>
    // expected-error @+1 {{expected a `tgpu.async_commit` behind it, before any wait}}
    tgpu.async_copy %ps into %b[%c0] : tensor<64x!tile.ptr<f32>, #rows>, !tgpu.buffer<1 of tensor<64xf32>, #memory>
    tgpu.async_wait pending 0
    tgpu.async_commit
    return
  }
}

// -----

#rows = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
#memory = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32]]} : [64]>
module attributes {tile.target = "sm_90a"} {
  func.func @k(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 2>} {
    %c0 = arith.constant 0 : i32
    %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64xf32>, #memory>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #rows>
    tgpu.async_copy %ps into %b[%c0] : tensor<64x!tile.ptr<f32>, #rows>, !tgpu.buffer<1 of tensor<64xf32>, #memory>
    tgpu.async_commit
    // expected-error @+1 {{expected a `tgpu.async_wait` before it, since copies write the buffer}}
    %x = tgpu.local_load %b[%c0] at [0] : !tgpu.buffer<1 of tensor<64xf32>, #memory> -> tensor<64xf32, #rows>
    tgpu.async_wait pending 0
    tile.store %ps, %x : tensor<64x!tile.ptr<f32>, #rows>
    return
  }
}

// -----

#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 4]]} : [8, 8]>
#rows = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [0, 0]]} : [8, 8]>
module attributes {tile.target = "sm_90a"} {
  func.func @k(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 2>} {
    %c0 = arith.constant 0 : i32
    %n = arith.constant 8 : i32
    %map = tgpu.tensor_map %p, sizes [%n, %n], strides [%n] box [8, 8] swizzle 32 : !tile.ptr<f32>, [i32, i32], [i32]
    %b = tgpu.alloc : !tgpu.buffer<1 of tensor<8x8xf32>, #memory>
    %bars = tgpu.barriers : !tgpu.barriers<1>
    tgpu.barriers_init %bars : !tgpu.barriers<1>
    tgpu.tma_copy %map[%c0, %c0] into %b[%c0] signals %bars[%c0] : !tgpu.buffer<1 of tensor<8x8xf32>, #memory>, !tgpu.barriers<1>
    tgpu.barrier_expect 256 at %bars[%c0] : !tgpu.barriers<1>
    // expected-error @+1 {{expected a `tgpu.barrier_wait` before it, since copies write the buffer}}
    %v = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<8x8xf32>, #memory> -> tensor<8x8xf32, #rows>
    return
  }
}

// -----

// What was decided has been carried out.
#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 4]]} : [8, 8]>
module attributes {tile.target = "sm_90a"} {
  // expected-error @+1 {{expected no attribute left by a pass, found `tgpu.grid`}}
  func.func @k(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 2>, tgpu.grid = #tgpu.grid<blocks = 1>} {
    %c0 = arith.constant 0 : i32
    %n = arith.constant 8 : i32
    %map = tgpu.tensor_map %p, sizes [%n, %n], strides [%n] box [8, 8] swizzle 32 : !tile.ptr<f32>, [i32, i32], [i32]
    %b = tgpu.alloc : !tgpu.buffer<1 of tensor<8x8xf32>, #memory>
    // expected-error @+1 {{expected `tgpu.tma_copy` and what waits for it in its place by now}}
    tgpu.tma_load %map[%c0, %c0] into %b[%c0] : !tgpu.buffer<1 of tensor<8x8xf32>, #memory>
    // expected-error @+1 {{expected no attribute left by a pass, found `tgpu.pipeline`}}
    scf.for %i = %c0 to %n step %n : i32 {
    } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
    return
  }
}
