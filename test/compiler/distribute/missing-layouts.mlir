// Passes that come after `assign-layouts` say so when it did not run.
// RUN: tegula-opt %s --coalesce --split-input-file --verify-diagnostics
// RUN: tegula-opt %s --choose-matrix-units --split-input-file --verify-diagnostics
// RUN: tegula-opt %s --remove-conversions --split-input-file --verify-diagnostics

func.func @result() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // expected-error @+1 {{expected every tensor to have a layout, found 'tensor<64xi32>': run `assign-layouts` first}}
  %i = tile.arange 0 to 64 : tensor<64xi32>
  return
}

// -----

// expected-error @+1 {{expected every tensor to have a layout, found 'tensor<64xi32>': run `assign-layouts` first}}
func.func @argument(%i: tensor<64xi32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  return
}
