// Layouts as encodings of tensors, and how those of source and result belong together.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
// expected-error @+1 {{expected a layout of the tensor's shape [128], found}}
func.func @layout_c1(%x: tensor<128xf32, #a>) { return }

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
// expected-error @+1 {{expected a layout of the tensor's shape [1, 64], found}}
func.func @layout_c1_rank(%x: tensor<1x64xf32, #a>) { return }

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [dim1 = 64]>
// expected-error @+1 {{expected a layout of the tensor's shape [64], found}}
func.func @layout_c1_axes(%x: tensor<64xf32, #a>) { return }

// -----

#a = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32]]} : [64]>
// expected-error @+1 {{expected a tensor's layout to map `register`, `lane`, `warp` and `block`, found}}
func.func @layout_c2(%x: tensor<64xf32, #a>) { return }

// -----

#a = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32]]} : [64]>
// expected-error @+1 {{expected 5 bases for `lane`, found 4}}
func.func @layout_c3(%x: tensor<64xf32, #a>) { return }

// -----

#a = #tile.layout<{register = [[1], [1]], lane = [[2], [4], [8], [16], [0]]} : [64]>
// expected-error @+1 {{expected a layout that reaches every element, found 2^5 of 2^6 reached}}
func.func @layout_c4(%x: tensor<64xf32, #a>) { return }

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
#b = #tile.layout<{lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], register = [[0, 32]]} : [1, 64]>
func.func @expand_dims_c3(%x: tensor<64xf32, #a>) {
  // expected-error @+1 {{expected a source of layout `#tile.layout<{register = }}
  %0 = tile.expand_dims %x, 0 : tensor<64xf32, #a> -> tensor<1x64xf32, #b>
  return
}

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
func.func @expand_dims_c3_source(%x: tensor<64xf32, #a>) {
  // expected-error @+1 {{expected a layout on source and result or on neither, found one on the source only}}
  %0 = tile.expand_dims %x, 0 : tensor<64xf32, #a> -> tensor<1x64xf32>
  return
}

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
func.func @reshape_result(%x: tensor<1x64xf32>) {
  // expected-error @+1 {{expected a layout on source and result or on neither, found one on the result only}}
  %0 = tile.reshape %x : tensor<1x64xf32> -> tensor<64xf32, #a>
  return
}

// -----

// A thread of the result holds two elements of a row of one column; it must have that column.
#a = #tile.layout<{lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]} : [32, 1]>
#b = #tile.layout<{register = [[0, 1], [1, 0]], lane = [[2, 0], [4, 0], [8, 0], [16, 0], [0, 0]]} : [32, 2]>
func.func @broadcast_c2(%x: tensor<32x1xf32, #a>) {
  // expected-error @+1 {{expected a source of layout `#tile.layout<{register = }}
  %0 = tile.broadcast %x : tensor<32x1xf32, #a> -> tensor<32x2xf32, #b>
  return
}

// -----

#a = #tile.layout<{register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]} : [2, 32]>
#b = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
func.func @reshape_c2(%x: tensor<2x32xf32, #a>) {
  // expected-error @+1 {{expected a source of layout `#tile.layout<{register = }}
  %0 = tile.reshape %x : tensor<2x32xf32, #a> -> tensor<64xf32, #b>
  return
}

// -----

#a = #tile.layout<{register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]} : [2, 32]>
#b = #tile.layout<{register = [[1, 0]], lane = [[0, 1], [2, 0], [4, 0], [8, 0], [16, 0]]} : [32, 2]>
func.func @trans_c3(%x: tensor<2x32xf32, #a>) {
  // expected-error @+1 {{expected a source of layout `#tile.layout<{register = }}
  %0 = tile.trans %x, [1, 0] : tensor<2x32xf32, #a> -> tensor<32x2xf32, #b>
  return
}

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
#b = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]} : [1, 64]>
func.func @convert_layout_c1(%x: tensor<64xf32, #a>) {
  // expected-error @+1 {{expected a result of shape [64], found [1, 64]}}
  %0 = tile.convert_layout %x : tensor<64xf32, #a> -> tensor<1x64xf32, #b>
  return
}

// -----

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
func.func @convert_layout_c2(%x: tensor<64xf32, #a>) {
  // expected-error @+1 {{expected a layout on source and result, found}}
  %0 = tile.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32>
  return
}
