// Places barriers around atomic loads and stores, at which the threads of a program wait for each other.
// RUN: tegula-opt %s --allocate-shared --place-barriers --split-input-file | FileCheck %s

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

// Stores of all threads come before a flag that one of them raises, or each of them one. Loads of all threads come after
// the flags that they waited for.
// CHECK-LABEL: func.func @flags(
func.func @flags(%f: !tile.ptr<i32> {tile.param = #tile.param<"f", "*i32", 16>}, %p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #all>
  %one = arith.constant 1 : i32
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  %fs = tile.splat %f : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %fi = tile.addptr %fs, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  // CHECK: tile.store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.atomic_store release, gpu, %{{.*}} : !tile.ptr<i32>
  tile.store %pi, %i : tensor<128x!tile.ptr<i32>, #all>
  tile.atomic_store release, gpu, %f, %one : !tile.ptr<i32>
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.atomic_store release, gpu, %{{.*}} : tensor
  tile.store %pi, %i : tensor<128x!tile.ptr<i32>, #all>
  tile.atomic_store release, gpu, %fi, %i : tensor<128x!tile.ptr<i32>, #all>
  // CHECK-NEXT: tile.atomic_load acquire, gpu, %{{.*}} : tensor
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.load
  %v = tile.atomic_load acquire, gpu, %fi : tensor<128x!tile.ptr<i32>, #all>
  %w = tile.load %pi : tensor<128x!tile.ptr<i32>, #all>
  tile.store %pi, %v : tensor<128x!tile.ptr<i32>, #all>
  return
}

// -----

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

// Relaxed ones order nothing else, and the thread that stored an element loads it. Loads among themselves wait for
// nothing.
// CHECK-LABEL: func.func @relaxed(
func.func @relaxed(%f: !tile.ptr<i32> {tile.param = #tile.param<"f", "*i32", 16>}, %p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #all>
  %one = arith.constant 1 : i32
  %next = tile.addptr %f, %one : !tile.ptr<i32>, i32
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  %pj = tile.addptr %pi, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  // CHECK-NOT: tile.barrier
  // CHECK: return
  tile.atomic_store relaxed, gpu, %pi, %i : tensor<128x!tile.ptr<i32>, #all>
  tile.atomic_store relaxed, gpu, %f, %one : !tile.ptr<i32>
  %a = tile.atomic_load relaxed, gpu, %next : !tile.ptr<i32>
  %b = tile.atomic_load relaxed, gpu, %pi : tensor<128x!tile.ptr<i32>, #all>
  return
}

// -----

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [128]>

// A program sees what it stored and added itself, whichever of its threads did.
// CHECK-LABEL: func.func @own(
func.func @own(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #all>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #all>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  %pj = tile.addptr %pi, %i : tensor<128x!tile.ptr<i32>, #all>, tensor<128xi32, #all>
  // CHECK: tile.atomic_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.atomic_load
  // CHECK-NEXT: tile.atomic_load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.atomic_rmw
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.atomic_load
  tile.atomic_store relaxed, gpu, %pi, %i : tensor<128x!tile.ptr<i32>, #all>
  %a = tile.atomic_load relaxed, gpu, %pj : tensor<128x!tile.ptr<i32>, #all>
  %b = tile.atomic_load relaxed, gpu, %pi : tensor<128x!tile.ptr<i32>, #all>
  %c = tile.atomic_rmw add, relaxed, gpu, %pi, %i : tensor<128x!tile.ptr<i32>, #all>
  %d = tile.atomic_load relaxed, gpu, %pj : tensor<128x!tile.ptr<i32>, #all>
  return
}
