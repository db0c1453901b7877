// What the verifier of reductions says.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @reduce_c1() {
  // expected-error @+1 {{expected a tensor to reduce}}
  "tile.reduce"() <{axis = 0 : i32}> ({
  ^bb0:
    "tile.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @reduce_c1_shape(%x: tensor<64xf32>, %y: tensor<32xi32>) {
  // expected-error @+1 {{expected operands of one shape and layout, found 'tensor<64xf32>' and 'tensor<32xi32>'}}
  %0:2 = tile.reduce %x, %y axis 0 : tensor<64xf32>, tensor<32xi32> -> f32, i32 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    tile.yield %a, %i : f32, i32
  }
  return
}

// -----

#l = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
func.func @reduce_c1_layout(%x: tensor<64xf32, #l>, %y: tensor<64xi32>) {
  // expected-error @+1 {{expected operands of one shape and layout, found}}
  %0:2 = tile.reduce %x, %y axis 0 : tensor<64xf32, #l>, tensor<64xi32> -> f32, i32 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    tile.yield %a, %i : f32, i32
  }
  return
}

// -----

func.func @reduce_c2(%x: tensor<16x32xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, found 2}}
  %0 = tile.reduce %x axis 2 : tensor<16x32xf32> -> tensor<16xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c2_negative(%x: tensor<16x32xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, found -1}}
  %0 = tile.reduce %x axis -1 : tensor<16x32xf32> -> tensor<16xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c3(%x: tensor<16x32xf32>) {
  // expected-error @+1 {{expected a result of type 'tensor<16xf32>', found 'tensor<32xf32>'}}
  %0 = tile.reduce %x axis 1 : tensor<16x32xf32> -> tensor<32xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c3_count(%x: tensor<16x32xf32>) {
  // expected-error @+1 {{expected 1 results, found 2}}
  %0:2 = tile.reduce %x axis 1 : tensor<16x32xf32> -> tensor<16xf32>, tensor<16xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c3_element(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a result of type 'f32', found 'i32'}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> i32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

// The last axis leaves a scalar, not a tensor of one element.
func.func @reduce_c3_scalar(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a result of type 'f32', found 'tensor<1xf32>'}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> tensor<1xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

#l = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]]} : [2, 32]>
#wrong = #tile.layout<{lane = [[1], [0], [0], [0], [0]]} : [2]>
func.func @reduce_c4(%x: tensor<2x32xf32, #l>) {
  // expected-error @+1 {{with this layout, found 'tensor<2xf32, #tile.layout<{lane = }}
  %0 = tile.reduce %x axis 1 : tensor<2x32xf32, #l> -> tensor<2xf32, #wrong> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

#l = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]]} : [2, 32]>
func.func @reduce_c4_none(%x: tensor<2x32xf32, #l>) {
  // expected-error @+1 {{with this layout, found 'tensor<2xf32>'}}
  %0 = tile.reduce %x axis 1 : tensor<2x32xf32, #l> -> tensor<2xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c5(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a region of 2 arguments of the elements' types}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: i32):
    tile.yield %a : f32
  }
  return
}

// -----

// The sides come one after the other: both values of one, then both of the other.
func.func @reduce_c5_order(%x: tensor<64xf32>, %y: tensor<64xi32>) {
  // expected-error @+1 {{expected a region of 4 arguments of the elements' types}}
  %0:2 = tile.reduce %x, %y axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32 {
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    tile.yield %a, %i : f32, i32
  }
  return
}

// -----

func.func @reduce_c5_yield(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected the region to yield 1 values of the elements' types}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a, %b : f32, f32
  }
  return
}

// -----

func.func @reduce_c6(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a region of scalar ops that assert and print at most, found `tile.barrier`}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.barrier
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c6_tensor(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a region of scalar ops that assert and print at most, found `tile.splat`}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %s = tile.splat %b : f32 -> tensor<8xf32>
    tile.yield %a : f32
  }
  return
}

// -----

func.func @outside(%x: tensor<64xf32>, %o: f32) {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{using value defined outside the region}}
    %c = arith.addf %a, %o : f32
    tile.yield %c : f32
  }
  return
}

// -----

func.func @yield(%x: f32) {
  // expected-error @+1 {{expects parent op to be one of 'tile.reduce, tile.scan, tile.map'}}
  tile.yield %x : f32
}
