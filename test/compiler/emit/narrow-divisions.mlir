// A number of 32 bits is divided by a 64-bit one in 32 bits; a quotient and a remainder are one division. Numbers that
// may need 64 bits are divided in 64.
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx=form=optimized -o /dev/null | FileCheck %s

#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @index
// CHECK-NOT: {{div|rem}} i64
// CHECK-DAG: %[[D:.*]] = call i64 @llvm.abs.i64(i64 %1, i1 false)
// CHECK-DAG: %[[LEAST:.*]] = call i64 @llvm.umin.i64(i64 %[[D]], i64 4294967295)
// CHECK-DAG: %[[DIVISOR:.*]] = trunc{{.*}} i64 %[[LEAST]] to i32
// CHECK: udiv i32 %{{.*}}, %[[DIVISOR]]
// CHECK-NOT: {{div|rem}} i
// CHECK: ret void
func.func @index(%p: !tile.ptr<i64> {tile.param = #tile.param<"p", "*i64", 16>},
                 %n: i64 {tile.param = #tile.param<"n", "i64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 32 : tensor<32xi32, #one>
  %pid = tile.program_id x
  %base = tile.splat %pid : i32 -> tensor<32xi32, #one>
  %at = arith.addi %base, %i : tensor<32xi32, #one>
  %wide = arith.extsi %at : tensor<32xi32, #one> to tensor<32xi64, #one>
  %ns = tile.splat %n : i64 -> tensor<32xi64, #one>
  %q = arith.divsi %wide, %ns : tensor<32xi64, #one>
  %r = arith.remsi %wide, %ns : tensor<32xi64, #one>
  %sum = arith.xori %q, %r : tensor<32xi64, #one>
  %ps = tile.splat %p : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>, #one>
  %to = tile.addptr %ps, %i : tensor<32x!tile.ptr<i64>, #one>, tensor<32xi32, #one>
  tile.store %to, %sum : tensor<32x!tile.ptr<i64>, #one>
  return
}
}

// -----

#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @any
// CHECK: sdiv i64
func.func @any(%p: !tile.ptr<i64> {tile.param = #tile.param<"p", "*i64", 16>},
               %n: i64 {tile.param = #tile.param<"n", "i64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 32 : tensor<32xi32, #one>
  %ns = tile.splat %n : i64 -> tensor<32xi64, #one>
  %ps = tile.splat %p : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>, #one>
  %at = tile.addptr %ps, %i : tensor<32x!tile.ptr<i64>, #one>, tensor<32xi32, #one>
  %x = tile.load %at : tensor<32x!tile.ptr<i64>, #one>
  %q = arith.divsi %x, %ns : tensor<32xi64, #one>
  tile.store %at, %q : tensor<32x!tile.ptr<i64>, #one>
  return
}
}
