// What asserts or prints in the function of a reduction, scan or map is carried out where a thread combines elements
// that stand side by side, and nowhere else.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file | FileCheck %s

#lanes = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

// Every thread has two elements for each combination, in order, although the sum could be had by one instruction.
// CHECK-LABEL: llvm.func @reduction(
func.func @reduction(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 32 : tensor<32xi32, #lanes>
  // CHECK-NOT: nvvm.redux
  // CHECK: nvvm.shfl.sync bfly
  // CHECK: %[[FIRST:.*]] = arith.select
  // CHECK-NEXT: %[[SECOND:.*]] = arith.select
  // CHECK-NEXT: %[[LESS:.*]] = arith.cmpi slt, %[[FIRST]], %[[SECOND]]
  // CHECK: scf.if
  // CHECK: llvm.call @__assertfail
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  %s = tile.reduce %i axis 0 : tensor<32xi32, #lanes> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %less = arith.cmpi slt, %a, %b : i32
    tile.assert %less, "rises" : i1
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  tile.store %p, %s : !tile.ptr<i32>
  return
}

// -----

#lanes = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

// Of two lanes only the upper one has another's total in front of its own prefix, once there is one. What all lanes
// have together every thread sums up.
// CHECK-LABEL: llvm.func @scan(
func.func @scan(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 32 : tensor<32xi32, #lanes>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #lanes>
  %pi = tile.addptr %ps, %i : tensor<32x!tile.ptr<i32>, #lanes>, tensor<32xi32, #lanes>
  // CHECK: nvvm.shfl.sync bfly
  // CHECK-NOT: scf.if
  // CHECK: llvm.call @vprintf
  // CHECK: %[[OTHER:.*]] = nvvm.shfl.sync bfly
  // CHECK: scf.if %{{.*}} -> (i32) {
  // CHECK-NEXT: scf.yield
  // CHECK-NEXT: } else {
  // CHECK-NEXT: scf.if %{{.*}} -> (i32) {
  // CHECK-NEXT: scf.yield %[[OTHER]]
  // CHECK-NEXT: } else {
  // CHECK: llvm.call @vprintf
  // CHECK: scf.yield
  %s = tile.scan %i axis 0 : tensor<32xi32, #lanes> -> tensor<32xi32, #lanes> {
  ^bb0(%a: i32, %b: i32):
    tile.print " a: " [true] values(%a : i32)
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  tile.store %pi, %s : tensor<32x!tile.ptr<i32>, #lanes>
  return
}

// -----

#pairs = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]]} : [64]>

// A copy for each element that the thread holds.
// CHECK-LABEL: llvm.func @map(
func.func @map(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #pairs>
  // CHECK-COUNT-2: llvm.call @__assertfail
  // CHECK-NOT: llvm.call
  %s = tile.map %i pack 1 : tensor<64xi32, #pairs> -> tensor<64xi32, #pairs> {
  ^bb0(%a: i32):
    %c = arith.constant 64 : i32
    %less = arith.cmpi slt, %a, %c : i32
    tile.assert %less, "small" : i1
    tile.yield %a : i32
  }
  return
}
