// What the hand-written readers of load, store and layouts say of text that is none.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @pointer(%x: f32) {
  // expected-error @+1 {{expected a pointer or a tensor of pointers, found 'f32'}}
  %0 = tile.load %x : f32
  return
}

// -----

func.func @ranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{expected a pointer or a tensor of pointers, found 'tensor<*x!tile.ptr<f32>>'}}
  %0 = tile.load %x : tensor<*x!tile.ptr<f32>>
  return
}

// -----

func.func @few(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{expected 2 to 3 operands, found 1}}
  tile.store %p : !tile.ptr<f32>
  return
}

// -----

func.func @many(%p: !tile.ptr<f32>, %m: i1, %o: f32) {
  // expected-error @+1 {{expected 1 to 3 operands, found 4}}
  %0 = tile.load %p, %m, %o, %o : !tile.ptr<f32>
  return
}

// -----

func.func @cache(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{expected a value of `cache`, found `l3`}}
  %0 = tile.load %p cache = l3 : !tile.ptr<f32>
  return
}

// -----

func.func @evict(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{expected a value of `evict`, found `never`}}
  %0 = tile.load %p evict = never : !tile.ptr<f32>
  return
}

// -----

// expected-error @+1 {{expected `register`, `lane`, `warp`, `block` or `offset`, found `dim0`}}
#a = #tile.layout<{dim0 = [[1]]} : [2]>

// -----

// expected-error @+1 {{expected the name of an axis, found `rows`}}
#a = #tile.layout<{register = [[1]]} : [rows = 2]>

// -----

// expected-error @+1 {{expected at most 32 axes}}
#a = #tile.layout<{register = []} : [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]>

// -----

// expected-error @+1 {{axis `lane` is listed twice}}
#a = #tile.layout<{lane = [[1]], lane = [[1]]} : [2]>

// -----

// expected-error @+1 {{3}}
#a = #tile.layout<{lane = [[1]]} : [3]>

// -----

// expected-error @+1 {{1}}
#a = #tile.layout<{lane = [[1, 1]]} : [2]>

// -----

// expected-error @+1 {{4}}
#a = #tile.layout<{lane = [[4]]} : [2]>

// -----

// expected-error @+1 {{-1}}
#a = #tile.layout<{lane = [[-1]]} : [2]>

// -----

// expected-error @+1 {{integer value too large}}
#a = #tile.layout<{lane = [[1]]} : [4294967296]>

// -----

// expected-error @+1 {{}}
#a = #tile.layout<{lane = [[1]]} : [1073741824, 1073741824]>
