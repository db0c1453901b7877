// Which barriers buffers need.
// RUN: tegula-opt %s --allocate-shared --place-barriers --split-input-file | FileCheck %s

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>
#rowsB = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 64]>
#fragmentB = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [32, 64]>
#sharedB = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]} : [32, 64]>

// A loop with copies two iterations ahead has one barrier: behind the wait, in front of the first copy. It ends
// the last iteration's reads of what is copied into, and makes known what all threads have waited for.
// CHECK-LABEL: func.func @multistage(
func.func @multistage(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %pa = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>, #rowsA>
  %pb = tile.splat %p : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>, #rowsB>
  %a = tgpu.alloc : !tgpu.buffer<3 of tensor<64x32xf16>, #sharedA>
  %b = tgpu.alloc : !tgpu.buffer<3 of tensor<32x64xf16>, #sharedB>
  // CHECK-NOT: tile.barrier
  tgpu.async_copy %pa into %a[%c0] : tensor<64x32x!tile.ptr<f16>, #rowsA>, !tgpu.buffer<3 of tensor<64x32xf16>, #sharedA>
  tgpu.async_copy %pb into %b[%c0] : tensor<32x64x!tile.ptr<f16>, #rowsB>, !tgpu.buffer<3 of tensor<32x64xf16>, #sharedB>
  tgpu.async_commit
  tgpu.async_copy %pa into %a[%c1] : tensor<64x32x!tile.ptr<f16>, #rowsA>, !tgpu.buffer<3 of tensor<64x32xf16>, #sharedA>
  tgpu.async_copy %pb into %b[%c1] : tensor<32x64x!tile.ptr<f16>, #rowsB>, !tgpu.buffer<3 of tensor<32x64xf16>, #sharedB>
  tgpu.async_commit
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 : i32 {
    %j = arith.addi %i, %c2 : i32
    %now = arith.remui %i, %c3 : i32
    %ahead = arith.remui %j, %c3 : i32
    %more = arith.cmpi slt, %j, %n : i32
    // CHECK: tgpu.async_wait pending 1
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tgpu.async_copy
    // CHECK-NOT: tile.barrier
    // CHECK: return
    tgpu.async_wait pending 1
    tgpu.async_copy %pa if %more into %a[%ahead] : tensor<64x32x!tile.ptr<f16>, #rowsA>, !tgpu.buffer<3 of tensor<64x32xf16>, #sharedA>
    tgpu.async_copy %pb if %more into %b[%ahead] : tensor<32x64x!tile.ptr<f16>, #rowsB>, !tgpu.buffer<3 of tensor<32x64xf16>, #sharedB>
    tgpu.async_commit
    %x = tgpu.local_load %a[%now] at [0, 0] : !tgpu.buffer<3 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
    %y = tgpu.local_load %b[%now] at [0, 0] : !tgpu.buffer<3 of tensor<32x64xf16>, #sharedB> -> tensor<32x64xf16, #fragmentB>
  }
  tgpu.async_wait pending 0
  return
}

