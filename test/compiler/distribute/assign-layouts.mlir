// Every tensor gets the default layout of its shape, and what ties layouts gets conversions.
// RUN: tegula-opt %s --assign-layouts | FileCheck %s

// One element a thread, lanes first, then warps, then further registers; constants follow their type.
// CHECK-DAG: #[[V:.*]] = #tile.layout<{register = {{\[\[}}128]], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}32], [64]]} : [256]>
// CHECK-DAG: #[[W:.*]] = #tile.layout<{lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}32], [0]]} : [64]>
// CHECK-DAG: #[[ROW:.*]] = #tile.layout<{lane = {{\[\[}}0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = {{\[\[}}4, 0], [8, 0]]} : [16, 8]>

// CHECK-LABEL: @vector
func.func @vector() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // CHECK: arith.constant dense<1> : tensor<256xi32, #[[V]]>
  %one = arith.constant dense<1> : tensor<256xi32>
  // CHECK: tile.arange 0 to 256 : tensor<256xi32, #[[V]]>
  %i = tile.arange 0 to 256 : tensor<256xi32>
  // CHECK: arith.cmpi {{.*}} : tensor<256xi32, #[[V]]>
  %c = arith.cmpi slt, %i, %one : tensor<256xi32>
  // CHECK-NOT: convert_layout
  tile.print "c" [false] values(%c : tensor<256xi1>)
  return
}

// A tensor of fewer elements than threads is held several times.
// CHECK-LABEL: @small
func.func @small() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // CHECK: tile.arange 0 to 64 : tensor<64xi32, #[[W]]>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  tile.print "i" [true] values(%i : tensor<64xi32>)
  return
}

// The operands of shape ops are converted to the layouts that the results ask for.
// CHECK-LABEL: @shapes
func.func @shapes() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 16 : tensor<16xi32>
  // CHECK: %[[E:.*]] = tile.expand_dims %{{.*}}, 1 : {{.*}} -> tensor<16x1xi32, #[[COLUMN:.*]]>
  %e = tile.expand_dims %i, 1 : tensor<16xi32> -> tensor<16x1xi32>
  // CHECK: %[[C:.*]] = tile.convert_layout %[[E]] : tensor<16x1xi32, #[[COLUMN]]>
  // CHECK: tile.broadcast %[[C]] : {{.*}} -> tensor<16x8xi32, #[[ROW]]>
  %b = tile.broadcast %e : tensor<16x1xi32> -> tensor<16x8xi32>
  // CHECK: tile.convert_layout
  // CHECK: tile.trans
  %t = tile.trans %b, [1, 0] : tensor<16x8xi32> -> tensor<8x16xi32>
  // CHECK-NEXT: tile.reshape
  %r = tile.reshape %t : tensor<8x16xi32> -> tensor<128xi32>
  tile.print "r" [true] values(%r : tensor<128xi32>)
  return
}

// Loop-carried tensors and results of branches have one layout all the way.
// CHECK-LABEL: @regions
func.func @regions(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %p: i1 {tile.param = #tile.param<"p", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange 0 to 256 : tensor<256xi32>
  // CHECK: scf.for {{.*}} -> (tensor<256xi32, #[[V]]>)
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %i) -> tensor<256xi32> : i32 {
    %s = arith.addi %a, %i : tensor<256xi32>
    // CHECK: scf.yield %{{.*}} : tensor<256xi32, #[[V]]>
    scf.yield %s : tensor<256xi32>
  }
  // CHECK: scf.if {{.*}} -> (tensor<256xi32, #[[V]]>)
  %u = scf.if %p -> tensor<256xi32> {
    scf.yield %r : tensor<256xi32>
  } else {
    scf.yield %i : tensor<256xi32>
  }
  tile.print "u" [true] values(%u : tensor<256xi32>)
  return
}

// A layout that was chosen before stays.
// CHECK-LABEL: @chosen
func.func @chosen() attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: tile.arange 0 to 64 : tensor<64xi32, #[[PAIRS:.*]]>
  %i = tile.arange 0 to 64 : tensor<64xi32, #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>>
  tile.print "i" [true] values(%i : tensor<64xi32, #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>>)
  return
}

// A function that is no kernel is left alone.
// CHECK-LABEL: @helper
func.func @helper() {
  // CHECK: tile.arange 0 to 64 : tensor<64xi32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  tile.print "i" [true] values(%i : tensor<64xi32>)
  return
}
