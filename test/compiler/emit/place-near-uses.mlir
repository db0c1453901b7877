// Arithmetic stands before the access that needs it, element by element; accesses keep their order.
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx=form=optimized -o /dev/null | FileCheck %s

#two = #tile.layout<{register = [[32]], lane = [[1], [2], [4], [8], [16]]} : [64]>

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @elementwise
// CHECK: load i32
// CHECK: load i32
// CHECK-NOT: add i32
// The first element is finished before the second is begun.
// CHECK: %[[A:.*]] = add i32
// CHECK-NEXT: %[[B:.*]] = mul i32 %[[A]], %[[A]]
// CHECK-NEXT: store i32 %[[B]]
// CHECK: %[[C:.*]] = add i32
// CHECK-NEXT: %[[D:.*]] = mul i32 %[[C]], %[[C]]
// CHECK-NEXT: store i32 %[[D]]
func.func @elementwise(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #two>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>, #two>
  %q = tile.addptr %ps, %i : tensor<64x!tile.ptr<i32>, #two>, tensor<64xi32, #two>
  %v = tile.load %q : tensor<64x!tile.ptr<i32>, #two>
  %k = arith.constant dense<7> : tensor<64xi32, #two>
  %s = arith.addi %v, %k : tensor<64xi32, #two>
  %m = arith.muli %s, %s : tensor<64xi32, #two>
  tile.store %q, %m : tensor<64x!tile.ptr<i32>, #two>
  return
}
}

// -----

#two = #tile.layout<{register = [[32]], lane = [[1], [2], [4], [8], [16]]} : [64]>

// The second result needs what the first is made of, and nothing else does: it takes one register for two that are free
// then, so that it is made before the next element. Only its store waits.
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @two_results
// CHECK-COUNT-4: load i32
// CHECK-NOT: load i32
// CHECK: %[[A:.*]] = mul i32 %[[X:.*]], %[[X]]
// CHECK-NEXT: store i32 %[[A]]
// CHECK-NEXT: %[[LATER:.*]] = xor i32 %[[A]]
// CHECK: %[[C:.*]] = mul i32 %[[Z:.*]], %[[Z]]
// CHECK-NEXT: store i32 %[[C]]
// CHECK: store i32 %[[LATER]]
func.func @two_results(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}, %r: !tile.ptr<i32> {tile.param = #tile.param<"r", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #two>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>, #two>
  %q = tile.addptr %ps, %i : tensor<64x!tile.ptr<i32>, #two>, tensor<64xi32, #two>
  %rs = tile.splat %r : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>, #two>
  %t = tile.addptr %rs, %i : tensor<64x!tile.ptr<i32>, #two>, tensor<64xi32, #two>
  %x = tile.load %q : tensor<64x!tile.ptr<i32>, #two>
  %y = tile.load %t : tensor<64x!tile.ptr<i32>, #two>
  %a = arith.muli %x, %x : tensor<64xi32, #two>
  %b = arith.xori %a, %y : tensor<64xi32, #two>
  tile.store %q, %a : tensor<64x!tile.ptr<i32>, #two>
  tile.store %t, %b : tensor<64x!tile.ptr<i32>, #two>
  return
}
}
