// A dot becomes the instruction of the matrix unit for its types, with so many registers of each operand.
// RUN: tegula-opt %s --tegula-lower --print-ptx --split-input-file -o /dev/null | FileCheck %s

#a = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 16]>
#b = #tile.layout<{register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [16, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// Two elements a register.
// CHECK-LABEL: .visible .entry f16(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}},
// CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}},
// CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}},
// CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}};
module attributes {tile.target = "sm_80"} {
  func.func @f16(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}, %y: f16 {tile.param = #tile.param<"y", "fp16", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f16 -> tensor<16x16xf16, #a>
    %b = tile.splat %y : f16 -> tensor<16x8xf16, #b>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<f32>, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k16> : tensor<16x16xf16, #a>, tensor<16x8xf16, #b> -> tensor<16x8xf32, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<f32>, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 16]>
#b = #tile.layout<{register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [16, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// Sums in f16 are two a register as well.
// CHECK-LABEL: .visible .entry f16_sums(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16
// CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}},
// CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}},
// CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}},
// CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}};
module attributes {tile.target = "sm_80"} {
  func.func @f16_sums(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}, %y: f16 {tile.param = #tile.param<"y", "fp16", 1>}, %p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f16 -> tensor<16x16xf16, #a>
    %b = tile.splat %y : f16 -> tensor<16x8xf16, #b>
    %ps = tile.splat %p : !tile.ptr<f16> -> tensor<16x8x!tile.ptr<f16>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<f16>, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k16> : tensor<16x16xf16, #a>, tensor<16x8xf16, #b> -> tensor<16x8xf16, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<f16>, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>
#b = #tile.layout<{register = [[1, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [8, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// The instruction with half the K, for a K that is no longer.
// CHECK-LABEL: .visible .entry f16_short(
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
module attributes {tile.target = "sm_80"} {
  func.func @f16_short(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}, %y: f16 {tile.param = #tile.param<"y", "fp16", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f16 -> tensor<16x8xf16, #a>
    %b = tile.splat %y : f16 -> tensor<8x8xf16, #b>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<f32>, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k8> : tensor<16x8xf16, #a>, tensor<8x8xf16, #b> -> tensor<16x8xf32, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<f32>, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 16]>
#b = #tile.layout<{register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [16, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// bf16.
// CHECK-LABEL: .visible .entry bf16(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
module attributes {tile.target = "sm_80"} {
  func.func @bf16(%x: bf16 {tile.param = #tile.param<"x", "bf16", 1>}, %y: bf16 {tile.param = #tile.param<"y", "bf16", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : bf16 -> tensor<16x16xbf16, #a>
    %b = tile.splat %y : bf16 -> tensor<16x8xbf16, #b>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<f32>, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k16> : tensor<16x16xbf16, #a>, tensor<16x8xbf16, #b> -> tensor<16x8xf32, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<f32>, #c>
    return
  }
}
