// Dots of floats of eight bits.
// RUN: tegula-opt %s --tegula-lower --print-ptx --split-input-file -o /dev/null | FileCheck %s

#a = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 32]>
#b = #tile.layout<{register = [[1, 0], [2, 0], [16, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [32, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// f8 came with sm_89.
// CHECK-LABEL: .visible .entry e4m3(
// CHECK: mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
module attributes {tile.target = "sm_89"} {
  func.func @e4m3(%x: f8E4M3FN {tile.param = #tile.param<"x", "fp8e4nv", 1>}, %y: f8E4M3FN {tile.param = #tile.param<"y", "fp8e4nv", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f8E4M3FN -> tensor<16x32xf8E4M3FN, #a>
    %b = tile.splat %y : f8E4M3FN -> tensor<32x8xf8E4M3FN, #b>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<f32>, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k32> : tensor<16x32xf8E4M3FN, #a>, tensor<32x8xf8E4M3FN, #b> -> tensor<16x8xf32, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<f32>, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 32]>
#b = #tile.layout<{register = [[1, 0], [2, 0], [16, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [32, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// The two kinds of f8 may meet.
// CHECK-LABEL: .visible .entry e5m2(
// CHECK: mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32
module attributes {tile.target = "sm_89"} {
  func.func @e5m2(%x: f8E5M2 {tile.param = #tile.param<"x", "fp8e5", 1>}, %y: f8E4M3FN {tile.param = #tile.param<"y", "fp8e4nv", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f8E5M2 -> tensor<16x32xf8E5M2, #a>
    %b = tile.splat %y : f8E4M3FN -> tensor<32x8xf8E4M3FN, #b>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<f32>, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k32> : tensor<16x32xf8E5M2, #a>, tensor<32x8xf8E4M3FN, #b> -> tensor<16x8xf32, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<f32>, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 32]>
#b = #tile.layout<{register = [[1, 0], [2, 0], [16, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [32, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// Where the units of f8 are those of f16, both pairs of each word are widened: two products add to one sum.
// CHECK-LABEL: .visible .entry widened(
// CHECK-NOT: e5m2.e4m3
// CHECK-DAG: cvt.rn.f16x2.e5m2x2
// CHECK-DAG: cvt.rn.f16x2.e4m3x2
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NEXT: {[[SUMS:.*]]},
// CHECK-NOT: add{{.*}}.f32
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NEXT: {{.*}},
// CHECK-NEXT: {{.*}},
// CHECK-NEXT: {{.*}},
// CHECK-NEXT: {[[SUMS]]};
// CHECK-NOT: add{{.*}}.f32
module attributes {tile.target = "sm_90a"} {
  func.func @widened(%x: f8E5M2 {tile.param = #tile.param<"x", "fp8e5", 1>}, %y: f8E4M3FN {tile.param = #tile.param<"y", "fp8e4nv", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f8E5M2 -> tensor<16x32xf8E5M2, #a>
    %b = tile.splat %y : f8E4M3FN -> tensor<32x8xf8E4M3FN, #b>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<f32>, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k32> : tensor<16x32xf8E5M2, #a>, tensor<32x8xf8E4M3FN, #b> -> tensor<16x8xf32, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<f32>, #c>
    return
  }
}
