// What must be equal in several registers is computed once.
// RUN: tegula-opt %s --convert-tile-to-llvm --split-input-file | FileCheck %s

#four = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]]} : [256]>

// 16 divides n, so four neighbours share one side of the mask: two comparisons for eight registers.
// CHECK-LABEL: llvm.func @divisible
func.func @divisible(%n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #four>
  // CHECK-COUNT-2: arith.cmpi slt
  // CHECK-NOT: arith.cmpi
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #four>
  // CHECK: llvm.return
  tile.assert %m, "inside" : tensor<256xi1, #four>
  return
}

// -----

#four = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]]} : [256]>

// Nothing is known of n: one for each.
// CHECK-LABEL: llvm.func @unknown
func.func @unknown(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #four>
  // CHECK-COUNT-8: arith.cmpi slt
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #four>
  tile.assert %m, "inside" : tensor<256xi1, #four>
  return
}

// -----

#four = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]]} : [256]>

// Four neighbours divided by 16 have one address: two loads for eight registers, and two divisions.
// CHECK-LABEL: llvm.func @one_address
func.func @one_address(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %q: !tile.ptr<f32> {tile.param = #tile.param<"q", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #four>
  // CHECK-COUNT-2: arith.divsi
  // CHECK-NOT: arith.divsi
  %k = arith.divsi %i, %ns : tensor<256xi32, #four>
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #four>
  %pk = tile.addptr %ps, %k : tensor<256x!tile.ptr<f32>, #four>, tensor<256xi32, #four>
  // CHECK-COUNT-2: ld.global.b32
  // CHECK-NOT: ld.global
  %x = tile.load %pk, %m : tensor<256x!tile.ptr<f32>, #four>
  // CHECK: llvm.return
  tile.print "x" [true] values(%x : tensor<256xf32, #four>)
  return
}

// -----

#four = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]]} : [256]>

// What others write meanwhile a volatile load reads for each, and a mask that differs is asked for each.
// CHECK-LABEL: llvm.func @each_by_itself
// CHECK-COUNT-8: llvm.load volatile
// CHECK-COUNT-8: ld.global.b32
// CHECK: llvm.return
func.func @each_by_itself(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #four>
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #four>
  %x = tile.load %ps volatile : tensor<256x!tile.ptr<f32>, #four>
  %y = tile.load %ps, %m : tensor<256x!tile.ptr<f32>, #four>
  %z = arith.addf %x, %y : tensor<256xf32, #four>
  tile.print "z" [true] values(%z : tensor<256xf32, #four>)
  return
}

// -----

#four = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]]} : [256]>

// A program's offset may overflow, so that all eight are divided; addresses trust that it does not: of the eight
// quotients two are used.
// CHECK-LABEL: llvm.func @trusted
// CHECK-COUNT-8: arith.divsi
// CHECK-COUNT-2: llvm.load
// CHECK-NOT: llvm.load
// CHECK: llvm.return
func.func @trusted(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %pid = tile.program_id x
  %c256 = arith.constant 256 : i32
  %begin = arith.muli %pid, %c256 : i32
  %begins = tile.splat %begin : i32 -> tensor<256xi32, #four>
  %i = tile.arange 0 to 256 : tensor<256xi32, #four>
  %place = arith.addi %begins, %i : tensor<256xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #four>
  %k = arith.divsi %place, %ns : tensor<256xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #four>
  %pk = tile.addptr %ps, %k : tensor<256x!tile.ptr<f32>, #four>, tensor<256xi32, #four>
  %x = tile.load %pk : tensor<256x!tile.ptr<f32>, #four>
  tile.print "x" [true] values(%x : tensor<256xf32, #four>)
  return
}

// -----

#four = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]]} : [256]>

// A counter of 0, 256, ... stays below 2^31 - 255, whatever its bound: the sum is no negative number. From any number on
// it may become one.
// CHECK-LABEL: llvm.func @counted
// CHECK: scf.for
// CHECK-COUNT-2: arith.divsi
// CHECK-NOT: arith.divsi
// CHECK: scf.for
// CHECK-COUNT-8: arith.divsi
func.func @counted(%n: i32 {tile.param = #tile.param<"n", "i32", 16>}, %b: i32 {tile.param = #tile.param<"b", "i32", 16, nonneg>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %i = tile.arange 0 to 256 : tensor<256xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #four>
  scf.for %at = %c0 to %n step %c256 : i32 {
    %ats = tile.splat %at : i32 -> tensor<256xi32, #four>
    %place = arith.addi %ats, %i : tensor<256xi32, #four>
    %k = arith.divsi %place, %ns : tensor<256xi32, #four>
    tile.print "k" [true] values(%k : tensor<256xi32, #four>)
  }
  scf.for %at = %b to %n step %c256 : i32 {
    %ats = tile.splat %at : i32 -> tensor<256xi32, #four>
    %place = arith.addi %ats, %i : tensor<256xi32, #four>
    %k = arith.divsi %place, %ns : tensor<256xi32, #four>
    tile.print "k" [true] values(%k : tensor<256xi32, #four>)
  }
  return
}
