// Parts of tensors in registers.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics | FileCheck %s

#whole = #tile.layout<{register = [[0, 1], [0, 16]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 32]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 16]>

// CHECK-LABEL: @second_half
// CHECK: tgpu.slice %{{.*}} at [0, 16] : tensor<4x32xf16, #{{.*}}> -> tensor<4x16xf16, #{{.*}}>
func.func @second_half(%x: tensor<4x32xf16, #whole>) {
  %0 = tgpu.slice %x at [0, 16] : tensor<4x32xf16, #whole> -> tensor<4x16xf16, #part>
  return
}

// -----

#whole = #tile.layout<{register = [[0, 1], [0, 16]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 32]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 16]>
func.func @slice_c1(%x: tensor<4x32xf16, #whole>) {
  // expected-error @+1 {{expected an offset and a side for each axis of}}
  %0 = tgpu.slice %x at [16] : tensor<4x32xf16, #whole> -> tensor<4x16xf16, #part>
  return
}

// -----

#whole = #tile.layout<{register = [[0, 1], [0, 16]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 32]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 16]>
func.func @slice_c2(%x: tensor<4x32xf16, #whole>) {
  // expected-error @+1 {{expected a multiple of 16 inside 32 as offset, found 8}}
  %0 = tgpu.slice %x at [0, 8] : tensor<4x32xf16, #whole> -> tensor<4x16xf16, #part>
  return
}

// -----

// The lanes that hold the second half would have to hand it over.
#whole = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = []} : [4, 32]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 16]>
func.func @slice_c3(%x: tensor<4x32xf16, #whole>) {
  // expected-error @+1 {{expected a layout whose threads hold of}}
  %0 = tgpu.slice %x at [0, 16] : tensor<4x32xf16, #whole> -> tensor<4x16xf16, #part>
  return
}

// -----

func.func @slice_c3_without_layout(%x: tensor<4x32xf16>) {
  // expected-error @+1 {{expected a layout whose threads hold of}}
  %0 = tgpu.slice %x at [0, 16] : tensor<4x32xf16> -> tensor<4x16xf16>
  return
}

// -----

#whole = #tile.layout<{register = [[0, 1], [0, 16]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 32]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 16]>

// CHECK-LABEL: @another_second_half
// CHECK: tgpu.insert %{{.*}} into %{{.*}} at [0, 16] : tensor<4x16xf16, #{{.*}}> -> tensor<4x32xf16, #{{.*}}>
func.func @another_second_half(%x: tensor<4x32xf16, #whole>, %p: tensor<4x16xf16, #part>) {
  %0 = tgpu.insert %p into %x at [0, 16] : tensor<4x16xf16, #part> -> tensor<4x32xf16, #whole>
  return
}

// -----

#whole = #tile.layout<{register = [[0, 1], [0, 16]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 32]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 16]>
func.func @insert_c1(%x: tensor<4x32xf16, #whole>, %p: tensor<4x16xf16, #part>) {
  // expected-error @+1 {{expected an offset and a side for each axis of}}
  %0 = tgpu.insert %p into %x at [16] : tensor<4x16xf16, #part> -> tensor<4x32xf16, #whole>
  return
}

// -----

#whole = #tile.layout<{register = [[0, 1], [0, 16]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 32]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 16]>
func.func @insert_c2(%x: tensor<4x32xf16, #whole>, %p: tensor<4x16xf16, #part>) {
  // expected-error @+1 {{expected a multiple of 16 inside 32 as offset, found 32}}
  %0 = tgpu.insert %p into %x at [0, 32] : tensor<4x16xf16, #part> -> tensor<4x32xf16, #whole>
  return
}

// -----

#whole = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = []} : [4, 32]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 16]>
func.func @insert_c3(%x: tensor<4x32xf16, #whole>, %p: tensor<4x16xf16, #part>) {
  // expected-error @+1 {{expected a layout whose threads hold of}}
  %0 = tgpu.insert %p into %x at [0, 16] : tensor<4x16xf16, #part> -> tensor<4x32xf16, #whole>
  return
}
