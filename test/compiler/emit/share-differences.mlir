// Distances between rows and columns are computed once where they are equal, and so is what is made of them.
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx=form=optimized -o /dev/null | FileCheck %s

#mma = #tile.layout<{register = [[0, 1], [0, 8], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [16, 16]>
#r = #tile.layout<{register = [[0], [0], [8]], lane = [[0], [0], [1], [2], [4]]} : [16]>
#r1 = #tile.layout<{register = [[0, 0], [0, 0], [8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]} : [16, 1]>
#c = #tile.layout<{register = [[1], [8], [0]], lane = [[2], [4], [0], [0], [0]]} : [16]>
#c1 = #tile.layout<{register = [[0, 1], [0, 8], [0, 0]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]]} : [1, 16]>

// Of the eight distances of a thread the one from the second row to the third column is that from the first to the
// first; likewise a column further.
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @bias
// CHECK: %[[D:.*]] = {{sub|add}} i32
// CHECK-COUNT-6: sitofp i32
// CHECK-NOT: sitofp
// CHECK: ret void
func.func @bias(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>},
                %m: i32 {tile.param = #tile.param<"m", "i32", 1>},
                %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 16 : tensor<16xi32, #r>
  %j = tile.arange 0 to 16 : tensor<16xi32, #c>
  %ms = tile.splat %m : i32 -> tensor<16xi32, #r>
  %ns = tile.splat %n : i32 -> tensor<16xi32, #c>
  %mi = arith.addi %ms, %i : tensor<16xi32, #r>
  %nj = arith.addi %ns, %j : tensor<16xi32, #c>
  %me = tile.expand_dims %mi, 1 : tensor<16xi32, #r> -> tensor<16x1xi32, #r1>
  %ne = tile.expand_dims %nj, 0 : tensor<16xi32, #c> -> tensor<1x16xi32, #c1>
  %mb = tile.broadcast %me : tensor<16x1xi32, #r1> -> tensor<16x16xi32, #mma>
  %nb = tile.broadcast %ne : tensor<1x16xi32, #c1> -> tensor<16x16xi32, #mma>
  %d = arith.subi %mb, %nb : tensor<16x16xi32, #mma>
  %f = arith.sitofp %d : tensor<16x16xi32, #mma> to tensor<16x16xf32, #mma>
  %c16 = arith.constant dense<16> : tensor<16x1xi32, #r1>
  %ie = tile.expand_dims %i, 1 : tensor<16xi32, #r> -> tensor<16x1xi32, #r1>
  %je = tile.expand_dims %j, 0 : tensor<16xi32, #c> -> tensor<1x16xi32, #c1>
  %row = arith.muli %ie, %c16 : tensor<16x1xi32, #r1>
  %rb = tile.broadcast %row : tensor<16x1xi32, #r1> -> tensor<16x16xi32, #mma>
  %jb = tile.broadcast %je : tensor<1x16xi32, #c1> -> tensor<16x16xi32, #mma>
  %o = arith.addi %rb, %jb : tensor<16x16xi32, #mma>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>, #mma>
  %po = tile.addptr %ps, %o : tensor<16x16x!tile.ptr<f32>, #mma>, tensor<16x16xi32, #mma>
  tile.store %po, %f : tensor<16x16x!tile.ptr<f32>, #mma>
  return
}
}

// -----

#four = #tile.layout<{register = [[32], [64]], lane = [[1], [2], [4], [8], [16]]} : [128]>

// Four that all differ stay what they are: nothing would be saved.
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: define ptx_kernel void @all_differ
// CHECK-COUNT-4: = sub i32 %{{[0-9]+}}, %{{[0-9]+}}
// CHECK: ret void
func.func @all_differ(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>},
                      %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<128xi32, #four>
  %d = arith.subi %ns, %i : tensor<128xi32, #four>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #four>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #four>, tensor<128xi32, #four>
  tile.store %pi, %d : tensor<128x!tile.ptr<i32>, #four>
  return
}
}
