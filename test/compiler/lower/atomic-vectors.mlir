// Neighbouring floats whose old values are unused are added by one instruction where the target has it.
// RUN: tegula-opt %s --allocate-shared --convert-tile-to-llvm --split-input-file | FileCheck %s

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []} : [128]>

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: llvm.func @floats(
func.func @floats(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #four>
  %v = arith.sitofp %i : tensor<128xi32, #four> to tensor<128xf32, #four>
  %ns = tile.splat %n : i32 -> tensor<128xi32, #four>
  %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  // CHECK: "@$9 atom.global.gpu.relaxed.add.v4.f32 {$0, $1, $2, $3}, [$4], {$5, $6, $7, $8};", "=r,=r,=r,=r,l,r,r,r,r,b"
  %0 = tile.atomic_rmw fadd, relaxed, gpu, %pi, %v, %m : tensor<128x!tile.ptr<f32>, #four>
  // A vector has no order: one between two fences, as several would be.
  // CHECK: "fence.acq_rel.gpu;"
  // CHECK: "atom.global.gpu.relaxed.add.v4.f32 {$0, $1, $2, $3}, [$4], {$5, $6, $7, $8};", "=r,=r,=r,=r,l,r,r,r,r"
  // CHECK: "fence.acq_rel.gpu;"
  %1 = tile.atomic_rmw fadd, acq_rel, gpu, %pi, %v : tensor<128x!tile.ptr<f32>, #four>
  // What is read back comes one by one; the greater of two is no sum.
  // CHECK-COUNT-4: "atom.global.gpu.relaxed.add.f32 $0, [$1], $2;"
  %old = tile.atomic_rmw fadd, relaxed, gpu, %pi, %v : tensor<128x!tile.ptr<f32>, #four>
  tile.store %pi, %old : tensor<128x!tile.ptr<f32>, #four>
  return
}
}

// -----

#eight = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = []} : [256]>

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: llvm.func @halves(
func.func @halves(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}, %q: !tile.ptr<bf16> {tile.param = #tile.param<"q", "*bf16", 8>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #eight>
  %v = arith.sitofp %i : tensor<256xi32, #eight> to tensor<256xf16, #eight>
  %w = arith.sitofp %i : tensor<256xi32, #eight> to tensor<256xbf16, #eight>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>, #eight>
  %pi = tile.addptr %ps, %i : tensor<256x!tile.ptr<f16>, #eight>, tensor<256xi32, #eight>
  %qs = tile.splat %q : !tile.ptr<bf16> -> tensor<256x!tile.ptr<bf16>, #eight>
  %qi = tile.addptr %qs, %i : tensor<256x!tile.ptr<bf16>, #eight>, tensor<256xi32, #eight>
  // CHECK: "atom.global.gpu.relaxed.add.noftz.v4.f16x2 {$0, $1, $2, $3}, [$4], {$5, $6, $7, $8};", "=r,=r,=r,=r,l,r,r,r,r"
  %0 = tile.atomic_rmw fadd, relaxed, gpu, %pi, %v : tensor<256x!tile.ptr<f16>, #eight>
  // CHECK-COUNT-2: "atom.global.gpu.relaxed.add.noftz.v2.bf16x2 {$0, $1}, [$2], {$3, $4};", "=r,=r,l,r,r"
  %1 = tile.atomic_rmw fadd, relaxed, gpu, %qi, %w : tensor<256x!tile.ptr<bf16>, #eight>
  return
}
}

// -----

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []} : [128]>

module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: llvm.func @older(
func.func @older(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #four>
  %v = arith.sitofp %i : tensor<128xi32, #four> to tensor<128xf32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  // CHECK-COUNT-4: "atom.global.gpu.relaxed.add.f32 $0, [$1], $2;", "=r,l,r"
  %0 = tile.atomic_rmw fadd, relaxed, gpu, %pi, %v : tensor<128x!tile.ptr<f32>, #four>
  return
}
}
