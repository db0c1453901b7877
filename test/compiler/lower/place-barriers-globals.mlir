// Threads wait for each other's accesses of global memory where these may touch the same bytes.
// RUN: tegula-opt %s --allocate-shared --place-barriers --split-input-file | FileCheck %s

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

// A row found by a number in memory, stored elsewhere: different parameters are different arrays.
// CHECK-LABEL: func.func @embedding(
func.func @embedding(%n: !tile.ptr<i32> {tile.param = #tile.param<"n", "*i32", 16>}, %p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %o: !tile.ptr<i32> {tile.param = #tile.param<"o", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #all>
  %row = tile.load %n : !tile.ptr<i32>
  %pr = tile.addptr %p, %row : !tile.ptr<i32>, i32
  %ps = tile.splat %pr : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  %v = tile.load %pi : tensor<128x!tile.ptr<i32>, #all>
  %os = tile.splat %o : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %oi = tile.addptr %os, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  // CHECK-NOT: tile.barrier
  // CHECK: return
  tile.store %oi, %v : tensor<128x!tile.ptr<i32>, #all>
  return
}

// -----

// All load a scalar that one stores, again and again: none may load before the store of the last iteration, nor
// the one store before all have loaded.
// CHECK-LABEL: func.func @counter(
func.func @counter(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: scf.for
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: }
  scf.for %k = %c0 to %n step %c1 : i32 {
    %v = tile.load %p : !tile.ptr<i32>
    %w = arith.addi %v, %c1 : i32
    tile.store %p, %w : !tile.ptr<i32>
  }
  return
}

// -----

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

// In place: each thread loads and stores its own elements, the same in each iteration. Where pointers move, the
// next iteration's may be another thread's.
// CHECK-LABEL: func.func @in_place(
func.func @in_place(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange 0 to 128 : tensor<128xi32, #all>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  // CHECK-NOT: tile.barrier
  // CHECK: tile.store
  scf.for %k = %c0 to %n step %c1 : i32 {
    %v = tile.load %pi : tensor<128x!tile.ptr<i32>, #all>
    %w = arith.addi %v, %i : tensor<128xi32, #all>
    tile.store %pi, %w : tensor<128x!tile.ptr<i32>, #all>
  }
  // CHECK: scf.for
  // CHECK-NEXT: tile.splat
  // CHECK-NEXT: tile.addptr
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: tile.store
  scf.for %k = %c0 to %n step %c1 : i32 {
    %ks = tile.splat %k : i32 -> tensor<128xi32, #all>
    %pk = tile.addptr %pi, %ks : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
    %v = tile.load %pk : tensor<128x!tile.ptr<i32>, #all>
    %w = arith.addi %v, %i : tensor<128xi32, #all>
    tile.store %pk, %w : tensor<128x!tile.ptr<i32>, #all>
  }
  return
}

// -----

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

// What one thread stores another loads, and the reverse; also through a pointer that a branch chose. Two stores
// wait for nothing.
// CHECK-LABEL: func.func @others(
func.func @others(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %c: i1 {tile.param = #tile.param<"c", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #all>
  %m = arith.constant dense<127> : tensor<128xi32, #all>
  %j = arith.subi %m, %i : tensor<128xi32, #all>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  %pj = tile.addptr %ps, %j : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  // CHECK: tile.load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.store
  %v = tile.load %pj : tensor<128x!tile.ptr<i32>, #all>
  tile.store %pi, %v : tensor<128x!tile.ptr<i32>, #all>
  tile.store %pj, %i : tensor<128x!tile.ptr<i32>, #all>
  %q = scf.if %c -> tensor<128x!tile.ptr<i32>, #all> {
    scf.yield %pi : tensor<128x!tile.ptr<i32>, #all>
  } else {
    scf.yield %pj : tensor<128x!tile.ptr<i32>, #all>
  }
  // CHECK: tile.barrier
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.atomic_rmw
  // CHECK-NEXT: tile.atomic_rmw
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  %w = tile.load %q : tensor<128x!tile.ptr<i32>, #all>
  %a = tile.atomic_rmw add, relaxed, gpu, %pi, %w : tensor<128x!tile.ptr<i32>, #all>
  %b = tile.atomic_rmw add, relaxed, gpu, %pj, %w : tensor<128x!tile.ptr<i32>, #all>
  tile.store %q, %i : tensor<128x!tile.ptr<i32>, #all>
  return
}

// -----

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>
#pairs = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]} : [64]>

