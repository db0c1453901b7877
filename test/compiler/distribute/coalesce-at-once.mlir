// Operands of a product outside of loops, for a target with TMA, which loads only in loops: the search for a box that
// TMA could load once asked for a loop where there was none.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce | FileCheck %s

// CHECK: #[[ROWS:.*]] = #tile.layout<{register = {{\[\[}}1, 0], [2, 0], [4, 0], [0, 32], [0, 64], [64, 0]], lane =
// CHECK-LABEL: @at_once
// CHECK-COUNT-2: tile.load {{.*}} : tensor<128x128x!tile.ptr<f16>, #[[ROWS]]>
module attributes {tile.target = "sm_90a"} {
func.func @at_once(%a: !tile.ptr<f16> {tile.param = #tile.param<"a", "*fp16", 16>}, %b: !tile.ptr<f16> {tile.param = #tile.param<"b", "*fp16", 16>}, %y: !tile.ptr<f16> {tile.param = #tile.param<"y", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
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
}
