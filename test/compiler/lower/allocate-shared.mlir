// Ops that exchange data between warps get places in shared memory.
// RUN: tegula-opt %s --allocate-shared --split-input-file | FileCheck %s

#row = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

// Of three in a row, neighbours lie apart, and the third takes the place of the first.
// CHECK-LABEL: func.func @three(
func.func @three(%v: i32 {tile.param = #tile.param<"v", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %x = tile.splat %v : i32 -> tensor<128xi32, #row>
  // CHECK: tile.reduce %{{.*}} axis 0 {tile.scratch = #tile.scratch<offset = 0, bytes = 16>}
  %a = tile.reduce %x axis 0 : tensor<128xi32, #row> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  }
  %as = tile.splat %a : i32 -> tensor<128xi32, #row>
  // CHECK: tile.reduce %{{.*}} axis 0 {tile.scratch = #tile.scratch<offset = 16, bytes = 16>}
  %b = tile.reduce %as axis 0 : tensor<128xi32, #row> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  }
  %bs = tile.splat %b : i32 -> tensor<128xi32, #row>
  // CHECK: tile.reduce %{{.*}} axis 0 {tile.scratch = #tile.scratch<offset = 0, bytes = 16>}
  %c = tile.reduce %bs axis 0 : tensor<128xi32, #row> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  }
  return
}

// -----

#row = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>
#warp = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>

// Two in a loop lie apart from each other in both directions; what stays in a warp needs no place, and a place
// of an earlier run is forgotten.
// CHECK-LABEL: func.func @loop(
func.func @loop(%v: f64 {tile.param = #tile.param<"v", "fp64", 1>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.splat %v : f64 -> tensor<128xf64, #row>
  scf.for %i = %c0 to %n step %c1 : i32 {
    // CHECK: tile.reduce %{{.*}} axis 0 {tile.scratch = #tile.scratch<offset = 0, bytes = 32>}
    %a = tile.reduce %x axis 0 : tensor<128xf64, #row> -> f64 {
    ^bb0(%l: f64, %r: f64):
      %s = arith.addf %l, %r : f64
      tile.yield %s : f64
    }
    %as = tile.splat %a : f64 -> tensor<128xf64, #row>
    // CHECK: tile.reduce %{{.*}} axis 0 {tile.scratch = #tile.scratch<offset = 32, bytes = 32>}
    %b = tile.reduce %as axis 0 : tensor<128xf64, #row> -> f64 {
    ^bb0(%l: f64, %r: f64):
      %s = arith.addf %l, %r : f64
      tile.yield %s : f64
    }
  }
  %y = tile.splat %v : f64 -> tensor<32xf64, #warp>
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<32xf64
  %c = tile.reduce %y axis 0 {tile.scratch = #tile.scratch<offset = 0, bytes = 16>} : tensor<32xf64, #warp> -> f64 {
  ^bb0(%l: f64, %r: f64):
    %s = arith.addf %l, %r : f64
    tile.yield %s : f64
  }
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [32, 32]>
#columns = #tile.layout<{register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8], [0, 16]]} : [32, 32]>

// Large places are not laid side by side: shared memory is dearer than a barrier.
// CHECK-LABEL: func.func @large(
func.func @large(%v: f64 {tile.param = #tile.param<"v", "fp64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %x = tile.splat %v : f64 -> tensor<32x32xf64, #rows>
  // CHECK: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 0, bytes = 8192>}
  %y = tile.convert_layout %x : tensor<32x32xf64, #rows> -> tensor<32x32xf64, #columns>
  // CHECK: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 0, bytes = 8192>}
  %z = tile.convert_layout %y : tensor<32x32xf64, #columns> -> tensor<32x32xf64, #rows>
  return
}
