// Buffers have room from their first use to their last, round loops that they are filled in front of.
// RUN: tegula-opt %s --allocate-shared --split-input-file | FileCheck %s

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// Two in one loop lie side by side, as does what is needed between their uses; one that is used before it shares their
// bytes, and an unused one has none.
// CHECK-LABEL: func.func @side_by_side(
func.func @side_by_side(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.splat %x : f16 -> tensor<64x32xf16, #rowsA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 0, bytes = 4096>}
  %before = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 0, bytes = 12288>}
  %a = tgpu.alloc : !tgpu.buffer<3 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 12288, bytes = 4096>}
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.alloc : <1 of
  %unused = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  tgpu.local_store %v into %before[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  %y = tgpu.local_load %before[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tgpu.local_store %v into %a[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<3 of tensor<64x32xf16>, #sharedA>
    tgpu.local_store %v into %b[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
    // CHECK: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 16384, bytes = 4096>}
    %w = tile.convert_layout %y : tensor<64x32xf16, #fragmentA> -> tensor<64x32xf16, #rowsA>
    %s = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<3 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
    %t = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
    // After their last use in the loop their bytes are free until the next iteration.
    // CHECK: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 0, bytes = 4096>}
    %u = tile.convert_layout %y : tensor<64x32xf16, #fragmentA> -> tensor<64x32xf16, #rowsA>
  }
  // Apart from what may still be read of the loop's last.
  // CHECK: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 4096, bytes = 4096>}
  %z = tile.convert_layout %y : tensor<64x32xf16, #fragmentA> -> tensor<64x32xf16, #rowsA>
  return
}

// -----

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// Copies are in flight until the last wait: until then no other buffer has the bytes.
// CHECK-LABEL: func.func @copied(
func.func @copied(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %pa = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>, #rowsA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 0, bytes = 4096>}
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  tgpu.async_copy %pa into %a[%c0] : tensor<64x32x!tile.ptr<f16>, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  tgpu.async_commit
  %v = tile.load %pa : tensor<64x32x!tile.ptr<f16>, #rowsA>
  // CHECK: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 4096, bytes = 4096>}
  %y = tile.convert_layout %v : tensor<64x32xf16, #rowsA> -> tensor<64x32xf16, #fragmentA>
  tgpu.async_wait pending 0
  // CHECK: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 0, bytes = 4096>}
  %z = tile.convert_layout %y : tensor<64x32xf16, #fragmentA> -> tensor<64x32xf16, #rowsA>
  return
}

// -----

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// A nested loop that waits for its copies before its back edge frees its bytes for what follows both loops; mbarriers,
// which live as long as the kernel, are placed after all of it.
// CHECK-LABEL: func.func @nested(
func.func @nested(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>, #rowsA>
  // CHECK: tgpu.barriers {tile.scratch = #tile.scratch<offset = 4096, bytes = 16>}
  %barriers = tgpu.barriers : <2>
  tgpu.barriers_init %barriers : <2>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 0, bytes = 4096>}
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      tgpu.async_copy %pa into %a[%c0] : tensor<64x32x!tile.ptr<f16>, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
      tgpu.async_commit
    }
    tgpu.async_wait pending 0
  }
  %v = tile.load %pa : tensor<64x32x!tile.ptr<f16>, #rowsA>
  // CHECK: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 0, bytes = 4096>}
  %y = tile.convert_layout %v : tensor<64x32xf16, #rowsA> -> tensor<64x32xf16, #fragmentA>
  return
}

// -----

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// One that waits at the start of the next round only does not: the last round's copies are under way.
// CHECK-LABEL: func.func @waits_late(
func.func @waits_late(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>, #rowsA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 0, bytes = 4096>}
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tgpu.async_wait pending 0
    tgpu.async_copy %pa into %a[%c0] : tensor<64x32x!tile.ptr<f16>, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
    tgpu.async_commit
  }
  %v = tile.load %pa : tensor<64x32x!tile.ptr<f16>, #rowsA>
  // CHECK: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 4096, bytes = 4096>}
  %y = tile.convert_layout %v : tensor<64x32xf16, #rowsA> -> tensor<64x32xf16, #fragmentA>
  return
}

