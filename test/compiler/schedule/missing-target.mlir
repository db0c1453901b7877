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
