// Each hand-written check of the ops on values, by its number in the .td files, and the constraints on
// types that stand for many.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

// Tensors have static sides.
func.func @shape_static(%x: f32) {
  // expected-error @+1 {{must be tensor of 1 to 32 power-of-two sides and at most 1048576 elements of}}
  %0 = tile.splat %x : f32 -> tensor<?xf32>
  return
}

// -----

// Sides are powers of two.
func.func @shape_power(%x: f32) {
  // expected-error @+1 {{but got 'tensor<4x3xf32>'}}
  %0 = tile.splat %x : f32 -> tensor<4x3xf32>
  return
}

// -----

// Tensors are not larger than the language allows.
func.func @shape_size(%x: f32) {
  // expected-error @+1 {{but got 'tensor<2048x1024xf32>'}}
  %0 = tile.splat %x : f32 -> tensor<2048x1024xf32>
  return
}

// -----

// Nor is the product of their sides allowed to overflow on the way to finding out.
func.func @shape_overflow(%x: f32) {
  // expected-error @+1 {{but got}}
  %0 = tile.splat %x : f32 -> tensor<1048576x1048576x1048576x1048576xf32>
  return
}

// -----

// A tensor has sides at all.
func.func @shape_rank(%x: f32) {
  // expected-error @+1 {{but got 'tensor<f32>'}}
  %0 = tile.splat %x : f32 -> tensor<f32>
  return
}

// -----

// But not more than there are names for.
func.func @shape_many(%x: f32) {
  // expected-error @+1 {{but got 'tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xf32>'}}
  %0 = tile.splat %x : f32 -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xf32>
  return
}

// -----

// expected-error @+1 {{expected a pointee of integer, float or pointer type, found 'i7'}}
func.func @ptr_c1(%x: !tile.ptr<i7>) { return }

// -----

// expected-error @+1 {{expected a pointee of integer, float or pointer type, found 'tensor<4xf32>'}}
func.func @ptr_c1_tensor(%x: !tile.ptr<tensor<4xf32>>) { return }

// -----

func.func @same_c1(%p: tensor<64x!tile.ptr<f32>>, %i: tensor<32xi32>) {
  // expected-error @+1 {{expected scalars or tensors of one shape, found 'tensor<64x!tile.ptr<f32>>' and 'tensor<32xi32>'}}
  %0 = tile.addptr %p, %i : tensor<64x!tile.ptr<f32>>, tensor<32xi32>
  return
}

// -----

func.func @same_c1_scalar(%p: tensor<64x!tile.ptr<f32>>, %i: i32) {
  // expected-error @+1 {{expected scalars or tensors of one shape, found 'tensor<64x!tile.ptr<f32>>' and 'i32'}}
  %0 = tile.addptr %p, %i : tensor<64x!tile.ptr<f32>>, i32
  return
}

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
#b = #tile.layout<{lane = [[1], [2], [4], [8], [16]], register = [[32]]} : [64]>
func.func @same_c2(%p: tensor<64x!tile.ptr<f32>, #a>, %i: tensor<64xi32, #b>) {
  // expected-error @+1 {{expected one layout on all operands and results, found}}
  %0 = tile.addptr %p, %i : tensor<64x!tile.ptr<f32>, #a>, tensor<64xi32, #b>
  return
}

// -----

func.func @arange_c1() {
  // expected-error @+1 {{expected a result of rank 1, found 'tensor<4x4xi32>'}}
  %0 = tile.arange 0 to 16 : tensor<4x4xi32>
  return
}

// -----

func.func @arange_c2() {
  // expected-error @+1 {{expected 32 integers, found 64 from 0 to 64}}
  %0 = tile.arange 0 to 64 : tensor<32xi32>
  return
}

// -----

func.func @arange_c2_overflow() {
  // expected-error @+1 {{expected 1 integers, found 4294967295 from -2147483648 to 2147483647}}
  %0 = tile.arange -2147483648 to 2147483647 : tensor<1xi32>
  return
}

// -----

func.func @splat_c1(%x: f32) {
  // expected-error @+1 {{expected elements of type 'f32', found 'f16'}}
  %0 = tile.splat %x : f32 -> tensor<64xf16>
  return
}

// -----

func.func @expand_dims_c1(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, found 2}}
  %0 = tile.expand_dims %x, 2 : tensor<64xf32> -> tensor<64x1xf32>
  return
}

// -----

func.func @expand_dims_c1_negative(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, found -1}}
  %0 = tile.expand_dims %x, -1 : tensor<64xf32> -> tensor<64x1xf32>
  return
}

// -----

func.func @expand_dims_c2(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a result of shape [64, 1], found [1, 64]}}
  %0 = tile.expand_dims %x, 1 : tensor<64xf32> -> tensor<1x64xf32>
  return
}

