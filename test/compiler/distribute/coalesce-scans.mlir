// A thread's elements along a scanned axis are neighbours: rows in its registers, then in lanes, then in warps.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce | FileCheck %s

// CHECK: #[[SCANNED:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [8, 0]], warp = {{\[\[}}16, 0], [32, 0]]} : [64, 64]>
// CHECK-LABEL: @rows
// CHECK: tile.load {{.*}} : tensor<64x64x!tile.ptr<f32>, #[[SCANNED]]>
// CHECK: tile.store {{.*}} : tensor<64x64x!tile.ptr<f32>, #[[SCANNED]]>
module attributes {tile.target = "sm_90a"} {
  func.func @rows(%arg0: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %arg1: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %arg2: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    %0 = tile.arange 0 to 64 : tensor<64xi32>
    %1 = tile.expand_dims %0, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %2 = tile.splat %arg2 : i32 -> tensor<64x1xi32>
    %3 = arith.muli %1, %2 : tensor<64x1xi32>
    %4 = tile.expand_dims %0, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %5 = tile.broadcast %3 : tensor<64x1xi32> -> tensor<64x64xi32>
    %6 = tile.broadcast %4 : tensor<1x64xi32> -> tensor<64x64xi32>
    %7 = arith.addi %5, %6 : tensor<64x64xi32>
    %8 = tile.splat %arg1 : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
    %9 = tile.addptr %8, %7 : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %10 = tile.splat %arg0 : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
    %11 = tile.addptr %10, %7 : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %12 = tile.load %11 : tensor<64x64x!tile.ptr<f32>>
    %13 = tile.scan %12 axis 0 : tensor<64x64xf32> -> tensor<64x64xf32> {
    ^bb0(%arg3: f32, %arg4: f32):
      %14 = arith.addf %arg3, %arg4 fastmath<contract> : f32
      tile.yield %14 : f32
    }
    tile.store %9, %13 : tensor<64x64x!tile.ptr<f32>>
    return
  }
}
