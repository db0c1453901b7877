// Sums over the blocks of a cluster: each block adds up a part through distributed shared memory, the first collects all.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file | FileCheck %s

#l = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]} : [1024]>

// Two chunks of four floats in each of 128 threads.
// CHECK-LABEL: llvm.func @floats(
// CHECK-SAME: , %[[START:arg[0-9]+]]: i32)
// CHECK-SAME: tile.splits = {blocks = 8 : i32, size = 1 : i32, step = 64 : i32}
func.func @floats(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %k: i32 {tile.param = #tile.param<"k", "i32", 1>}, %n: !tile.ptr<i32> {tile.param = #tile.param<"n", "*i32", 4>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>, tile.splits = {blocks = 8 : i32, size = 1 : i32, step = 64 : i32}} {
  // Programs are clusters, from the number on that the launch passes.
  // CHECK: %[[CLUSTER:.*]] = nvvm.read.ptx.sreg.clusterid.x
  // CHECK: arith.addi %[[CLUSTER]], %[[START]] overflow<nsw, nuw>
  // CHECK: nvvm.read.ptx.sreg.ctaid.y
  // CHECK: nvvm.read.ptx.sreg.nclusterid.x
  // CHECK: nvvm.read.ptx.sreg.nctaid.y
  %x = tile.program_id x
  %y = tile.program_id y
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %a = arith.addi %x, %y : i32
  %b = arith.addi %a, %nx : i32
  %c = arith.addi %b, %ny : i32
  tile.store %n, %c : !tile.ptr<i32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #l>
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #l>
  %q = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f32>, #l>, tensor<1024xi32, #l>
  %v = tile.load %q : tensor<1024x!tile.ptr<f32>, #l>
  // CHECK: %[[SIZE:.*]] = nvvm.read.ptx.sreg.cluster.nctaid.x range <i32, 1, 9>
  // CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctaid.x range <i32, 0, 8>
  // CHECK: %[[MANY:.*]] = arith.cmpi ugt, %[[SIZE]],
  // CHECK: scf.if %[[MANY]]
  // CHECK-COUNT-2: llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
  // CHECK: nvvm.cluster.arrive {aligned}
  // CHECK-NEXT: nvvm.cluster.wait {aligned}
  // The chunks of this block, of all blocks in turn: the first is there, the others if the cluster is as large.
  // CHECK: scf.for
  // CHECK: "mapa.shared::cluster.u32 $0, $1, $2;"
  // CHECK: "ld.shared::cluster.v4.b32 {$0, $1, $2, $3}, [$4];"
  // CHECK-COUNT-7: "@${{.*}} ld.shared::cluster.v4.b32
  // CHECK: arith.addf
  // CHECK: arith.select
  // CHECK: llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
  // CHECK: nvvm.cluster.arrive {aligned}
  // CHECK-NEXT: nvvm.cluster.wait {aligned}
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]],
  // CHECK: scf.if %[[FIRST]]
  // CHECK-COUNT-2: "ld.shared::cluster.v4.b32
  // CHECK: nvvm.cluster.arrive {aligned}
  // CHECK-NEXT: nvvm.cluster.wait {aligned}
  %s = tgpu.cluster_sum %v : tensor<1024xf32, #l>
  tile.store %q, %s : tensor<1024x!tile.ptr<f32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]} : [1024]>

// A chunk has two doubles.
// CHECK-LABEL: llvm.func @doubles(
func.func @doubles(%p: !tile.ptr<f64> {tile.param = #tile.param<"p", "*fp64", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>, tile.splits = {blocks = 8 : i32, size = 1024 : i64, step = 64 : i32}} {
  %ps = tile.splat %p : !tile.ptr<f64> -> tensor<1024x!tile.ptr<f64>, #l>
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #l>
  %q = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f64>, #l>, tensor<1024xi32, #l>
  %v = tile.load %q : tensor<1024x!tile.ptr<f64>, #l>
  // CHECK: scf.for
  // CHECK: "ld.shared::cluster.v2.b64 {$0, $1}, [$2];"
  // CHECK: arith.addf %{{.*}} : f64
  %s = tgpu.cluster_sum %v : tensor<1024xf64, #l>
  tile.store %q, %s : tensor<1024x!tile.ptr<f64>, #l>
  return
}

// -----

#one = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>

// One integer in a thread is one chunk, of four bytes, which the first block adds up.
// CHECK-LABEL: llvm.func @integers(
func.func @integers(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>, tile.splits = {blocks = 8 : i32, size = 1024 : i64, step = 64 : i32}} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #one>
  %i = tile.arange 0 to 32 : tensor<32xi32, #one>
  %q = tile.addptr %ps, %i : tensor<32x!tile.ptr<i32>, #one>, tensor<32xi32, #one>
  %v = tile.load %q : tensor<32x!tile.ptr<i32>, #one>
  // CHECK: scf.for
  // CHECK: "ld.shared::cluster.b32 $0, [$1];"
  // CHECK: arith.addi %{{.*}} : i32
  %s = tgpu.cluster_sum %v : tensor<32xi32, #one>
  tile.store %q, %s : tensor<32x!tile.ptr<i32>, #one>
  return
}
