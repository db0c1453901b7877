// A mask of several registers compares the distance to the row's end, a number without a sign, with constants.
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx=form=optimized -o /dev/null | FileCheck %s

#four = #tile.layout<{register = [[32], [64]], lane = [[1], [2], [4], [8], [16]]} : [128]>

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @row
// CHECK: %[[MOST:.*]] = call i32 @llvm.smax.i32(i32 %{{.*}}, i32 %[[START:.*]])
// CHECK: %[[LEFT:.*]] = sub i32 %[[MOST]], %[[START]]
// CHECK-DAG: icmp ugt i32 %[[LEFT]], 32
// CHECK-DAG: icmp ugt i32 %[[LEFT]], 64
// CHECK-DAG: icmp ugt i32 %[[LEFT]], 96
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

// A sum that may be lost is compared as it was.
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

// -----

#mma = #tile.layout<{register = [[0, 1], [0, 8], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [16, 16]>
#r = #tile.layout<{register = [[0], [0], [8]], lane = [[0], [0], [1], [2], [4]]} : [16]>
#r1 = #tile.layout<{register = [[0, 0], [0, 0], [8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]} : [16, 1]>
#c = #tile.layout<{register = [[1], [8], [0]], lane = [[2], [4], [0], [0], [0]]} : [16]>
#c1 = #tile.layout<{register = [[0, 1], [0, 8], [0, 0]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]]} : [1, 16]>

// Columns of a block that begins anywhere, each of which is compared with both rows of a thread: two distances instead
// of four columns.
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @causal
// CHECK-DAG: %[[FIRST:.*]] = sub i32 %{{.*}}, %[[START:.*]], !dbg
// CHECK-DAG: %[[SECOND:.*]] = sub i32 %{{.*}}, %[[START]], !dbg
// CHECK-DAG: icmp ugt i32 %[[FIRST]], 0
// CHECK-DAG: icmp ugt i32 %[[FIRST]], 9
// CHECK-DAG: icmp ugt i32 %[[SECOND]], 0
// CHECK-DAG: icmp ugt i32 %[[SECOND]], 9
// CHECK-NOT: icmp slt
// CHECK: ret void
func.func @causal(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>},
                  %m: i32 {tile.param = #tile.param<"m", "i32", 1>},
                  %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %x = arith.constant dense<1.0> : tensor<16x16xf32, #mma>
  %c16 = arith.constant 16 : i32
  %block = arith.muli %n, %c16 : i32
  %i = tile.arange 0 to 16 : tensor<16xi32, #r>
  %j = tile.arange 0 to 16 : tensor<16xi32, #c>
  %ms = tile.splat %m : i32 -> tensor<16xi32, #r>
  %ns = tile.splat %block : i32 -> tensor<16xi32, #c>
  %mi = arith.addi %ms, %i : tensor<16xi32, #r>
  %nj = arith.addi %ns, %j : tensor<16xi32, #c>
  %me = tile.expand_dims %mi, 1 : tensor<16xi32, #r> -> tensor<16x1xi32, #r1>
  %ne = tile.expand_dims %nj, 0 : tensor<16xi32, #c> -> tensor<1x16xi32, #c1>
  %mb = tile.broadcast %me : tensor<16x1xi32, #r1> -> tensor<16x16xi32, #mma>
  %nb = tile.broadcast %ne : tensor<1x16xi32, #c1> -> tensor<16x16xi32, #mma>
  %mask = arith.cmpi sgt, %mb, %nb : tensor<16x16xi32, #mma>
  %rows = arith.constant dense<16> : tensor<16x1xi32, #r1>
  %ie = tile.expand_dims %i, 1 : tensor<16xi32, #r> -> tensor<16x1xi32, #r1>
  %je = tile.expand_dims %j, 0 : tensor<16xi32, #c> -> tensor<1x16xi32, #c1>
  %row = arith.muli %ie, %rows : tensor<16x1xi32, #r1>
  %rb = tile.broadcast %row : tensor<16x1xi32, #r1> -> tensor<16x16xi32, #mma>
  %jb = tile.broadcast %je : tensor<1x16xi32, #c1> -> tensor<16x16xi32, #mma>
  %o = arith.addi %rb, %jb : tensor<16x16xi32, #mma>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>, #mma>
  %po = tile.addptr %ps, %o : tensor<16x16x!tile.ptr<f32>, #mma>, tensor<16x16xi32, #mma>
  tile.store %po, %x, %mask : tensor<16x16x!tile.ptr<f32>, #mma>
  return
}
}
