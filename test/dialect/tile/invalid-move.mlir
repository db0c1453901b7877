// What the verifiers say of scans, counts, and ops that join, split and move elements.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @scan_c1() {
  // expected-error @+1 {{expected a tensor to scan}}
  "tile.scan"() <{axis = 0 : i32}> ({
  ^bb0:
    "tile.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @scan_c1_shape(%x: tensor<64xf32>, %y: tensor<32xf32>) {
  // expected-error @+1 {{expected operands of one shape and layout, found 'tensor<64xf32>' and 'tensor<32xf32>'}}
  %0:2 = tile.scan %x, %y axis 0 : tensor<64xf32>, tensor<32xf32> -> tensor<64xf32>, tensor<32xf32> {
  ^bb0(%a: f32, %i: f32, %b: f32, %j: f32):
    tile.yield %a, %i : f32, f32
  }
  return
}

// -----

func.func @scan_c2(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 0, found 1}}
  %0 = tile.scan %x axis 1 : tensor<64xf32> -> tensor<64xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @scan_c3(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a result of type 'tensor<64xf32>', found 'tensor<64xf16>'}}
  %0 = tile.scan %x axis 0 : tensor<64xf32> -> tensor<64xf16> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

#l = #tile.layout<{register = [[3]], lane = [[2], [4], [8], [16], [32]]} : [64]>
func.func @scan_c4(%x: tensor<64xf32, #l>) {
  // expected-error @+1 {{expected a layout whose bits move by one bit along axis 0 or not at all, found}}
  %0 = tile.scan %x axis 0 : tensor<64xf32, #l> -> tensor<64xf32, #l> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

#l = #tile.layout<{register = [[1, 0], [1, 1]], lane = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]} : [64, 2]>
func.func @scan_c4_skewed(%x: tensor<64x2xf32, #l>) {
  // expected-error @+1 {{expected a layout whose bits move by one bit along axis 0 or not at all, found}}
  %0 = tile.scan %x axis 0 : tensor<64x2xf32, #l> -> tensor<64x2xf32, #l> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @scan_c5(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a region of 2 arguments of the elements' types}}
  %0 = tile.scan %x axis 0 : tensor<64xf32> -> tensor<64xf32> {
  ^bb0(%a: f32, %b: f16):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @scan_c6(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a region of scalar ops that assert and print at most, found `tile.splat`}}
  %0 = tile.scan %x axis 0 : tensor<64xf32> -> tensor<64xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = tile.splat %a : f32 -> tensor<1xf32>
    tile.yield %a : f32
  }
  return
}

// -----

func.func @histogram_c1(%x: tensor<8x8xi32>) {
  // expected-error @+1 {{expected tensors of one axis, found 'tensor<8x8xi32>' and 'tensor<16xi32>'}}
  %h = tile.histogram %x : tensor<8x8xi32> -> tensor<16xi32>
  return
}

// -----

func.func @histogram_c2(%x: tensor<64xi32>, %m: tensor<32xi1>) {
  // expected-error @+1 {{expected one shape and layout of source and mask, and a layout of the result where they have one}}
  %h = tile.histogram %x, %m : tensor<64xi32>, tensor<32xi1> -> tensor<16xi32>
  return
}

// -----

func.func @join_c1(%x: tensor<16xf32>) {
  // expected-error @+1 {{expected a result of the operands' elements with a last dimension of 2, found 'tensor<2x16xf32>'}}
  %j = tile.join %x, %x : tensor<16xf32> -> tensor<2x16xf32>
  return
}

// -----

#pair = #tile.layout<{register = [[1, 0]], lane = [[0, 1], [2, 0], [4, 0], [8, 0], [16, 0]]} : [32, 2]>
#line = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>
func.func @join_c2(%x: tensor<32xf32, #line>) {
  // expected-error @+1 {{expected layouts that differ by one bit of registers along the last dimension, found}}
  %j = tile.join %x, %x : tensor<32xf32, #line> -> tensor<32x2xf32, #pair>
  return
}

// -----

func.func @split_c1(%x: tensor<16x4xf32>) {
  // expected-error @+1 {{expected a source of the results' elements with a last dimension of 2, found 'tensor<16x4xf32>'}}
  %a, %b = tile.split %x : tensor<16x4xf32> -> tensor<16xf32>
  return
}

// -----

#pair = #tile.layout<{register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]} : [32, 2]>
func.func @split_c2(%x: tensor<32x2xf32, #pair>) {
  // expected-error @+1 {{expected layouts that differ by one bit of registers along the last dimension, found}}
  %a, %b = tile.split %x : tensor<32x2xf32, #pair> -> tensor<32xf32>
  return
}

// -----

func.func @butterfly_c1(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 0, found -1}}
  %0 = tile.butterfly %x axis -1 mask 1 : tensor<64xf32>
  return
}

// -----

func.func @butterfly_c2(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a mask from 1 to 63, found 64}}
  %0 = tile.butterfly %x axis 0 mask 64 : tensor<64xf32>
  return
}

// -----

func.func @gather_c1(%x: tensor<64xf32>, %i: tensor<16xi32>) {
  // expected-error @+1 {{expected an axis from 0 to 0, found 1}}
  %0 = tile.gather %x[%i] axis 1 : tensor<64xf32>, tensor<16xi32> -> tensor<16xf32>
  return
}

// -----

func.func @gather_c2(%x: tensor<4x64xf32>, %i: tensor<8x16xi32>) {
  // expected-error @+1 {{expected indices and result of one shape, that of the source along all axes but 1, found}}
  %0 = tile.gather %x[%i] axis 1 : tensor<4x64xf32>, tensor<8x16xi32> -> tensor<8x16xf32>
  return
}

// -----

#l = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
func.func @gather_c3(%x: tensor<64xf32>, %i: tensor<64xi32, #l>) {
  // expected-error @+1 {{expected one layout on indices and result, and one on the source where they have one, found}}
  %0 = tile.gather %x[%i] axis 0 : tensor<64xf32>, tensor<64xi32, #l> -> tensor<64xf32, #l>
  return
}
