// Names of the source, in their short and generic forms; nothing keeps them.
// RUN: tegula-opt %s | FileCheck %s
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --canonicalize | FileCheck %s --check-prefix=GONE

// GONE-NOT: tile.bind
// CHECK-LABEL: func.func @names
func.func @names(%x: tensor<64xf32>, %n: i32) {
  // CHECK: tile.bind "acc" : "fp32[64]" = %{{.*}} : tensor<64xf32>
  tile.bind "acc" : "fp32[64]" = %x : tensor<64xf32>
  // CHECK: tile.bind "n" : "uint32" = kept %{{.*}} : i32
  tile.bind "n" : "uint32" = kept %n : i32
  // CHECK: tile.bind "BLOCK" : "int" = "64"
  tile.bind "BLOCK" : "int" = "64"
  return
}
