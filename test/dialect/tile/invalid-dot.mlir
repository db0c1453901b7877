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

// -----

func.func @dot_c6(%a: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{expected no unit before there are layouts, found `#tile.matrix_unit<mma_sync, m16n8k16>`}}
  %0 = tile.dot %a, %a, %c unit <mma_sync, m16n8k16> : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  return
}

// -----

#l = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 16]>
func.func @dot_c7(%a: tensor<16x16xf8E5M2, #l>, %c: tensor<16x16xf32, #l>) {
  // expected-error @+1 {{expected elements that threads multiply for `fma`, found 'f8E5M2'}}
  %0 = tile.dot %a, %a, %c unit <fma> : tensor<16x16xf8E5M2, #l>, tensor<16x16xf8E5M2, #l> -> tensor<16x16xf32, #l>
  return
}

// -----

#l = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 16]>
func.func @dot_c8(%a: tensor<16x16xi8, #l>, %c: tensor<16x16xi32, #l>) {
  // expected-error @+1 {{expected a K of 16 or 32 elements of 'i8' and at most 16 for an instruction, found m16n8k32}}
  %0 = tile.dot %a, %a, %c unit <mma_sync, m16n8k32> : tensor<16x16xi8, #l>, tensor<16x16xi8, #l> -> tensor<16x16xi32, #l>
  return
}

// -----

#l = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 16]>
func.func @dot_c8_register(%a: tensor<16x16xf32, #l>, %c: tensor<16x16xf32, #l>) {
  // expected-error @+1 {{expected a K of 4 or 8 elements of 'f32' and at most 16 for an instruction, found m16n8k16}}
  %0 = tile.dot %a, %a, %c precision tf32 unit <mma_sync, m16n8k16> : tensor<16x16xf32, #l>, tensor<16x16xf32, #l> -> tensor<16x16xf32, #l>
  return
}

// -----

// expected-error @+1 {{expected `fma` without sides, found m16n8k16}}
func.func private @matrix_unit_c1() attributes {tile.x = #tile.matrix_unit<fma, m16n8k16>}

// -----

// expected-error @+1 {{expected m8 or m16, n8 and k4 to k32 of `mma_sync`, found m64n8k16}}
func.func private @matrix_unit_c2() attributes {tile.x = #tile.matrix_unit<mma_sync, m64n8k16>}

// -----

// expected-error @+1 {{expected m8 or m16, n8 and k4 to k32 of `mma_sync`, found m1n1k1}}
func.func private @matrix_unit_c2_none() attributes {tile.x = #tile.matrix_unit<mma_sync>}

// -----

// expected-error @+1 {{expected `fma`, `mma_sync` or `wgmma`, found `abacus`}}
func.func private @unknown_unit() attributes {tile.x = #tile.matrix_unit<abacus>}

// -----

// expected-error @+1 {{expected sides as in `m16n8k16`, found `m16n8`}}
func.func private @short_sides() attributes {tile.x = #tile.matrix_unit<mma_sync, m16n8>}

// -----

// expected-error @+1 {{expected m64, n8 to n256 and k8 to k32 of `wgmma`, found m64n24k16}}
func.func private @matrix_unit_c3() attributes {tile.x = #tile.matrix_unit<wgmma, m64n24k16>}

// -----

#l = #tile.layout<{register = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [1, 0, 0]], lane = [[0, 0, 8], [0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0]]} : [2, 16, 16]>
func.func @dot_c9(%a: tensor<2x16x16xf16, #l>, %c: tensor<2x16x16xf32, #l>) {
  // expected-error @+1 {{expected one product of 32 bits or less for `wgmma`}}
  %0 = tile.dot %a, %a, %c unit <wgmma, m64n16k16> : tensor<2x16x16xf16, #l>, tensor<2x16x16xf16, #l> -> tensor<2x16x16xf32, #l>
  return
}

// -----

#c = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @dot_c10(%a: tensor<64x64xf8E5M2, #c>, %c: tensor<64x64xf32, #c>) {
  // expected-error @+1 {{expected parts of a dot with `wgmma` and `max_imprecise` alone, found `#tile.dot_parts<columns = 32, in_flight = 1>`}}
  %0 = tile.dot %a, %a, %c parts <columns = 32, in_flight = 1> unit <wgmma, m64n32k32> : tensor<64x64xf8E5M2, #c>, tensor<64x64xf8E5M2, #c> -> tensor<64x64xf32, #c>
  return
}

// -----

#c = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
func.func @dot_c10_columns(%a: tensor<64x64xf8E5M2, #c>, %c: tensor<64x64xf32, #c>) {
  // expected-error @+1 {{expected parts of 64 to 64 columns, found 32}}
  %0 = tile.dot %a, %a, %c max_imprecise 32 parts <columns = 32, in_flight = 1> unit <wgmma, m64n64k32> : tensor<64x64xf8E5M2, #c>, tensor<64x64xf8E5M2, #c> -> tensor<64x64xf32, #c>
  return
}

// -----

// Each group of four warps has 32 columns.
#c = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [0, 32]]} : [64, 64]>
func.func @dot_c10_threads(%a: tensor<64x64xf8E5M2, #c>, %c: tensor<64x64xf32, #c>) {
  // expected-error @+1 {{expected a layout whose threads hold of each 32 columns what others hold}}
  %0 = tile.dot %a, %a, %c max_imprecise 32 parts <columns = 32, in_flight = 1> unit <wgmma, m64n32k32> : tensor<64x64xf8E5M2, #c>, tensor<64x64xf8E5M2, #c> -> tensor<64x64xf32, #c>
  return
}

// -----

// expected-error @+1 {{expected a power of two as columns of a part, found 96}}
func.func private @dot_parts_c1() attributes {tile.x = #tile.dot_parts<columns = 96, in_flight = 1>}

// -----

// expected-error @+1 {{expected 1 or 2 parts in flight, found 3}}
func.func private @dot_parts_c2() attributes {tile.x = #tile.dot_parts<columns = 64, in_flight = 3>}
