// Atomic loads and stores: `ld` and `st` with an order and a scope.
// RUN: tegula-opt %s --allocate-shared --convert-tile-to-llvm --split-input-file | FileCheck %s

// Each order in each scope, and each width: bytes travel in 16-bit registers.
// CHECK-LABEL: llvm.func @kinds(
func.func @kinds(%b: !tile.ptr<i8> {tile.param = #tile.param<"b", "*i8", 16>}, %h: !tile.ptr<bf16> {tile.param = #tile.param<"h", "*bf16", 16>}, %w: !tile.ptr<f32> {tile.param = #tile.param<"w", "*fp32", 16>}, %l: !tile.ptr<i64> {tile.param = #tile.param<"l", "*i64", 16>}, %t: !tile.ptr<!tile.ptr<i32>> {tile.param = #tile.param<"t", "**i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: has_side_effects "@$2 ld.acquire.gpu.global.b8 $0, [$1];", "=h,l,b,0"
  %0 = tile.atomic_load acquire, gpu, %b : !tile.ptr<i8>
  // CHECK: "@$2 ld.relaxed.cta.global.b16 $0, [$1];", "=h,l,b,0"
  %1 = tile.atomic_load relaxed, cta, %h : !tile.ptr<bf16>
  // CHECK: "@$2 ld.acquire.sys.global.b32 $0, [$1];", "=r,l,b,0"
  %2 = tile.atomic_load acquire, sys, %w : !tile.ptr<f32>
  // CHECK: "@$2 ld.relaxed.gpu.global.b64 $0, [$1];", "=l,l,b,0"
  %3 = tile.atomic_load relaxed, gpu, %l : !tile.ptr<i64>
  // CHECK: "@$2 ld.acquire.cta.global.b64 $0, [$1];", "=l,l,b,0"
  // CHECK: llvm.inttoptr
  %4 = tile.atomic_load acquire, cta, %t : !tile.ptr<!tile.ptr<i32>>
  // CHECK: has_side_effects "@$2 st.release.gpu.global.b8 [$0], $1;", "l,h,b"
  tile.atomic_store release, gpu, %b, %0 : !tile.ptr<i8>
  // CHECK: "@$2 st.relaxed.cta.global.b16 [$0], $1;", "l,h,b"
  tile.atomic_store relaxed, cta, %h, %1 : !tile.ptr<bf16>
  // CHECK: "@$2 st.release.sys.global.b32 [$0], $1;", "l,r,b"
  tile.atomic_store release, sys, %w, %2 : !tile.ptr<f32>
  // CHECK: "@$2 st.relaxed.gpu.global.b64 [$0], $1;", "l,l,b"
  tile.atomic_store relaxed, gpu, %l, %3 : !tile.ptr<i64>
  // CHECK: llvm.ptrtoint
  // CHECK: "@$2 st.release.cta.global.b64 [$0], $1;", "l,l,b"
  tile.atomic_store release, cta, %t, %4 : !tile.ptr<!tile.ptr<i32>>
  return
}

// -----

// A scalar is loaded by the first thread, which tells the other warps through shared memory, and stored by it. One
// that acquires is loaded also where nothing uses it.
// CHECK-LABEL: llvm.func @scalar(
func.func @scalar(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %c: i1 {tile.param = #tile.param<"c", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq
  // CHECK: %[[BOTH:.*]] = arith.andi %arg1, %[[FIRST]]
  // CHECK: ld.acquire.gpu.global.b32 $0, [$1];", "=r,l,b,0" %arg0, %[[BOTH]], %{{.*}}
  // CHECK: st.shared.b32
  // CHECK: nvvm.barrier
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  %v = tile.atomic_load acquire, gpu, %p, %c : !tile.ptr<i32>
  // CHECK: "@$2 ld.acquire.gpu.global.b32
  // CHECK-NOT: nvvm.barrier
  %w = tile.atomic_load acquire, gpu, %p : !tile.ptr<i32>
  // CHECK: "@$2 st.release.gpu.global.b32
  tile.atomic_store release, gpu, %p, %v, %c : !tile.ptr<i32>
  return
}

// -----

#one = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]} : [64]>

// One instruction a thread has the order itself.
// CHECK-LABEL: llvm.func @one_each(
func.func @one_each(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #one>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #one>
  %pi = tile.addptr %ps, %i : tensor<64x!tile.ptr<f32>, #one>, tensor<64xi32, #one>
  // CHECK-NOT: fence
  // CHECK: "ld.acquire.gpu.global.b32 $0, [$1];", "=r,l"
  // CHECK-NOT: fence
  // CHECK: "st.release.gpu.global.b32 [$0], $1;", "l,r"
  // CHECK-NOT: fence
  // CHECK: llvm.return
  %v = tile.atomic_load acquire, gpu, %pi : tensor<64x!tile.ptr<f32>, #one>
  tile.atomic_store release, gpu, %pi, %v : tensor<64x!tile.ptr<f32>, #one>
  return
}

// -----

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]} : [256]>

