// A reduction works in the thread, then in the warp, then through shared memory, as far as the layout asks.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file | FileCheck %s

#row = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [512]>

// Four registers, five shuffles, four warps that leave one value each; each thread reads all four at once.
// CHECK: llvm.mlir.global external @tegula_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16 x i8>
// CHECK-LABEL: llvm.func @sum(
func.func @sum(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq
  %i = tile.arange 0 to 512 : tensor<512xi32, #row>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #row>
  %pi = tile.addptr %ps, %i : tensor<512x!tile.ptr<f32>, #row>, tensor<512xi32, #row>
  %v = tile.load %pi : tensor<512x!tile.ptr<f32>, #row>
  // CHECK-COUNT-3: arith.addf
  // CHECK: nvvm.shfl.sync bfly
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl
  // CHECK-NOT: nvvm.barrier0
  // CHECK: st.shared.b32
  // CHECK: nvvm.barrier0
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  // CHECK-COUNT-3: arith.addf
  // CHECK-NOT: arith.addf
  // CHECK-NOT: nvvm.barrier0
  %s = tile.reduce %v axis 0 : tensor<512xf32, #row> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %p, %s : !tile.ptr<f32>
  return
}
