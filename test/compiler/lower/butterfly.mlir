// Elements change places by renaming registers, by shuffles, or through shared memory.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file | FileCheck %s

#row = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [512]>

// CHECK: llvm.mlir.global external @tegula_shared() {{.*}} : !llvm.array<2048 x i8>
// CHECK-LABEL: llvm.func @move(
func.func @move(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 512 : tensor<512xi32, #row>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #row>
  %pi = tile.addptr %ps, %i : tensor<512x!tile.ptr<f32>, #row>, tensor<512xi32, #row>
  // CHECK: llvm.load
  %v = tile.load %pi : tensor<512x!tile.ptr<f32>, #row>
  // CHECK-NOT: nvvm.shfl
  %a = tile.butterfly %v axis 0 mask 3 : tensor<512xf32, #row>
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl
  %b = tile.butterfly %a axis 0 mask 65 : tensor<512xf32, #row>
  // CHECK-COUNT-4: llvm.store %{{.*}} : i32, !llvm.ptr<3>
  // CHECK: nvvm.barrier0
  // CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  // CHECK-NOT: nvvm.barrier0
  %c = tile.butterfly %b axis 0 mask 511 : tensor<512xf32, #row>
  tile.store %pi, %c : tensor<512x!tile.ptr<f32>, #row>
  return
}
