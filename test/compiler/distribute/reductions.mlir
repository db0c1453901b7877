// Reductions follow the loads, and what they leave follows them.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce --remove-conversions --cse | FileCheck %s
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce --remove-conversions --remarks-filter=remove-conversions -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-DAG: #[[ROWS:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [0, 128], [0, 256], [0, 512]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = {{\[\[}}1, 0], [2, 0]]} : [4, 1024]>
// CHECK-DAG: #[[EACH:.*]] = #tile.layout<{lane = {{\[\[}}0], [0], [0], [0], [0]], warp = {{\[\[}}1], [2]]} : [4]>
// CHECK-DAG: #[[SHORT:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [16, 0], [32, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = {{\[\[}}4, 0], [8, 0]]} : [64, 32]>
// CHECK-DAG: #[[COLUMNS:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [4, 0], [8, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = {{\[\[}}1, 0], [2, 0]]} : [16, 128]>

// A warp for each row. The maximum goes back to its row and to memory without a conversion.
// REMARK: [Passed] reduce | Category:remove-conversions | Function=rows | Remark="1024 elements: 32 in each thread, 32 lanes, 1 warps", Warps=1
// CHECK-LABEL: @rows
// CHECK-NOT: convert_layout
// CHECK: tile.reduce %{{.*}} axis 1 : tensor<4x1024xf32, #[[ROWS]]> -> tensor<4xf32, #[[EACH]]>
// CHECK-NOT: convert_layout
// CHECK: tile.store %{{.*}} : tensor<4x!tile.ptr<f32>, #[[EACH]]>
func.func @rows(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %r = tile.arange 0 to 4 : tensor<4xi32>
  %c = tile.arange 0 to 1024 : tensor<1024xi32>
  %re = tile.expand_dims %r, 1 : tensor<4xi32> -> tensor<4x1xi32>
  %k = arith.constant dense<1024> : tensor<4x1xi32>
  %rk = arith.muli %re, %k : tensor<4x1xi32>
  %ce = tile.expand_dims %c, 0 : tensor<1024xi32> -> tensor<1x1024xi32>
  %rb = tile.broadcast %rk : tensor<4x1xi32> -> tensor<4x1024xi32>
  %cb = tile.broadcast %ce : tensor<1x1024xi32> -> tensor<4x1024xi32>
  %o = arith.addi %rb, %cb : tensor<4x1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4x1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %o : tensor<4x1024x!tile.ptr<f32>>, tensor<4x1024xi32>
  %v = tile.load %p : tensor<4x1024x!tile.ptr<f32>>
  %m = tile.reduce %v axis 1 : tensor<4x1024xf32> -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %q = arith.maxnumf %a, %b : f32
    tile.yield %q : f32
  }
  %me = tile.expand_dims %m, 1 : tensor<4xf32> -> tensor<4x1xf32>
  %mb = tile.broadcast %me : tensor<4x1xf32> -> tensor<4x1024xf32>
  %d = arith.subf %v, %mb : tensor<4x1024xf32>
  tile.store %p, %d : tensor<4x1024x!tile.ptr<f32>>
  %ss = tile.splat %s : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %sp = tile.addptr %ss, %r : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  tile.store %sp, %m : tensor<4x!tile.ptr<f32>>
  return
}

// Short rows: eight lanes each.
// CHECK-LABEL: @short_rows
// CHECK-NOT: convert_layout
// CHECK: tile.reduce %{{.*}} axis 1 : tensor<64x32xf32, #[[SHORT]]>
// CHECK-NOT: convert_layout
// CHECK: return
func.func @short_rows(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %c = tile.arange 0 to 32 : tensor<32xi32>
  %re = tile.expand_dims %r, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %k = arith.constant dense<32> : tensor<64x1xi32>
  %rk = arith.muli %re, %k : tensor<64x1xi32>
  %ce = tile.expand_dims %c, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rb = tile.broadcast %rk : tensor<64x1xi32> -> tensor<64x32xi32>
  %cb = tile.broadcast %ce : tensor<1x32xi32> -> tensor<64x32xi32>
  %o = arith.addi %rb, %cb : tensor<64x32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %p = tile.addptr %xs, %o : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  %v = tile.load %p : tensor<64x32x!tile.ptr<f32>>
  %m = tile.reduce %v axis 1 : tensor<64x32xf32> -> tensor<64xf32> {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tile.yield %q : f32
  }
  %ss = tile.splat %s : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %sp = tile.addptr %ss, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %sp, %m : tensor<64x!tile.ptr<f32>>
  return
}

