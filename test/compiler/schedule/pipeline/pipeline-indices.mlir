// Loads by an index that another load of the loop brings, as the entries of a page table.
// RUN: tegula-opt %s --form-boxes --plan-loops --specialize-warps --pipeline-loops | FileCheck %s
// RUN: tegula-opt %s --form-boxes --plan-loops --specialize-warps --pipeline-loops --remarks-filter=plan-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #tile.layout<{register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [1024]>

// The index is loaded once an iteration, with what it tells the place of, and both under the same condition.
// CHECK-LABEL: @indices
// CHECK: %[[FIRST:.*]] = tile.load %{{.*}}, %[[ANY:.*]] : !tile.ptr<i32>
// CHECK: %[[AHEAD:.*]] = tile.load %{{.*}} : tensor<1024x!tile.ptr<f32>
// CHECK: scf.for {{.*}} iter_args({{.*}}%[[AHEAD]]
// CHECK: %[[INDEX:.*]] = tile.load %{{.*}}, %{{.*}} : !tile.ptr<i32>
// CHECK: tile.addptr %{{.*}}, %[[INDEX]]
// CHECK-NOT: tile.load %{{.*}} : !tile.ptr<i32>
// CHECK: tile.load %{{.*}} : tensor<1024x!tile.ptr<f32>
// CHECK: math.exp
// REMARK: [Passed] pipeline | {{.*}}Function=indices | Loads=1
func.func @indices(%table: !tile.ptr<i32> {tile.param = #tile.param<"table", "*i32", 16>}, %x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #l>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #l>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>, #l>, tensor<1024xi32, #l>
  scf.for %r = %c0 to %n step %c1 : i32 {
    %tp = tile.addptr %table, %r : !tile.ptr<i32>, i32
    %page = tile.load %tp : !tile.ptr<i32>
    %xp = tile.addptr %x, %page : !tile.ptr<f32>, i32
    %xs = tile.splat %xp : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #l>
    %xi = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>, #l>, tensor<1024xi32, #l>
    %v = tile.load %xi : tensor<1024x!tile.ptr<f32>, #l>
    %w = math.exp %v : tensor<1024xf32, #l>
    tile.store %yp, %w : tensor<1024x!tile.ptr<f32>, #l>
  } {tile.loop = #tile.loop<stages = 2>}
  return
}

// The index is known when the store before it is done.
// REMARK: [Missed] pipeline | {{.*}}Function=index_is_stored | Line=[[#@LINE+6]], Reason="a store through `table` may change what is loaded through `table`"
func.func @index_is_stored(%table: !tile.ptr<i32> {tile.param = #tile.param<"table", "*i32", 16>}, %x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %c0 to %n step %c1 : i32 {
    %tp = tile.addptr %table, %r : !tile.ptr<i32>, i32
    %page = tile.load %tp : !tile.ptr<i32>
    %xp = tile.addptr %x, %page : !tile.ptr<i32>, i32
    %v = tile.load %xp : !tile.ptr<i32>
    tile.store %tp, %v : !tile.ptr<i32>
  } {tile.loop = #tile.loop<stages = 2>}
  return
}
