// What the verifiers of views and their accesses say.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected 1 to 32 axes, found 0}}
func.func @view_type_c1(%v: !tile.view<0 x f32>) { return }

// -----

// expected-error @+1 {{expected 1 to 32 axes, found 33}}
func.func @view_type_c1_many(%v: !tile.view<33 x f32>) { return }

// -----

// expected-error @+1 {{expected elements of whole bytes, found 'i1'}}
func.func @view_type_c2(%v: !tile.view<2 x i1>) { return }

// -----

func.func @view_c1(%p: !tile.ptr<f32>, %n: i64) {
  // expected-error @+1 {{expected 2 sizes and strides, found 1 and 2}}
  %v = tile.view %p, sizes [%n], strides [%n, %n] : !tile.ptr<f32> -> !tile.view<2 x f32>
  return
}

// -----

func.func @view_c2(%p: !tile.ptr<f32>, %n: i64) {
  // expected-error @+1 {{expected a pointer to 'f16', found one to 'f32'}}
  %v = tile.view %p, sizes [%n], strides [%n] : !tile.ptr<f32> -> !tile.view<1 x f16>
  return
}

// -----

func.func @view_load_c1(%v: !tile.view<2 x f32>, %i: i32) {
  // expected-error @+1 {{expected 2 coordinates and a tensor of as many axes, found 1 and 'tensor<16x16xf32>'}}
  %x = tile.view_load %v[%i] : !tile.view<2 x f32> -> tensor<16x16xf32>
  return
}

// -----

func.func @view_load_c1_rank(%v: !tile.view<2 x f32>, %i: i32) {
  // expected-error @+1 {{expected 2 coordinates and a tensor of as many axes, found 2 and 'tensor<16xf32>'}}
  %x = tile.view_load %v[%i, %i] : !tile.view<2 x f32> -> tensor<16xf32>
  return
}

// -----

func.func @view_load_c2(%v: !tile.view<1 x f32>, %i: i32) {
  // expected-error @+1 {{expected elements of type 'f32', found 'f16'}}
  %x = tile.view_load %v[%i] : !tile.view<1 x f32> -> tensor<16xf16>
  return
}

// -----

func.func @view_load_c3(%v: !tile.view<2 x f32>, %i: i32) {
  // expected-error @+1 {{expected axes from 0 to 1 in order and each once, found [1, 0]}}
  %x = tile.view_load %v[%i, %i] checked [1, 0] : !tile.view<2 x f32> -> tensor<16x16xf32>
  return
}

// -----

func.func @view_load_c3_axis(%v: !tile.view<2 x f32>, %i: i32) {
  // expected-error @+1 {{expected axes from 0 to 1 in order and each once, found [2]}}
  %x = tile.view_load %v[%i, %i] checked [2] : !tile.view<2 x f32> -> tensor<16x16xf32>
  return
}

// -----

func.func @view_load_c4(%v: !tile.view<1 x i32>, %i: i32) {
  // expected-error @+1 {{expected floats where padding is `nan`, found 'i32'}}
  %x = tile.view_load %v[%i] checked [0] padding = nan : !tile.view<1 x i32> -> tensor<16xi32>
  return
}

// -----

func.func @view_load_c5(%v: !tile.view<1 x i32>, %i: i32) {
  // expected-error @+1 {{expected a cache modifier of this kind of access, found `wt`}}
  %x = tile.view_load %v[%i] cache = wt : !tile.view<1 x i32> -> tensor<16xi32>
  return
}

// -----

#l = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
func.func @view_load_c6(%v: !tile.view<1 x i32>, %i: i32) {
  // expected-error @+1 {{expected a tensor without a layout, found}}
  %x = tile.view_load %v[%i] : !tile.view<1 x i32> -> tensor<64xi32, #l>
  return
}

// -----

func.func @view_store_c1(%v: !tile.view<2 x f32>, %i: i32, %x: tensor<16x16xf32>) {
  // expected-error @+1 {{expected 2 coordinates and a tensor of as many axes, found 1 and 'tensor<16x16xf32>'}}
  tile.view_store %v[%i], %x : !tile.view<2 x f32>, tensor<16x16xf32>
  return
}

// -----

func.func @view_store_c2(%v: !tile.view<1 x f32>, %i: i32, %x: tensor<16xf16>) {
  // expected-error @+1 {{expected elements of type 'f32', found 'f16'}}
  tile.view_store %v[%i], %x : !tile.view<1 x f32>, tensor<16xf16>
  return
}

// -----

func.func @view_store_c3(%v: !tile.view<1 x f32>, %i: i32, %x: tensor<16xf32>) {
  // expected-error @+1 {{expected axes from 0 to 0 in order and each once, found [0, 0]}}
  tile.view_store %v[%i], %x checked [0, 0] : !tile.view<1 x f32>, tensor<16xf32>
  return
}

// -----

func.func @view_store_c4(%v: !tile.view<1 x f32>, %i: i32, %x: tensor<16xf32>) {
  // expected-error @+1 {{expected a cache modifier of this kind of access, found `cv`}}
  tile.view_store %v[%i], %x cache = cv : !tile.view<1 x f32>, tensor<16xf32>
  return
}

// -----

#l = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
func.func @view_store_c5(%v: !tile.view<1 x f32>, %i: i32, %x: tensor<64xf32, #l>) {
  // expected-error @+1 {{expected a tensor without a layout, found}}
  tile.view_store %v[%i], %x : !tile.view<1 x f32>, tensor<64xf32, #l>
  return
}

// -----

func.func @view_base_c1(%v: !tile.view<1 x f32>) {
  // expected-error @+1 {{expected a pointer to 'f32', found '!tile.ptr<f16>'}}
  %p = tile.view_base %v : !tile.view<1 x f32> -> !tile.ptr<f16>
  return
}
