// What folds and canonical forms make of each op, one function a rule.
// RUN: tegula-opt %s --canonicalize --split-input-file | FileCheck %s

#a = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>
#b = #tile.layout<{lane = [[1], [2], [4], [8], [16]], register = [[32]]} : [64]>
#c = #tile.layout<{lane = [[2], [4], [8], [16], [32]], register = [[1]], warp = [[0]]} : [64]>

// One integer is a constant.
// CHECK-LABEL: @arange_one
func.func @arange_one() -> tensor<1xi32> {
  // CHECK: arith.constant dense<7> : tensor<1xi32>
  %0 = tile.arange 7 to 8 : tensor<1xi32>
  return %0 : tensor<1xi32>
}

// A splat of a constant is a constant, whatever shape it takes after that.
// CHECK-LABEL: @splat_constant
func.func @splat_constant() -> (tensor<16x32xf32>, tensor<32x16xf32>, tensor<512xf32>, tensor<1x16x32xf32>) {
  // CHECK-NOT: tile.
  // CHECK-DAG: arith.constant dense<2.500000e+00> : tensor<16x32xf32>
  // CHECK-DAG: arith.constant dense<2.500000e+00> : tensor<32x16xf32>
  // CHECK-DAG: arith.constant dense<2.500000e+00> : tensor<512xf32>
  // CHECK-DAG: arith.constant dense<2.500000e+00> : tensor<1x16x32xf32>
  %c = arith.constant 2.5 : f32
  %0 = tile.splat %c : f32 -> tensor<16x1xf32>
  %1 = tile.broadcast %0 : tensor<16x1xf32> -> tensor<16x32xf32>
  %2 = tile.trans %1, [1, 0] : tensor<16x32xf32> -> tensor<32x16xf32>
  %3 = tile.reshape %1 : tensor<16x32xf32> -> tensor<512xf32>
  %4 = tile.expand_dims %1, 0 : tensor<16x32xf32> -> tensor<1x16x32xf32>
  return %1, %2, %3, %4 : tensor<16x32xf32>, tensor<32x16xf32>, tensor<512xf32>, tensor<1x16x32xf32>
}

// A splat of anything else moves through every op that only shapes it.
// CHECK-LABEL: @splat_through
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>
func.func @splat_through(%p: !tile.ptr<f32>) -> (tensor<32x16x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>, #a>) {
  // CHECK-DAG: tile.splat %[[P]] : !tile.ptr<f32> -> tensor<32x16x!tile.ptr<f32>>
  // CHECK-DAG: tile.splat %[[P]] : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #{{.*}}>
  // CHECK-NEXT: return
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<2x8x!tile.ptr<f32>>
  %1 = tile.reshape %0 : tensor<2x8x!tile.ptr<f32>> -> tensor<16x!tile.ptr<f32>>
  %2 = tile.expand_dims %1, 1 : tensor<16x!tile.ptr<f32>> -> tensor<16x1x!tile.ptr<f32>>
  %3 = tile.broadcast %2 : tensor<16x1x!tile.ptr<f32>> -> tensor<16x32x!tile.ptr<f32>>
  %4 = tile.trans %3, [1, 0] : tensor<16x32x!tile.ptr<f32>> -> tensor<32x16x!tile.ptr<f32>>
  %5 = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #b>
  %6 = tile.convert_layout %5 : tensor<64x!tile.ptr<f32>, #b> -> tensor<64x!tile.ptr<f32>, #a>
  return %4, %6 : tensor<32x16x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>, #a>
}