// -----

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// What threads store others load: a barrier before, and in a loop one behind it as well. Stores of one layout
// meet nothing, those of several do.
// CHECK-LABEL: func.func @stores(
func.func @stores(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.splat %x : f16 -> tensor<64x32xf16, #rowsA>
  %w = tile.splat %x : f16 -> tensor<64x32xf16, #fragmentA>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.local_store
  // CHECK-NEXT: tgpu.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tgpu.local_store
  tgpu.local_store %v into %b[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  tgpu.local_store %v into %b[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  tgpu.local_store %w into %b[%c0] : tensor<64x32xf16, #fragmentA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  // CHECK: scf.for
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tgpu.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tgpu.local_load
  // CHECK-NEXT: }
  scf.for %i = %c0 to %n step %c1 : i32 {
    tgpu.local_store %v into %b[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
    %y = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  }
  return
}

// -----

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// A change of layout after the loop takes over the buffer's bytes, once no thread reads them any more.
// CHECK-LABEL: func.func @reused(
func.func @reused(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %pa = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>, #rowsA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 0, bytes = 4096>}
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  tgpu.async_copy %pa into %a[%c0] : tensor<64x32x!tile.ptr<f16>, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  tgpu.async_commit
  // CHECK: tgpu.async_wait
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tgpu.local_load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 0, bytes = 4096>}
  tgpu.async_wait pending 0
  %x = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  %y = tile.convert_layout %x : tensor<64x32xf16, #fragmentA> -> tensor<64x32xf16, #rowsA>
  return
}

// -----

#row = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]} : [1024]>
#flat = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512]]} : [1024]>

// A copy that its thread has waited for has read its elements, which others may not have: one of another array may be
// stored, the array itself behind a barrier.
// CHECK-LABEL: func.func @copied_from(
func.func @copied_from(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}, %q: !tile.ptr<f16> {tile.param = #tile.param<"q", "*fp16", 16>}, %x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #row>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #row>
  %pi = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f16>, #row>, tensor<1024xi32, #row>
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #row>
  %qi = tile.addptr %qs, %i : tensor<1024x!tile.ptr<f16>, #row>, tensor<1024xi32, #row>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<1024xf16>, #flat>
  tgpu.async_copy %pi into %b[%c0] : tensor<1024x!tile.ptr<f16>, #row>, !tgpu.buffer<1 of tensor<1024xf16>, #flat>
  tgpu.async_commit
  // CHECK: tgpu.async_wait
  // CHECK-NEXT: tile.splat
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: return
  tgpu.async_wait pending 0
  %xs = tile.splat %x : f16 -> tensor<1024xf16, #row>
  tile.store %qi, %xs : tensor<1024x!tile.ptr<f16>, #row>
  tile.store %pi, %xs : tensor<1024x!tile.ptr<f16>, #row>
  return
}

// -----

#row = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = []} : [256]>
#flat = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32], [64], [128]]} : [256]>

// So do the lanes of one warp.
// CHECK-LABEL: func.func @copied_by_one_warp(
// CHECK: tgpu.async_wait
// CHECK: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: return
func.func @copied_by_one_warp(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}, %x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %i = tile.arange 0 to 256 : tensor<256xi32, #row>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>, #row>
  %pi = tile.addptr %ps, %i : tensor<256x!tile.ptr<f16>, #row>, tensor<256xi32, #row>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<256xf16>, #flat>
  tgpu.async_copy %pi into %b[%c0] : tensor<256x!tile.ptr<f16>, #row>, !tgpu.buffer<1 of tensor<256xf16>, #flat>
  tgpu.async_commit
  tgpu.async_wait pending 0
  %xs = tile.splat %x : f16 -> tensor<256xf16, #row>
  tile.store %pi, %xs : tensor<256x!tile.ptr<f16>, #row>
  return
}

// -----

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// What was stored before loops all iterations of all of them may read behind one barrier, in front of the outermost
// that reads it first; the loop behind has its work done. Where a loop stores itself its barriers stay.
// CHECK-LABEL: func.func @stored_before(
func.func @stored_before(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.splat %x : f16 -> tensor<64x32xf16, #rowsA>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: scf.for
  // CHECK-NOT: tile.barrier
  // CHECK: tgpu.local_load
  // CHECK-NOT: tile.barrier
  // CHECK: scf.for
  // CHECK-NEXT: tgpu.local_load
  // CHECK-NEXT: }
  tgpu.local_store %v into %b[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %i step %c1 : i32 {
      %y = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
    }
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %y = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  }
  // CHECK: scf.for
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tgpu.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: tgpu.local_load
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  scf.for %i = %c0 to %n step %c1 : i32 {
    tgpu.local_store %v into %b[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
    scf.for %j = %c0 to %i step %c1 : i32 {
      %y = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
    }
  }
  return
}
