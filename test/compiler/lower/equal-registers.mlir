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
