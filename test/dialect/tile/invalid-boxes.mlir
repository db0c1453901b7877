// What the verifier of boxes says.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @box_c1(%x: !tile.ptr<f32>) {
  // expected-error @+1 {{expected 2 sizes, strides and multiples, found 1, 2 and 2}}
  %b = tile.box %x, sizes [-1], strides [64, 1], starts affine_map<(d0) -> (0, 0)>()[] multiples [1, 1] : (!tile.ptr<f32>) -> !tile.box
  return
}

// -----

func.func @box_c2(%x: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{expected starts of one dimension, with its counter, first value and step, found 1 dimensions and 1 values}}
  %b = tile.box %x, sizes [-1, -1], strides [64, 1], starts affine_map<(d0) -> (d0, 0)>(%i)[] multiples [1, 1] : (!tile.ptr<f32>, i32) -> !tile.box
  return
}

// -----

func.func @box_c2_dimensions(%x: !tile.ptr<f32>) {
  // expected-error @+1 {{found 0 dimensions and 0 values}}
  %b = tile.box %x, sizes [-1, -1], strides [64, 1], starts affine_map<() -> (0, 0)>()[] multiples [1, 1] : (!tile.ptr<f32>) -> !tile.box
  return
}

// -----

func.func @box_c3(%x: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{expected 1 symbols, found 0}}
  %b = tile.box %x, sizes [-1, -1], strides [64, 1], starts affine_map<(d0)[s0] -> (s0, 0)>()[] multiples [1, 1] : (!tile.ptr<f32>) -> !tile.box
  return
}

// -----

func.func @box_c4(%x: !tile.ptr<f32>) {
  // expected-error @+1 {{expected axes below 2, found 2}}
  %b = tile.box %x, sizes [-1, -1], strides [64, 1], starts affine_map<(d0) -> (0, 0)>()[] multiples [1, 1] {in_front = array<i32: 2>} : (!tile.ptr<f32>) -> !tile.box
  return
}

// -----

func.func @box_c4_saturated(%x: !tile.ptr<f32>) {
  // expected-error @+1 {{expected axes below 2, found -1}}
  %b = tile.box %x, sizes [-1, -1], strides [64, 1], starts affine_map<(d0) -> (0, 0)>()[] multiples [1, 1] {saturated = array<i32: -1>} : (!tile.ptr<f32>) -> !tile.box
  return
}
