// What the verifier of products of matrices says.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @dot_c1(%a: tensor<64xf16>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expected matrices, or batches of as many matrices each, found 'tensor<64xf16>', 'tensor<64xf16>' and 'tensor<64x64xf32>'}}
  %0 = tile.dot %a, %a, %c : tensor<64xf16>, tensor<64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @dot_c1_batches(%a: tensor<2x16x16xf16>, %b: tensor<4x16x16xf16>, %c: tensor<2x16x16xf32>) {
  // expected-error @+1 {{expected matrices, or batches of as many matrices each, found}}
  %0 = tile.dot %a, %b, %c : tensor<2x16x16xf16>, tensor<4x16x16xf16> -> tensor<2x16x16xf32>
  return
}

// -----

func.func @dot_c1_rank(%a: tensor<2x2x16x16xf16>, %c: tensor<2x2x16x16xf32>) {
  // expected-error @+1 {{expected matrices, or batches of as many matrices each, found}}
  %0 = tile.dot %a, %a, %c : tensor<2x2x16x16xf16>, tensor<2x2x16x16xf16> -> tensor<2x2x16x16xf32>
  return
}

// -----

func.func @dot_c2(%a: tensor<16x32xf16>, %b: tensor<16x32xf16>, %c: tensor<16x32xf32>) {
  // expected-error @+1 {{expected M by K, K by N and M by N elements, found 'tensor<16x32xf16>', 'tensor<16x32xf16>' and 'tensor<16x32xf32>'}}
  %0 = tile.dot %a, %b, %c : tensor<16x32xf16>, tensor<16x32xf16> -> tensor<16x32xf32>
  return
}

// -----

func.func @dot_c2_sum(%a: tensor<2x16x32xf16>, %b: tensor<2x32x16xf16>, %c: tensor<2x16x32xf32>) {
  // expected-error @+1 {{expected M by K, K by N and M by N elements, found}}
  %0 = tile.dot %a, %b, %c : tensor<2x16x32xf16>, tensor<2x32x16xf16> -> tensor<2x16x32xf32>
  return
}

// -----

func.func @dot_c3(%a: tensor<16x16xf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{expected elements that can be multiplied and added up, found 'f16' times 'bf16' into 'f32'}}
  %0 = tile.dot %a, %b, %c : tensor<16x16xf16>, tensor<16x16xbf16> -> tensor<16x16xf32>
  return
}

// -----

func.func @dot_c3_sum(%a: tensor<16x16xbf16>, %c: tensor<16x16xf16>) {
  // expected-error @+1 {{expected elements that can be multiplied and added up, found 'bf16' times 'bf16' into 'f16'}}
  %0 = tile.dot %a, %a, %c : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xf16>
  return
}

// -----

func.func @dot_c3_integers(%a: tensor<16x16xi16>, %c: tensor<16x16xi32>) {
  // expected-error @+1 {{expected elements that can be multiplied and added up, found 'i16' times 'i16' into 'i32'}}
  %0 = tile.dot %a, %a, %c : tensor<16x16xi16>, tensor<16x16xi16> -> tensor<16x16xi32>
  return
}

// -----

#l = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 16]>
func.func @dot_c4(%a: tensor<16x16xf16, #l>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32, #l>) {
  // expected-error @+1 {{expected a layout on operands and result or on none, found}}
  %0 = tile.dot %a, %b, %c : tensor<16x16xf16, #l>, tensor<16x16xf16> -> tensor<16x16xf32, #l>
  return
}

// -----

func.func @dot_c5(%a: tensor<32x32xf8E5M2>, %c: tensor<32x32xf32>) {
  // expected-error @+1 {{expected a number of imprecise additions, found -1}}
  %0 = tile.dot %a, %a, %c max_imprecise -1 : tensor<32x32xf8E5M2>, tensor<32x32xf8E5M2> -> tensor<32x32xf32>
  return
}
