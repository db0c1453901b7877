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
