// Blocks of a cluster that share the work of a program: what is written is read back.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s

// CHECK-LABEL: func.func @share
// CHECK-SAME: tile.splits = {blocks = 8 : i32, size = 0 : i32, step = 64 : i32}
func.func @share(%k: i32 {tile.param = #tile.param<"k", "i32", 1>}, %x: tensor<64xf32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {blocks = 8 : i32, size = 0 : i32, step = 64 : i32}} {
  // CHECK: tgpu.cluster_rank
  %rank = tgpu.cluster_rank
  // CHECK: tgpu.cluster_size
  %size = tgpu.cluster_size
  // CHECK: tgpu.cluster_sum %{{.*}} : tensor<64xf32>
  %sum = tgpu.cluster_sum %x : tensor<64xf32>
  return
}

// CHECK-LABEL: func.func @pairs
// CHECK-SAME: tile.pairs
func.func @pairs() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.persistent = 1 : i32, tile.pairs} {
  // CHECK: tgpu.barriers : <2, arrivals 4 from 2 blocks>
  %several = tgpu.barriers : !tgpu.barriers<2, arrivals 4 from 2 blocks>
  // CHECK: tgpu.barriers : <2 from 2 blocks>
  %one = tgpu.barriers : !tgpu.barriers<2 from 2 blocks>
  // CHECK: tgpu.cluster_barrier
  tgpu.cluster_barrier
  return
}

// CHECK-LABEL: func.func @spread
// CHECK-SAME: tile.cluster = 4 : i32
func.func @spread(%x: f32, %y: i1) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.cluster = 4 : i32} {
  // CHECK: tgpu.cluster_rank
  %rank = tgpu.cluster_rank
  // CHECK: tgpu.cluster_arrive
  tgpu.cluster_arrive
  // CHECK: tgpu.cluster_wait
  tgpu.cluster_wait
  // CHECK: tgpu.cluster_gather %{{.*}}, %{{.*}} : (f32, i1) -> (tensor<4xf32>, tensor<4xi1>)
  %a:2 = tgpu.cluster_gather %x, %y : (f32, i1) -> (tensor<4xf32>, tensor<4xi1>)
  // CHECK: tgpu.cluster_barrier
  tgpu.cluster_barrier
  return
}