// -----

func.func @expand_dims_element(%x: tensor<64xf32>) {
  // expected-error @+1 {{failed to verify that all of {source, result} have same element type}}
  %0 = tile.expand_dims %x, 1 : tensor<64xf32> -> tensor<64x1xf16>
  return
}

// -----

func.func @broadcast_c1(%x: tensor<2x64xf32>) {
  // expected-error @+1 {{expected each side of the source to be 1 or that of the result, found [2, 64] and [4, 64]}}
  %0 = tile.broadcast %x : tensor<2x64xf32> -> tensor<4x64xf32>
  return
}

// -----

func.func @broadcast_c1_rank(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected each side of the source to be 1 or that of the result, found [64] and [4, 64]}}
  %0 = tile.broadcast %x : tensor<64xf32> -> tensor<4x64xf32>
  return
}

// -----

func.func @reshape_c1(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a result of 64 elements, found 128}}
  %0 = tile.reshape %x : tensor<64xf32> -> tensor<2x64xf32>
  return
}

// -----

func.func @trans_c1(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected an order that names each of 2 dimensions once, found [1, 1]}}
  %0 = tile.trans %x, [1, 1] : tensor<2x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @trans_c1_short(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected an order that names each of 2 dimensions once, found [0]}}
  %0 = tile.trans %x, [0] : tensor<2x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @trans_c1_range(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected an order that names each of 2 dimensions once, found [0, 2]}}
  %0 = tile.trans %x, [0, 2] : tensor<2x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @trans_c2(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected a result of shape [4, 2], found [2, 4]}}
  %0 = tile.trans %x, [1, 0] : tensor<2x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @load_c1(%p: tensor<64x!tile.ptr<f32>>) {
  // expected-error @+1 {{expected a value of type 'f32', found 'f16'}}
  %0 = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<64x!tile.ptr<f32>>) -> tensor<64xf16>
  return
}

// -----

func.func @load_c2(%p: !tile.ptr<i1>) {
  // expected-error @+1 {{expected a pointee of whole bytes, found `i1`}}
  %0 = tile.load %p : !tile.ptr<i1>
  return
}

// -----

func.func @load_c3(%p: !tile.ptr<i8>) {
  // expected-error @+1 {{expected a cache modifier of this kind of access, found `wb`}}
  %0 = tile.load %p cache = wb : !tile.ptr<i8>
  return
}

// -----

func.func @load_c4(%p: !tile.ptr<f32>, %o: f32) {
  // expected-error @+1 {{expected a mask with the value for masked elements}}
  %0 = "tile.load"(%p, %o) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (!tile.ptr<f32>, f32) -> f32
  return
}

// -----

func.func @load_c5(%p: !tile.ptr<f32>, %m: i1, %o: i32) {
  // expected-error @+1 {{expected a value of type 'f32' for masked elements, found 'i32'}}
  %0 = "tile.load"(%p, %m, %o) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!tile.ptr<f32>, i1, i32) -> f32
  return
}

// -----

// A mask has the shape of the pointer.
func.func @load_mask(%p: tensor<64x!tile.ptr<f32>>, %m: tensor<32xi1>) {
  // expected-error @+1 {{expected scalars or tensors of one shape}}
  %0 = "tile.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<64x!tile.ptr<f32>>, tensor<32xi1>) -> tensor<64xf32>
  return
}

// -----

func.func @store_c1(%p: !tile.ptr<f32>, %v: i32) {
  // expected-error @+1 {{expected a value of type 'f32', found 'i32'}}
  "tile.store"(%p, %v) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!tile.ptr<f32>, i32) -> ()
  return
}

// -----

func.func @store_c2(%p: !tile.ptr<i1>, %v: i1) {
  // expected-error @+1 {{expected a pointee of whole bytes, found `i1`}}
  tile.store %p, %v : !tile.ptr<i1>
  return
}

// -----

func.func @store_c3(%p: !tile.ptr<i8>, %v: i8) {
  // expected-error @+1 {{expected a cache modifier of this kind of access, found `ca`}}
  tile.store %p, %v cache = ca : !tile.ptr<i8>
  return
}

// -----

func.func @hint_c1(%i: tensor<4x8xi32>) {
  // expected-error @+1 {{expected 2 numbers in `contiguity`, found 1}}
  %0 = tile.hint %i contiguity = [8] : tensor<4x8xi32>
  return
}

// -----

func.func @hint_c2(%i: i32) {
  // expected-error @+1 {{expected positive numbers in `divisibility`, found 0}}
  %0 = tile.hint %i divisibility = [0] : i32
  return
}

// -----

func.func @print_c1(%i: i32) {
  // expected-error @+1 {{expected a sign for each of 1 operands, found 0}}
  tile.print "x" [] values(%i : i32)
  return
}
