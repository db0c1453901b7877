// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @map_c1(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected at least one element a pack, found 0}}
  %0 = "tile.map"(%x) <{pack = 0 : i32}> ({
    "tile.yield"() : () -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

func.func @map_c1_nothing(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected an operand and a result}}
  "tile.map"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    "tile.yield"() : () -> ()
  }) : (tensor<64xf32>) -> ()
  return
}

// -----

func.func @map_c2(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a region of 2 arguments of the operands' elements}}
  %0 = tile.map %x pack 2 : tensor<64xf32> -> tensor<64xf32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @map_c2_yield(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected the region to yield 1 values of the results' elements}}
  %0 = tile.map %x pack 1 : tensor<64xf32> -> tensor<64xi32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @map_c3(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a region of scalar ops that assert and print at most, found `tile.barrier`}}
  %0 = tile.map %x pack 1 : tensor<64xf32> -> tensor<64xf32> {
  ^bb0(%a: f32):
    tile.barrier
    tile.yield %a : f32
  }
  return
}

// -----

func.func @shapes(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected scalars or tensors of one shape, found 'tensor<64xf32>' and 'tensor<32xf32>'}}
  %0 = tile.map %x pack 1 : tensor<64xf32> -> tensor<32xf32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}
