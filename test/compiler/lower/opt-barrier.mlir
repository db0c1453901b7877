// A value that no optimiser recognises: its words go through `prmt` with a selector that depends on another value.
// RUN: tegula-opt %s --convert-tile-to-llvm --split-input-file | FileCheck %s

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]]} : [128]>

// Two halves fill a word, and the selector is made once.
// CHECK-LABEL: llvm.func @halves
func.func @halves(%p: !tile.ptr<bf16> {tile.param = #tile.param<"p", "*bf16", 16>}, %s: f32 {tile.param = #tile.param<"s", "fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<128x!tile.ptr<bf16>, #four>
  %x = tile.load %ps : tensor<128x!tile.ptr<bf16>, #four>
  // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[SELECTOR:.*]] = llvm.inline_asm {{.*}}"{ .reg .b32 t; popc.b32 t, $1; shr.u32 t, t, 6; or.b32 $0, t, 0x3210; }", "=r,r" %[[BITS]] : (i32) -> i32
  // CHECK-COUNT-2: llvm.inline_asm {{.*}}"prmt.b32 $0, $1, 0, $2;", "=r,r,r" %{{.*}}, %[[SELECTOR]] : (i32, i32) -> i32
  // CHECK-NOT: prmt
  %y = tile.opt_barrier %x after %s : tensor<128xbf16, #four>, f32
  // CHECK: llvm.return
  tile.store %ps, %y : tensor<128x!tile.ptr<bf16>, #four>
  return
}

// -----

#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

// 64 bits are two words, 8 bits part of one; a wait for a long value looks at its lower half.
// CHECK-LABEL: llvm.func @widths
func.func @widths(%p: !tile.ptr<i64> {tile.param = #tile.param<"p", "*i64", 16>}, %q: !tile.ptr<i8> {tile.param = #tile.param<"q", "*i8", 16>}, %n: i64 {tile.param = #tile.param<"n", "i64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>, #one>
  %qs = tile.splat %q : !tile.ptr<i8> -> tensor<32x!tile.ptr<i8>, #one>
  %x = tile.load %ps : tensor<32x!tile.ptr<i64>, #one>
  %b = tile.load %qs : tensor<32x!tile.ptr<i8>, #one>
  // CHECK: llvm.trunc %{{.*}} : i64 to i32
  // CHECK: popc
  // CHECK-COUNT-2: prmt
  %y = tile.opt_barrier %x after %n : tensor<32xi64, #one>, i64
  // CHECK: popc
  // CHECK: llvm.zext %{{.*}} : i8 to i32
  // CHECK: prmt
  // CHECK: llvm.trunc %{{.*}} : i32 to i8
  %c = tile.opt_barrier %b after %n : tensor<32xi8, #one>, i64
  // Pointers pass as the integers they are, truths as they are.
  // CHECK: llvm.ptrtoint
  // CHECK-COUNT-2: prmt
  // CHECK: llvm.inttoptr
  %r = tile.opt_barrier %ps after %n : tensor<32x!tile.ptr<i64>, #one>, i64
  %zero = arith.constant dense<0> : tensor<32xi8, #one>
  %t = arith.cmpi ne, %c, %zero : tensor<32xi8, #one>
  // CHECK: popc
  // CHECK-NOT: prmt
  %u = tile.opt_barrier %t after %n : tensor<32xi1, #one>, i64
  tile.store %r, %y, %u : tensor<32x!tile.ptr<i64>, #one>
  return
}

// -----

// The kernel's occupancy becomes what the assembler is told.
// CHECK-LABEL: llvm.func @resident
// CHECK-SAME: nvvm.minctasm = 2 : i32
func.func @resident() attributes {tile.kernel = #tile.kernel<warps = 16, stages = 1>, tile.occupancy = #tile.occupancy<blocks = 2>} {
  return
}
