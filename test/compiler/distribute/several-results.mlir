// Ops of several results take part like any others: what they are computed from decides where they live.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce --remove-conversions --cse | FileCheck %s --implicit-check-not=tile.convert_layout

// CHECK-DAG: #[[V8:.*]] = #tile.layout<{register = {{\[\[}}1], [2], [4]], lane = {{\[\[}}8], [16], [32], [64], [128]], warp = {{\[\[}}256], [512]]} : [1024]>
// CHECK-DAG: #[[V4:.*]] = #tile.layout<{register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256]]} : [512]>

// Computed from positions alone, both halves of a product are made where the data are.
// CHECK-LABEL: @beside_a_load
// CHECK: arith.mului_extended %{{.*}} : tensor<1024xi32, #[[V8]]>
// CHECK-NOT: arith.mului_extended
// CHECK: tile.load %{{.*}} : tensor<1024x!tile.ptr<f16>, #[[V8]]>
// CHECK: tile.store %{{.*}} : tensor<1024x!tile.ptr<f16>, #[[V8]]>
func.func @beside_a_load(%x: !tile.ptr<f16> {tile.param = #tile.param<"x", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %f = arith.constant dense<1664525> : tensor<1024xi32>
  %low, %high = arith.mului_extended %i, %f : tensor<1024xi32>
  %both = arith.xori %low, %high : tensor<1024xi32>
  %zero = arith.constant dense<0> : tensor<1024xi32>
  %keep = arith.cmpi slt, %both, %zero : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f16>>
  %none = arith.constant dense<0.0> : tensor<1024xf16>
  %w = arith.select %keep, %v, %none : tensor<1024xi1>, tensor<1024xf16>
  tile.store %p, %w : tensor<1024x!tile.ptr<f16>>
  return
}

// Computed from data, they follow the data, and carry it on to the store.
// CHECK-LABEL: @of_a_load
// CHECK: %[[LOW:.*]], %[[HIGH:.*]] = arith.mulsi_extended %{{.*}} : tensor<512xi32, #[[V4]]>
// CHECK: tile.store %{{.*}}, %[[HIGH]] : tensor<512x!tile.ptr<i32>, #[[V4]]>
func.func @of_a_load(%x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 512 : tensor<512xi32>
  %s = tile.splat %x : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>>
  %p = tile.addptr %s, %i : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %v = tile.load %p : tensor<512x!tile.ptr<i32>>
  %low, %high = arith.mulsi_extended %v, %i : tensor<512xi32>
  tile.store %p, %high : tensor<512x!tile.ptr<i32>>
  return
}

// Results of different types, carried round a loop: it lives where the access that uses one of them is.
// CHECK-LABEL: @carried
// CHECK: scf.for {{.*}} -> (tensor<512xi32, #[[V1:.*]]>)
// CHECK: %[[SUM:.*]], %[[OVER:.*]] = arith.addui_extended %{{.*}} : tensor<512xi32, #[[V1]]>, tensor<512xi1, #[[V1]]>
// CHECK: tile.store %{{.*}}, %[[SUM]], %[[OVER]] : tensor<512x!tile.ptr<i32>, #[[V1]]>
func.func @carried(%x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange 0 to 512 : tensor<512xi32>
  %s = tile.splat %x : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>>
  %p = tile.addptr %s, %i : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%a = %i) -> tensor<512xi32> : i32 {
    %sum, %over = arith.addui_extended %a, %i : tensor<512xi32>, tensor<512xi1>
    tile.store %p, %sum, %over : tensor<512x!tile.ptr<i32>>
    scf.yield %sum : tensor<512xi32>
  }
  tile.print "last" [true] values(%last : tensor<512xi32>)
  return
}
