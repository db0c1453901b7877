// Arithmetic and conversions that say how they round: an intrinsic for each register, which is one instruction.
// RUN: tegula-opt %s --convert-tile-to-llvm | FileCheck %s

#two = #tile.layout<{register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []} : [64]>

// CHECK-LABEL: llvm.func @rounded(
func.func @rounded(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %d: f64 {tile.param = #tile.param<"d", "fp64", 1>}, %n: i64 {tile.param = #tile.param<"n", "i64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #two>
  %x = tile.load %ps : tensor<64x!tile.ptr<f32>, #two>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.add.rm.f"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
  %a = tile.rounded add rm %x, %x : tensor<64xf32, #two>, tensor<64xf32, #two> -> tensor<64xf32, #two>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.f2ui.rp"(%{{.*}}) : (f32) -> i32
  %u = tile.rounded cast_unsigned rp %a : tensor<64xf32, #two> -> tensor<64xi32, #two>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.i2f.rz"(%{{.*}}) : (i32) -> f32
  %f = tile.rounded cast rz %u : tensor<64xi32, #two> -> tensor<64xf32, #two>
  tile.store %ps, %f : tensor<64x!tile.ptr<f32>, #two>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.fma.rp.d"(%{{.*}}, %{{.*}}, %{{.*}}) : (f64, f64, f64) -> f64
  %b = tile.rounded fma rp %d, %d, %d : f64, f64, f64 -> f64
  // CHECK: llvm.call_intrinsic "llvm.nvvm.d2ll.rn"(%{{.*}}) : (f64) -> i64
  %i = tile.rounded cast rn %b : f64 -> i64
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ull2d.rm"(%{{.*}}) : (i64) -> f64
  %e = tile.rounded cast_unsigned rm %n : i64 -> f64
  // CHECK: llvm.call_intrinsic "llvm.nvvm.d2f.rz"(%{{.*}}) : (f64) -> f32
  %s = tile.rounded cast rz %e : f64 -> f32
  %j = tile.rounded cast rz %s : f32 -> i32
  %k = arith.extsi %j : i32 to i64
  %l = arith.addi %i, %k : i64
  %at = tile.addptr %p, %l : !tile.ptr<f32>, i64
  tile.store %at, %s : !tile.ptr<f32>
  return
}
