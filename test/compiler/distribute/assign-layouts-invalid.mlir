// What cannot get a layout.
// RUN: tegula-opt %s --assign-layouts --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @sparse() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // expected-error @+1 {{'arith.constant' op expected a dense constant, found `sparse<0, 1.000000e+00> : tensor<64xf32>`}}
  %x = arith.constant sparse<[[0]], [1.0]> : tensor<64xf32>
  return
}

// -----

func.func @three() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // expected-error @+1 {{expected tensors with power-of-two sides and at most 1048576 elements, found 'tensor<3xf32>'}}
  %x = arith.constant dense<0.0> : tensor<3xf32>
  return
}

// -----

func.func @open(%n: i32, %p: i1) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // expected-error @+1 {{expected tensors with power-of-two sides and at most 1048576 elements, found 'tensor<?xf32>'}}
  %x = "test.open"() : () -> tensor<?xf32>
  return
}

// -----

func.func @unranked() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // expected-error @+1 {{expected tensors with power-of-two sides and at most 1048576 elements, found 'tensor<*xf32>'}}
  %x = "test.unranked"() : () -> tensor<*xf32>
  return
}