// Column sums that a loop gathers: the accumulator lives where the blocks are loaded, the sums are converted
// only if a thread would store many of them.
// REMARK: [Missed] reduce | Category:remove-conversions | Function=column_sums | Reason="the warps meet in shared memory", Remark="16 elements: 4 in each thread, 1 lanes, 4 warps"{{.*}}, Warps=4
// CHECK-LABEL: @column_sums
// CHECK-NOT: convert_layout
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<16x128xf32, #[[COLUMNS]]>)
// CHECK-NOT: convert_layout
// CHECK: tile.reduce %{{.*}} axis 0 : tensor<16x128xf32, #[[COLUMNS]]>
// CHECK-NOT: convert_layout
// CHECK: return
func.func @column_sums(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16x128xf32>
  %r = tile.arange 0 to 16 : tensor<16xi32>
  %c = tile.arange 0 to 128 : tensor<128xi32>
  %k = arith.constant dense<128> : tensor<16x1xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x128x!tile.ptr<f32>>
  %acc = scf.for %i = %c0 to %n step %c16 iter_args(%part = %zero) -> (tensor<16x128xf32>) : i32 {
    %is = tile.splat %i : i32 -> tensor<16xi32>
    %row = arith.addi %r, %is : tensor<16xi32>
    %re = tile.expand_dims %row, 1 : tensor<16xi32> -> tensor<16x1xi32>
    %rk = arith.muli %re, %k : tensor<16x1xi32>
    %ce = tile.expand_dims %c, 0 : tensor<128xi32> -> tensor<1x128xi32>
    %rb = tile.broadcast %rk : tensor<16x1xi32> -> tensor<16x128xi32>
    %cb = tile.broadcast %ce : tensor<1x128xi32> -> tensor<16x128xi32>
    %o = arith.addi %rb, %cb : tensor<16x128xi32>
    %p = tile.addptr %xs, %o : tensor<16x128x!tile.ptr<f32>>, tensor<16x128xi32>
    %v = tile.load %p : tensor<16x128x!tile.ptr<f32>>
    %next = arith.addf %part, %v : tensor<16x128xf32>
    scf.yield %next : tensor<16x128xf32>
  }
  %m = tile.reduce %acc axis 0 : tensor<16x128xf32> -> tensor<128xf32> {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tile.yield %q : f32
  }
  %ss = tile.splat %s : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %sp = tile.addptr %ss, %c : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %sp, %m : tensor<128x!tile.ptr<f32>>
  return
}

// Softmax of long rows, block by block: the running maximum and sum of each row live in the slice of the
// blocks, the scaled accumulator in the blocks' own layout.
// CHECK-LABEL: @online
// CHECK-NOT: convert_layout
// CHECK: scf.for {{.*}} -> (tensor<4xf32, #[[EACH]]>, tensor<4xf32, #[[EACH]]>, tensor<4x1024xf32, #[[ROWS]]>)
// CHECK-NOT: convert_layout
// CHECK: return
func.func @online(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 1024 : i32
  %low = arith.constant dense<-1.0e+30> : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %zeros = arith.constant dense<0.0> : tensor<4x1024xf32>
  %r = tile.arange 0 to 4 : tensor<4xi32>
  %c = tile.arange 0 to 1024 : tensor<1024xi32>
  %re = tile.expand_dims %r, 1 : tensor<4xi32> -> tensor<4x1xi32>
  %k = arith.constant dense<4096> : tensor<4x1xi32>
  %rk = arith.muli %re, %k : tensor<4x1xi32>
  %rb = tile.broadcast %rk : tensor<4x1xi32> -> tensor<4x1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4x1024x!tile.ptr<f32>>
  %xr = tile.addptr %xs, %rb : tensor<4x1024x!tile.ptr<f32>>, tensor<4x1024xi32>
  %all:3 = scf.for %i = %c0 to %n step %step iter_args(%m_i = %low, %l_i = %zero, %acc = %zeros) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x1024xf32>) : i32 {
    %is = tile.splat %i : i32 -> tensor<1024xi32>
    %col = arith.addi %c, %is : tensor<1024xi32>
    %ce = tile.expand_dims %col, 0 : tensor<1024xi32> -> tensor<1x1024xi32>
    %cb = tile.broadcast %ce : tensor<1x1024xi32> -> tensor<4x1024xi32>
    %p = tile.addptr %xr, %cb : tensor<4x1024x!tile.ptr<f32>>, tensor<4x1024xi32>
    %v = tile.load %p : tensor<4x1024x!tile.ptr<f32>>
    %m = tile.reduce %v axis 1 : tensor<4x1024xf32> -> tensor<4xf32> {
    ^bb0(%a: f32, %b: f32):
      %q = arith.maxnumf %a, %b : f32
      tile.yield %q : f32
    }
    %m_n = arith.maxnumf %m_i, %m : tensor<4xf32>
    %diff = arith.subf %m_i, %m_n : tensor<4xf32>
    %alpha = math.exp %diff : tensor<4xf32>
    %me = tile.expand_dims %m_n, 1 : tensor<4xf32> -> tensor<4x1xf32>
    %mb = tile.broadcast %me : tensor<4x1xf32> -> tensor<4x1024xf32>
    %d = arith.subf %v, %mb : tensor<4x1024xf32>
    %e = math.exp %d : tensor<4x1024xf32>
    %sum = tile.reduce %e axis 1 : tensor<4x1024xf32> -> tensor<4xf32> {
    ^bb0(%a: f32, %b: f32):
      %q = arith.addf %a, %b : f32
      tile.yield %q : f32
    }
    %l_s = arith.mulf %l_i, %alpha : tensor<4xf32>
    %l_n = arith.addf %l_s, %sum : tensor<4xf32>
    %ae = tile.expand_dims %alpha, 1 : tensor<4xf32> -> tensor<4x1xf32>
    %ab = tile.broadcast %ae : tensor<4x1xf32> -> tensor<4x1024xf32>
    %acc_s = arith.mulf %acc, %ab : tensor<4x1024xf32>
    %acc_n = arith.addf %acc_s, %e : tensor<4x1024xf32>
    scf.yield %m_n, %l_n, %acc_n : tensor<4xf32>, tensor<4xf32>, tensor<4x1024xf32>
  }
  %ss = tile.splat %s : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %sp = tile.addptr %ss, %r : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  tile.store %sp, %all#1 : tensor<4x!tile.ptr<f32>>
  %os = tile.splat %s : !tile.ptr<f32> -> tensor<4x1024x!tile.ptr<f32>>
  %op = tile.addptr %os, %rb : tensor<4x1024x!tile.ptr<f32>>, tensor<4x1024xi32>
  tile.store %op, %all#2 : tensor<4x1024x!tile.ptr<f32>>
  return
}

