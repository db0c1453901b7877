// Barriers stand where two accesses of memory could meet, and nowhere else.
// RUN: tegula-opt %s --allocate-shared --place-barriers --split-input-file | FileCheck %s

#row = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

// A reduction alone in a loop meets itself: a slow warp may still read what it wrote last time. Two that lie
// apart do not, since the barrier inside each ends the reads of the other.
// CHECK-LABEL: func.func @loops(
func.func @loops(%v: i32 {tile.param = #tile.param<"v", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.splat %v : i32 -> tensor<128xi32, #row>
  // CHECK: scf.for
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.reduce
  scf.for %i = %c0 to %v step %c1 : i32 {
    %a = tile.reduce %x axis 0 : tensor<128xi32, #row> -> i32 {
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      tile.yield %s : i32
    }
  }
  // CHECK: scf.while
  // CHECK-NOT: tile.barrier
  // CHECK: return
  %end = scf.while (%k = %c0) : (i32) -> i32 {
    %ks = tile.splat %k : i32 -> tensor<128xi32, #row>
    %a = tile.reduce %ks axis 0 : tensor<128xi32, #row> -> i32 {
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      tile.yield %s : i32
    }
    %goOn = arith.cmpi slt, %a, %v : i32
    scf.condition(%goOn) %a : i32
  } do {
  ^bb0(%k: i32):
    %ks = tile.splat %k : i32 -> tensor<128xi32, #row>
    %b = tile.reduce %ks axis 0 : tensor<128xi32, #row> -> i32 {
    ^bb0(%l: i32, %r: i32):
      %s = arith.maxsi %l, %r : i32
      tile.yield %s : i32
    }
    scf.yield %b : i32
  }
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [32, 32]>
#columns = #tile.layout<{register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8], [0, 16]]} : [32, 32]>

// Two large changes of layout share one place: the second waits, also if the first is in a branch.
// CHECK-LABEL: func.func @branch(
func.func @branch(%v: f64 {tile.param = #tile.param<"v", "fp64", 1>}, %c: i1 {tile.param = #tile.param<"c", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %x = tile.splat %v : f64 -> tensor<32x32xf64, #rows>
  // CHECK-NOT: tile.barrier
  // CHECK: scf.if
  %y = scf.if %c -> tensor<32x32xf64, #columns> {
    // CHECK-NOT: tile.barrier
    // CHECK: tile.convert_layout
    %1 = tile.convert_layout %x : tensor<32x32xf64, #rows> -> tensor<32x32xf64, #columns>
    scf.yield %1 : tensor<32x32xf64, #columns>
  } else {
    %2 = tile.splat %v : f64 -> tensor<32x32xf64, #columns>
    scf.yield %2 : tensor<32x32xf64, #columns>
  }
  // CHECK: tile.barrier
  // CHECK-NEXT: tile.convert_layout
  %z = tile.convert_layout %y : tensor<32x32xf64, #columns> -> tensor<32x32xf64, #rows>
  // The author's own barrier serves as well.
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.convert_layout
  tile.barrier
  %w = tile.convert_layout %z : tensor<32x32xf64, #rows> -> tensor<32x32xf64, #columns>
  return
}

// -----

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

// All warps load a scalar, one thread stores it: no warp may load what is new, nor what is old. Loads that each warp
// makes of its own elements meet nothing.
// CHECK-LABEL: func.func @replicated(
func.func @replicated(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #all>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  // CHECK: tile.load
  // CHECK-NEXT: tile.store
  %v = tile.load %pi : tensor<128x!tile.ptr<i32>, #all>
  tile.store %pi, %v : tensor<128x!tile.ptr<i32>, #all>
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.store
  %s = tile.load %p : !tile.ptr<i32>
  tile.store %pi, %v : tensor<128x!tile.ptr<i32>, #all>
  tile.store %p, %s : !tile.ptr<i32>
  return
}

// -----

// Lanes of one warp may go on one after the other.
// CHECK-LABEL: func.func @one_warp(
func.func @one_warp(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: tile.load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  %s = tile.load %p : !tile.ptr<i32>
  tile.store %p, %s : !tile.ptr<i32>
  return
}

// -----

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

// A lock: what the program stored is stored when one thread releases it, and nothing is loaded before one thread
// has acquired it. Relaxed atomics, and those on tensors, order nothing of other threads.
// CHECK-LABEL: func.func @lock(
func.func @lock(%l: !tile.ptr<i32> {tile.param = #tile.param<"l", "*i32", 16>}, %p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c1 = arith.constant 1 : i32
  %i = tile.arange 0 to 128 : tensor<128xi32, #all>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  // CHECK: tile.atomic_rmw xchg, acquire
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.load
  %old = tile.atomic_rmw xchg, acquire, gpu, %l, %c1 : !tile.ptr<i32>
  %v = tile.load %pi : tensor<128x!tile.ptr<i32>, #all>
  // CHECK-NEXT: tile.atomic_rmw add, acq_rel
  %olds = tile.atomic_rmw add, acq_rel, gpu, %pi, %v : tensor<128x!tile.ptr<i32>, #all>
  // CHECK-NEXT: tile.atomic_rmw add, relaxed
  %r = tile.atomic_rmw add, relaxed, gpu, %l, %c1 : !tile.ptr<i32>
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.atomic_rmw xchg, release
  %end = tile.atomic_rmw xchg, release, gpu, %l, %c1 : !tile.ptr<i32>
  return
}
