// Who carries an atomic op out, what it waits for, and how others learn the result.
// RUN: tegula-opt %s --allocate-shared --convert-tile-to-llvm --split-input-file | FileCheck %s

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]} : [256]>

// Each thread has elements of its own: an instruction for each, under its mask, with zero where it does not hold.
// CHECK-LABEL: llvm.func @masked(
func.func @masked(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #four>
  // CHECK-COUNT-4: arith.cmpi slt
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #four>
  %v = arith.sitofp %i : tensor<256xi32, #four> to tensor<256xf32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #four>
  %pi = tile.addptr %ps, %i : tensor<256x!tile.ptr<f32>, #four>, tensor<256xi32, #four>
  // CHECK-COUNT-4: "@$3 atom.global.gpu.relaxed.add.f32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK-NOT: nvvm
  %old = tile.atomic_rmw fadd, relaxed, gpu, %pi, %v, %m : tensor<256x!tile.ptr<f32>, #four>
  tile.store %pi, %old : tensor<256x!tile.ptr<f32>, #four>
  return
}

// -----

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []} : [128]>

// Several instructions of an order are relaxed ones between two fences, at the end of a program as well. What acquires
// reads, also where what it read is unused: `red` does not.
// CHECK-LABEL: llvm.func @fences(
func.func @fences(%p: !tile.ptr<i64> {tile.param = #tile.param<"p", "*i64", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #four>
  %v = arith.extsi %i : tensor<128xi32, #four> to tensor<128xi64, #four>
  %ps = tile.splat %p : !tile.ptr<i64> -> tensor<128x!tile.ptr<i64>, #four>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i64>, #four>, tensor<128xi32, #four>
  // CHECK: "fence.acq_rel.sys;"
  // CHECK-COUNT-4: "atom.global.sys.relaxed.and.b64 $0, [$1], $2;", "=l,l,l"
  // CHECK: "fence.acq_rel.sys;"
  %0 = tile.atomic_rmw and, acq_rel, sys, %pi, %v : tensor<128x!tile.ptr<i64>, #four>
  // CHECK-COUNT-4: "atom.global.gpu.relaxed.max.s64
  // CHECK: "fence.acq_rel.gpu;"
  %1 = tile.atomic_rmw max, acquire, gpu, %pi, %v : tensor<128x!tile.ptr<i64>, #four>
  // CHECK: "fence.acq_rel.gpu;"
  // CHECK-COUNT-4: "atom.global.gpu.relaxed.min.u64
  // CHECK-NOT: fence
  %2 = tile.atomic_rmw umin, release, gpu, %pi, %v : tensor<128x!tile.ptr<i64>, #four>
  // CHECK-NOT: fence
  // CHECK-COUNT-4: "atom.global.gpu.relaxed.max.u64
  // CHECK-NOT: fence
  %3 = tile.atomic_rmw umax, relaxed, gpu, %pi, %v : tensor<128x!tile.ptr<i64>, #four>
  // CHECK: "fence.acq_rel.gpu;"
  // CHECK-COUNT-4: "atom.global.relaxed.gpu.cas.b64
  // CHECK: "fence.acq_rel.gpu;"
  %4 = tile.atomic_cas acq_rel, gpu, %pi, %v, %v : tensor<128x!tile.ptr<i64>, #four>
  return
}

// -----

#rows = #tile.layout<{register = [[0]], lane = [[1], [2], [4], [0], [0]], warp = [[8]]} : [16]>

// Copies in lanes learn the result by a shuffle; a register that is a copy costs nothing.
// CHECK-LABEL: llvm.func @lanes(
func.func @lanes(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %i = tile.arange 0 to 16 : tensor<16xi32, #rows>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>, #rows>
  %pi = tile.addptr %ps, %i : tensor<16x!tile.ptr<i32>, #rows>, tensor<16xi32, #rows>
  // CHECK: %[[BITS:.*]] = arith.constant 24 : i32
  // CHECK: arith.andi %{{.*}}, %[[BITS]]
  // CHECK: %[[OLD:.*]] = llvm.inline_asm has_side_effects "@$3 atom.global.gpu.relaxed.add.u32
  // CHECK: nvvm.shfl.sync idx %{{.*}}, %[[OLD]],
  // CHECK-NOT: shfl
  // CHECK-NOT: barrier
  %old = tile.atomic_rmw add, relaxed, gpu, %pi, %i : tensor<16x!tile.ptr<i32>, #rows>
  tile.store %pi, %old : tensor<16x!tile.ptr<i32>, #rows>
  return
}

// -----

// Of a scalar the first thread learns the old value, and tells the other warps through shared memory.
// CHECK: llvm.mlir.global external @tegula_shared() {{.*}} : !llvm.array<{{[0-9]+}} x i8>
// CHECK-LABEL: llvm.func @scalar(
func.func @scalar(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %c: i1 {tile.param = #tile.param<"c", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %one = arith.constant 1 : i32
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq
  // CHECK: %[[BOTH:.*]] = arith.andi %arg1, %[[FIRST]]
  // CHECK: atom.global.gpu.acq_rel.add.u32 $0, [$1], $2;", "=r,l,r,b,0" %arg0, %{{.*}}, %[[BOTH]], %{{.*}}
  // CHECK: st.shared.b32
  // CHECK: nvvm.barrier
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  %old = tile.atomic_rmw add, acq_rel, gpu, %p, %one, %c : !tile.ptr<i32>
  tile.store %p, %old : !tile.ptr<i32>
  return
}

// -----

// A lock that is given back at the end of a program: each order as it is written.
// CHECK-LABEL: llvm.func @last(
func.func @last(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %one = arith.constant 1 : i32
  // CHECK: "@$4 atom.global.acquire.sys.cas.b32
  %0 = tile.atomic_cas acquire, sys, %p, %one, %one : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.cta.release.add.u32
  %1 = tile.atomic_rmw add, release, cta, %p, %one : !tile.ptr<i32>
  // CHECK: atom.global.gpu.acquire.max.s32
  %2 = tile.atomic_rmw max, acquire, gpu, %p, %one : !tile.ptr<i32>
  // CHECK: atom.global.gpu.acq_rel.exch.b32
  %3 = tile.atomic_rmw xchg, acq_rel, gpu, %p, %one : !tile.ptr<i32>
  return
}

// -----

#pairs = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []} : [64]>

// Two halves of a word at once, where they are neighbours, aligned and under one mask.
// CHECK-LABEL: llvm.func @halves(
module attributes {tile.target = "sm_90a"} {
func.func @halves(%p: !tile.ptr<bf16> {tile.param = #tile.param<"p", "*bf16", 16>}, %q: !tile.ptr<f16> {tile.param = #tile.param<"q", "*fp16", 2>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #pairs>
  %v = arith.sitofp %i : tensor<64xi32, #pairs> to tensor<64xbf16, #pairs>
  %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<64x!tile.ptr<bf16>, #pairs>
  %pi = tile.addptr %ps, %i : tensor<64x!tile.ptr<bf16>, #pairs>, tensor<64xi32, #pairs>
  // CHECK: "atom.global.gpu.relaxed.add.noftz.bf16x2 $0, [$1], $2;", "=r,l,r"
  // CHECK-NOT: red.
  // CHECK: "atom.global.gpu.release.add.noftz.bf16x2 $0, [$1], $2;"
  %0 = tile.atomic_rmw fadd, relaxed, gpu, %pi, %v : tensor<64x!tile.ptr<bf16>, #pairs>
  %1 = tile.atomic_rmw fadd, release, gpu, %pi, %v : tensor<64x!tile.ptr<bf16>, #pairs>
  %ns = tile.splat %n : i32 -> tensor<64xi32, #pairs>
  %m = arith.cmpi slt, %i, %ns : tensor<64xi32, #pairs>
  // CHECK-COUNT-2: "@$3 atom.global.gpu.relaxed.add.noftz.bf16 $0, [$1], $2;", "=h,l,h,b"
  %2 = tile.atomic_rmw fadd, relaxed, gpu, %pi, %v, %m : tensor<64x!tile.ptr<bf16>, #pairs>
  %w = arith.sitofp %i : tensor<64xi32, #pairs> to tensor<64xf16, #pairs>
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>, #pairs>
  %qi = tile.addptr %qs, %i : tensor<64x!tile.ptr<f16>, #pairs>, tensor<64xi32, #pairs>
  // CHECK-COUNT-2: "atom.global.gpu.relaxed.add.noftz.f16 $0, [$1], $2;"
  %3 = tile.atomic_rmw fadd, relaxed, gpu, %qi, %w : tensor<64x!tile.ptr<f16>, #pairs>
  // CHECK-COUNT-2: "atom.global.gpu.relaxed.add.noftz.bf16 $0, [$1], $2;"
  %4 = tile.atomic_rmw fadd, relaxed, gpu, %pi, %v : tensor<64x!tile.ptr<bf16>, #pairs>
  tile.store %pi, %4 : tensor<64x!tile.ptr<bf16>, #pairs>
  return
}
}

// -----

// Before sm_90 no instruction adds a bf16: swaps, until no other thread comes between.
// CHECK-LABEL: llvm.func @swapping(
module attributes {tile.target = "sm_80"} {
func.func @swapping(%p: !tile.ptr<bf16> {tile.param = #tile.param<"p", "*bf16", 16>}, %v: bf16 {tile.param = #tile.param<"v", "bf16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: fence.acq_rel.gpu;
  // CHECK: %[[R:.*]] = scf.if %{{.*}} -> (i16) {
  // CHECK: scf.while (%[[GUESS:.*]] = %{{.*}}) : (i16) -> i16 {
  // CHECK: arith.addf %{{.*}}, %{{.*}} : f32
  // CHECK: %[[FOUND:.*]] = llvm.inline_asm has_side_effects "atom.global.relaxed.gpu.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h" %arg0, %[[GUESS]], %{{.*}}
  // CHECK: %[[AGAIN:.*]] = arith.cmpi ne, %[[FOUND]], %[[GUESS]] : i16
  // CHECK: scf.condition(%[[AGAIN]]) %[[FOUND]] : i16
  // CHECK: %[[OLD:.*]] = llvm.bitcast %[[R]] : i16 to bf16
  // CHECK: fence.acq_rel.gpu;
  %old = tile.atomic_rmw fadd, acq_rel, gpu, %p, %v : !tile.ptr<bf16>
  tile.store %p, %old : !tile.ptr<bf16>
  return
}
}
