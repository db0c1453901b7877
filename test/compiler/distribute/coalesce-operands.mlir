// Loads that bring nothing but operands of dots do not share a layout with what becomes of the product.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce | FileCheck %s

// CHECK-DAG: #[[V16:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [32, 0], [64, 0]], lane =
// CHECK-DAG: #[[ROWS:.*]] = #tile.layout<{register = {{\[\[}}1, 0], [2, 0], [4, 0], [0, 32], [0, 64], [64, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = {{\[\[}}8, 0], [16, 0], [32, 0]]}
// CHECK-DAG: #[[ROW:.*]] = #tile.layout<{register = {{\[\[}}2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = {{\[\[}}0, 32], [0, 64], [1, 0]]}
// CHECK-DAG: #[[V4:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [8, 0], [16, 0], [32, 0], [64, 0]], lane =

// Bytes are loaded 16 at a time, and sums of four bytes stored four at a time.
// CHECK-LABEL: @bytes
// CHECK-COUNT-2: tile.load {{.*}} : tensor<128x128x!tile.ptr<i8>, #[[V16]]>
// CHECK: tile.store {{.*}} : tensor<128x128x!tile.ptr<i32>, #[[V4]]>
func.func @bytes(%a: !tile.ptr<i8> {tile.param = #tile.param<"a", "*i8", 16>}, %b: !tile.ptr<i8> {tile.param = #tile.param<"b", "*i8", 16>}, %y: !tile.ptr<i32> {tile.param = #tile.param<"y", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
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
  %bs = tile.splat %b : !tile.ptr<i8> -> tensor<128x128x!tile.ptr<i8>>
  %bp = tile.addptr %bs, %o : tensor<128x128x!tile.ptr<i8>>, tensor<128x128xi32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<128x128x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %o : tensor<128x128x!tile.ptr<i32>>, tensor<128x128xi32>
  %av = tile.load %ap : tensor<128x128x!tile.ptr<i8>>
  %bv = tile.load %bp : tensor<128x128x!tile.ptr<i8>>
  %zero = arith.constant dense<0> : tensor<128x128xi32>
  %d = tile.dot %av, %bv, %zero : tensor<128x128xi8>, tensor<128x128xi8> -> tensor<128x128xi32>
  tile.store %yp, %d : tensor<128x128x!tile.ptr<i32>>
  return
}

// What is added to the product is stored with it, through the dot and behind it.
// CHECK-LABEL: @meeting
// CHECK: tile.load {{.*}} : tensor<128x128x!tile.ptr<f16>, #[[V4]]>
// CHECK: tile.load {{.*}} : tensor<128x128x!tile.ptr<i8>, #[[V16]]>
// CHECK: tile.store {{.*}} : tensor<128x128x!tile.ptr<i32>, #[[V4]]>
func.func @meeting(%x: !tile.ptr<f16> {tile.param = #tile.param<"x", "*fp16", 16>}, %a: !tile.ptr<i8> {tile.param = #tile.param<"a", "*i8", 16>}, %b: !tile.ptr<i8> {tile.param = #tile.param<"b", "*i8", 16>}, %y: !tile.ptr<i32> {tile.param = #tile.param<"y", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
  %i = tile.arange 0 to 128 : tensor<128xi32>
  %c = tile.expand_dims %i, 0 : tensor<128xi32> -> tensor<1x128xi32>
  %e = tile.expand_dims %i, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %side = arith.constant dense<128> : tensor<128x1xi32>
  %r = arith.muli %e, %side : tensor<128x1xi32>
  %cs = tile.broadcast %c : tensor<1x128xi32> -> tensor<128x128xi32>
  %rs = tile.broadcast %r : tensor<128x1xi32> -> tensor<128x128xi32>
  %o = arith.addi %rs, %cs : tensor<128x128xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<128x128x!tile.ptr<f16>>
  %xp = tile.addptr %xs, %o : tensor<128x128x!tile.ptr<f16>>, tensor<128x128xi32>
  %as = tile.splat %a : !tile.ptr<i8> -> tensor<128x128x!tile.ptr<i8>>
  %ap = tile.addptr %as, %o : tensor<128x128x!tile.ptr<i8>>, tensor<128x128xi32>
  %bs = tile.splat %b : !tile.ptr<i8> -> tensor<128x128x!tile.ptr<i8>>
  %bp = tile.addptr %bs, %o : tensor<128x128x!tile.ptr<i8>>, tensor<128x128xi32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<128x128x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %o : tensor<128x128x!tile.ptr<i32>>, tensor<128x128xi32>
  %xv = tile.load %xp : tensor<128x128x!tile.ptr<f16>>
  %av = tile.load %ap : tensor<128x128x!tile.ptr<i8>>
  %bv = tile.load %bp : tensor<128x128x!tile.ptr<i8>>
  %sums = arith.fptosi %xv : tensor<128x128xf16> to tensor<128x128xi32>
  %d = tile.dot %av, %bv, %sums : tensor<128x128xi8>, tensor<128x128xi8> -> tensor<128x128xi32>
  tile.store %yp, %d : tensor<128x128x!tile.ptr<i32>>
  return
}

// An operand that is stored as well shares the layout of that store, and of all others.
// CHECK-LABEL: @kept
// CHECK: tile.load {{.*}} : tensor<128x128x!tile.ptr<i8>, #[[V4]]>
// CHECK-COUNT-2: tile.store {{.*}}, #[[V4]]>
func.func @kept(%a: !tile.ptr<i8> {tile.param = #tile.param<"a", "*i8", 16>}, %x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}, %y: !tile.ptr<i32> {tile.param = #tile.param<"y", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
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
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<128x128x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %o : tensor<128x128x!tile.ptr<i32>>, tensor<128x128xi32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<128x128x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %o : tensor<128x128x!tile.ptr<i32>>, tensor<128x128xi32>
  %av = tile.load %ap : tensor<128x128x!tile.ptr<i8>>
  %w = arith.extsi %av : tensor<128x128xi8> to tensor<128x128xi32>
  tile.store %xp, %w : tensor<128x128x!tile.ptr<i32>>
  %zero = arith.constant dense<0> : tensor<128x128xi32>
  %d = tile.dot %av, %av, %zero : tensor<128x128xi8>, tensor<128x128xi8> -> tensor<128x128xi32>
  tile.store %yp, %d : tensor<128x128x!tile.ptr<i32>>
  return
}

// Halves in rows of 129: lanes take neighbours, threads 8 of each column, and warps rows, so that few rows are a
// thread's. What is stored has the layout of every matrix.
// CHECK-LABEL: @unaligned
// CHECK-COUNT-2: tile.load {{.*}} : tensor<128x128x!tile.ptr<f16>, #[[ROWS]]>
// CHECK: tile.store {{.*}} : tensor<128x128x!tile.ptr<f16>, #[[ROW]]>
func.func @unaligned(%a: !tile.ptr<f16> {tile.param = #tile.param<"a", "*fp16", 16>}, %b: !tile.ptr<f16> {tile.param = #tile.param<"b", "*fp16", 16>}, %y: !tile.ptr<f16> {tile.param = #tile.param<"y", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
  %i = tile.arange 0 to 128 : tensor<128xi32>
  %c = tile.expand_dims %i, 0 : tensor<128xi32> -> tensor<1x128xi32>
  %e = tile.expand_dims %i, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %side = arith.constant dense<129> : tensor<128x1xi32>
  %r = arith.muli %e, %side : tensor<128x1xi32>
  %cs = tile.broadcast %c : tensor<1x128xi32> -> tensor<128x128xi32>
  %rs = tile.broadcast %r : tensor<128x1xi32> -> tensor<128x128xi32>
  %o = arith.addi %rs, %cs : tensor<128x128xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<128x128x!tile.ptr<f16>>
  %ap = tile.addptr %as, %o : tensor<128x128x!tile.ptr<f16>>, tensor<128x128xi32>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<128x128x!tile.ptr<f16>>
  %bp = tile.addptr %bs, %o : tensor<128x128x!tile.ptr<f16>>, tensor<128x128xi32>
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<128x128x!tile.ptr<f16>>
  %yp = tile.addptr %ys, %o : tensor<128x128x!tile.ptr<f16>>, tensor<128x128xi32>
  %av = tile.load %ap : tensor<128x128x!tile.ptr<f16>>
  %bv = tile.load %bp : tensor<128x128x!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %av, %bv, %zero : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  %h = arith.truncf %d : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %yp, %h : tensor<128x128x!tile.ptr<f16>>
  return
}
