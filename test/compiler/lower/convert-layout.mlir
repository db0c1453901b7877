// A conversion takes the cheapest way that the two maps allow.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file | FileCheck %s

#ab = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []} : [128]>
#ba = #tile.layout<{register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = []} : [128]>

// Registers in another order get other names: nothing is moved.
// CHECK-LABEL: llvm.func @registers(
func.func @registers(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %q: !tile.ptr<i32> {tile.param = #tile.param<"q", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %base = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #ab>
  %i = tile.arange 0 to 128 : tensor<128xi32, #ab>
  %three = arith.constant dense<3> : tensor<128xi32, #ab>
  %apart = arith.muli %i, %three : tensor<128xi32, #ab>
  %ps = tile.addptr %base, %apart : tensor<128x!tile.ptr<i32>, #ab>, tensor<128xi32, #ab>
  // CHECK: %[[A:.*]] = llvm.load
  // CHECK-NEXT: %[[B:.*]] = llvm.load
  // CHECK-NEXT: %[[C:.*]] = llvm.load
  // CHECK-NEXT: %[[D:.*]] = llvm.load
  %v = tile.load %ps : tensor<128x!tile.ptr<i32>, #ab>
  %w = tile.convert_layout %v : tensor<128xi32, #ab> -> tensor<128xi32, #ba>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #ba>
  // CHECK-NEXT: llvm.store %[[A]],
  // CHECK-NEXT: llvm.store %[[C]],
  // CHECK-NEXT: llvm.store %[[B]],
  // CHECK-NEXT: llvm.store %[[D]],
  tile.store %qs, %w : tensor<128x!tile.ptr<i32>, #ba>
  return
}

// -----

#low = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>
#high = #tile.layout<{register = [], lane = [[16], [2], [4], [8], [1]], warp = []} : [32]>

// Lanes of one warp exchange by shuffles: 32 bits at once, narrower values widened.
// CHECK-LABEL: llvm.func @lanes(
func.func @lanes(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<32x!tile.ptr<f16>, #low>
  %v = tile.load %ps : tensor<32x!tile.ptr<f16>, #low>
  // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : f16 to i16
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[BITS]] : i16 to i32
  // CHECK: %[[GOT:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[WIDE]], %{{.*}}, %{{.*}} : i32 -> i32
  // CHECK: llvm.trunc %[[GOT]] : i32 to i16
  %w = tile.convert_layout %v : tensor<32xf16, #low> -> tensor<32xf16, #high>
  // CHECK-NOT: tegula_shared
  %qs = tile.splat %p : !tile.ptr<f16> -> tensor<32x!tile.ptr<f16>, #high>
  tile.store %qs, %w : tensor<32x!tile.ptr<f16>, #high>
  return
}

// -----

#each = #tile.layout<{register = [[1]], lane = [[0], [0], [0], [0], [0]], warp = []} : [2]>
#split = #tile.layout<{register = [], lane = [[1], [0], [0], [0], [0]], warp = []} : [2]>

