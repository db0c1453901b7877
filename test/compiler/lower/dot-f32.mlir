// Dots of f32 and f64 on matrix units.
// RUN: tegula-opt %s --tegula-lower --print-ptx --split-input-file -o /dev/null | FileCheck %s

#a = #tile.layout<{register = [[8, 0], [0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>
#b = #tile.layout<{register = [[4, 0]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [8, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// Operands are rounded to tf32 first; here all of one operand are one value.
// CHECK-LABEL: .visible .entry tf32(
// CHECK: cvt.rna.tf32.f32
// CHECK: cvt.rna.tf32.f32
// CHECK-NOT: cvt.rna
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK-NOT: mma.sync
module attributes {tile.target = "sm_80"} {
  func.func @tf32(%x: f32 {tile.param = #tile.param<"x", "fp32", 1>}, %y: f32 {tile.param = #tile.param<"y", "fp32", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f32 -> tensor<16x8xf32, #a>
    %b = tile.splat %y : f32 -> tensor<8x8xf32, #b>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<f32>, #c>
    %d = tile.dot %a, %b, %c precision tf32 unit <mma_sync, m16n8k8> : tensor<16x8xf32, #a>, tensor<8x8xf32, #b> -> tensor<16x8xf32, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<f32>, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[8, 0], [0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>
#b = #tile.layout<{register = [[4, 0]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [8, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// Three products, the small ones first, from zero; what they make is added to the sum in f32.
// CHECK-LABEL: .visible .entry tf32x3(
// CHECK: cvt.rna.tf32.f32 [[BIGA:%r[0-9]+]], [[A:%r[0-9]+]];
// CHECK: sub{{.*}}.f32 [[RESTA:%r[0-9]+]], [[A]], [[BIGA]];
// CHECK: cvt.rna.tf32.f32 [[SMALLA:%r[0-9]+]], [[RESTA]];
// CHECK: mma.sync
// CHECK-NEXT: {[[S0:%r[0-9]+]]{{.*}}},
// CHECK-NEXT: {[[SMALLA]]
// CHECK-NEXT: {
// CHECK-NEXT: {[[Z:%r[0-9]+]], [[Z]], [[Z]], [[Z]]}
// CHECK: mma.sync
// CHECK-NEXT: {[[S1:%r[0-9]+]]{{.*}}},
// CHECK-NEXT: {[[BIGA]]
// CHECK-NEXT: {
// CHECK-NEXT: {[[S0]]
// CHECK: mma.sync
// CHECK-NEXT: {{.*}}, [[S2:%r[0-9]+]]},
// CHECK-NEXT: {[[BIGA]]
// CHECK-NEXT: {
// CHECK-NEXT: {[[S1]]
// CHECK-NOT: mma.sync
// CHECK: add.rn.f32 {{.*}}[[S2]]
module attributes {tile.target = "sm_80"} {
  func.func @tf32x3(%x: f32 {tile.param = #tile.param<"x", "fp32", 1>}, %y: f32 {tile.param = #tile.param<"y", "fp32", 1>}, %p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f32 -> tensor<16x8xf32, #a>
    %b = tile.splat %y : f32 -> tensor<8x8xf32, #b>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<f32>, #c>
    %d = tile.dot %a, %b, %c precision tf32x3 unit <mma_sync, m16n8k8> : tensor<16x8xf32, #a>, tensor<8x8xf32, #b> -> tensor<16x8xf32, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<f32>, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []} : [8, 8]>
#b = #tile.layout<{register = [[4, 0]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [8, 8]>
#c = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [8, 8]>

// Two steps along K.
// CHECK-LABEL: .visible .entry f64(
// CHECK: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
// CHECK-NEXT: {%rd{{[0-9]+}}, %rd{{[0-9]+}}},
// CHECK-NEXT: {%rd{{[0-9]+}}},
// CHECK-NEXT: {%rd{{[0-9]+}}},
// CHECK: mma.sync.aligned.m8n8k4
// CHECK-NOT: mma.sync
module attributes {tile.target = "sm_80"} {
  func.func @f64(%x: f64 {tile.param = #tile.param<"x", "fp64", 1>}, %y: f64 {tile.param = #tile.param<"y", "fp64", 1>}, %p: !tile.ptr<f64> {tile.param = #tile.param<"p", "*fp64", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : f64 -> tensor<8x8xf64, #a>
    %b = tile.splat %y : f64 -> tensor<8x8xf64, #b>
    %ps = tile.splat %p : !tile.ptr<f64> -> tensor<8x8x!tile.ptr<f64>, #c>
    %c = tile.load %ps : tensor<8x8x!tile.ptr<f64>, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m8n8k4> : tensor<8x8xf64, #a>, tensor<8x8xf64, #b> -> tensor<8x8xf64, #c>
    tile.store %ps, %d : tensor<8x8x!tile.ptr<f64>, #c>
    return
  }
}
