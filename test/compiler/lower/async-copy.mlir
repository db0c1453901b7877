// Copies are as wide as what is proved allows; a mask becomes the size of what is read, a condition a predicate.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --cse --split-input-file | FileCheck %s

#vec = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]} : [1024]>
#shared = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512]]} : [1024]>

// CHECK-LABEL: llvm.func @wide(
func.func @wide(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}, %slot: i32 {tile.param = #tile.param<"slot", "i32", 1>}, %more: i1 {tile.param = #tile.param<"more", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #vec>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #vec>
  %pi = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f16>, #vec>, tensor<1024xi32, #vec>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<1024xf16>, #shared>
  // CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0+0], [$1], 16;", "r,l" %{{.*}}, %{{.*}} : (i32, !llvm.ptr<1>) -> ()
  tgpu.async_copy %pi into %b[%slot] : tensor<1024x!tile.ptr<f16>, #vec>, !tgpu.buffer<2 of tensor<1024xf16>, #shared>
  // CHECK: "@$2 cp.async.ca.shared.global [$0+0], [$1], 16;", "r,l,b" %{{.*}}, %{{.*}}, %{{.*}} : (i32, !llvm.ptr<1>, i1) -> ()
  tgpu.async_copy %pi if %more into %b[%slot] cache ca : tensor<1024x!tile.ptr<f16>, #vec>, !tgpu.buffer<2 of tensor<1024xf16>, #shared>
  // CHECK: nvvm.cp.async.commit.group
  tgpu.async_commit
  // CHECK: nvvm.cp.async.wait.group 1
  tgpu.async_wait pending 1
  return
}

// -----

#vec = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]} : [1024]>
#shared = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512]]} : [1024]>

// The mask may change after every eighth element; addresses are multiples of 8 bytes only, so the copies are.
// CHECK-LABEL: llvm.func @masked(
func.func @masked(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 8>}, %n: i32 {tile.param = #tile.param<"n", "i32", 8>}, %more: i1 {tile.param = #tile.param<"more", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %i = tile.arange 0 to 1024 : tensor<1024xi32, #vec>
  %ns = tile.splat %n : i32 -> tensor<1024xi32, #vec>
  %mask = arith.cmpi slt, %i, %ns : tensor<1024xi32, #vec>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #vec>
  %pi = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f16>, #vec>, tensor<1024xi32, #vec>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<1024xf16>, #shared>
  // CHECK-DAG: %[[ALL:.*]] = arith.constant 8 : i32
  // CHECK-DAG: %[[NONE:.*]] = arith.constant 0 : i32
  // CHECK: %[[SIZE:.*]] = arith.select %{{.*}}, %[[ALL]], %[[NONE]] : i32
  // CHECK: "@$3 cp.async.ca.shared.global [$0+0], [$1], 8, $2;", "r,l,r,b" %{{.*}}, %{{.*}}, %[[SIZE]], %{{.*}} :
  // CHECK: "@$3 cp.async.ca.shared.global [$0+8], [$1], 8, $2;", "r,l,r,b"
  // CHECK-NOT: cp.async
  tgpu.async_copy %pi mask %mask if %more into %b[%c0] : tensor<1024x!tile.ptr<f16>, #vec>, !tgpu.buffer<2 of tensor<1024xf16>, #shared>
  return
}

// -----

#copies = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = [[0], [64]]} : [128]>
#shared = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32], [64]]} : [128]>

// Of threads that hold the same pointers one copies.
// CHECK-LABEL: llvm.func @one_of_several(
func.func @one_of_several(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  // CHECK: %[[MASK:.*]] = arith.constant 48 : i32
  // CHECK: arith.andi %{{.*}}, %[[MASK]]
  // CHECK: %[[OWNER:.*]] = arith.cmpi eq
  %i = tile.arange 0 to 128 : tensor<128xi32, #copies>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #copies>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<f32>, #copies>, tensor<128xi32, #copies>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<128xf32>, #shared>
  // CHECK: "@$2 cp.async.cg.shared.global [$0+0], [$1], 16;", "r,l,b" %{{.*}}, %{{.*}}, %[[OWNER]]
  tgpu.async_copy %pi into %b[%c0] : tensor<128x!tile.ptr<f32>, #copies>, !tgpu.buffer<1 of tensor<128xf32>, #shared>
  return
}
