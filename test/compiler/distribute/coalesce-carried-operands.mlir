// Loads whose data meet on the way to a dot share a layout.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce | FileCheck %s

// CHECK-DAG: #[[V16:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [32, 0], [64, 0]], lane =
// CHECK-DAG: #[[V8:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [16, 0], [32, 0], [64, 0]], lane =
// CHECK-DAG: #[[V4:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [8, 0], [16, 0], [32, 0], [64, 0]], lane =

// A loop and a branch lie between them here. The other operand has its own layout, and so has the sum.
// CHECK-LABEL: @carried
// CHECK: tile.load {{.*}} : tensor<128x128x!tile.ptr<f32>, #[[V16]]>
// CHECK: tile.load {{.*}} : tensor<128x128x!tile.ptr<i8>, #[[V16]]>
// CHECK: tile.load {{.*}} : tensor<128x128x!tile.ptr<f16>, #[[V8]]>
// CHECK: tile.store {{.*}} : tensor<128x128x!tile.ptr<f32>, #[[V4]]>
func.func @carried(%a: !tile.ptr<i8> {tile.param = #tile.param<"a", "*i8", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}, %b: !tile.ptr<f16> {tile.param = #tile.param<"b", "*fp16", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
  %i = tile.arange 0 to 128 : tensor<128xi32>
  %c = tile.expand_dims %i, 0 : tensor<128xi32> -> tensor<1x128xi32>
  %e = tile.expand_dims %i, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %side = arith.constant dense<128> : tensor<128x1xi32>
  %r = arith.muli %e, %side : tensor<128x1xi32>
  %cs = tile.broadcast %c : tensor<1x128xi32> -> tensor<128x128xi32>
  %rs = tile.broadcast %r : tensor<128x1xi32> -> tensor<128x128xi32>
  %o = arith.addi %rs, %cs : tensor<128x128xi32>
  %as = tile.splat %a : !tile.ptr<i8> -> tensor<128x128x!tile.ptr<i8>>
  %ap = tile.addptr %as, %o : tensor<128x128x!tile.ptr<i8>>, tensor<128x128xi32>
  %ss = tile.splat %s : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  %sp = tile.addptr %ss, %o : tensor<128x128x!tile.ptr<f32>>, tensor<128x128xi32>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<128x128x!tile.ptr<f16>>
  %bp = tile.addptr %bs, %o : tensor<128x128x!tile.ptr<f16>>, tensor<128x128xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %o : tensor<128x128x!tile.ptr<f32>>, tensor<128x128xi32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sv = tile.load %sp : tensor<128x128x!tile.ptr<f32>>
  %first = arith.truncf %sv : tensor<128x128xf32> to tensor<128x128xf16>
  %from = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sums, %last = scf.for %j = %from to %n step %one iter_args(%sum = %zero, %left = %first) -> (tensor<128x128xf32>, tensor<128x128xf16>) : i32 {
    %even = arith.cmpi slt, %j, %one : i32
    %next = scf.if %even -> (tensor<128x128xf16>) {
      %av = tile.load %ap : tensor<128x128x!tile.ptr<i8>>
      %w = arith.sitofp %av : tensor<128x128xi8> to tensor<128x128xf16>
      scf.yield %w : tensor<128x128xf16>
    } else {
      scf.yield %left : tensor<128x128xf16>
    }
    %bv = tile.load %bp : tensor<128x128x!tile.ptr<f16>>
    %d = tile.dot %left, %bv, %sum : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d, %next : tensor<128x128xf32>, tensor<128x128xf16>
  }
  tile.store %yp, %sums : tensor<128x128x!tile.ptr<f32>>
  return
}
