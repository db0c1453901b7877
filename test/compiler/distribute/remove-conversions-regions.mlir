// Loops and branches: what they carry lives where the accesses want it.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce --remove-conversions | FileCheck %s

// CHECK-DAG: #[[V4:.*]] = #tile.layout<{register = {{\[\[}}1], [2], [512]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256]]} : [1024]>

// A carried pointer follows the load, a carried sum what is added to it.
// CHECK-LABEL: @loop
// CHECK-NOT: convert_layout
// CHECK: scf.for {{.*}} -> (tensor<1024x!tile.ptr<f32>, #[[V4]]>, tensor<1024xf32, #[[V4]]>)
// CHECK-NOT: convert_layout
// CHECK: return
func.func @loop(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %step = arith.constant dense<1024> : tensor<1024xi32>
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p0 = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %p0, %sum = %zero) -> (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) : i32 {
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %s = arith.addf %sum, %v : tensor<1024xf32>
    %q = tile.addptr %p, %step : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    scf.yield %q, %s : tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %yp, %r#1 : tensor<1024x!tile.ptr<f32>>
  return
}

// The result of a branch follows the store; a value of both layouts of a `while` stays correct.
// CHECK-LABEL: @branch
// CHECK: scf.if {{.*}} -> (tensor<1024xf32, #[[V4]]>)
// CHECK-NOT: convert_layout
// CHECK: scf.while
func.func @branch(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1.0> : tensor<1024xf32>
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %some = arith.cmpi sgt, %n, %c1 : i32
  %u = scf.if %some -> tensor<1024xf32> {
    %d = arith.mulf %v, %v : tensor<1024xf32>
    scf.yield %d : tensor<1024xf32>
  } else {
    scf.yield %one : tensor<1024xf32>
  }
  tile.store %p, %u : tensor<1024x!tile.ptr<f32>>
  %w = scf.while (%a = %v) : (tensor<1024xf32>) -> tensor<1024xf32> {
    scf.condition(%some) %a : tensor<1024xf32>
  } do {
  ^bb0(%b: tensor<1024xf32>):
    %t = arith.addf %b, %v : tensor<1024xf32>
    scf.yield %t : tensor<1024xf32>
  }
  tile.store %p, %w : tensor<1024x!tile.ptr<f32>>
  return
}

// One offset, asked for in two layouts inside a loop, is computed twice, before the loop.
// CHECK-LABEL: @shared_offset
// CHECK: tile.arange
// CHECK: tile.arange
// CHECK: scf.for
// CHECK-NOT: tile.arange
// CHECK: tile.load
// CHECK: tile.store
// CHECK-NOT: convert_layout
// CHECK: return
func.func @shared_offset(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 4>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<2x512xf32>
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %m = tile.reshape %i : tensor<1024xi32> -> tensor<2x512xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
    %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
    tile.print "v" [true] values(%v : tensor<1024xf32>)
    %ys = tile.splat %y : !tile.ptr<f32> -> tensor<2x512x!tile.ptr<f32>>
    %yp = tile.addptr %ys, %m : tensor<2x512x!tile.ptr<f32>>, tensor<2x512xi32>
    tile.store %yp, %zero : tensor<2x512x!tile.ptr<f32>>
  }
  return
}
