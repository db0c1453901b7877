// What units there are depends on the target.
// RUN: tegula-opt %s --assign-layouts --choose-matrix-units --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a known target as `tile.target`}}
module {
func.func @no_target(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %a, %a, %c : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  return
}
}
