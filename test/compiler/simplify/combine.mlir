// The algebra of tiles: each rule once where it applies, and where it does not.
// RUN: tegula-opt %s --combine | FileCheck %s
// RUN: tegula-opt %s --combine --remarks-filter=combine 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// What is uniform is computed once, whatever the op; a scalar operand stays as it is.
// REMARK-DAG: [Passed] narrow | Category:combine | Remark="computed on fewer elements", {{.*}}before=1024
// CHECK-LABEL: @splats
// CHECK-SAME: %[[X:.*]]: f32, %[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: i32, %[[C:.*]]: i1
func.func @splats(%x: f32, %p: !tile.ptr<f32>, %i: i32, %c: i1) -> (tensor<1024xf32>, tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>, tensor<1024xi32>) {
  // CHECK-DAG: %[[K:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK-DAG: %[[M:.*]] = arith.mulf %[[X]], %[[K]] fastmath<contract> : f32
  // CHECK-DAG: %[[MS:.*]] = tile.splat %[[M]] : f32 -> tensor<1024xf32>
  // CHECK-DAG: %[[A:.*]] = tile.addptr %[[P]], %[[I]] : !tile.ptr<f32>, i32
  // CHECK-DAG: %[[AS:.*]] = tile.splat %[[A]]
  // CHECK-DAG: %[[S:.*]] = arith.select %[[C]], %[[X]], %[[M]] : f32
  // CHECK-DAG: %[[SS:.*]] = tile.splat %[[S]]
  // CHECK-DAG: %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended %[[I]], %[[I]] : i32
  // CHECK-DAG: %[[HS:.*]] = tile.splat %[[HIGH]]
  // CHECK: return %[[MS]], %[[AS]], %[[SS]], %[[HS]]
  %k = arith.constant dense<2.0> : tensor<1024xf32>
  %xs = tile.splat %x : f32 -> tensor<1024xf32>
  %m = arith.mulf %xs, %k fastmath<contract> : tensor<1024xf32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %is = tile.splat %i : i32 -> tensor<1024xi32>
  %a = tile.addptr %ps, %is : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %s = arith.select %c, %xs, %m : tensor<1024xf32>
  %low, %high = arith.mului_extended %is, %is : tensor<1024xi32>
  return %m, %a, %s, %high : tensor<1024xf32>, tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>, tensor<1024xi32>
}

// Broadcasts of one shape, and splats with them, are computed on that shape.
// REMARK-DAG: after=16, before=512
// CHECK-LABEL: @broadcasts
// CHECK-SAME: %[[A:.*]]: tensor<16x1xi32>, %[[B:.*]]: tensor<16x1xi32>, %[[N:.*]]: i32
func.func @broadcasts(%a: tensor<16x1xi32>, %b: tensor<16x1xi32>, %n: i32) -> tensor<16x32xi1> {
  // CHECK-DAG: %[[S:.*]] = arith.addi %[[A]], %[[B]] : tensor<16x1xi32>
  // CHECK-DAG: %[[NS:.*]] = tile.splat %[[N]] : i32 -> tensor<16x1xi32>
  // CHECK: %[[C:.*]] = arith.cmpi slt, %[[S]], %[[NS]] : tensor<16x1xi32>
  // CHECK-NEXT: %[[W:.*]] = tile.broadcast %[[C]] : tensor<16x1xi1> -> tensor<16x32xi1>
  // CHECK-NEXT: return %[[W]]
  %aw = tile.broadcast %a : tensor<16x1xi32> -> tensor<16x32xi32>
  %bw = tile.broadcast %b : tensor<16x1xi32> -> tensor<16x32xi32>
  %ns = tile.splat %n : i32 -> tensor<16x32xi32>
  %s = arith.addi %aw, %bw : tensor<16x32xi32>
  %c = arith.cmpi slt, %s, %ns : tensor<16x32xi32>
  return %c : tensor<16x32xi1>
}

// Broadcasts of different shapes meet on the whole, and so does anything with a full tensor.
// CHECK-LABEL: @outer
func.func @outer(%a: tensor<16x1xi32>, %b: tensor<1x32xi32>, %n: i32, %full: tensor<16x32xi32>) -> (tensor<16x32xi32>, tensor<16x32xi32>) {
  // CHECK: arith.addi %{{.*}}, %{{.*}} : tensor<16x32xi32>
  // CHECK: arith.addi %{{.*}}, %{{.*}} : tensor<16x32xi32>
  %aw = tile.broadcast %a : tensor<16x1xi32> -> tensor<16x32xi32>
  %bw = tile.broadcast %b : tensor<1x32xi32> -> tensor<16x32xi32>
  %s = arith.addi %aw, %bw : tensor<16x32xi32>
  %ns = tile.splat %n : i32 -> tensor<16x32xi32>
  %t = arith.addi %full, %ns : tensor<16x32xi32>
  return %s, %t : tensor<16x32xi32>, tensor<16x32xi32>
}

