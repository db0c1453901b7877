// An offset of 32 bits is widened where a loop adds it to its pointer, and does not live through the loop in 64.
// RUN: tegula-opt %s --tegula-lower --print-ptx=form=optimized -o /dev/null | FileCheck %s

#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @moving
// CHECK-NOT: sext
// CHECK: phi ptr addrspace(1)
// CHECK: %[[T:.*]] = sext i32 %{{.*}} to i64
// CHECK: getelementptr {{.*}}ptr addrspace(1) %{{.*}}, i64 %[[T]]
// CHECK: store
func.func @moving(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>},
                  %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<32xf32, #one>
  %i = tile.arange 0 to 32 : tensor<32xi32, #one>
  %ns = tile.splat %n : i32 -> tensor<32xi32, #one>
  %t = arith.muli %i, %ns : tensor<32xi32, #one>
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%q = %p) -> (!tile.ptr<f32>) : i32 {
    %qs = tile.splat %q : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #one>
    %qi = tile.addptr %qs, %t : tensor<32x!tile.ptr<f32>, #one>, tensor<32xi32, #one>
    tile.store %qi, %x : tensor<32x!tile.ptr<f32>, #one>
    %next = tile.addptr %q, %n : !tile.ptr<f32>, i32
    scf.yield %next : !tile.ptr<f32>
  }
  return
}
}
