// A dot that no matrix unit takes: each thread multiplies for its own elements.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file | FileCheck %s

#a = #tile.layout<{register = [[0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = []} : [8, 2]>
#b = #tile.layout<{register = [[1, 0], [0, 4]], lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]], warp = []} : [2, 8]>
#c = #tile.layout<{register = [[0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []} : [8, 8]>

// Along k first, so that neighbours do not wait for each other.
// CHECK-LABEL: llvm.func @f32(
// CHECK-SAME: %[[X:[^:]*]]: f32 {{.*}}, %[[Y:[^:]*]]: f32
module attributes {tile.target = "sm_90a"} {
  func.func @f32(%x: f32 {tile.param = #tile.param<"x", "fp32", 1>}, %y: f32 {tile.param = #tile.param<"y", "fp32", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f32 -> tensor<8x2xf32, #a>
    %b = tile.splat %y : f32 -> tensor<2x8xf32, #b>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>, #c>
    %c = tile.load %ps : tensor<8x8x!tile.ptr<f32>, #c>
    // CHECK: %[[S0:.*]] = llvm.intr.fma(%[[X]], %[[Y]], %[[C0:.*]]) : (f32, f32, f32) -> f32
    // CHECK-NEXT: %[[S1:.*]] = llvm.intr.fma(%[[X]], %[[Y]], %[[C1:.*]]) : (f32, f32, f32) -> f32
    // CHECK-NEXT: llvm.intr.fma(%[[X]], %[[Y]], %[[S0]])
    // CHECK-NEXT: llvm.intr.fma(%[[X]], %[[Y]], %[[S1]])
    // CHECK-NOT: llvm.intr.fma
    %d = tile.dot %a, %b, %c unit <fma> : tensor<8x2xf32, #a>, tensor<2x8xf32, #b> -> tensor<8x8xf32, #c>
    tile.store %ps, %d : tensor<8x8x!tile.ptr<f32>, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = []} : [8, 2]>
#b = #tile.layout<{register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]], warp = []} : [2, 4]>
#c = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []} : [8, 4]>

// A K below all instructions': operands are widened, once each.
// CHECK-LABEL: llvm.func @f16(
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK-COUNT-2: llvm.intr.fma(%{{.*}}) : (f32, f32, f32) -> f32
module attributes {tile.target = "sm_90a"} {
  func.func @f16(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f16 -> tensor<8x2xf16, #a>
    %b = tile.splat %x : f16 -> tensor<2x4xf16, #b>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x4x!tile.ptr<f32>, #c>
    %c = arith.constant dense<0.0> : tensor<8x4xf32, #c>
    %d = tile.dot %a, %b, %c unit <fma> : tensor<8x2xf16, #a>, tensor<2x4xf16, #b> -> tensor<8x4xf32, #c>
    tile.store %ps, %d : tensor<8x4x!tile.ptr<f32>, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[0, 0, 1]], lane = [[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 4, 0], [1, 0, 0]], warp = []} : [2, 8, 2]>
#b = #tile.layout<{register = [[0, 1, 0]], lane = [[0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0]], warp = []} : [2, 2, 2]>
#c = #tile.layout<{register = [], lane = [[0, 0, 1], [0, 1, 0], [0, 2, 0], [0, 4, 0], [1, 0, 0]], warp = []} : [2, 8, 2]>

// Bytes, in batches.
// CHECK-LABEL: llvm.func @i8(
// CHECK: llvm.sext %{{.*}} : i8 to i32
// CHECK: %[[P:.*]] = llvm.mul %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: llvm.add %{{.*}}, %[[P]] : i32
// CHECK: llvm.mul
// CHECK-NEXT: llvm.add
// CHECK-NOT: llvm.mul
module attributes {tile.target = "sm_90a"} {
  func.func @i8(%x: i8 {tile.param = #tile.param<"x", "i8", 1>}, %p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : i8 -> tensor<2x8x2xi8, #a>
    %b = tile.splat %x : i8 -> tensor<2x2x2xi8, #b>
    %ps = tile.splat %p : !tile.ptr<i32> -> tensor<2x8x2x!tile.ptr<i32>, #c>
    %c = arith.constant dense<0> : tensor<2x8x2xi32, #c>
    %d = tile.dot %a, %b, %c unit <fma> : tensor<2x8x2xi8, #a>, tensor<2x2x2xi8, #b> -> tensor<2x8x2xi32, #c>
    tile.store %ps, %d : tensor<2x8x2x!tile.ptr<i32>, #c>
    return
  }
}
