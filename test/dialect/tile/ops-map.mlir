// Functions of scalars for every element, in their short and generic forms.
// RUN: tegula-opt %s | FileCheck %s
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s

// CHECK-LABEL: func.func @map
func.func @map(%x: tensor<64xf32>, %n: tensor<64xi32>) {
  // CHECK: %{{.*}}:2 = tile.map %{{.*}}, %{{.*}} pack 1 : tensor<64xf32>, tensor<64xi32> -> tensor<64xf32>, tensor<64xi1> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[N:.*]]: i32):
  %y:2 = tile.map %x, %n pack 1 : tensor<64xf32>, tensor<64xi32> -> tensor<64xf32>, tensor<64xi1> {
  ^bb0(%a: f32, %k: i32):
    %zero = arith.constant 0 : i32
    %isZero = arith.cmpi eq, %k, %zero : i32
    // CHECK: scf.if
    %b = scf.if %isZero -> f32 {
      scf.yield %a : f32
    } else {
      %c = math.exp %a : f32
      scf.yield %c : f32
    }
    // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i1
    tile.yield %b, %isZero : f32, i1
  }
  // CHECK: tile.map %{{.*}} pack 2 {note} : tensor<64xf32> -> tensor<64xf32> {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
  %z = tile.map %x pack 2 {note} : tensor<64xf32> -> tensor<64xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a, %b : f32, f32
  }
  return
}