// A hint stays on the shape that it speaks of, and memory is not touched.
// CHECK-LABEL: @hint
func.func @hint(%i: i32, %p: !tile.ptr<i32>) -> (tensor<8xi32>, tensor<8xi32>) {
  // CHECK-DAG: tile.hint %{{.*}} constancy = [8] : tensor<8xi32>
  // CHECK-DAG: tile.load %{{.*}} : tensor<8x!tile.ptr<i32>>
  %is = tile.splat %i : i32 -> tensor<8xi32>
  %h = tile.hint %is constancy = [8] : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %l = tile.load %ps : tensor<8x!tile.ptr<i32>>
  return %h, %l : tensor<8xi32>, tensor<8xi32>
}

// Tensors that have layouts are left alone.
#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
// CHECK-LABEL: @layouts
func.func @layouts(%x: f32) -> tensor<64xf32, #a> {
  // CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<64xf32, #{{.*}}>
  %xs = tile.splat %x : f32 -> tensor<64xf32, #a>
  %s = arith.addf %xs, %xs : tensor<64xf32, #a>
  return %s : tensor<64xf32, #a>
}

// Constant steps add up, of different widths and signs.
// CHECK-LABEL: @steps
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[Q:.*]]: tensor<8x!tile.ptr<f32>>
func.func @steps(%p: !tile.ptr<f32>, %q: tensor<8x!tile.ptr<f32>>) -> (!tile.ptr<f32>, tensor<8x!tile.ptr<f32>>) {
  // CHECK-DAG: %[[C:.*]] = arith.constant 4294967293 : i64
  // CHECK-DAG: tile.addptr %[[P]], %[[C]] : !tile.ptr<f32>, i64
  // CHECK-DAG: %[[D:.*]] = arith.constant dense<12> : tensor<8xi64>
  // CHECK-DAG: tile.addptr %[[Q]], %[[D]] : tensor<8x!tile.ptr<f32>>, tensor<8xi64>
  %c0 = arith.constant 4294967296 : i64
  %c1 = arith.constant -3 : i32
  %0 = tile.addptr %p, %c0 : !tile.ptr<f32>, i64
  %1 = tile.addptr %0, %c1 : !tile.ptr<f32>, i32
  %d0 = arith.constant dense<4> : tensor<8xi32>
  %d1 = arith.constant dense<8> : tensor<8xi32>
  %2 = tile.addptr %q, %d0 : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %3 = tile.addptr %2, %d1 : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  return %1, %3 : !tile.ptr<f32>, tensor<8x!tile.ptr<f32>>
}

// What is the same for all elements moves the pointer that they start from.
// CHECK-LABEL: @uniform_step
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[T:.*]]: tensor<8xi32>, %[[S:.*]]: i32
func.func @uniform_step(%p: !tile.ptr<f32>, %t: tensor<8xi32>, %s: i32) -> tensor<8x!tile.ptr<f32>> {
  // CHECK: %[[Q:.*]] = tile.addptr %[[P]], %[[S]] : !tile.ptr<f32>, i32
  // CHECK: %[[QS:.*]] = tile.splat %[[Q]]
  // CHECK: tile.addptr %[[QS]], %[[T]] : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %0 = tile.addptr %ps, %t : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %ss = tile.splat %s : i32 -> tensor<8xi32>
  %1 = tile.addptr %0, %ss : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  return %1 : tensor<8x!tile.ptr<f32>>
}

// Steps whose sum is no number of 64 bits, or that are not known, stay apart.
// CHECK-LABEL: @steps_apart
func.func @steps_apart(%p: !tile.ptr<f32>, %i: i32) -> (!tile.ptr<f32>, !tile.ptr<f32>) {
  // CHECK-COUNT-4: tile.addptr
  %c = arith.constant 9223372036854775807 : i64
  %0 = tile.addptr %p, %c : !tile.ptr<f32>, i64
  %1 = tile.addptr %0, %c : !tile.ptr<f32>, i64
  %2 = tile.addptr %p, %i : !tile.ptr<f32>, i32
  %3 = tile.addptr %2, %c : !tile.ptr<f32>, i64
  return %1, %3 : !tile.ptr<f32>, !tile.ptr<f32>
}

