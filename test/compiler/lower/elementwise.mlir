// Elementwise ops become one scalar op a register; a constant is one scalar for all.
// RUN: tegula-opt %s --convert-tile-to-llvm --split-input-file | FileCheck %s

#two = #tile.layout<{register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []} : [64]>

// Attributes and several results survive; a scalar condition serves all registers.
// CHECK-LABEL: llvm.func @arithmetic(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {llvm.align = 16 : i64, tile.param = #tile.param<"p", "*i32", 16>}, %[[C:.*]]: i1 {tile.param = #tile.param<"c", "i1", 1>})
// CHECK-SAME: attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>}
func.func @arithmetic(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %c: i1 {tile.param = #tile.param<"c", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>, #two>
  // CHECK: %[[A:.*]] = llvm.load volatile %[[P]] {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  // CHECK: %[[B:.*]] = llvm.load volatile %[[P]] {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  %a = tile.load %ps volatile : tensor<64x!tile.ptr<i32>, #two>
  // CHECK: %[[K:.*]] = arith.constant 7 : i32
  %k = arith.constant dense<7> : tensor<64xi32, #two>
  // CHECK: %[[S0:.*]] = arith.addi %[[A]], %[[K]] overflow<nsw> : i32
  // CHECK: %[[S1:.*]] = arith.addi %[[B]], %[[K]] overflow<nsw> : i32
  %s = arith.addi %a, %k overflow<nsw> : tensor<64xi32, #two>
  // CHECK: %[[LOW0:.*]], %[[HIGH0:.*]] = arith.mului_extended %[[S0]], %[[A]] : i32
  // CHECK: %[[LOW1:.*]], %[[HIGH1:.*]] = arith.mului_extended %[[S1]], %[[B]] : i32
  %low, %high = arith.mului_extended %s, %a : tensor<64xi32, #two>
  // CHECK: %[[R0:.*]] = arith.select %[[C]], %[[LOW0]], %[[HIGH0]] : i32
  // CHECK: %[[R1:.*]] = arith.select %[[C]], %[[LOW1]], %[[HIGH1]] : i32
  %r = arith.select %c, %low, %high : tensor<64xi32, #two>
  // CHECK: llvm.store %[[R0]], %[[P]]
  // CHECK: llvm.store %[[R1]], %[[P]]
  tile.store %ps, %r : tensor<64x!tile.ptr<i32>, #two>
  // CHECK: llvm.return
  return
}

// -----

// Pointers are addresses in global memory; a hint says what is known already and does nothing.
// CHECK-LABEL: llvm.func @pointers(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>
func.func @pointers(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: %[[I:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<1> to i64
  %i = tile.ptr_to_int %p : !tile.ptr<f32> -> i64
  %h = tile.hint %i divisibility = [16] : i64
  // CHECK: %[[J:.*]] = arith.addi %[[I]], %[[I]] : i64
  %j = arith.addi %h, %i : i64
  // CHECK: %[[Q:.*]] = llvm.inttoptr %[[J]] : i64 to !llvm.ptr<1>
  %q = tile.int_to_ptr %j : i64 -> !tile.ptr<f32>
  %b = tile.bitcast %q : !tile.ptr<f32> -> !tile.ptr<i64>
  // CHECK: %[[N:.*]] = llvm.getelementptr %[[Q]][%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
  %c3 = arith.constant 3 : i32
  %n = tile.addptr %b, %c3 : !tile.ptr<i64>, i32
  // CHECK: llvm.load %[[N]] {alignment = 8 : i64} : !llvm.ptr<1> -> i64
  %v = tile.load %n : !tile.ptr<i64>
  tile.store %n, %v : !tile.ptr<i64>
  return
}
