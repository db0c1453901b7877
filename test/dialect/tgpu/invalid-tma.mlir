// Each hand-written check of TMA copies, by its number in TmaOps.td.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected 1 to 32 barriers, found 33}}
func.func private @barriers_c1(!tgpu.barriers<33>)

// -----

func.func @tensor_map_c1(%x: !tile.ptr<bf16>, %n: i32, %c: i1) {
  scf.if %c {
    // expected-error @+1 {{expected to stand outside of loops and branches}}
    %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  }
  return
}

// -----

func.func @tensor_map_c2(%x: !tile.ptr<bf16>, %n: i32, %c: i1) {
  %two = arith.addi %n, %n : i32
  // expected-error @+1 {{expected parameters of the kernel and constants as base, sizes and strides}}
  %map = tgpu.tensor_map %x, sizes [%n, %two], strides [%n] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  return
}

// -----

func.func @tensor_map_c3(%x: !tile.ptr<bf16>, %n: i32, %c: i1) {
  // expected-error @+1 {{expected 1 to 5 axes with a size and a side of the box each, and a stride for all but the first}}
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n, %n] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32, i32]
  return
}

// -----

func.func @tensor_map_c3_sides(%x: !tile.ptr<bf16>, %n: i32, %c: i1) {
  // expected-error @+1 {{expected sides of a box from 1 to 256, found 512}}
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 512] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  return
}

// -----

func.func @tensor_map_c4(%x: !tile.ptr<bf16>, %n: i32, %c: i1) {
  // expected-error @+1 {{expected rows of a multiple of 16 bytes, and a swizzle of none, or of 32, 64 or 128 that are a row; found rows of 64 and a swizzle of 128}}
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [32, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  return
}

// -----

func.func @tensor_map_c4_elements(%x: !tile.ptr<!tile.ptr<f32>>, %n: i32) {
  // expected-error @+1 {{expected numbers as elements}}
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 64] swizzle 128 : !tile.ptr<!tile.ptr<f32>>, [i32, i32], [i32]
  return
}

// -----

func.func @barriers_op_c1(%x: !tile.ptr<bf16>, %n: i32, %c: i1) {
  scf.if %c {
    // expected-error @+1 {{expected to stand outside of loops and branches}}
    %bars = tgpu.barriers : !tgpu.barriers<2>
  }
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
func.func @tma_copy_c1(%x: !tile.ptr<bf16>, %n: i32, %c: i1) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %bars = tgpu.barriers : !tgpu.barriers<2>
  // expected-error @+1 {{expected a coordinate for each axis of a map with two or more}}
  tgpu.tma_copy %map[%n] into %b[%n] signals %bars[%n] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.barriers<2>
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
func.func @tma_copy_c2(%x: !tile.ptr<bf16>, %n: i32, %c: i1) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #plain>
  %bars = tgpu.barriers : !tgpu.barriers<2>
  // expected-error @+1 {{expected a buffer of whole boxes of the map}}
  tgpu.tma_copy %map[%n, %n] into %b[%n] signals %bars[%n] : !tgpu.buffer<2 of tensor<64x64xbf16>, #plain>, !tgpu.barriers<2>
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
func.func @tma_copy_c2_elements(%x: !tile.ptr<bf16>, %n: i32, %c: i1) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xf16>, #rows>
  %bars = tgpu.barriers : !tgpu.barriers<2>
  // expected-error @+1 {{expected a buffer of whole boxes of the map}}
  tgpu.tma_copy %map[%n, %n] into %b[%n] signals %bars[%n] : !tgpu.buffer<2 of tensor<64x64xf16>, #rows>, !tgpu.barriers<2>
  return
}

// -----

func.func @barrier_expect_c1(%x: !tile.ptr<bf16>, %n: i32, %c: i1) {
  %bars = tgpu.barriers : !tgpu.barriers<2>
  // expected-error @+1 {{expected 1 to 1048575 bytes, found 1048576}}
  tgpu.barrier_expect 1048576 at %bars[%n] : !tgpu.barriers<2>
  return
}

// -----

// expected-error @+1 {{expected `tile.in_front` on a TMA copy, as numbers of axes}}
func.func @in_front_of_nothing() attributes {tile.in_front = array<i32: 0>} {
  return
}
