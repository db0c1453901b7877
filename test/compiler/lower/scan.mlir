// A scan works in the thread, then in the warp, then through shared memory, as far as the layout asks.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file | FileCheck %s
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file --remarks-filter=convert-tile-to-llvm 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#row = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [512]>

// Three sums in the thread, a shuffle for each bit of the lane, four totals read at once; then what lanes and warps
// have before is put together, and comes before each of the four elements.
// REMARK: [Passed] scan | {{.*}}Combinations=8, Registers=4, Remark="4 registers, 5 shuffles, 4 warps through 16 bytes of shared memory", SharedBytes=16, Shuffles=5, Warps=4
// CHECK: llvm.mlir.global external @tegula_shared() {{.*}} : !llvm.array<16 x i8>
// CHECK-LABEL: llvm.func @sums(
func.func @sums(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
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
  // CHECK-COUNT-5: arith.addf
  // CHECK-NOT: arith.addf
  // CHECK-NOT: nvvm.barrier0
  %s = tile.scan %v axis 0 : tensor<512xf32, #row> -> tensor<512xf32, #row> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %pi, %s : tensor<512x!tile.ptr<f32>, #row>
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]} : [32, 4]>

// Along registers alone nothing leaves the thread; backwards the last comes first.
// REMARK: [Passed] scan | {{.*}}Remark="4 registers"
// CHECK-LABEL: llvm.func @rows(
func.func @rows(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x4x!tile.ptr<i32>, #rows>
  %v = tile.load %ps : tensor<32x4x!tile.ptr<i32>, #rows>
  // CHECK-NOT: nvvm.shfl
  // CHECK-COUNT-3: arith.subi
  // CHECK-NOT: arith.subi
  %s = tile.scan %v axis 1 reverse : tensor<32x4xi32, #rows> -> tensor<32x4xi32, #rows> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.subi %a, %b : i32
    tile.yield %c : i32
  }
  tile.store %ps, %s : tensor<32x4x!tile.ptr<i32>, #rows>
  return
}
