// Without a target nothing is known of its registers and its memory.
// RUN: tegula-opt %s --split-input-file --buffer-operands --verify-diagnostics
// RUN: tegula-opt %s --split-input-file --plan-loops --verify-diagnostics

#row = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], lane = [[0, 8], [8, 0], [0, 0], [0, 0], [0, 0]]} : [16, 16]>
#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 16]>

// expected-error@+1 {{expected a known target as `tile.target`}}
module {
  func.func @nothing(%x: tensor<16x16xf32, #row>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = tgpu.alloc : !tgpu.buffer<1 of tensor<16x16xf32>, #memory>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %d = tile.dot %x, %x, %x unit <fma> : tensor<16x16xf32, #row>, tensor<16x16xf32, #row> -> tensor<16x16xf32, #row>
      tile.print "d" [true] values(%d : tensor<16x16xf32, #row>)
    }
    return
  }
}

// -----

#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

// A loop of one stage needs none. This crashed once.
func.func @of_products(%zero: tensor<64x64xf32, #sums>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #memory>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #memory>, !tgpu.buffer<1 of tensor<64x64xbf16>, #memory> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  }
  return
}

// -----

#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

// A function that is no kernel. This crashed, too.
module attributes {tile.target = "sm_90a"} {
func.func @helper(%zero: tensor<64x64xf32, #sums>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #memory>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #memory>, !tgpu.buffer<1 of tensor<64x64xbf16>, #memory> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  }
  return
}
}