// Pointers out of a table may be any; several warps that load the same elements are not the one that stores them.
// CHECK-LABEL: func.func @table(
func.func @table(%t: !tile.ptr<!tile.ptr<i32>> {tile.param = #tile.param<"t", "**i32", 16>}, %p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #pairs>
  %q = tile.load %t : !tile.ptr<!tile.ptr<i32>>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>, #pairs>
  %qi = tile.addptr %qs, %i : tensor<64x!tile.ptr<i32>, #pairs>, tensor<64xi32, #pairs>
  // CHECK: tile.load %{{.*}} : tensor
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.load
  %v = tile.load %qi : tensor<64x!tile.ptr<i32>, #pairs>
  tile.store %qi, %v : tensor<64x!tile.ptr<i32>, #pairs>
  %s = tile.load %p : !tile.ptr<i32>
  return
}

// -----

// Arrays that a branch chose, each of them used for nothing else: other results of it are other arrays.
// CHECK-LABEL: func.func @chosen(
func.func @chosen(%a: !tile.ptr<i32> {tile.param = #tile.param<"a", "*i32", 16>}, %b: !tile.ptr<i32> {tile.param = #tile.param<"b", "*i32", 16>}, %c: !tile.ptr<i32> {tile.param = #tile.param<"c", "*i32", 16>}, %d: !tile.ptr<i32> {tile.param = #tile.param<"d", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %pid = tile.program_id x
  %c1 = arith.constant 1 : i32
  %first = arith.cmpi slt, %pid, %c1 : i32
  %from, %to = scf.if %first -> (!tile.ptr<i32>, !tile.ptr<i32>) {
    scf.yield %a, %b : !tile.ptr<i32>, !tile.ptr<i32>
  } else {
    scf.yield %c, %d : !tile.ptr<i32>, !tile.ptr<i32>
  }
  %x = tile.load %from : !tile.ptr<i32>
  // CHECK-NOT: tile.barrier
  // CHECK: return
  tile.store %to, %x : !tile.ptr<i32>
  return
}

// -----

// One of them is used apart from the choice too, so that the choice may be the same array.
// CHECK-LABEL: func.func @chosen_and_used(
func.func @chosen_and_used(%a: !tile.ptr<i32> {tile.param = #tile.param<"a", "*i32", 16>}, %b: !tile.ptr<i32> {tile.param = #tile.param<"b", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %pid = tile.program_id x
  %c1 = arith.constant 1 : i32
  %first = arith.cmpi slt, %pid, %c1 : i32
  %from = arith.select %first, %a, %b : !tile.ptr<i32>
  %x = tile.load %from : !tile.ptr<i32>
  // CHECK: tile.load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  tile.store %a, %x : !tile.ptr<i32>
  return
}

// -----

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>
#turned = #tile.layout<{register = [], lane = [[64], [32], [16], [8], [4]], warp = [[2], [1]]} : [128]>

// What other threads stored in the same place comes first: pointers that are computed alike in two layouts. The same
// threads, or places apart, wait for nothing.
// CHECK-LABEL: func.func @twice(
func.func @twice(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c = arith.constant dense<5> : tensor<128xi32, #all>
  %d = arith.constant dense<5> : tensor<128xi32, #turned>
  %e = arith.constant dense<6> : tensor<128xi32, #turned>
  %i = tile.arange 0 to 128 : tensor<128xi32, #all>
  %j = tile.arange 0 to 128 : tensor<128xi32, #turned>
  %is = arith.addi %i, %c : tensor<128xi32, #all>
  %js = arith.addi %j, %d : tensor<128xi32, #turned>
  %jt = arith.addi %j, %e : tensor<128xi32, #turned>
  %ju = arith.muli %j, %d : tensor<128xi32, #turned>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %qs = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #turned>
  %pi = tile.addptr %ps, %is : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  %qj = tile.addptr %qs, %js : tensor<128x!tile.ptr<i32>, #turned>, tensor<128xi32, #turned>
  %qu = tile.addptr %qs, %ju : tensor<128x!tile.ptr<i32>, #turned>, tensor<128xi32, #turned>
  %qt = tile.addptr %qs, %jt : tensor<128x!tile.ptr<i32>, #turned>, tensor<128xi32, #turned>
  // CHECK: tile.store
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: return
  tile.store %qu, %j : tensor<128x!tile.ptr<i32>, #turned>
  tile.store %qt, %j : tensor<128x!tile.ptr<i32>, #turned>
  tile.store %pi, %i : tensor<128x!tile.ptr<i32>, #all>
  tile.store %pi, %is : tensor<128x!tile.ptr<i32>, #all>
  tile.store %qj, %j : tensor<128x!tile.ptr<i32>, #turned>
  return
}

// -----

#one = #tile.layout<{register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []} : [128]>

// Lanes of one warp wait for each other as well: neighbours are loaded before one of them is stored.
// CHECK-LABEL: func.func @one_warp(
// CHECK: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
func.func @one_warp(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c1 = arith.constant dense<1> : tensor<128xi32, #one>
  %i = tile.arange 0 to 128 : tensor<128xi32, #one>
  %next = arith.addi %i, %c1 : tensor<128xi32, #one>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #one>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #one>, tensor<128xi32, #one>
  %pn = tile.addptr %ps, %next : tensor<128x!tile.ptr<i32>, #one>, tensor<128xi32, #one>
  %v = tile.load %pn : tensor<128x!tile.ptr<i32>, #one>
  tile.store %pi, %v : tensor<128x!tile.ptr<i32>, #one>
  return
}
