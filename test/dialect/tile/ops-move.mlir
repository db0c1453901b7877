// Scans, counts, and ops that join, split and move elements, in their short and generic forms.
// RUN: tegula-opt %s | FileCheck %s
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s

#pair = #tile.layout<{register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]} : [32, 2]>
#line = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

// CHECK-LABEL: func.func @scans
func.func @scans(%x: tensor<16x32xf32>, %i: tensor<16x32xi32>, %m: tensor<64xi1>, %n: tensor<64xi32>, %l: tensor<32xf32, #line>) {
  // CHECK: tile.scan %{{.*}} axis 1 : tensor<16x32xf32> -> tensor<16x32xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT: %[[C:.*]] = arith.addf %[[A]], %[[B]] : f32
  // CHECK-NEXT: tile.yield %[[C]] : f32
  %s = tile.scan %x axis 1 : tensor<16x32xf32> -> tensor<16x32xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  // CHECK: tile.scan %{{.*}}, %{{.*}} axis 0 reverse {note} : tensor<16x32xf32>, tensor<16x32xi32> -> tensor<16x32xf32>, tensor<16x32xi32> {
  %t:2 = tile.scan %x, %i axis 0 reverse {note} : tensor<16x32xf32>, tensor<16x32xi32> -> tensor<16x32xf32>, tensor<16x32xi32> {
  ^bb0(%a: f32, %j: i32, %b: f32, %k: i32):
    tile.yield %b, %j : f32, i32
  }
  // CHECK: tile.histogram %{{.*}} : tensor<64xi32> -> tensor<16xi32>
  %h = tile.histogram %n : tensor<64xi32> -> tensor<16xi32>
  // CHECK: tile.histogram %{{.*}}, %{{.*}} : tensor<64xi32>, tensor<64xi1> -> tensor<16xi32>
  %g = tile.histogram %n, %m : tensor<64xi32>, tensor<64xi1> -> tensor<16xi32>
  // CHECK: %[[J:.*]] = tile.join %{{.*}}, %{{.*}} : tensor<32xf32, #{{.*}}> -> tensor<32x2xf32, #{{.*}}>
  %j = tile.join %l, %l : tensor<32xf32, #line> -> tensor<32x2xf32, #pair>
  // CHECK: tile.split %[[J]] : tensor<32x2xf32, #{{.*}}> -> tensor<32xf32, #{{.*}}>
  %p, %q = tile.split %j : tensor<32x2xf32, #pair> -> tensor<32xf32, #line>
  // CHECK: tile.butterfly %{{.*}} axis 1 mask 31 : tensor<16x32xf32>
  %b = tile.butterfly %x axis 1 mask 31 : tensor<16x32xf32>
  // CHECK: tile.gather %{{.*}}[%{{.*}}] axis 0 : tensor<16x32xf32>, tensor<16x32xi32> -> tensor<16x32xf32>
  %e = tile.gather %x[%i] axis 0 : tensor<16x32xf32>, tensor<16x32xi32> -> tensor<16x32xf32>
  return
}
