// Arrays and their blocks in their short and generic forms.
// RUN: tegula-opt %s | FileCheck %s
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s

// CHECK-LABEL: func.func @views
// CHECK-SAME: %[[P:.*]]: !tile.ptr<bf16>, %[[M:.*]]: i64, %[[N:.*]]: i64, %[[I:.*]]: i32, %[[W:.*]]: !tile.view<1 x i8>
func.func @views(%p: !tile.ptr<bf16>, %m: i64, %n: i64, %i: i32, %w: !tile.view<1 x i8>) {
  // CHECK: %[[V:.*]] = tile.view %[[P]], sizes[%[[M]], %[[N]]], strides[%[[N]], %[[M]]] : !tile.ptr<bf16> -> !tile.view<2 x bf16>
  %v = tile.view %p, sizes [%m, %n], strides [%n, %m] : !tile.ptr<bf16> -> !tile.view<2 x bf16>
  // CHECK: %[[X:.*]] = tile.view_load %[[V]][%[[I]], %[[I]]] : !tile.view<2 x bf16> -> tensor<16x32xbf16>
  %x = tile.view_load %v[%i, %i] : !tile.view<2 x bf16> -> tensor<16x32xbf16>
  // CHECK: tile.view_load %[[V]][%[[I]], %[[I]]] checked [0, 1] padding = nan cache = cg evict = evict_last volatile {note} : !tile.view<2 x bf16> -> tensor<16x32xbf16>
  %y = tile.view_load %v[%i, %i] checked [0, 1] padding = nan cache = cg evict = evict_last volatile {note} : !tile.view<2 x bf16> -> tensor<16x32xbf16>
  // CHECK: tile.view_store %[[V]][%[[I]], %[[I]]], %[[X]] : !tile.view<2 x bf16>, tensor<16x32xbf16>
  tile.view_store %v[%i, %i], %x : !tile.view<2 x bf16>, tensor<16x32xbf16>
  // CHECK: tile.view_store %[[V]][%[[I]], %[[I]]], %[[X]] checked [1] cache = wt evict = evict_first : !tile.view<2 x bf16>, tensor<16x32xbf16>
  tile.view_store %v[%i, %i], %x checked [1] cache = wt evict = evict_first : !tile.view<2 x bf16>, tensor<16x32xbf16>
  // CHECK: tile.view_load %[[W]][%[[I]]] checked [0] padding = zero : !tile.view<1 x i8> -> tensor<64xi8>
  %z = tile.view_load %w[%i] checked [0] padding = zero : !tile.view<1 x i8> -> tensor<64xi8>
  return
}
