// Loads of the next iterations are in flight while one computes.
// RUN: tegula-opt %s --form-boxes --plan-loops --specialize-warps --pipeline-loops | FileCheck %s --implicit-check-not=tile.loop
// RUN: tegula-opt %s --form-boxes --plan-loops --specialize-warps --pipeline-loops --remarks-filter=plan-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #tile.layout<{register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [1024]>
#wide = #tile.layout<{register = [[1], [2], [512], [1024], [2048], [4096], [8192]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [16384]>

// The row of a persistent kernel. Its first load is masked by whether there is a row at all, the next one by
// whether another follows; the store's addresses are computed in their own iteration.
// CHECK-LABEL: @persistent
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %{{.*}}, %arg3 : i32
// CHECK: %[[M:.*]] = tile.splat %[[ANY]] : i1 -> tensor<1024xi1
// CHECK: %[[BOTH:.*]] = arith.andi %{{.*}}, %[[M]]
// CHECK: %[[FIRST:.*]] = tile.load %{{.*}}, %[[BOTH]]
// CHECK: scf.for {{.*}} iter_args(%[[V:.*]] = %[[FIRST]]) -> (tensor<1024xf32, #{{.*}}>)
// CHECK: %[[NEXT:.*]] = tile.load
// CHECK: %[[R:.*]] = math.exp %[[V]]
// CHECK: tile.store %{{.*}}, %[[R]]
// CHECK: scf.yield %[[NEXT]]
// REMARK: [Passed] pipeline | Category:plan-loops | Function=persistent | {{.*}}"loads of 1 iterations in flight, in 8 registers a thread"
func.func @persistent(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %first: i32 {tile.param = #tile.param<"first", "i32", 1>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}, %mask: i32 {tile.param = #tile.param<"mask", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c132 = arith.constant 132 : i32
  %c1024 = arith.constant 1024 : i32
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #l>
  %ms = tile.splat %mask : i32 -> tensor<1024xi32, #l>
  %m = arith.cmpi slt, %i, %ms : tensor<1024xi32, #l>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #l>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #l>
  scf.for %r = %first to %n step %c132 : i32 {
    %row = arith.muli %r, %c1024 : i32
    %rs = tile.splat %row : i32 -> tensor<1024xi32, #l>
    %o = arith.addi %rs, %i : tensor<1024xi32, #l>
    %xp = tile.addptr %xs, %o : tensor<1024x!tile.ptr<f32>, #l>, tensor<1024xi32, #l>
    %v = tile.load %xp, %m : tensor<1024x!tile.ptr<f32>, #l>
    %e = math.exp %v : tensor<1024xf32, #l>
    %yp = tile.addptr %ys, %o : tensor<1024x!tile.ptr<f32>, #l>, tensor<1024xi32, #l>
    tile.store %yp, %e, %m : tensor<1024x!tile.ptr<f32>, #l>
  } {tile.loop = #tile.loop<stages = 2>}
  return
}

// A pointer that the loop moves on runs ahead with its loads.
// CHECK-LABEL: @moved
// CHECK-COUNT-2: tile.load
// CHECK: scf.for {{.*}} -> (tensor<1024x!tile.ptr<f32>, #{{.*}}>, tensor<1024xf32, #{{.*}}>, tensor<1024xf32, #{{.*}}>, tensor<1024xf32, #{{.*}}>)
// CHECK: tile.load
// CHECK: arith.addf
// CHECK: scf.yield
// REMARK: [Passed] pipeline | Category:plan-loops | Function=moved | {{.*}}"loads of 2 iterations in flight, in 16 registers a thread"
func.func @moved(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<1024> : tensor<1024xi32, #l>
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #l>
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #l>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #l>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>, #l>, tensor<1024xi32, #l>
  %all:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %xp, %acc = %zero) -> (tensor<1024x!tile.ptr<f32>, #l>, tensor<1024xf32, #l>) : i32 {
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>, #l>
    %sum = arith.addf %acc, %v : tensor<1024xf32, #l>
    %q = tile.addptr %p, %step : tensor<1024x!tile.ptr<f32>, #l>, tensor<1024xi32, #l>
    scf.yield %q, %sum : tensor<1024x!tile.ptr<f32>, #l>, tensor<1024xf32, #l>
  } {tile.loop = #tile.loop<stages = 3>}
  tile.print "sum" [true] values(%all#1 : tensor<1024xf32, #l>)
  return
}

// Nothing was asked for: the loop stays, unless the pass is told otherwise.
// CHECK-LABEL: @plain
// CHECK-NOT: tile.load
// CHECK: scf.for
// CHECK: tile.load
func.func @plain(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %c0 to %n step %c1 : i32 {
    %xp = tile.addptr %x, %r : !tile.ptr<f32>, i32
    %v = tile.load %xp : !tile.ptr<f32>
    %yp = tile.addptr %y, %r : !tile.ptr<f32>, i32
    tile.store %yp, %v : !tile.ptr<f32>
  }
  return
}

// What is loaded may be what was stored before.
// CHECK-LABEL: @in_place
// CHECK-NOT: tile.load
// CHECK: scf.for
// REMARK: [Missed] pipeline | Category:plan-loops | Function=in_place | Line=[[#@LINE+6]], Reason="a store through `x` may change what is loaded through `x`"
func.func @in_place(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %c0 to %n step %c1 : i32 {
    %xp = tile.addptr %x, %r : !tile.ptr<f32>, i32
    %v = tile.load %xp : !tile.ptr<f32>
    %w = math.exp %v : f32
    tile.store %xp, %w : !tile.ptr<f32>
  } {tile.loop = #tile.loop<stages = 2>}
  return
}

// REMARK: Function=indirect | Line=[[#@LINE+6]], Reason="a load's address depends on what the loop computes"
func.func @indirect(%x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %last = scf.for %r = %c0 to %n step %c1 iter_args(%at = %c0) -> (i32) : i32 {
    %xp = tile.addptr %x, %at : !tile.ptr<i32>, i32
    %v = tile.load %xp : !tile.ptr<i32>
    scf.yield %v : i32
  } {tile.loop = #tile.loop<stages = 2>}
  tile.store %x, %last : !tile.ptr<i32>
  return
}

// REMARK: Function=ordered | Line=[[#@LINE+7]], Reason="its atomic ops or barriers order memory"
func.func @ordered(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %c0 to %n step %c1 : i32 {
    %xp = tile.addptr %x, %r : !tile.ptr<f32>, i32
    %v = tile.load %xp : !tile.ptr<f32>
    tile.barrier
    tile.print "v" [true] values(%v : f32)
  } {tile.loop = #tile.loop<stages = 2>}
  return
}

// What nothing writes while the kernel runs (`tl.const`) runs ahead of a barrier, and of stores; what peers may
// write stays behind it.
// CHECK-LABEL: @constant_across_waits
// CHECK: tile.load %{{.*}} : !tile.ptr<f32>
// CHECK: scf.for
// CHECK: tile.load %{{.*}} : !tile.ptr<i32>
// CHECK: tile.barrier
// REMARK: Function=constant_across_waits | Line=[[#@LINE+7]], Reason="its atomic ops or barriers order memory"
func.func @constant_across_waits(%w: !tile.ptr<f32> {tile.param = #tile.param<"w", "*fp32", 16, constant>}, %x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %c0 to %n step %c1 : i32 {
    %xp = tile.addptr %x, %r : !tile.ptr<i32>, i32
    %peer = tile.load %xp : !tile.ptr<i32>
    tile.barrier
    %wp = tile.addptr %w, %r : !tile.ptr<f32>, i32
    %v = tile.load %wp : !tile.ptr<f32>
    tile.store %xp, %peer : !tile.ptr<i32>
    tile.print "v" [true] values(%v : f32)
  } {tile.loop = #tile.loop<stages = 2>}
  return
}

// REMARK: Function=short | Reason="it runs 2 times only"
func.func @short(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  scf.for %r = %c0 to %c2 step %c1 : i32 {
    %xp = tile.addptr %x, %r : !tile.ptr<f32>, i32
    %v = tile.load %xp : !tile.ptr<f32>
    tile.print "v" [true] values(%v : f32)
  } {tile.loop = #tile.loop<stages = 3>}
  return
}

// REMARK: Function=wide | Reason="the loads of an iteration take 128 registers a thread, expected at most 64"
func.func @wide(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 16384 : i32
  %i = tile.arange 0 to 16384 : tensor<16384xi32, #wide>
  %zero = arith.constant dense<0.0> : tensor<16384xf32, #wide>
  %all = scf.for %r = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16384xf32, #wide>) : i32 {
    %xp = tile.addptr %x, %r : !tile.ptr<f32>, i32
    %xs = tile.splat %xp : !tile.ptr<f32> -> tensor<16384x!tile.ptr<f32>, #wide>
    %p = tile.addptr %xs, %i : tensor<16384x!tile.ptr<f32>, #wide>, tensor<16384xi32, #wide>
    %v = tile.load %p : tensor<16384x!tile.ptr<f32>, #wide>
    %s = arith.addf %acc, %v : tensor<16384xf32, #wide>
    scf.yield %s : tensor<16384xf32, #wide>
  } {tile.loop = #tile.loop<stages = 2>}
  tile.print "v" [true] values(%all : tensor<16384xf32, #wide>)
  return
}

// A pointer that is used after the loop too moves twice: ahead with the loads, and in its own time.
// CHECK-LABEL: @outside
// CHECK: tile.load
// CHECK: %[[L:.*]]:3 = scf.for {{.*}} -> (!tile.ptr<f32>, !tile.ptr<f32>, f32)
// CHECK-COUNT-2: tile.addptr
// CHECK: tile.load %[[L]]#0
// REMARK: [Passed] pipeline | Category:plan-loops | Function=outside
func.func @outside(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = scf.for %r = %c0 to %n step %c1 iter_args(%p = %x) -> (!tile.ptr<f32>) : i32 {
    %v = tile.load %p : !tile.ptr<f32>
    tile.print "v" [true] values(%v : f32)
    %q = tile.addptr %p, %c1 : !tile.ptr<f32>, i32
    scf.yield %q : !tile.ptr<f32>
  } {tile.loop = #tile.loop<stages = 2>}
  %v = tile.load %end : !tile.ptr<f32>
  tile.print "v" [true] values(%v : f32)
  return
}

// REMARK: Function=same | Reason="no load in it follows the iterations"
func.func @same(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %c0 to %n step %c1 : i32 {
    %v = tile.load %x : !tile.ptr<f32>
    tile.print "v" [true] values(%v : f32)
  } {tile.loop = #tile.loop<stages = 2>}
  return
}

// What counts without sign does so with more bits and a sign.
// REMARK: [Passed] pipeline | {{.*}}Function=without_sign | {{.*}}"loads of 1 iterations in flight, in 0 registers a thread"
// CHECK-LABEL: func.func @without_sign
// CHECK: %[[END:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK: tile.load
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step {{.*}} : i64 {
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK: tile.load
func.func @without_sign(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for unsigned %r = %c0 to %n step %c1 : i32 {
    %xp = tile.addptr %x, %r : !tile.ptr<f32>, i32
    %v = tile.load %xp : !tile.ptr<f32>
    tile.print "v" [true] values(%v : f32)
  } {tile.loop = #tile.loop<stages = 2>}
  return
}

// REMARK: Function=wide_without_sign | Reason="it counts more than 32 bits without sign"
func.func @wide_without_sign(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i64 {tile.param = #tile.param<"n", "i64", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for unsigned %r = %c0 to %n step %c1 : i64 {
    %xp = tile.addptr %x, %r : !tile.ptr<f32>, i64
    %v = tile.load %xp : !tile.ptr<f32>
    tile.print "v" [true] values(%v : f32)
  } {tile.loop = #tile.loop<stages = 2>}
  return
}

// REMARK: Function=swapped | Reason="a carried value is handed on as it is"
func.func @swapped(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all:2 = scf.for %r = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1) -> (i32, i32) : i32 {
    %xp = tile.addptr %x, %r : !tile.ptr<f32>, i32
    %v = tile.load %xp : !tile.ptr<f32>
    tile.print "v" [true] values(%v : f32)
    scf.yield %b, %a : i32, i32
  } {tile.loop = #tile.loop<stages = 2>}
  tile.print "v" [true] values(%all#0 : i32)
  return
}

// What nothing honours is said, once for each loop of the source.
// REMARK: Function=ignored | Reason="there is nothing to disallow: an accumulator lies in registers, once", Remark="`disallow_acc_multi_buffer` is not honoured"
// REMARK: Function=ignored | Reason="it has one stage", Remark="`warp_specialize` is not honoured"
// REMARK: Function=ignored | Reason="a loop is not merged with the one inside it", Remark="`flatten` is not honoured"
func.func @ignored(%n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %c0 to %n step %c1 : i32 {
    tile.print "v" [true] values(%r : i32)
  } {tile.loop = #tile.loop<flatten, single_acc, specialize>}
  return
}
