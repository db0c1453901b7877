// What the scheduled stage promises of products and sums in flight.
// RUN: tegula-opt %s --verify-stage=stage=scheduled --split-input-file --verify-diagnostics

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 16]>
module attributes {tile.target = "sm_90a"} {
  // Sums in flight are taken twice: moving them would move what the unit still writes.
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
    %c = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
    // expected-error @+1 {{expected sums in flight to be used once, by a product, a wait or a `for` that carries them}}
    %f = tgpu.mma_begin %c : tensor<64x16xf32, #sums>
    %t = tgpu.mma_wait pending 0 %f : !tgpu.in_flight<tensor<64x16xf32, #sums>> -> tensor<64x16xf32, #sums>
    %u = tgpu.mma_wait pending 0 %f : !tgpu.in_flight<tensor<64x16xf32, #sums>> -> tensor<64x16xf32, #sums>
    return
  }
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 16]>
module attributes {tile.target = "sm_90a"} {
  // Sums in flight come out of a branch.
  func.func @k(%q: i1 {tile.param = #tile.param<"q", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
    %c = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
    // expected-error @+1 {{expected sums in flight to be used once, by a product, a wait or a `for` that carries them}}
    %f = scf.if %q -> !tgpu.in_flight<tensor<64x16xf32, #sums>> {
      %g = tgpu.mma_begin %c : tensor<64x16xf32, #sums>
      scf.yield %g : !tgpu.in_flight<tensor<64x16xf32, #sums>>
    } else {
      %g = tgpu.mma_begin %c : tensor<64x16xf32, #sums>
      scf.yield %g : !tgpu.in_flight<tensor<64x16xf32, #sums>>
    }
    %t = tgpu.mma_wait pending 0 %f : !tgpu.in_flight<tensor<64x16xf32, #sums>> -> tensor<64x16xf32, #sums>
    return
  }
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 16]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 16]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [0, 8]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [16, 16]>
module attributes {tile.target = "sm_90a"} {
  // A dot whose unit reads memory by itself.
  func.func @k() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
    %a = arith.constant dense<0.0> : tensor<64x16xf16, #fa>
    %b = arith.constant dense<0.0> : tensor<16x16xf16, #fb>
    %c = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
    // expected-error @+1 {{expected `tgpu.mma` in place of a dot of}}
    %d = tile.dot %a, %b, %c unit <wgmma, m64n16k16> : tensor<64x16xf16, #fa>, tensor<16x16xf16, #fb> -> tensor<64x16xf32, #sums>
    return
  }
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 16]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 16]>
#mb = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]} : [16, 16]>
#rb = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[0, 0], [0, 0]]} : [16, 16]>
module attributes {tile.target = "sm_80"} {
  // An instruction that the target lacks, of what was copied and not waited for.
  func.func @k(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
    %c0 = arith.constant 0 : i32
    %a = arith.constant dense<0.0> : tensor<64x16xf16, #fa>
    %b = tgpu.alloc : !tgpu.buffer<1 of tensor<16x16xf16>, #mb>
    %ps = tile.splat %p : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>, #rb>
    tgpu.async_copy %ps into %b[%c0] : tensor<16x16x!tile.ptr<f16>, #rb>, !tgpu.buffer<1 of tensor<16x16xf16>, #mb>
    tgpu.async_commit
    // expected-error @+2 {{expected a `tgpu.async_wait` before it, since copies write the buffer}}
    // expected-error @+1 {{expected an instruction of sm_80, found}}
    %f = tgpu.mma %a, %b[%c0] unit <wgmma, m64n16k16> : tensor<64x16xf16, #fa>, !tgpu.buffer<1 of tensor<16x16xf16>, #mb> -> !tgpu.in_flight<tensor<64x16xf32, #sums>>
    %t = tgpu.mma_wait pending 0 %f : !tgpu.in_flight<tensor<64x16xf32, #sums>> -> tensor<64x16xf32, #sums>
    tgpu.async_wait pending 0
    return
  }
}
