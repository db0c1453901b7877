// Each hand-written check of buffers and what moves their elements, by its number in the .td files.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
// expected-error @+1 {{expected 1 to 32 slots, found 0}}
func.func private @buffer_c1(!tgpu.buffer<0 of tensor<4x8xf16>, #shared>)

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
// expected-error @+1 {{expected 1 to 32 slots, found 33}}
func.func private @buffer_c1_many(!tgpu.buffer<33 of tensor<4x8xf16>, #shared>)

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
// expected-error @+1 {{expected a tensor of whole bytes without layout, found 'tensor<4x8xi1>'}}
func.func private @buffer_c2(!tgpu.buffer<1 of tensor<4x8xi1>, #shared>)

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
// expected-error @+1 {{expected a tensor of whole bytes without layout, found 'tensor<4x6xf16>'}}
func.func private @buffer_c2_shape(!tgpu.buffer<1 of tensor<4x6xf16>, #shared>)

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#rows = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []} : [4, 8]>
// expected-error @+1 {{expected a tensor of whole bytes without layout}}
func.func private @buffer_c2_layout(!tgpu.buffer<1 of tensor<4x8xf16, #rows>, #shared>)

// -----

#twice = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [1, 0]]} : [4, 8]>
// expected-error @+1 {{expected a layout that maps `offset` to each element of}}
func.func private @buffer_c3(!tgpu.buffer<1 of tensor<4x8xf16>, #twice>)

// -----

#rows = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []} : [4, 8]>
// expected-error @+1 {{expected a layout that maps `offset` to each element of}}
func.func private @buffer_c3_registers(!tgpu.buffer<1 of tensor<4x8xf16>, #rows>)

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
// expected-error @+1 {{expected a layout that maps `offset` to each element of}}
func.func private @buffer_c3_shape(!tgpu.buffer<1 of tensor<8x4xf16>, #shared>)

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#rows = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []} : [4, 8]>
func.func @alloc_c1(%slot: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %slot step %c1 : i32 {
    // expected-error @+1 {{expected to stand outside of loops and branches}}
    %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  }
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#rows = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []} : [4, 8]>
func.func @local_store_c1(%slot: i32, %x: tensor<4x8xf32, #rows>) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected a tensor like the buffer's, 'tensor<4x8xf16>', found}}
  tgpu.local_store %x into %b[%slot] : tensor<4x8xf32, #rows>, !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  return
}

// -----

#line = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>
#table = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32]]} : [64]>
func.func @local_atomic_c1(%v: tensor<32xi32, #line>, %i: tensor<32xi32, #line>) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64xi32>, #table>
  // expected-error @+1 {{expected a buffer of one slot and one axis, found}}
  tgpu.local_atomic add, %v at %i in %b : tensor<32xi32, #line>, !tgpu.buffer<2 of tensor<64xi32>, #table>
  return
}

// -----

#line = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>
#table = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32]]} : [64]>
func.func @local_atomic_c2(%v: tensor<32xi32, #line>, %i: tensor<32xi32, #line>) {
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64xi16>, #table>
  // expected-error @+1 {{expected a buffer of 'i32', found}}
  tgpu.local_atomic add, %v at %i in %b : tensor<32xi32, #line>, !tgpu.buffer<1 of tensor<64xi16>, #table>
  return
}

// -----

#line = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>
#table = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32]]} : [64]>
func.func @local_atomic_c3(%v: tensor<32xi32, #line>, %i: tensor<32xi32, #line>) {
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64xi32>, #table>
  // expected-error @+1 {{expected an operation on integers whose order is all one, found `fadd`}}
  tgpu.local_atomic fadd, %v at %i in %b : tensor<32xi32, #line>, !tgpu.buffer<1 of tensor<64xi32>, #table>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#rows = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []} : [4, 8]>
func.func @local_load_c1(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected an offset and a side for each axis of 'tensor<4x8xf16>'}}
  %y = tgpu.local_load %b[%slot] at [0] : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x8xf16, #rows>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @local_load_c2(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected a multiple of 4 inside 8 as offset, found 2}}
  %y = tgpu.local_load %b[%slot] at [0, 2] : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x4xf16, #part>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @local_load_c2_beyond(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected a multiple of 4 inside 8 as offset, found 8}}
  %y = tgpu.local_load %b[%slot] at [0, 8] : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x4xf16, #part>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#rows = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []} : [4, 8]>
func.func @local_load_c3(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected elements of type 'f16', found 'f32'}}
  %y = tgpu.local_load %b[%slot] at [0, 0] : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x8xf32, #rows>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @local_load_c4(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected a position, a stride and an axis together}}
  %y = "tgpu.local_load"(%b, %slot, %slot) <{offsets = array<i32: 0, 0>, axis = 1 : i32}> : (!tgpu.buffer<2 of tensor<4x8xf16>, #shared>, i32, i32) -> tensor<4x4xf16, #part>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @local_load_c4_stride(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected a position, a stride and an axis together}}
  %y = "tgpu.local_load"(%b, %slot) <{offsets = array<i32: 0, 0>, stride = 4 : i32}> : (!tgpu.buffer<2 of tensor<4x8xf16>, #shared>, i32) -> tensor<4x4xf16, #part>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @local_load_c5(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected an axis below 2, found 2}}
  %y = tgpu.local_load %b[%slot] at [0, 0] + %slot * 4 along 2 : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x4xf16, #part>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @local_load_c5_negative(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected an axis below 2, found -1}}
  %y = tgpu.local_load %b[%slot] at [0, 0] + %slot * 4 along -1 : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x4xf16, #part>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @local_load_c6(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected a power of two up to 8 as stride, found 6}}
  %y = tgpu.local_load %b[%slot] at [0, 0] + %slot * 6 along 1 : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x4xf16, #part>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @local_load_c6_none(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected a power of two up to 8 as stride, found 0}}
  %y = tgpu.local_load %b[%slot] at [0, 0] + %slot * 0 along 1 : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x4xf16, #part>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @local_load_c6_long(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected a power of two up to 8 as stride, found 16}}
  %y = tgpu.local_load %b[%slot] at [0, 0] + %slot * 16 along 1 : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x4xf16, #part>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @local_load_c6_inside(%slot: i32) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected a part inside the first stride of 4, found one up to 8}}
  %y = tgpu.local_load %b[%slot] at [0, 4] + %slot * 4 along 1 : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x4xf16, #part>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>
func.func @async_copy_c1(%slot: i32, %p: tensor<4x4x!tile.ptr<f16>, #part>) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected pointers of the shape of 'tensor<4x8xf16>', found}}
  tgpu.async_copy %p into %b[%slot] : tensor<4x4x!tile.ptr<f16>, #part>, !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  return
}

// -----

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#rows = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []} : [4, 8]>
func.func @async_copy_c2(%slot: i32, %p: tensor<4x8x!tile.ptr<f32>, #rows>) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // expected-error @+1 {{expected pointers to 'f16', found}}
  tgpu.async_copy %p into %b[%slot] : tensor<4x8x!tile.ptr<f32>, #rows>, !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  return
}

// -----

func.func @async_wait_c1() {
  // expected-error @+1 {{expected a number of groups, found -1}}
  tgpu.async_wait pending -1
  return
}