// The place of a maximum: the places are computed in the values' layout. A scalar results, which all threads hold.
// CHECK-LABEL: @argmax
// CHECK-NOT: convert_layout
// CHECK: tile.reduce %{{.*}}, %{{.*}} axis 0 : tensor<1024xf32, #[[L:.*]]>, tensor<1024xi32, #[[L]]> -> f32, i32
// CHECK-NOT: convert_layout
// CHECK: return
func.func @argmax(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %s: !tile.ptr<i32> {tile.param = #tile.param<"s", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %m:2 = tile.reduce %v, %c axis 0 : tensor<1024xf32>, tensor<1024xi32> -> f32, i32 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %q = arith.select %more, %a, %b : f32
    %k = arith.select %more, %i, %j : i32
    tile.yield %q, %k : f32, i32
  }
  tile.store %s, %m#1 : !tile.ptr<i32>
  return
}

// A `while` loop carries the accumulator where the blocks are loaded, round both of its regions.
// CHECK-LABEL: @while_sum
// CHECK-NOT: convert_layout
// CHECK: scf.while {{.*}} : (i32, tensor<1024xf32, #[[W:.*]]>) -> (i32, tensor<1024xf32, #[[W]]>)
// CHECK-NOT: convert_layout
// CHECK: return
func.func @while_sum(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 1024 : i32
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %c = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %all:2 = scf.while (%i = %c0, %acc = %zero) : (i32, tensor<1024xf32>) -> (i32, tensor<1024xf32>) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %acc : i32, tensor<1024xf32>
  } do {
  ^bb0(%i: i32, %acc: tensor<1024xf32>):
    %is = tile.splat %i : i32 -> tensor<1024xi32>
    %o = arith.addi %c, %is : tensor<1024xi32>
    %p = tile.addptr %xs, %o : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<1024xf32>
    %j = arith.addi %i, %step : i32
    scf.yield %j, %next : i32, tensor<1024xf32>
  }
  %m = tile.reduce %all#1 axis 0 : tensor<1024xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tile.yield %q : f32
  }
  tile.store %s, %m : !tile.ptr<f32>
  return
}

// An atomic op accesses memory like a store: 16 bytes a thread of neighbours here.
// CHECK-LABEL: @atomic
// CHECK-NOT: convert_layout
// CHECK: tile.atomic_rmw fadd, relaxed, gpu, %{{.*}}, %{{.*}} : tensor<1024x!tile.ptr<f32>
// CHECK-NOT: convert_layout
// CHECK: return
func.func @atomic(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %ss = tile.splat %s : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %sp = tile.addptr %ss, %c : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %old = tile.atomic_rmw fadd, relaxed, gpu, %sp, %v : tensor<1024x!tile.ptr<f32>>
  return
}