// An op that changes nothing is its source.
// CHECK-LABEL: @identities
// CHECK-SAME: %[[X:.*]]: tensor<16x32xf32>, %[[Y:.*]]: tensor<64xf32, #{{.*}}>
func.func @identities(%x: tensor<16x32xf32>, %y: tensor<64xf32, #a>) -> (tensor<16x32xf32>, tensor<64xf32, #a>) {
  // CHECK-NEXT: return %[[X]], %[[Y]]
  %0 = tile.broadcast %x : tensor<16x32xf32> -> tensor<16x32xf32>
  %1 = tile.reshape %0 : tensor<16x32xf32> -> tensor<16x32xf32>
  %2 = tile.trans %1, [0, 1] : tensor<16x32xf32> -> tensor<16x32xf32>
  %3 = tile.convert_layout %y : tensor<64xf32, #a> -> tensor<64xf32, #a>
  return %2, %3 : tensor<16x32xf32>, tensor<64xf32, #a>
}

// Chains of one kind become one op.
// CHECK-LABEL: @chains
// CHECK-SAME: %[[X:.*]]: tensor<1x1x4xf32>, %[[Y:.*]]: tensor<2x4x8xf32>, %[[Z:.*]]: tensor<8xf32>
func.func @chains(%x: tensor<1x1x4xf32>, %y: tensor<2x4x8xf32>, %z: tensor<8xf32>) -> (tensor<2x8x4xf32>, tensor<8x2x4xf32>, tensor<2x4xf32>, tensor<2x4x8xf32>) {
  // CHECK-DAG: tile.broadcast %[[X]] : tensor<1x1x4xf32> -> tensor<2x8x4xf32>
  %0 = tile.broadcast %x : tensor<1x1x4xf32> -> tensor<1x8x4xf32>
  %1 = tile.broadcast %0 : tensor<1x8x4xf32> -> tensor<2x8x4xf32>
  // CHECK-DAG: tile.trans %[[Y]], [2, 0, 1] : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  %2 = tile.trans %y, [1, 0, 2] : tensor<2x4x8xf32> -> tensor<4x2x8xf32>
  %3 = tile.trans %2, [2, 1, 0] : tensor<4x2x8xf32> -> tensor<8x2x4xf32>
  // CHECK-DAG: tile.reshape %[[Z]] : tensor<8xf32> -> tensor<2x4xf32>
  %4 = tile.expand_dims %z, 0 : tensor<8xf32> -> tensor<1x8xf32>
  %5 = tile.reshape %4 : tensor<1x8xf32> -> tensor<4x2xf32>
  %6 = tile.reshape %5 : tensor<4x2xf32> -> tensor<2x4xf32>
  // CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %[[Y]]
  %7 = tile.trans %3, [1, 2, 0] : tensor<8x2x4xf32> -> tensor<2x4x8xf32>
  return %1, %3, %6, %7 : tensor<2x8x4xf32>, tensor<8x2x4xf32>, tensor<2x4xf32>, tensor<2x4x8xf32>
}

// Conversions to and fro cancel; those on the way to somewhere are skipped.
// CHECK-LABEL: @convert_chain
// CHECK-SAME: %[[X:.*]]: tensor<64xf32, #[[A:layout[0-9]*]]>)
func.func @convert_chain(%x: tensor<64xf32, #a>) -> (tensor<64xf32, #a>, tensor<64xf32, #c>) {
  // CHECK-NEXT: %[[C:.*]] = tile.convert_layout %[[X]] : tensor<64xf32, #[[A]]> -> tensor<64xf32, #{{.*}}>
  // CHECK-NEXT: return %[[X]], %[[C]]
  %0 = tile.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %1 = tile.convert_layout %0 : tensor<64xf32, #b> -> tensor<64xf32, #a>
  %2 = tile.convert_layout %0 : tensor<64xf32, #b> -> tensor<64xf32, #c>
  return %1, %2 : tensor<64xf32, #a>, tensor<64xf32, #c>
}