// A load gives the constant that would replace its masked elements.
// REMARK-DAG: [Passed] select-in-load | Category:combine | Remark="masked elements are loaded as the constant that replaced them"
// CHECK-LABEL: @select
// CHECK-SAME: %[[P:.*]]: tensor<8x!tile.ptr<f32>>, %[[M:.*]]: tensor<8xi1>, %[[N:.*]]: tensor<8xi1>
func.func @select(%p: tensor<8x!tile.ptr<f32>>, %m: tensor<8xi1>, %n: tensor<8xi1>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-DAG: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-DAG: %[[V:.*]] = tile.load %[[P]], %[[M]], %[[Z]]
  // CHECK: %[[S:.*]] = arith.select %[[N]], %[[V]], %{{.*}}
  // CHECK: return %[[V]], %[[S]]
  %v = tile.load %p, %m : tensor<8x!tile.ptr<f32>>
  %z = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %0 = arith.select %m, %v, %z : tensor<8xi1>, tensor<8xf32>
  %1 = arith.select %m, %0, %z : tensor<8xi1>, tensor<8xf32>
  %2 = arith.select %n, %1, %one : tensor<8xi1>, tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// A load that has another value for them keeps it.
// CHECK-LABEL: @select_other
func.func @select_other(%p: tensor<8x!tile.ptr<f32>>, %m: tensor<8xi1>, %o: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: tile.load %{{.*}}, %{{.*}}, %{{.*}} :
  // CHECK: arith.select
  %z = arith.constant dense<0.0> : tensor<8xf32>
  %v = tile.load %p, %m, %o : tensor<8x!tile.ptr<f32>>
  %0 = arith.select %m, %v, %z : tensor<8xi1>, tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @assume
// CHECK-SAME: %[[A:.*]]: i1, %[[B:.*]]: i1, %[[C:.*]]: i1
func.func @assume(%a: i1, %b: i1, %c: i1) {
  // CHECK: tile.assume %[[A]]
  // CHECK: tile.assume %[[B]]
  // CHECK: tile.assume %[[C]]
  // CHECK: return
  %0 = arith.andi %a, %b : i1
  %1 = arith.andi %0, %c : i1
  tile.assume %1
  return
}

// What several conjunctions take is assumed once: as often as it is taken would be 2^n times.
// CHECK-LABEL: @assume_shared
// CHECK-SAME: %[[A:.*]]: i1, %[[B:.*]]: i1, %[[C:.*]]: i1
func.func @assume_shared(%a: i1, %b: i1, %c: i1) {
  // CHECK-NEXT: tile.assume %[[A]]
  // CHECK-NEXT: tile.assume %[[B]]
  // CHECK-NEXT: tile.assume %[[C]]
  // CHECK-NEXT: return
  %0 = arith.andi %a, %b : i1
  %1 = arith.andi %0, %c : i1
  %2 = arith.andi %c, %0 : i1
  %3 = arith.andi %1, %2 : i1
  tile.assume %3
  return
}

// What goes with the loop's counter is the counter; the sum is not replaced where it is handed on.
// CHECK-LABEL: @counts_behind
// CHECK-SAME: %[[LOW:.*]]: i32, %[[HIGH:.*]]: i32, %[[STEP:.*]]: i32, %[[P:.*]]: !tile.ptr<i32>
func.func @counts_behind(%low: i32, %high: i32, %step: i32, %p: !tile.ptr<i32>) {
  // CHECK: scf.for %[[I:.*]] = %[[LOW]] to %[[HIGH]] step %[[STEP]]
  // CHECK: tile.store %[[P]], %[[I]]
  %first = arith.subi %low, %step : i32
  scf.for %i = %low to %high step %step iter_args(%count = %first) -> (i32) : i32 {
    %next = arith.addi %count, %step : i32
    tile.store %p, %next : !tile.ptr<i32>
    scf.yield %next : i32
  }
  return
}

// It may start elsewhere, and be used before the sum.
// CHECK-LABEL: @counts_apart
// CHECK-SAME: %[[HIGH:.*]]: i32, %[[FIRST:.*]]: i32, %[[P:.*]]: !tile.ptr<i32>
func.func @counts_apart(%high: i32, %first: i32, %p: !tile.ptr<i32>) -> i32 {
  // CHECK: %[[DISTANCE:.*]] = arith.subi %[[FIRST]], %{{.*}} : i32
  // CHECK: %[[LAST:.*]] = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[C:.*]] = %[[FIRST]])
  // CHECK: %[[COUNT:.*]] = arith.addi %[[I]], %[[DISTANCE]]
  // CHECK: tile.store %[[P]], %[[COUNT]]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[C]], %{{.*}}
  // CHECK: scf.yield %[[NEXT]]
  // CHECK: return %[[LAST]]
  %low = arith.constant 3 : i32
  %step = arith.constant 7 : i32
  %last = scf.for %i = %low to %high step %step iter_args(%count = %first) -> (i32) : i32 {
    tile.store %p, %count : !tile.ptr<i32>
    %next = arith.addi %step, %count : i32
    scf.yield %next : i32
  }
  return %last : i32
}

// A step that no constant is may stand on either side.
// CHECK-LABEL: @counts_from_the_right
// CHECK-SAME: %[[LOW:.*]]: i32, %[[HIGH:.*]]: i32, %[[STEP:.*]]: i32, %[[P:.*]]: !tile.ptr<i32>
func.func @counts_from_the_right(%low: i32, %high: i32, %step: i32, %p: !tile.ptr<i32>) {
  // CHECK: scf.for %[[I:.*]] = %[[LOW]] to %[[HIGH]] step %[[STEP]]
  // CHECK: tile.store %[[P]], %[[I]]
  %first = arith.subi %low, %step : i32
  scf.for %i = %low to %high step %step iter_args(%count = %first) -> (i32) : i32 {
    %next = arith.addi %step, %count : i32
    tile.store %p, %next : !tile.ptr<i32>
    scf.yield %next : i32
  }
  return
}

// What the step is added to must be what is carried.
// CHECK-LABEL: @counts_nothing
// CHECK-SAME: %[[STEP:[a-z0-9]+]]: i32, %[[P:[a-z0-9]+]]: !tile.ptr<i32>, %[[Q:[a-z0-9]+]]: !tile.ptr<i32>)
func.func @counts_nothing(%low: i32, %high: i32, %step: i32, %p: !tile.ptr<i32>, %q: !tile.ptr<i32>) {
  // CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}})
  // CHECK: tile.store %[[P]], %[[BEFORE]]
  // CHECK: %[[X:.*]] = tile.load %[[Q]]
  // CHECK: %[[SUM:.*]] = arith.addi %[[STEP]], %[[X]]
  // CHECK: tile.store %[[P]], %[[SUM]]
  scf.for %i = %low to %high step %step iter_args(%before = %low) -> (i32) : i32 {
    tile.store %p, %before : !tile.ptr<i32>
    %x = tile.load %q : !tile.ptr<i32>
    %sum = arith.addi %step, %x : i32
    tile.store %p, %sum : !tile.ptr<i32>
    scf.yield %sum : i32
  }
  return
}

// Another step makes another counter.
// CHECK-LABEL: @counts_otherwise
func.func @counts_otherwise(%low: i32, %high: i32, %step: i32, %p: !tile.ptr<i32>) {
  // CHECK: scf.for {{.*}} iter_args(%[[C:.*]] = %{{.*}})
  // CHECK: %[[NEXT:.*]] = arith.addi %[[C]], %{{.*}}
  // CHECK: tile.store %{{.*}}, %[[NEXT]]
  %one = arith.constant 1 : i32
  scf.for %i = %low to %high step %step iter_args(%count = %low) -> (i32) : i32 {
    %next = arith.addi %count, %one : i32
    tile.store %p, %next : !tile.ptr<i32>
    scf.yield %next : i32
  }
  return
}

// Numbers in a row are all below a number beyond them, and none of them is it, however they are arranged; one among them
// says nothing.
// CHECK-LABEL: @numbers_in_row
func.func @numbers_in_row() -> (tensor<4x16xi1>, tensor<16xi1>, tensor<16xi1>, tensor<16xi1>) {
  // CHECK-DAG: %[[FALSE:.*]] = arith.constant dense<false> : tensor<4x16xi1>
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant dense<true> : tensor<16xi1>
  // CHECK-DAG: %[[SOME:.*]] = arith.cmpi slt
  // CHECK-DAG: %[[UNSIGNED:.*]] = arith.cmpi ult
  // CHECK: return %[[FALSE]], %[[TRUE]], %[[SOME]], %[[UNSIGNED]]
  %c16 = arith.constant dense<16> : tensor<16xi32>
  %c15 = arith.constant dense<15> : tensor<16xi32>
  %wide = arith.constant dense<40> : tensor<4x16xi32>
  %i = tile.arange 0 to 16 : tensor<16xi32>
  %below = tile.arange -8 to 8 : tensor<16xi32>
  %row = tile.expand_dims %i, 0 : tensor<16xi32> -> tensor<1x16xi32>
  %rows = tile.broadcast %row : tensor<1x16xi32> -> tensor<4x16xi32>
  %a = arith.cmpi eq, %rows, %wide : tensor<4x16xi32>
  %b = arith.cmpi slt, %i, %c16 : tensor<16xi32>
  %c = arith.cmpi slt, %i, %c15 : tensor<16xi32>
  %d = arith.cmpi ult, %below, %c15 : tensor<16xi32>
  return %a, %b, %c, %d : tensor<4x16xi1>, tensor<16xi1>, tensor<16xi1>, tensor<16xi1>
}
