// The ranges that program indices, counts and counted numbers give to the integer range analysis.
// RUN: tegula-opt %s --int-range-optimizations | FileCheck %s

// An index is at least zero and below the largest grid.
// CHECK-LABEL: @program_id
func.func @program_id() -> (i1, i1, i1) {
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK: return %[[T]], %[[T]], %[[F]]
  %zero = arith.constant 0 : i32
  %most = arith.constant 65535 : i32
  %x = tile.program_id x
  %y = tile.program_id y
  %0 = arith.cmpi sge, %x, %zero : i32
  %1 = arith.cmpi slt, %y, %most : i32
  %2 = arith.cmpi uge, %y, %most : i32
  return %0, %1, %2 : i1, i1, i1
}

// Along x a grid may be larger than along z; there is at least one program.
// CHECK-LABEL: @num_programs
func.func @num_programs() -> (i1, i1, i1) {
  // CHECK: %[[T:.*]] = arith.constant true
  // CHECK: %[[U:.*]] = arith.cmpi sle
  // CHECK: return %[[T]], %[[T]], %[[U]]
  %one = arith.constant 1 : i32
  %most = arith.constant 65535 : i32
  %x = tile.num_programs x
  %z = tile.num_programs z
  %0 = arith.cmpi sge, %x, %one : i32
  %1 = arith.cmpi ule, %z, %most : i32
  %2 = arith.cmpi sle, %x, %most : i32
  return %0, %1, %2 : i1, i1, i1
}

// Counted numbers lie between their ends, of either sign.
// CHECK-LABEL: @arange
func.func @arange() -> (tensor<64xi1>, tensor<64xi1>, tensor<64xi1>) {
  // CHECK-DAG: %[[T:.*]] = arith.constant dense<true> : tensor<64xi1>
  // CHECK-DAG: %[[U:.*]] = arith.cmpi slt
  // CHECK: return %[[T]], %[[T]], %[[U]]
  %low = arith.constant dense<-32> : tensor<64xi32>
  %high = arith.constant dense<31> : tensor<64xi32>
  %i = tile.arange -32 to 32 : tensor<64xi32>
  %0 = arith.cmpi sge, %i, %low : tensor<64xi32>
  %1 = arith.cmpi sle, %i, %high : tensor<64xi32>
  %2 = arith.cmpi slt, %i, %high : tensor<64xi32>
  return %0, %1, %2 : tensor<64xi1>, tensor<64xi1>, tensor<64xi1>
}
