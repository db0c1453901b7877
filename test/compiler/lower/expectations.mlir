// What code rests on stands in comments before it, for the emulator to check.
// RUN: tegula-opt %s --split-input-file --allocate-shared --convert-tile-to-llvm | FileCheck %s

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []} : [128]>

// An access that hints make wide: its elements, and the mask of each. No value is shared because of a hint.
// CHECK-LABEL: llvm.func @hinted(
func.func @hinted(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %q: !tile.ptr<i32> {tile.param = #tile.param<"q", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #four>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #four>
  %qi = tile.addptr %qs, %i : tensor<128x!tile.ptr<i32>, #four>, tensor<128xi32, #four>
  %j = tile.load %qi : tensor<128x!tile.ptr<i32>, #four>
  %k = tile.hint %j contiguity = [4] divisibility = [4] : tensor<128xi32, #four>
  %zero = arith.constant dense<0> : tensor<128xi32, #four>
  %positive = arith.cmpi sgt, %j, %zero : tensor<128xi32, #four>
  %m = tile.hint %positive constancy = [4] : tensor<128xi1, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %pk = tile.addptr %ps, %k : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  // CHECK: "//tegula: expect.apart.b64 $0, $1, 4, $2;", "l,l,b" %[[FIRST:.*]], %{{.*}}, %[[MASK:.*]] :
  // CHECK: "//tegula: expect.same.pred $0, $1;", "b,b" %[[MASK]], %{{.*}} :
  // CHECK: "//tegula: expect.apart.b64 $0, $1, 8, $2;", "l,l,b" %[[FIRST]], %{{.*}}, %[[MASK]] :
  // CHECK: "//tegula: expect.apart.b64 $0, $1, 12, $2;", "l,l,b" %[[FIRST]], %{{.*}}, %[[MASK]] :
  // CHECK: "@$5 ld.global.v4.b32
  %x = tile.load %pk, %m : tensor<128x!tile.ptr<f32>, #four>
  tile.print "x" [true] values(%x : tensor<128xf32, #four>)
  return
}

// -----

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []} : [128]>

// What is wide without hints is no author's claim; nor is one about places that replace others.
// CHECK-LABEL: llvm.func @known(
// CHECK-NOT: tegula: expect
func.func @known(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #four>
  %k = tile.hint %i contiguity = [4] divisibility = [4] : tensor<128xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<128xi32, #four>
  %zero = arith.constant dense<0> : tensor<128xi32, #four>
  %there = arith.cmpi slt, %i, %ns : tensor<128xi32, #four>
  %w = arith.select %there, %i, %zero : tensor<128xi1, #four>, tensor<128xi32, #four>
  %wk = tile.hint %w contiguity = [128] divisibility = [128] : tensor<128xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %pk = tile.addptr %ps, %k : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  %pw = tile.addptr %ps, %wk : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  %x = tile.load %pk : tensor<128x!tile.ptr<f32>, #four>
  %y = tile.load %pw : tensor<128x!tile.ptr<f32>, #four>
  %z = arith.addf %x, %y : tensor<128xf32, #four>
  tile.store %pk, %z : tensor<128x!tile.ptr<f32>, #four>
  return
}

// -----

// What the program assumes: comparisons of numbers as they are, anything else by its value.
// CHECK-LABEL: llvm.func @assumed(
func.func @assumed(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %m: i64 {tile.param = #tile.param<"m", "i64", 1>}, %c: i1 {tile.param = #tile.param<"c", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i64
  // CHECK: "//tegula: expect.assume.gt.s32 $0, 3;", "r" %arg0
  // CHECK: llvm.intr.assume
  %a = arith.cmpi sgt, %n, %c3 : i32
  tile.assume %a
  // CHECK: "//tegula: expect.assume.lt.u64 $0, 8;", "l" %arg1
  %b = arith.cmpi ult, %m, %c8 : i64
  tile.assume %b
  // CHECK: "//tegula: expect.assume.pred $0;", "b" %arg2
  tile.assume %c
  return
}
