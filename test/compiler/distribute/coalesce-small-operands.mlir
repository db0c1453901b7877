// A tile of 16x16 f16 on 256 threads is two bytes for each, too few to copy into shared memory at a time. One warp
// copies all of it, 16 bytes a thread.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce | FileCheck %s

// CHECK-DAG: #[[WIDE:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [0, 4]], lane = {{\[\[}}0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = {{\[\[}}0, 0], [0, 0], [0, 0]]} : [16, 16]>
// CHECK-DAG: #[[ONE:.*]] = #tile.layout<{lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = {{\[\[}}2, 0], [4, 0], [8, 0]]} : [16, 16]>

// Transposed on its way or not. What is stored is shared out over all threads.
// CHECK-LABEL: @copied
// CHECK: tile.load {{.*}}, #[[WIDE]]>
// CHECK: tile.store {{.*}}, #[[ONE]]>
func.func @copied(%a: !tile.ptr<f16> {tile.param = #tile.param<"a", "*fp16", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
  %i = tile.arange 0 to 16 : tensor<16xi32>
  %c = tile.expand_dims %i, 0 : tensor<16xi32> -> tensor<1x16xi32>
  %e = tile.expand_dims %i, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %side = arith.constant dense<16> : tensor<16x1xi32>
  %r = arith.muli %e, %side : tensor<16x1xi32>
  %cs = tile.broadcast %c : tensor<1x16xi32> -> tensor<16x16xi32>
  %rs = tile.broadcast %r : tensor<16x1xi32> -> tensor<16x16xi32>
  %o = arith.addi %rs, %cs : tensor<16x16xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %ap = tile.addptr %as, %o : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %from = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sums = scf.for %j = %from to %n step %one iter_args(%sum = %zero) -> (tensor<16x16xf32>) : i32 {
    %av = tile.load %ap : tensor<16x16x!tile.ptr<f16>>
    %t = tile.trans %av, [1, 0] : tensor<16x16xf16> -> tensor<16x16xf16>
    %d = tile.dot %t, %t, %sum : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %o : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %yp, %sums : tensor<16x16x!tile.ptr<f32>>
  return
}

// Arithmetic would be done by every warp.
// CHECK-LABEL: @computed
// CHECK: tile.load {{.*}}, #[[ONE]]>
func.func @computed(%a: !tile.ptr<f16> {tile.param = #tile.param<"a", "*fp16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
  %i = tile.arange 0 to 16 : tensor<16xi32>
  %c = tile.expand_dims %i, 0 : tensor<16xi32> -> tensor<1x16xi32>
  %e = tile.expand_dims %i, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %side = arith.constant dense<16> : tensor<16x1xi32>
  %r = arith.muli %e, %side : tensor<16x1xi32>
  %cs = tile.broadcast %c : tensor<1x16xi32> -> tensor<16x16xi32>
  %rs = tile.broadcast %r : tensor<16x1xi32> -> tensor<16x16xi32>
  %o = arith.addi %rs, %cs : tensor<16x16xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %ap = tile.addptr %as, %o : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %from = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sums = scf.for %j = %from to %n step %one iter_args(%sum = %zero) -> (tensor<16x16xf32>) : i32 {
    %av = tile.load %ap : tensor<16x16x!tile.ptr<f16>>
    %w = arith.addf %av, %av : tensor<16x16xf16>
    %d = tile.dot %w, %w, %sum : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  return
}

// With one stage (or no loop) nothing is copied: each thread that holds an element loads it.
// CHECK-LABEL: @one_stage
// CHECK: tile.load {{.*}}, #[[ONE]]>
func.func @one_stage(%a: !tile.ptr<f16> {tile.param = #tile.param<"a", "*fp16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %i = tile.arange 0 to 16 : tensor<16xi32>
  %c = tile.expand_dims %i, 0 : tensor<16xi32> -> tensor<1x16xi32>
  %e = tile.expand_dims %i, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %side = arith.constant dense<16> : tensor<16x1xi32>
  %r = arith.muli %e, %side : tensor<16x1xi32>
  %cs = tile.broadcast %c : tensor<1x16xi32> -> tensor<16x16xi32>
  %rs = tile.broadcast %r : tensor<16x1xi32> -> tensor<16x16xi32>
  %o = arith.addi %rs, %cs : tensor<16x16xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %ap = tile.addptr %as, %o : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %from = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sums = scf.for %j = %from to %n step %one iter_args(%sum = %zero) -> (tensor<16x16xf32>) : i32 {
    %av = tile.load %ap : tensor<16x16x!tile.ptr<f16>>
    %d = tile.dot %av, %av, %sum : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  return
}

// The loop's own stages count for more than the kernel's.
// CHECK-LABEL: @deep
// CHECK: tile.load {{.*}}, #[[WIDE]]>
func.func @deep(%a: !tile.ptr<f16> {tile.param = #tile.param<"a", "*fp16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %i = tile.arange 0 to 16 : tensor<16xi32>
  %c = tile.expand_dims %i, 0 : tensor<16xi32> -> tensor<1x16xi32>
  %e = tile.expand_dims %i, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %side = arith.constant dense<16> : tensor<16x1xi32>
  %r = arith.muli %e, %side : tensor<16x1xi32>
  %cs = tile.broadcast %c : tensor<1x16xi32> -> tensor<16x16xi32>
  %rs = tile.broadcast %r : tensor<16x1xi32> -> tensor<16x16xi32>
  %o = arith.addi %rs, %cs : tensor<16x16xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %ap = tile.addptr %as, %o : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %from = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sums = scf.for %j = %from to %n step %one iter_args(%sum = %zero) -> (tensor<16x16xf32>) : i32 {
    %av = tile.load %ap : tensor<16x16x!tile.ptr<f16>>
    %d = tile.dot %av, %av, %sum : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  } {tile.loop = #tile.loop<stages = 2>}
  return
}
