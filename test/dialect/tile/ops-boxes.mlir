// Boxes, and accesses that have one, in their short and generic forms.
// RUN: tegula-opt %s | FileCheck %s
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s

// CHECK-LABEL: func.func @boxes
// CHECK-SAME: %[[X:.*]]: !tile.ptr<f32>, %[[M:.*]]: i32, %[[ROW:.*]]: i64, %[[PID:.*]]: i32, %[[I:.*]]: i32, %[[C:.*]]: i32, %[[P:.*]]: tensor<8x8x!tile.ptr<f32>>
func.func @boxes(%x: !tile.ptr<f32>, %m: i32, %row: i64, %pid: i32, %i: i32, %c: i32, %p: tensor<8x8x!tile.ptr<f32>>) {
  // CHECK: %[[B:.*]] = tile.box %[[X]], sizes [%[[M]], -1], strides [%[[ROW]], 1], starts #{{.*}}(%[[I]], %[[C]], %[[C]]) [%[[PID]]] multiples [128, 64] : (!tile.ptr<f32>, i32, i64, i32, i32, i32, i32) -> !tile.box
  %b = tile.box %x, sizes [%m, -1], strides [%row, 1], starts affine_map<(d0)[s0] -> (s0 * 128, d0 * 64)>(%i, %c, %c)[%pid] multiples [128, 64] : (!tile.ptr<f32>, i32, i64, i32, i32, i32, i32) -> !tile.box
  // CHECK: %[[V:.*]] = tile.load %[[P]] in %[[B]] : tensor<8x8x!tile.ptr<f32>>
  %v = tile.load %p in %b : tensor<8x8x!tile.ptr<f32>>
  // CHECK: tile.box {{.*}} {in_front = array<i32: 0>, saturated = array<i32: 1>}
  %d = tile.box %x, sizes [-1, -1], strides [64, 1], starts affine_map<(d0) -> (0, 0)>()[] multiples [1, 1] {in_front = array<i32: 0>, saturated = array<i32: 1>} : (!tile.ptr<f32>) -> !tile.box
  // CHECK: tile.store %[[P]], %[[V]] in %{{.*}} : tensor<8x8x!tile.ptr<f32>>
  tile.store %p, %v in %d : tensor<8x8x!tile.ptr<f32>>
  return
}