// Constants and counted numbers are made where they are wanted.
// CHECK-LABEL: @convert_made
func.func @convert_made() -> (tensor<64xi32, #a>, tensor<64xi32, #a>) {
  // CHECK-NOT: convert_layout
  // CHECK-DAG: arith.constant dense<3> : tensor<64xi32, #[[A:layout[0-9]*]]>
  // CHECK-DAG: tile.arange 0 to 64 : tensor<64xi32, #[[A]]>
  %0 = arith.constant dense<3> : tensor<64xi32, #b>
  %1 = tile.convert_layout %0 : tensor<64xi32, #b> -> tensor<64xi32, #a>
  %2 = tile.arange 0 to 64 : tensor<64xi32, #b>
  %3 = tile.convert_layout %2 : tensor<64xi32, #b> -> tensor<64xi32, #a>
  return %1, %3 : tensor<64xi32, #a>, tensor<64xi32, #a>
}

// No step is no step.
// CHECK-LABEL: @addptr_zero
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[Q:.*]]: tensor<64x!tile.ptr<f32>>
func.func @addptr_zero(%p: !tile.ptr<f32>, %q: tensor<64x!tile.ptr<f32>>) -> (!tile.ptr<f32>, tensor<64x!tile.ptr<f32>>) {
  // CHECK-NEXT: return %[[P]], %[[Q]]
  %c = arith.constant 0 : i32
  %d = arith.constant dense<0> : tensor<64xi64>
  %0 = tile.addptr %p, %c : !tile.ptr<f32>, i32
  %1 = tile.addptr %q, %d : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  return %0, %1 : !tile.ptr<f32>, tensor<64x!tile.ptr<f32>>
}

// A mask that always holds goes away, and with it the value for masked elements.
// CHECK-LABEL: @mask_true
// CHECK-SAME: %[[P:.*]]: tensor<64x!tile.ptr<f32>>, %[[V:.*]]: tensor<64xf32>
func.func @mask_true(%p: tensor<64x!tile.ptr<f32>>, %v: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK: tile.load %[[P]] cache = ca : tensor
  // CHECK: tile.store %[[P]], %[[V]] evict = evict_first : tensor
  %t = arith.constant true
  %m = tile.splat %t : i1 -> tensor<64xi1>
  %0 = tile.load %p, %m, %v cache = ca : tensor<64x!tile.ptr<f32>>
  tile.store %p, %v, %m evict = evict_first : tensor<64x!tile.ptr<f32>>
  return %0 : tensor<64xf32>
}

// Under a mask that never holds nothing is accessed.
// CHECK-LABEL: @mask_false
// CHECK-SAME: %[[P:.*]]: tensor<64x!tile.ptr<f32>>, %[[V:.*]]: tensor<64xf32>
func.func @mask_false(%p: tensor<64x!tile.ptr<f32>>, %v: tensor<64xf32>, %q: !tile.ptr<i8>) -> (tensor<64xf32>, tensor<64xf32>, i8) {
  // CHECK-NOT: = tile.
  // CHECK-NOT: tile.store
  // CHECK-DAG: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<64xf32>
  // CHECK-DAG: %[[B:.*]] = arith.constant 0 : i8
  // CHECK: return %[[V]], %[[Z]], %[[B]]
  %m = arith.constant dense<false> : tensor<64xi1>
  %f = arith.constant false
  %0 = tile.load %p, %m, %v volatile : tensor<64x!tile.ptr<f32>>
  %1 = tile.load %p, %m : tensor<64x!tile.ptr<f32>>
  %2 = tile.load %q, %f : !tile.ptr<i8>
  tile.store %p, %v, %m : tensor<64x!tile.ptr<f32>>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, i8
}

// A pointer has no constants, so its load stays; a mask that is not known stays too.
// CHECK-LABEL: @mask_stays
func.func @mask_stays(%p: !tile.ptr<!tile.ptr<i8>>, %m: i1) -> (!tile.ptr<i8>, !tile.ptr<i8>) {
  // CHECK-COUNT-2: tile.load %{{.*}}, %{{.*}} : !tile.ptr<!tile.ptr<i8>>
  %f = arith.constant false
  %0 = tile.load %p, %f : !tile.ptr<!tile.ptr<i8>>
  %1 = tile.load %p, %m : !tile.ptr<!tile.ptr<i8>>
  return %0, %1 : !tile.ptr<i8>, !tile.ptr<i8>
}

