// PTX by hand, special registers and the hand-over between launches, in their short and generic forms.
// RUN: tegula-opt %s | FileCheck %s
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --cse --canonicalize | FileCheck %s --check-prefix=EFFECTS

// CHECK-LABEL: func.func @device
// EFFECTS-LABEL: func.func @device
func.func @device(%x: tensor<64xi8>, %y: tensor<64xf32>, %p: !tile.ptr<i64>) -> tensor<64xi8> {
  // CHECK: tile.inline_asm "shl.b32 $0, $1, 3;", "=r,r" pure pack = 4(%{{.*}}) : (tensor<64xi8>) -> tensor<64xi8>
  %a = tile.inline_asm "shl.b32 $0, $1, 3;", "=r,r" pure pack = 4 (%x) : (tensor<64xi8>) -> tensor<64xi8>
  // What is pure and unused goes; the rest stays as often as it is written.
  // CHECK: %{{.*}}:2 = tile.inline_asm "{ }", "=f, =f, f, 0" pure pack = 1(%{{.*}}, %{{.*}})
  // EFFECTS-NOT: "{ }"
  %b:2 = tile.inline_asm "{ }", "=f, =f, f, 0" pure pack = 1 (%y, %y) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  // CHECK-COUNT-2: tile.inline_asm "mov.b32 $0, %laneid;", "=r" pack = 1() : () -> i32
  // EFFECTS-COUNT-2: tile.inline_asm "mov.b32 $0, %laneid;"
  %c = tile.inline_asm "mov.b32 $0, %laneid;", "=r" pack = 1 () : () -> i32
  %d = tile.inline_asm "mov.b32 $0, %laneid;", "=r" pack = 1 () : () -> i32
  // CHECK: tile.extern_call "scaled" pure(%{{.*}}, %{{.*}}) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  // EFFECTS-NOT: "scaled"
  %e = tile.extern_call "scaled" pure (%y, %y) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  // CHECK-COUNT-2: tile.extern_call "put"(%{{.*}}) : (!tile.ptr<i64>) -> i32
  // EFFECTS-COUNT-2: tile.extern_call "put"
  %f = tile.extern_call "put" (%p) : (!tile.ptr<i64>) -> i32
  %g = tile.extern_call "put" (%p) : (!tile.ptr<i64>) -> i32
  // CHECK-COUNT-2: tile.read_special globaltimer : i64
  // EFFECTS-COUNT-2: tile.read_special globaltimer : i64
  %t = tile.read_special globaltimer : i64
  %u = tile.read_special globaltimer : i64
  // CHECK: tile.read_special smid : i32
  // EFFECTS-NOT: smid
  %s = tile.read_special smid : i32
  // CHECK: tile.grid_dependency wait
  // CHECK: tile.grid_dependency launch_dependents
  // EFFECTS: tile.grid_dependency wait
  tile.grid_dependency wait
  tile.grid_dependency launch_dependents
  return %a : tensor<64xi8>
}
