// Accesses that want several elements a thread, with one of elements that are apart: the cheapest for a warp wins.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce | FileCheck %s
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce --remarks-filter=coalesce -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-DAG: #[[V1:.*]] = #tile.layout<{register = {{\[\[}}128], [256], [512]], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}32], [64]]} : [1024]>
// CHECK-DAG: #[[V4:.*]] = #tile.layout<{register = {{\[\[}}1], [2], [512]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256]]} : [1024]>

// A stride that only a run knows may be small: neighbouring lanes take neighbours in both, so that the load touches
// two sectors for one and not eight.
// CHECK-LABEL: @packed
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V1]]>
// CHECK: tile.store {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V1]]>
// REMARK: [Missed] store | Category:coalesce | Function=packed | CostOfOne=208, CostOfSeveral=226, Reason="it meets an access of elements that lie apart", Remark="1 of 4 neighbouring elements in each thread"
func.func @packed(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %o = arith.muli %i, %ns : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %o : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %yp, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// Sixteen floats apart each element has a sector of its own whatever the layout: the store may as well be wide.
// CHECK-LABEL: @far_apart
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V4]]>
// CHECK: tile.store {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V4]]>
// REMARK: [Passed] store | Category:coalesce | Function=far_apart | CostOfOne=304, CostOfSeveral=298, Reason="it meets an access of elements that lie apart", Remark="4 of 4 neighbouring elements in each thread"
func.func @far_apart(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %n = arith.constant dense<16> : tensor<1024xi32>
  %o = arith.muli %i, %n : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %o : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %yp, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// What lies apart is no reason for data that it never meets.
// CHECK-LABEL: @two_flows
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V1]]>
// CHECK: tile.store {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V1]]>
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V4]]>
// CHECK: tile.store {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V4]]>
func.func @two_flows(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %n = arith.constant dense<2> : tensor<1024xi32>
  %o = arith.muli %i, %n : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %o : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  tile.store %xp, %v : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %w = tile.load %yp : tensor<1024x!tile.ptr<f32>>
  tile.store %yp, %w : tensor<1024x!tile.ptr<f32>>
  return
}

// A table of which a warp reads the same few entries over and over: no more sectors for several elements a thread.
// CHECK-LABEL: @table
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V4]]>
// CHECK: tile.store {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V4]]>
func.func @table(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %four = arith.constant dense<4> : tensor<1024xi32>
  %n = arith.constant dense<256> : tensor<1024xi32>
  %k = arith.remsi %i, %four : tensor<1024xi32>
  %o = arith.muli %k, %n : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %o : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %yp, %v : tensor<1024x!tile.ptr<f32>>
  return
}
