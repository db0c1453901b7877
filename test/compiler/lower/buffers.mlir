// Loads and stores of buffers: instructions on matrices where the maps allow, addresses as a base and a number.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --cse --split-input-file | FileCheck %s

#fragmentA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#stepA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 16]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>
#fragmentB = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [32, 64]>
#sharedB = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]} : [32, 64]>

// Rows along K come as they are, rows along N transposed; a slot is one multiplication and one addition.
// CHECK-LABEL: llvm.func @matrices(
func.func @matrices(%slot: i32 {tile.param = #tile.param<"slot", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  // CHECK-SAME: %[[SLOT:.*]]: i32
  %a = tgpu.alloc : !tgpu.buffer<3 of tensor<64x32xf16>, #sharedA>
  %b = tgpu.alloc : !tgpu.buffer<3 of tensor<32x64xf16>, #sharedB>
  // CHECK: %[[A:.*]] = llvm.mlir.addressof @tegula_shared
  // CHECK: %[[STEP:.*]] = arith.muli %[[SLOT]], %{{.*}}
  // CHECK: %[[BASE:.*]] = llvm.getelementptr %[[A]][%[[STEP]]]
  // CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[BASE]][%{{.*}}]
  // CHECK: nvvm.ldmatrix %[[FIRST]] {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
  // CHECK-COUNT-3: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
  %x = tgpu.local_load %a[%slot] at [0, 0] : !tgpu.buffer<3 of tensor<64x32xf16>, #sharedA> -> tensor<64x32xf16, #fragmentA>
  // CHECK-COUNT-4: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 4
  // CHECK-NOT: nvvm.ldmatrix
  %y = tgpu.local_load %b[%slot] at [0, 0] : !tgpu.buffer<3 of tensor<32x64xf16>, #sharedB> -> tensor<32x64xf16, #fragmentB>
  return
}

// -----

#stepA = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 16]>
#sharedA = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]} : [64, 32]>

// A part is where it begins: the constant meets the thread's bits in the swizzle.
// CHECK-LABEL: llvm.func @part(
func.func @part() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  // CHECK: llvm.mlir.addressof @tegula_shared
  // CHECK-NOT: arith.muli
  // CHECK: arith.xori
  // CHECK-COUNT-2: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK: llvm.return
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA>
  %x = tgpu.local_load %a[%c0] at [0, 16] : !tgpu.buffer<1 of tensor<64x32xf16>, #sharedA> -> tensor<64x16xf16, #stepA>
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [16, 32]>
#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 32]>

// Other layouts move vectors.
// CHECK-LABEL: llvm.func @vectors(
func.func @vectors(%x: f32 {tile.param = #tile.param<"x", "fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %v = tile.splat %x : f32 -> tensor<16x32xf32, #rows>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<16x32xf32>, #shared>
  // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
  tgpu.local_store %v into %b[%c0] : tensor<16x32xf32, #rows>, !tgpu.buffer<1 of tensor<16x32xf32>, #shared>
  // CHECK: nvvm.barrier
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %y = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<16x32xf32>, #shared> -> tensor<16x32xf32, #rows>
  return
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [0, 32]]} : [32, 64]>
#rows = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 64]>

// The result of a dot becomes rows: by stmatrix where there is one.
// CHECK-LABEL: llvm.func @epilogue(
module attributes {tile.target = "sm_90a"} {
func.func @epilogue(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %v = tile.splat %x : f16 -> tensor<32x64xf16, #sums>
  // CHECK-COUNT-2: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<row>
  // CHECK: nvvm.barrier
  // CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %y = tile.convert_layout %v : tensor<32x64xf16, #sums> -> tensor<32x64xf16, #rows>
  return
}
}

// -----

#one = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = []} : [4, 32]>
#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]} : [4, 32]>

// Programs that share a block have a buffer each.
// CHECK-LABEL: llvm.func @packed(
func.func @packed(%x: f32 {tile.param = #tile.param<"x", "fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 4>} {
  %c0 = arith.constant 0 : i32
  // CHECK: %[[ALL:.*]] = llvm.mlir.addressof @tegula_shared : !llvm.ptr<3>
  // CHECK: %[[BYTES:.*]] = arith.constant 512 : i32
  // CHECK: %[[PART:.*]] = arith.muli %{{.*}}, %[[BYTES]] : i32
  // CHECK: llvm.getelementptr %[[ALL]][%[[PART]]]
  %v = tile.splat %x : f32 -> tensor<4x32xf32, #one>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<4x32xf32>, #shared>
  tgpu.local_store %v into %b[%c0] : tensor<4x32xf32, #one>, !tgpu.buffer<1 of tensor<4x32xf32>, #shared>
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 4]>
#plain = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 32]>

// A position of run time is added once for all that is read: parts differ by the numbers in their addresses.
// CHECK-LABEL: llvm.func @moved(
func.func @moved(%k: i32 {tile.param = #tile.param<"k", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK-SAME: %[[K:.*]]: i32
  %c0 = arith.constant 0 : i32
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<16x32xf32>, #plain>
  // CHECK: %[[BYTES:.*]] = arith.constant 5 : i32
  // CHECK: %[[MOVED:.*]] = arith.shli %[[K]], %{{.*}}
  // CHECK: %[[PLACE:.*]] = arith.addi %{{.*}}, %[[MOVED]] overflow<nsw, nuw>
  // CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%[[PLACE]]]
  // CHECK: llvm.load %[[BASE]] {alignment = 16 : i64}
  // CHECK: %[[BELOW:.*]] = llvm.getelementptr %[[BASE]][1024]
  // CHECK: llvm.load %[[BELOW]] {alignment = 16 : i64}
  %x = tgpu.local_load %b[%c0] at [0, 0] + %k * 8 along 1 : !tgpu.buffer<1 of tensor<16x32xf32>, #plain> -> tensor<16x4xf32, #rows>
  // CHECK-NOT: arith.
  // CHECK: %[[RIGHT:.*]] = llvm.getelementptr %[[BASE]][16]
  // CHECK: llvm.load %[[RIGHT]] {alignment = 16 : i64}
  // CHECK: llvm.getelementptr %[[BASE]][1040]
  // CHECK-NOT: arith.
  // CHECK: llvm.return
  %y = tgpu.local_load %b[%c0] at [0, 4] + %k * 8 along 1 : !tgpu.buffer<1 of tensor<16x32xf32>, #plain> -> tensor<16x4xf32, #rows>
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = []} : [8, 4]>
#swizzled = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16]]} : [8, 32]>

// Where it meets the thread's bits in a swizzle it is xored with them.
// CHECK-LABEL: llvm.func @moved_in_swizzle(
func.func @moved_in_swizzle(%k: i32 {tile.param = #tile.param<"k", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK-SAME: %[[K:.*]]: i32
  %c0 = arith.constant 0 : i32
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<8x32xf32>, #swizzled>
  // CHECK: %[[MOVED:.*]] = arith.shli %[[K]], %{{.*}}
  // CHECK: %[[PLACE:.*]] = arith.xori %{{.*}}, %[[MOVED]]
  // CHECK: llvm.getelementptr %{{.*}}[%[[PLACE]]]
  // CHECK: llvm.load
  // CHECK: %[[OTHER:.*]] = arith.xori %[[PLACE]], %{{.*}}
  // CHECK: llvm.getelementptr %{{.*}}[%[[OTHER]]]
  // CHECK: llvm.load
  %x = tgpu.local_load %b[%c0] at [0, 0] + %k * 8 along 1 : !tgpu.buffer<1 of tensor<8x32xf32>, #swizzled> -> tensor<8x4xf32, #rows>
  %y = tgpu.local_load %b[%c0] at [0, 4] + %k * 8 along 1 : !tgpu.buffer<1 of tensor<8x32xf32>, #swizzled> -> tensor<8x4xf32, #rows>
  return
}

// -----

#all = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]} : [64]>
#table = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32], [64]]} : [128]>

// Of the threads that hold an element one changes the buffer. Changes need no barrier between them.
// CHECK-LABEL: llvm.func @atomics(
func.func @atomics(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %one = arith.constant dense<1> : tensor<64xi32, #all>
  %v = tile.splat %n : i32 -> tensor<64xi32, #all>
  %m = arith.cmpi slt, %v, %one : tensor<64xi32, #all>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<128xi32>, #table>
  // CHECK: %[[OWNER:.*]] = arith.cmpi eq
  // CHECK: %[[BOTH:.*]] = arith.andi %{{.*}}, %[[OWNER]]
  // CHECK: llvm.inline_asm has_side_effects "@$3 atom.shared.cta.relaxed.add.u32 $0, [$1], $2;", {{.*}}, %[[BOTH]] :
  // CHECK-NOT: nvvm.barrier
  // CHECK: llvm.inline_asm has_side_effects "@$3 atom.shared.cta.relaxed.add.u32 $0, [$1], $2;", {{.*}}, %[[OWNER]] :
  tgpu.local_atomic add, %one at %v mask %m in %b : tensor<64xi32, #all>, !tgpu.buffer<1 of tensor<128xi32>, #table>
  tgpu.local_atomic add, %one at %v in %b : tensor<64xi32, #all>, !tgpu.buffer<1 of tensor<128xi32>, #table>
  return
}
