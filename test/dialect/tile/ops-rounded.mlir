// Arithmetic and conversions that say how they round, in their short and generic forms.
// RUN: tegula-opt %s | FileCheck %s
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s

#line = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

// CHECK-LABEL: func.func @rounded
func.func @rounded(%x: tensor<64xf32>, %d: f64, %n: i64, %l: tensor<32xf64, #line>) {
  // CHECK: tile.rounded add rm %{{.*}}, %{{.*}} : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %a = tile.rounded add rm %x, %x : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  // CHECK: tile.rounded fma rp %{{.*}}, %{{.*}}, %{{.*}} {note} : f64, f64, f64 -> f64
  %b = tile.rounded fma rp %d, %d, %d {note} : f64, f64, f64 -> f64
  // CHECK: tile.rounded sqrt rz %{{.*}} : tensor<32xf64, #{{.*}}> -> tensor<32xf64, #{{.*}}>
  %c = tile.rounded sqrt rz %l : tensor<32xf64, #line> -> tensor<32xf64, #line>
  // CHECK: tile.rounded cast_unsigned rn %{{.*}} : i64 -> f32
  %e = tile.rounded cast_unsigned rn %n : i64 -> f32
  // CHECK: tile.rounded cast rm %{{.*}} : tensor<32xf64, #{{.*}}> -> tensor<32xf32, #{{.*}}>
  %f = tile.rounded cast rm %l : tensor<32xf64, #line> -> tensor<32xf32, #line>
  return
}
