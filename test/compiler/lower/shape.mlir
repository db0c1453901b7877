// Ops that make tensors or give them another shape: index arithmetic once a thread, then names.
// RUN: tegula-opt %s --convert-tile-to-llvm --split-input-file | FileCheck %s

#line = #tile.layout<{register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [1024]>

// The thread's part of an arange is computed once, at the start; registers add constants to it.
// CHECK-LABEL: llvm.func @arange(
func.func @arange(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
  // CHECK: %[[TWO:.*]] = arith.constant 2 : i32
  // CHECK: %[[BASE:.*]] = arith.shli %[[TID]], %[[TWO]] : i32
  // CHECK: %[[C1:.*]] = arith.constant 1 : i32
  // CHECK: %[[R1:.*]] = arith.addi %[[BASE]], %[[C1]] overflow<nsw, nuw> : i32
  // CHECK: %[[C515:.*]] = arith.constant 515 : i32
  // CHECK: %[[R7:.*]] = arith.addi %[[BASE]], %[[C515]] overflow<nsw, nuw> : i32
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #line>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>, #line>
  // CHECK: llvm.store %[[BASE]]
  // CHECK: llvm.store %[[R1]]
  // CHECK: llvm.store %[[R7]]
  tile.store %ps, %i : tensor<1024x!tile.ptr<i32>, #line>
  return
}

// -----

#skewed = #tile.layout<{register = [[3]], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>

// Where a register's bits meet the thread's, they are xored; a start is added to all.
// CHECK-LABEL: llvm.func @skewed(
func.func @skewed(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK: %[[C64:.*]] = arith.constant 64 : i32
  // CHECK: %[[C3:.*]] = arith.constant 3 : i32
  // CHECK: %[[X:.*]] = arith.xori %[[TID]], %[[C3]] : i32
  // CHECK: arith.addi %[[TID]], %[[C64]] overflow<nsw> : i32
  // CHECK: arith.addi %[[X]], %[[C64]] overflow<nsw> : i32
  %i = tile.arange 64 to 96 : tensor<32xi32, #skewed>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #skewed>
  tile.store %ps, %i : tensor<32x!tile.ptr<i32>, #skewed>
  return
}

// -----

// Where a program stands: special registers, with the limits of a launch.
// CHECK-LABEL: llvm.func @grid(
func.func @grid(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: %[[X:.*]] = nvvm.read.ptx.sreg.ctaid.x range <i32, 0, 2147483647> : i32
  %x = tile.program_id x
  // CHECK: %[[N:.*]] = nvvm.read.ptx.sreg.nctaid.y range <i32, 1, 65536> : i32
  %n = tile.num_programs y
  // CHECK: arith.addi %[[X]], %[[N]] : i32
  %s = arith.addi %x, %n : i32
  tile.store %p, %s : !tile.ptr<i32>
  return
}

// -----

#rows = #tile.layout<{register = [[1]], lane = [[2], [4], [0], [0], [0]], warp = []} : [8]>
#column = #tile.layout<{register = [[1, 0]], lane = [[2, 0], [4, 0], [0, 0], [0, 0], [0, 0]], warp = []} : [8, 1]>
#square = #tile.layout<{register = [[0, 1], [1, 0]], lane = [[2, 0], [4, 0], [0, 2], [0, 4], [0, 0]], warp = []} : [8, 8]>
#turned = #tile.layout<{register = [[1, 0], [0, 1]], lane = [[0, 2], [0, 4], [2, 0], [4, 0], [0, 0]], warp = []} : [8, 8]>
#flat = #tile.layout<{register = [[8], [1]], lane = [[2], [4], [16], [32], [0]], warp = []} : [64]>

// Each result names registers of its source: r0 r1 as rows, repeated along columns, turned, flattened.
// CHECK-LABEL: llvm.func @reshape(
func.func @reshape(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %q: !tile.ptr<i32> {tile.param = #tile.param<"q", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: %[[R0:.*]] = arith.shli
  // CHECK: %[[R1:.*]] = arith.addi %[[R0]]
  %i = tile.arange 0 to 8 : tensor<8xi32, #rows>
  %c = tile.expand_dims %i, 1 : tensor<8xi32, #rows> -> tensor<8x1xi32, #column>
  %b = tile.broadcast %c : tensor<8x1xi32, #column> -> tensor<8x8xi32, #square>
  %t = tile.trans %b, [1, 0] : tensor<8x8xi32, #square> -> tensor<8x8xi32, #turned>
  %f = tile.reshape %t : tensor<8x8xi32, #turned> -> tensor<64xi32, #flat>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<8x8x!tile.ptr<i32>, #square>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>, #flat>
  // CHECK: "@$2 st.global.b32 [$0], $1;", "l,r,b" %{{.*}}, %[[R0]], %
  // CHECK: "@$2 st.global.b32 [$0], $1;", "l,r,b" %{{.*}}, %[[R0]], %
  // CHECK: "@$2 st.global.b32 [$0], $1;", "l,r,b" %{{.*}}, %[[R1]], %
  // CHECK: "@$2 st.global.b32 [$0], $1;", "l,r,b" %{{.*}}, %[[R1]], %
  tile.store %ps, %b : tensor<8x8x!tile.ptr<i32>, #square>
  // CHECK: "@$2 st.global.b32 [$0], $1;", "l,r,b" %{{.*}}, %[[R0]], %
  // CHECK: "@$2 st.global.b32 [$0], $1;", "l,r,b" %{{.*}}, %[[R0]], %
  // CHECK: "@$2 st.global.b32 [$0], $1;", "l,r,b" %{{.*}}, %[[R1]], %
  // CHECK: "@$2 st.global.b32 [$0], $1;", "l,r,b" %{{.*}}, %[[R1]], %
  tile.store %qs, %f : tensor<64x!tile.ptr<i32>, #flat>
  return
}