// A lane that holds a copy of what it needs picks it among its own registers.
// CHECK-LABEL: llvm.func @pick(
func.func @pick(%p: !tile.ptr<f64> {tile.param = #tile.param<"p", "*fp64", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %base = tile.splat %p : !tile.ptr<f64> -> tensor<2x!tile.ptr<f64>, #each>
  %i = tile.arange 0 to 2 : tensor<2xi32, #each>
  %three = arith.constant dense<3> : tensor<2xi32, #each>
  %apart = arith.muli %i, %three : tensor<2xi32, #each>
  %ps = tile.addptr %base, %apart : tensor<2x!tile.ptr<f64>, #each>, tensor<2xi32, #each>
  // CHECK: %[[A:.*]] = llvm.bitcast %{{.*}} : i64 to f64
  // CHECK: %[[B:.*]] = llvm.bitcast %{{.*}} : i64 to f64
  %v = tile.load %ps : tensor<2x!tile.ptr<f64>, #each>
  // CHECK: %[[ODD:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i32
  // CHECK: arith.select %[[ODD]], %[[B]], %[[A]] : f64
  // CHECK-NOT: nvvm.shfl
  %w = tile.convert_layout %v : tensor<2xf64, #each> -> tensor<2xf64, #split>
  %qs = tile.splat %p : !tile.ptr<f64> -> tensor<2x!tile.ptr<f64>, #split>
  tile.store %qs, %w : tensor<2x!tile.ptr<f64>, #split>
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [32, 32]>
#columns = #tile.layout<{register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8], [0, 16]]} : [32, 32]>

// Between warps the tensor goes through shared memory; before the memory is used again, and in a loop,
// all threads wait for one another.
// CHECK: llvm.mlir.global external @tegula_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4096 x i8>
// CHECK-LABEL: llvm.func @shared(
func.func @shared(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>, #rows>
  %v = tile.load %ps : tensor<32x32x!tile.ptr<f32>, #rows>
  // CHECK-NOT: nvvm.barrier0
  // CHECK: %[[S:.*]] = llvm.mlir.addressof @tegula_shared : !llvm.ptr<3>
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
  // CHECK-NEXT: nvvm.barrier0
  // CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> i32
  %w = tile.convert_layout %v : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #columns>
  // CHECK: nvvm.barrier0
  // CHECK: llvm.store %{{.*}} !llvm.ptr<3>
  // CHECK: nvvm.barrier0
  %x = tile.convert_layout %w : tensor<32x32xf32, #columns> -> tensor<32x32xf32, #rows>
  tile.store %ps, %x : tensor<32x32x!tile.ptr<f32>, #rows>
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [32, 32]>
#columns = #tile.layout<{register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8], [0, 16]]} : [32, 32]>

// A truth value takes a byte; the first conversion of a loop follows the last of the turn before.
// CHECK-LABEL: llvm.func @loop(
func.func @loop(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x32x!tile.ptr<i32>, #rows>
  %qs = tile.splat %p : !tile.ptr<i32> -> tensor<32x32x!tile.ptr<i32>, #columns>
  %v = tile.load %ps : tensor<32x32x!tile.ptr<i32>, #rows>
  %zero = arith.constant dense<0> : tensor<32x32xi32, #rows>
  %m = arith.cmpi sgt, %v, %zero : tensor<32x32xi32, #rows>
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 : i32 {
    // CHECK: nvvm.barrier0
    // CHECK: arith.extui %{{.*}} : i1 to i8
    // CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
    // CHECK: nvvm.barrier0
    // CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<3> -> i8
    // CHECK: arith.trunci %{{.*}} : i8 to i1
    %w = tile.convert_layout %m : tensor<32x32xi1, #rows> -> tensor<32x32xi1, #columns>
    %x = arith.extui %w : tensor<32x32xi1, #columns> to tensor<32x32xi32, #columns>
    tile.store %qs, %x : tensor<32x32x!tile.ptr<i32>, #columns>
  }
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16]], warp = [[8, 0]]} : [16, 32]>
#columns = #tile.layout<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[8, 0]]} : [16, 32]>

// What stays in each warp takes its barrier alone, between writing and reading.
// CHECK-LABEL: llvm.func @within_warps(
// CHECK-NOT: nvvm.bar
// CHECK: llvm.store %{{.*}} !llvm.ptr<3>
// CHECK-NOT: nvvm.barrier0
// CHECK: nvvm.bar.warp.sync
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
func.func @within_warps(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %q: !tile.ptr<i32> {tile.param = #tile.param<"q", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x32x!tile.ptr<i32>, #rows>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<16x32x!tile.ptr<i32>, #columns>
  %v = tile.load %ps : tensor<16x32x!tile.ptr<i32>, #rows>
  %w = tile.convert_layout %v : tensor<16x32xi32, #rows> -> tensor<16x32xi32, #columns>
  tile.store %qs, %w : tensor<16x32x!tile.ptr<i32>, #columns>
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16]], warp = [[8, 0]]} : [16, 32]>
#columns = #tile.layout<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[8, 0]]} : [16, 32]>

// In a loop a warp first waits until it has read what it wrote in the iteration before.
// CHECK-LABEL: llvm.func @within_warps_in_a_loop(
// CHECK: scf.for
// CHECK-NOT: llvm.store
// CHECK: nvvm.bar.warp.sync
// CHECK: llvm.store %{{.*}} !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
func.func @within_warps_in_a_loop(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %q: !tile.ptr<i32> {tile.param = #tile.param<"q", "*i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x32x!tile.ptr<i32>, #rows>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<16x32x!tile.ptr<i32>, #columns>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %v = tile.load %ps : tensor<16x32x!tile.ptr<i32>, #rows>
    %w = tile.convert_layout %v : tensor<16x32xi32, #rows> -> tensor<16x32xi32, #columns>
    tile.store %qs, %w : tensor<16x32x!tile.ptr<i32>, #columns>
  }
  return
}
