// All lanes of a warp come to a matrix instruction, also where only some of them use what it gives.
// RUN: tegula-opt %s --tegula-lower --print-ptx=form=llvmir -o /dev/null | FileCheck %s --check-prefix=IR
// RUN: tegula-opt %s --tegula-lower --print-ptx -o /dev/null | FileCheck %s

#a = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 16]>
#b = #tile.layout<{register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [16, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// IR: call {{.*}} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32({{.*}}) #[[A:[0-9]+]]
// IR: attributes #[[A]] = { convergent
// CHECK: mma.sync
// CHECK: bra
// CHECK-NOT: mma.sync
module attributes {tile.target = "sm_90a"} {
  func.func @some(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f16 -> tensor<16x16xf16, #a>
    %b = tile.splat %x : f16 -> tensor<16x8xf16, #b>
    %c = arith.constant dense<0.0> : tensor<16x8xf32, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k16> : tensor<16x16xf16, #a>, tensor<16x8xf16, #b> -> tensor<16x8xf32, #c>
    %zero = arith.constant 0 : i32
    %is = arith.cmpi sgt, %n, %zero : i32
    scf.if %is {
      %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>, #c>
      tile.store %ps, %d : tensor<16x8x!tile.ptr<f32>, #c>
    }
    return
  }
}
