// A mask of several registers compares the distance to the row's end with constants, once it is known that no sum is
// negative; the end may be.
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx=form=optimized -o /dev/null | FileCheck %s

#four = #tile.layout<{register = [[32], [64]], lane = [[1], [2], [4], [8], [16]]} : [128]>

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @row
// CHECK: %[[MOST:.*]] = call i32 @llvm.smax.i32(i32 %{{.*}}, i32 %[[START:.*]])
// CHECK: %[[LEFT:.*]] = sub i32 %[[MOST]], %[[START]]
// CHECK-DAG: icmp sgt i32 %[[LEFT]], 32
// CHECK-DAG: icmp sgt i32 %[[LEFT]], 64
// CHECK-DAG: icmp sgt i32 %[[LEFT]], 96
// CHECK: ret void
func.func @row(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>},
               %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %x = arith.constant dense<1.0> : tensor<128xf32, #four>
  %i = tile.arange 0 to 128 : tensor<128xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<128xi32, #four>
  %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  tile.store %pi, %x, %m : tensor<128x!tile.ptr<f32>, #four>
  return
}
}

// -----

#two = #tile.layout<{register = [[32]], lane = [[1], [2], [4], [8], [16]]} : [64]>

// Two comparisons cost as little by themselves.
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @short
// CHECK-NOT: smax
// CHECK: ret void
func.func @short(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>},
                 %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %x = arith.constant dense<1.0> : tensor<64xf32, #two>
  %i = tile.arange 0 to 64 : tensor<64xi32, #two>
  %ns = tile.splat %n : i32 -> tensor<64xi32, #two>
  %m = arith.cmpi slt, %i, %ns : tensor<64xi32, #two>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #two>
  %pi = tile.addptr %ps, %i : tensor<64x!tile.ptr<f32>, #two>, tensor<64xi32, #two>
  tile.store %pi, %x, %m : tensor<64x!tile.ptr<f32>, #two>
  return
}
}

// -----

#four = #tile.layout<{register = [[32], [64]], lane = [[1], [2], [4], [8], [16]]} : [128]>

// A start that may be negative is compared as it was: the distance may be more than a number has room for.
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @from_anywhere
// CHECK-NOT: smax
// CHECK: ret void
func.func @from_anywhere(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>},
                         %n: i32 {tile.param = #tile.param<"n", "i32", 1>},
                         %s: i32 {tile.param = #tile.param<"s", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %x = arith.constant dense<1.0> : tensor<128xf32, #four>
  %i = tile.arange 0 to 128 : tensor<128xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<128xi32, #four>
  %ss = tile.splat %s : i32 -> tensor<128xi32, #four>
  %j = arith.addi %i, %ss : tensor<128xi32, #four>
  %m = arith.cmpi slt, %j, %ns : tensor<128xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  tile.store %pi, %x, %m : tensor<128x!tile.ptr<f32>, #four>
  return
}
}
