// Copies that no instruction makes.
// RUN: tegula-opt %s --allocate-shared --convert-tile-to-llvm --split-input-file --verify-diagnostics

#vec = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]} : [1024]>
#shared = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512]]} : [1024]>

func.func @misaligned(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 2>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #vec>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #vec>
  %pi = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f16>, #vec>, tensor<1024xi32, #vec>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<1024xf16>, #shared>
  // expected-error @+1 {{expected at least 4 bytes side by side in both memories for each copy, found 2: such a tensor is loaded and stored}}
  tgpu.async_copy %pi into %b[%c0] : tensor<1024x!tile.ptr<f16>, #vec>, !tgpu.buffer<2 of tensor<1024xf16>, #shared>
  return
}

// -----

#vec = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]} : [1024]>
#shared = #tile.layout<{offset = [[2], [1], [4], [8], [16], [32], [64], [128], [256], [512]]} : [1024]>

// Neighbours lie apart in shared memory.
func.func @torn(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #vec>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #vec>
  %pi = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f16>, #vec>, tensor<1024xi32, #vec>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<1024xf16>, #shared>
  // expected-error @+1 {{expected at least 4 bytes side by side in both memories for each copy, found 2}}
  tgpu.async_copy %pi into %b[%c0] : tensor<1024x!tile.ptr<f16>, #vec>, !tgpu.buffer<2 of tensor<1024xf16>, #shared>
  return
}