// Neighbours go together, relaxed; a fence orders all of them. A masked-off element reads as zero and is not written.
// CHECK-LABEL: llvm.func @vectors(
func.func @vectors(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #four>
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #four>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #four>
  %pi = tile.addptr %ps, %i : tensor<256x!tile.ptr<i32>, #four>, tensor<256xi32, #four>
  // CHECK: "@$5 ld.relaxed.gpu.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3"
  // CHECK: "fence.acq_rel.gpu;"
  %v = tile.atomic_load acquire, gpu, %pi, %m : tensor<256x!tile.ptr<i32>, #four>
  // CHECK: "fence.acq_rel.sys;"
  // CHECK: "@$5 st.relaxed.sys.global.v4.b32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r,b"
  // CHECK-NOT: fence
  tile.atomic_store release, sys, %pi, %v, %m : tensor<256x!tile.ptr<i32>, #four>
  return
}

// -----

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]} : [256]>

// Narrow neighbours go one by one: a word of several is not one step together with an access of one of them.
// CHECK-LABEL: llvm.func @narrow(
func.func @narrow(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>, #four>
  %pi = tile.addptr %ps, %i : tensor<256x!tile.ptr<f16>, #four>, tensor<256xi32, #four>
  // CHECK-COUNT-4: "ld.relaxed.gpu.global.b16 $0, [$1];", "=h,l"
  // CHECK-COUNT-4: "st.relaxed.gpu.global.b16 [$0], $1;", "l,h"
  %v = tile.atomic_load relaxed, gpu, %pi : tensor<256x!tile.ptr<f16>, #four>
  tile.atomic_store relaxed, gpu, %pi, %v : tensor<256x!tile.ptr<f16>, #four>
  return
}

// -----

#rows = #tile.layout<{register = [[0]], lane = [[1], [2], [4], [0], [0]], warp = [[8]]} : [16]>

// Of the threads with one element one loads it, so that all of them have the same value.
// CHECK-LABEL: llvm.func @copies(
func.func @copies(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %i = tile.arange 0 to 16 : tensor<16xi32, #rows>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>, #rows>
  %pi = tile.addptr %ps, %i : tensor<16x!tile.ptr<i32>, #rows>, tensor<16xi32, #rows>
  // CHECK: %[[LOADED:.*]] = llvm.inline_asm has_side_effects "@$2 ld.acquire.gpu.global.b32
  // CHECK: nvvm.shfl.sync idx %{{.*}}, %[[LOADED]],
  // CHECK-NOT: shfl
  // CHECK: "@$2 st.release.gpu.global.b32
  // CHECK-NOT: st.release
  %v = tile.atomic_load acquire, gpu, %pi : tensor<16x!tile.ptr<i32>, #rows>
  tile.atomic_store release, gpu, %pi, %v : tensor<16x!tile.ptr<i32>, #rows>
  return
}
