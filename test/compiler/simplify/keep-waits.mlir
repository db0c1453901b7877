// Loops that wait for others stay, and ask again in each iteration.
// RUN: tegula-opt %s --split-input-file --keep-waits | FileCheck %s
// RUN: tegula-opt %s --split-input-file --tegula-simplify | FileCheck %s --check-prefix=KEPT

// Nothing changes but what others store.
// CHECK-LABEL: func @spin(
// KEPT-LABEL: func @spin(
module attributes {tile.target = "sm_90a"} {
func.func @spin(%flag: !tile.ptr<i32> {tile.param = #tile.param<"flag", "*i32", 16>}, %out: !tile.ptr<i32> {tile.param = #tile.param<"out", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: tile.load %arg0 volatile : !tile.ptr<i32>
  // KEPT: scf.while
  // KEPT: tile.load %arg0 volatile : !tile.ptr<i32>
  scf.while : () -> () {
    %v = tile.load %flag : !tile.ptr<i32>
    %c = arith.cmpi eq, %v, %c0 : i32
    scf.condition(%c)
  } do {
    scf.yield
  }
  tile.store %out, %c1 : !tile.ptr<i32>
  return
}
}

// -----

// One flag after another, round and round, by a number that is unused afterwards.
// CHECK-LABEL: func @around(
// KEPT-LABEL: func @around(
module attributes {tile.target = "sm_90a"} {
func.func @around(%flag: !tile.ptr<i32> {tile.param = #tile.param<"flag", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: tile.load %{{.*}} volatile
  // KEPT: tile.load %{{.*}} volatile
  %last = scf.while (%i = %c0) : (i32) -> i32 {
    %p = tile.addptr %flag, %i : !tile.ptr<i32>, i32
    %v = tile.load %p : !tile.ptr<i32>
    %c = arith.cmpi eq, %v, %c0 : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    %more = arith.addi %i, %c1 : i32
    %next = arith.andi %more, %c7 : i32
    scf.yield %next : i32
  }
  return
}
}

// -----

// The flag is loaded in the body, and the loop counts: the load of one place that the condition comes from.
// CHECK-LABEL: func @counts(
module attributes {tile.target = "sm_90a"} {
func.func @counts(%flag: !tile.ptr<i32> {tile.param = #tile.param<"flag", "*i32", 16>}, %by: !tile.ptr<i32> {tile.param = #tile.param<"by", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %r:2 = scf.while (%v = %c0, %n = %c0) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi eq, %v, %c0 : i32
    scf.condition(%c) %v, %n : i32, i32
  } do {
  ^bb0(%v: i32, %n: i32):
    // CHECK: tile.load %arg0 volatile
    // CHECK: tile.load %arg1 : !tile.ptr<i32>
    %w = tile.load %flag : !tile.ptr<i32>
    %step = tile.load %by : !tile.ptr<i32>
    %m = arith.addi %n, %step : i32
    scf.yield %w, %m : i32, i32
  }
  tile.store %by, %r#1 : !tile.ptr<i32>
  return
}
}

// -----

// A search, which comes to another place each time, ends by itself.
// CHECK-LABEL: func @search(
module attributes {tile.target = "sm_90a"} {
func.func @search(%keys: !tile.ptr<i32> {tile.param = #tile.param<"keys", "*i32", 16>}, %out: !tile.ptr<i32> {tile.param = #tile.param<"out", "*i32", 16>}, %key: i32 {tile.param = #tile.param<"key", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK-NOT: volatile
  %at = scf.while (%i = %c0) : (i32) -> i32 {
    %p = tile.addptr %keys, %i : !tile.ptr<i32>, i32
    %v = tile.load %p : !tile.ptr<i32>
    %c = arith.cmpi ne, %v, %key : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  tile.store %out, %at : !tile.ptr<i32>
  return
}
}
