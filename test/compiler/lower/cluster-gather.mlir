// Numbers of all blocks of a cluster: each block writes its own into all, and reads those of its own memory.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file | FileCheck %s

#four = #tile.layout<{register = [], lane = [[1], [2], [0], [0], [0]], warp = [[0], [0]]} : [4]>

// CHECK: llvm.mlir.global external @tegula_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i8>
// CHECK-LABEL: llvm.func @gather(
// CHECK-SAME: nvvm.cluster_dim = array<i32: 4, 1, 1>
// CHECK-SAME: tile.cluster = 4 : i32
func.func @gather(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %q: !tile.ptr<i1> {tile.param = #tile.param<"q", "*i1", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>, tile.cluster = 4 : i32} {
  // Programs are clusters; no launch says from which number on.
  // CHECK: nvvm.read.ptx.sreg.clusterid.x
  // CHECK: nvvm.read.ptx.sreg.nclusterid.x
  %id = tile.program_id x
  %count = tile.num_programs x
  // CHECK: nvvm.cluster.arrive {aligned}
  tgpu.cluster_arrive
  %pi = tile.addptr %p, %id : !tile.ptr<f32>, i32
  %x = tile.load %pi : !tile.ptr<f32>
  %y = arith.cmpi slt, %id, %count : i32
  // CHECK: nvvm.cluster.wait {aligned}
  tgpu.cluster_wait
  // CHECK: "mapa.shared::cluster.u32 $0, $1, $2;"
  // CHECK: "@$2 st.shared::cluster.b32 [$0+0], $1;"
  // CHECK: "@$2 st.shared::cluster.b8 [$0+32], $1;"
  // CHECK: nvvm.cluster.arrive {aligned}
  // CHECK-NEXT: nvvm.cluster.wait {aligned}
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i8
  // CHECK: arith.trunci %{{.*}} : i8 to i1
  %a:2 = tgpu.cluster_gather %x, %y : (f32, i1) -> (tensor<4xf32, #four>, tensor<4xi1, #four>)
  %i = tile.arange 0 to 4 : tensor<4xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>, #four>
  %pa = tile.addptr %ps, %i : tensor<4x!tile.ptr<f32>, #four>, tensor<4xi32, #four>
  tile.store %pa, %a#0, %a#1 : tensor<4x!tile.ptr<f32>, #four>
  return
}

// -----

#values = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]} : [256]>

// What threads read since their block told the others that it has come is not ordered by the wait: the second reduction does
// not write where the first is read.
// CHECK-LABEL: llvm.func @since_the_arrival(
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK: %[[FIRST:.*]] = llvm.mlir.addressof @tegula_shared
// CHECK: llvm.load %[[FIRST]]
// CHECK: nvvm.cluster.wait {aligned}
// CHECK: %[[SHARED:.*]] = llvm.mlir.addressof @tegula_shared
// CHECK: llvm.getelementptr %[[SHARED]][16]
// CHECK: "@$2 st.shared.b32 [$0], $1;"
func.func @since_the_arrival(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>, tile.cluster = 4 : i32} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #values>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #values>
  %pi = tile.addptr %ps, %i : tensor<256x!tile.ptr<f32>, #values>, tensor<256xi32, #values>
  %x = tile.load %pi : tensor<256x!tile.ptr<f32>, #values>
  tgpu.cluster_arrive
  %a = tile.reduce %x axis 0 : tensor<256xf32, #values> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  }
  tgpu.cluster_wait
  %b = tile.reduce %x axis 0 : tensor<256xf32, #values> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %s = arith.maximumf %l, %r : f32
    tile.yield %s : f32
  }
  %c = arith.addf %a, %b : f32
  tile.store %p, %c : !tile.ptr<f32>
  return
}
