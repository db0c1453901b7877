// A thread's elements that a load finds at one address are neighbours, where a warp takes a whole row: words of eight rows.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce | FileCheck %s

// CHECK: #[[WORDS:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = {{\[\[}}8, 0], [16, 0], [32, 0]]} : [64, 128]>
// CHECK-LABEL: @unpacked
// CHECK: tile.load {{.*}} : tensor<64x128x!tile.ptr<i32>, #[[WORDS]]>
// CHECK: tile.store {{.*}} : tensor<64x128x!tile.ptr<i32>, #[[WORDS]]>
module attributes {tile.target = "sm_90a"} {
  func.func @unpacked(%arg0: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}, %arg1: !tile.ptr<i32> {tile.param = #tile.param<"y", "*i32", 16>}, %arg2: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
    %cst = arith.constant dense<3> : tensor<64x1xi32>
    %0 = tile.arange 0 to 64 : tensor<64xi32>
    %1 = tile.arange 0 to 128 : tensor<128xi32>
    %2 = tile.expand_dims %0, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %3 = arith.shrui %2, %cst : tensor<64x1xi32>
    %4 = tile.splat %arg2 : i32 -> tensor<64x1xi32>
    %5 = arith.muli %3, %4 : tensor<64x1xi32>
    %6 = tile.splat %arg0 : !tile.ptr<i32> -> tensor<64x1x!tile.ptr<i32>>
    %7 = tile.addptr %6, %5 : tensor<64x1x!tile.ptr<i32>>, tensor<64x1xi32>
    %8 = tile.expand_dims %1, 0 : tensor<128xi32> -> tensor<1x128xi32>
    %9 = tile.broadcast %7 : tensor<64x1x!tile.ptr<i32>> -> tensor<64x128x!tile.ptr<i32>>
    %10 = tile.broadcast %8 : tensor<1x128xi32> -> tensor<64x128xi32>
    %11 = tile.addptr %9, %10 : tensor<64x128x!tile.ptr<i32>>, tensor<64x128xi32>
    %12 = tile.load %11 : tensor<64x128x!tile.ptr<i32>>
    %13 = arith.muli %2, %4 : tensor<64x1xi32>
    %14 = tile.splat %arg1 : !tile.ptr<i32> -> tensor<64x1x!tile.ptr<i32>>
    %15 = tile.addptr %14, %13 : tensor<64x1x!tile.ptr<i32>>, tensor<64x1xi32>
    %16 = tile.broadcast %15 : tensor<64x1x!tile.ptr<i32>> -> tensor<64x128x!tile.ptr<i32>>
    %17 = tile.addptr %16, %10 : tensor<64x128x!tile.ptr<i32>>, tensor<64x128xi32>
    tile.store %17, %12 : tensor<64x128x!tile.ptr<i32>>
    return
  }
}
