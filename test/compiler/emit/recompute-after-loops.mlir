// Addresses and masks of accesses behind a loop that is short of registers are computed behind it, from what the loop
// has in registers in any case.
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx=form=optimized -o /dev/null | FileCheck %s
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx=form=ptx -o /dev/null | FileCheck %s --check-prefix=PTX

// 128 elements a thread, and one.
#many = #tile.layout<{register = [[32], [64], [128], [256], [512], [1024], [2048]], lane = [[1], [2], [4], [8], [16]]} : [4096]>
#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: define ptx_kernel void @full
// CHECK: %[[LANE:.*]] = call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK: mul i32 {{.*}}%[[LANE]]
// CHECK-COUNT-128: phi float
// CHECK-DAG: %[[AGAIN:.*]] = call i32 asm sideeffect "mov.u32 $0, %tid.x;"
// CHECK-DAG: %[[STRIDE:.*]] = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %1)
// CHECK: mul i32 %[[AGAIN]], %[[STRIDE]]
// CHECK: store float
// The backend finds them no more equal than LLVM's passes do.
// PTX-LABEL: .entry full(
// PTX: %tid.x;
// PTX: bra
// PTX: %tid.x;
func.func @full(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %s: i32 {tile.param = #tile.param<"s", "i32", 1>},
                %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<4096xf32, #many>
  %i = tile.arange 0 to 32 : tensor<32xi32, #one>
  %ss = tile.splat %s : i32 -> tensor<32xi32, #one>
  %t = arith.muli %i, %ss : tensor<32xi32, #one>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #one>
  %q = tile.addptr %ps, %t : tensor<32x!tile.ptr<f32>, #one>, tensor<32xi32, #one>
  %x = tile.load %q : tensor<32x!tile.ptr<f32>, #one>
  %j = tile.arange 0 to 4096 : tensor<4096xi32, #many>
  %pm = tile.splat %p : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>, #many>
  %qm = tile.addptr %pm, %j : tensor<4096x!tile.ptr<f32>, #many>, tensor<4096xi32, #many>
  %sums = scf.for %k = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<4096xf32, #many>) : i32 {
    %u = tile.load %p : !tile.ptr<f32>
    %v = tile.splat %u : f32 -> tensor<4096xf32, #many>
    %a = arith.addf %c, %v : tensor<4096xf32, #many>
    scf.yield %a : tensor<4096xf32, #many>
  }
  %y = arith.addf %x, %x : tensor<32xf32, #one>
  tile.store %q, %y : tensor<32x!tile.ptr<f32>, #one>
  tile.store %qm, %sums : tensor<4096x!tile.ptr<f32>, #many>
  return
}
}

// -----

#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

module attributes {tile.target = "sm_80"} {
// A loop that has registers to spare is left alone.
// CHECK-LABEL: define ptx_kernel void @roomy
// CHECK-NOT: asm sideeffect "mov
// PTX-LABEL: .entry roomy(
// PTX-COUNT-1: %tid.x;
// PTX-NOT: %tid.x;
func.func @roomy(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %s: i32 {tile.param = #tile.param<"s", "i32", 1>},
                 %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1.0 : f32
  %i = tile.arange 0 to 32 : tensor<32xi32, #one>
  %ss = tile.splat %s : i32 -> tensor<32xi32, #one>
  %t = arith.muli %i, %ss : tensor<32xi32, #one>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #one>
  %q = tile.addptr %ps, %t : tensor<32x!tile.ptr<f32>, #one>, tensor<32xi32, #one>
  %x = tile.load %q : tensor<32x!tile.ptr<f32>, #one>
  scf.for %k = %c0 to %n step %c1 : i32 {
    tile.store %p, %one : !tile.ptr<f32>
  }
  %y = arith.addf %x, %x : tensor<32xf32, #one>
  tile.store %q, %y : tensor<32x!tile.ptr<f32>, #one>
  return
}
}