// What is known to hold needs no saying; what is known to fail is kept.
// CHECK-LABEL: @known
func.func @known() {
  // CHECK: %[[F:.*]] = arith.constant false
  // CHECK-NEXT: tile.assume %[[F]]
  // CHECK-NEXT: tile.assert %[[F]], "b" : i1
  // CHECK-NEXT: return
  %t = arith.constant true
  %m = arith.constant dense<true> : tensor<8xi1>
  %f = arith.constant false
  tile.assume %t
  tile.assert %m, "a" : tensor<8xi1>
  tile.assume %f
  tile.assert %f, "b" : i1
  return
}

// Round trips between pointers and integers end where they began.
// CHECK-LABEL: @casts
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: i64
func.func @casts(%p: !tile.ptr<f32>, %i: i64) -> (!tile.ptr<f32>, i64, !tile.ptr<i8>, i64, !tile.ptr<f32>, !tile.ptr<i8>, !tile.ptr<f64>) {
  // CHECK-DAG: %[[A:.*]] = tile.bitcast %[[P]] : !tile.ptr<f32> -> !tile.ptr<i8>
  // CHECK-DAG: %[[B:.*]] = tile.ptr_to_int %[[P]] : !tile.ptr<f32> -> i64
  // CHECK-DAG: %[[C:.*]] = tile.bitcast %[[P]] : !tile.ptr<f32> -> !tile.ptr<i8>
  // CHECK-DAG: %[[D:.*]] = tile.int_to_ptr %[[I]] : i64 -> !tile.ptr<f64>
  // CHECK: return %[[P]], %[[I]], %[[A]], %[[B]], %[[P]], %[[C]], %[[D]]
  %0 = tile.ptr_to_int %p : !tile.ptr<f32> -> i64
  %1 = tile.int_to_ptr %0 : i64 -> !tile.ptr<f32>
  %2 = tile.int_to_ptr %i : i64 -> !tile.ptr<f32>
  %3 = tile.ptr_to_int %2 : !tile.ptr<f32> -> i64
  %4 = tile.int_to_ptr %0 : i64 -> !tile.ptr<i8>
  %5 = tile.bitcast %p : !tile.ptr<f32> -> !tile.ptr<i16>
  %6 = tile.ptr_to_int %5 : !tile.ptr<i16> -> i64
  %7 = tile.bitcast %5 : !tile.ptr<i16> -> !tile.ptr<f32>
  %8 = tile.bitcast %5 : !tile.ptr<i16> -> !tile.ptr<i8>
  %9 = tile.bitcast %2 : !tile.ptr<f32> -> !tile.ptr<f64>
  return %1, %3, %4, %6, %7, %8, %9 : !tile.ptr<f32>, i64, !tile.ptr<i8>, i64, !tile.ptr<f32>, !tile.ptr<i8>, !tile.ptr<f64>
}

// -----

// What only computes is dropped when unused; what the outside sees is not, nor is a volatile read.
// CHECK-LABEL: @unused
func.func @unused(%p: !tile.ptr<f32>, %v: f32, %c: i1) {
  // CHECK-NEXT: tile.load %{{.*}} volatile
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.print
  // CHECK-NEXT: tile.assert
  // CHECK-NEXT: tile.assume
  // CHECK-NEXT: return
  %0 = tile.program_id x
  %1 = tile.num_programs x
  %2 = tile.arange 0 to 64 : tensor<64xi32>
  %3 = tile.load %p : !tile.ptr<f32>
  %4 = tile.load %p volatile : !tile.ptr<f32>
  tile.store %p, %v : !tile.ptr<f32>
  tile.print "v" [true] values(%v : f32)
  tile.assert %c, "c" : i1
  tile.assume %c
  return
}