// -----

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// What was filled in front of a loop is read in any round of it.
// CHECK-LABEL: func.func @filled_ahead(
func.func @filled_ahead(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.splat %x : f16 -> tensor<64x32xf16, #rowsA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 0, bytes = 4096>}
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  tgpu.local_store %v into %a[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %s = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
    // CHECK: tile.convert_layout %{{.*}} {tile.scratch = #tile.scratch<offset = 4096, bytes = 4096>}
    %u = tile.convert_layout %s : tensor<64x32xf16, #fragmentA> -> tensor<64x32xf16, #rowsA>
  }
  return
}

// -----

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// Of three of one size the first one used comes first where there is no room otherwise: two that live while the last
// does not could not have its place, one next to the other, if that were in front of the others. With 26 of 24 times
// 4096 bytes the kernel was refused.
// CHECK-LABEL: func.func @equal_sizes(
module attributes {tile.target = "sm_86"} {
func.func @equal_sizes(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %v = tile.splat %x : f16 -> tensor<64x32xf16, #rowsA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 57344, bytes = 28672>}
  %a = tgpu.alloc : !tgpu.buffer<7 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 28672, bytes = 28672>}
  %b = tgpu.alloc : !tgpu.buffer<7 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 0, bytes = 28672>}
  %c = tgpu.alloc : !tgpu.buffer<7 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 57344, bytes = 20480>}
  %d = tgpu.alloc : !tgpu.buffer<5 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 77824, bytes = 20480>}
  %e = tgpu.alloc : !tgpu.buffer<5 of tensor<64x32xf16>, #sharedA>
  tgpu.local_store %v into %c[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<7 of tensor<64x32xf16>, #sharedA>
  tgpu.local_store %v into %b[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<7 of tensor<64x32xf16>, #sharedA>
  tgpu.local_store %v into %d[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<5 of tensor<64x32xf16>, #sharedA>
  tgpu.local_store %v into %e[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<5 of tensor<64x32xf16>, #sharedA>
  %0 = tgpu.local_load %d[%c0] at [0, 0] : !tgpu.buffer<5 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  %1 = tgpu.local_load %e[%c0] at [0, 0] : !tgpu.buffer<5 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  tgpu.local_store %v into %a[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<7 of tensor<64x32xf16>, #sharedA>
  %2 = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<7 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  %3 = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<7 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  %4 = tgpu.local_load %c[%c0] at [0, 0] : !tgpu.buffer<7 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  return
}
}

// -----

#rowsA = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// Likewise what lives longer, if smaller: the largest first would take 30 times 4096 bytes.
// CHECK-LABEL: func.func @longer_lives(
module attributes {tile.target = "sm_86"} {
func.func @longer_lives(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %v = tile.splat %x : f16 -> tensor<64x32xf16, #rowsA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 0, bytes = 36864>}
  %a = tgpu.alloc : !tgpu.buffer<9 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 45056, bytes = 40960>}
  %b = tgpu.alloc : !tgpu.buffer<10 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 0, bytes = 45056>}
  %c = tgpu.alloc : !tgpu.buffer<11 of tensor<64x32xf16>, #sharedA>
  // CHECK: tgpu.alloc {tile.scratch = #tile.scratch<offset = 36864, bytes = 53248>}
  %d = tgpu.alloc : !tgpu.buffer<13 of tensor<64x32xf16>, #sharedA>
  tgpu.local_store %v into %c[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<11 of tensor<64x32xf16>, #sharedA>
  %0 = tgpu.local_load %c[%c0] at [0, 0] : !tgpu.buffer<11 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  %1 = tgpu.local_load %c[%c0] at [0, 0] : !tgpu.buffer<11 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  tgpu.local_store %v into %b[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<10 of tensor<64x32xf16>, #sharedA>
  %2 = tgpu.local_load %c[%c0] at [0, 0] : !tgpu.buffer<11 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  tgpu.local_store %v into %a[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<9 of tensor<64x32xf16>, #sharedA>
  %3 = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<10 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  %4 = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<9 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  %5 = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<9 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  tgpu.local_store %v into %d[%c0] : tensor<64x32xf16, #rowsA>, !tgpu.buffer<13 of tensor<64x32xf16>, #sharedA>
  %6 = tgpu.local_load %a[%c0] at [0, 0] : !tgpu.buffer<9 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  %7 = tgpu.local_load %d[%c0] at [0, 0] : !tgpu.buffer<13 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  return
}
}
