// RUN: tegula-opt %s -unsigned-divisions | FileCheck %s
// RUN: tegula-opt %s -unsigned-divisions --remarks-filter=division 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Said once for each division that changes, and not for those that stay.
// REMARK-COUNT-5: [Passed] unsigned | Category:division | Remark="divides without signs: neither number is negative"
// REMARK-NOT: unsigned

// By a power of two a shift and a mask, of scalars and tensors.
// CHECK-LABEL: @by_powers_of_two
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
// CHECK-DAG: %[[SIX:.*]] = arith.constant dense<6>
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<63>
// CHECK-DAG: arith.shrui %{{.*}}, %[[C3]] : i32
// CHECK-DAG: arith.shrui %{{.*}}, %[[SIX]] : tensor<128xi32>
// CHECK-DAG: arith.andi %{{.*}}, %[[LOW]] : tensor<128xi32>
func.func @by_powers_of_two() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %pid = tile.program_id x
  %c8 = arith.constant 8 : i32
  %group = arith.divsi %pid, %c8 : i32
  %i = tile.arange 0 to 128 : tensor<128xi32>
  %c64 = arith.constant dense<64> : tensor<128xi32>
  %q = arith.divsi %i, %c64 : tensor<128xi32>
  %r = arith.remsi %i, %c64 : tensor<128xi32>
  tile.print "" [true] values(%group : i32)
  tile.print "" [true, true] values(%q, %r : tensor<128xi32>, tensor<128xi32>)
  return
}

// By a number that the launcher saw not to be negative; not by one of which it did not, and nothing of a sum
// that may wrap round.
// CHECK-LABEL: @by_numbers
// CHECK: arith.divui %{{.*}}, %arg0
// CHECK: arith.remui %{{.*}}, %arg0
// CHECK: arith.divsi %{{.*}}, %arg1
// CHECK: arith.remsi %{{.*}}, %arg0
func.func @by_numbers(%n: i32 {tile.param = #tile.param<"n", "i32", 1, nonneg>},
                      %m: i32 {tile.param = #tile.param<"m", "i32", 1>})
    attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %pid = tile.program_id x
  %a = arith.divsi %pid, %n : i32
  %b = arith.remsi %pid, %n : i32
  %c = arith.divsi %pid, %m : i32
  %c64 = arith.constant 64 : i32
  %first = arith.muli %pid, %c64 : i32
  %d = arith.remsi %first, %n : i32
  tile.print "" [true, true, true, true] values(%a, %b, %c, %d : i32, i32, i32, i32)
  return
}
