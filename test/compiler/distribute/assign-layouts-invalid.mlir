// What cannot get a layout.
// RUN: tegula-opt %s --assign-layouts --verify-diagnostics

func.func @sparse() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // expected-error @+1 {{'arith.constant' op expected a dense constant, found `sparse<0, 1.000000e+00> : tensor<64xf32>`}}
  %x = arith.constant sparse<[[0]], [1.0]> : tensor<64xf32>
  tile.print "x" [true] %x : tensor<64xf32>
  return
}
