// Every op of the dialect reads back as it was written.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s

#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]} : [4, 8]>
#rows = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []} : [4, 8]>
#line = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>
#table = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32]]} : [64]>
#part = #tile.layout<{register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []} : [4, 4]>

// CHECK-LABEL: func.func @buffers(
func.func @buffers(%slot: i32, %x: tensor<4x8xf16, #rows>) {
  // CHECK: %[[B:.*]] = tgpu.alloc : <2 of tensor<4x8xf16>, #{{.*}}>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // CHECK: tgpu.local_store %{{.*}} into %[[B]][%{{.*}}] : tensor<4x8xf16, #{{.*}}>, <2 of
  tgpu.local_store %x into %b[%slot] : tensor<4x8xf16, #rows>, !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // CHECK: tgpu.local_load %[[B]][%{{.*}}] at [0, 4] : <2 of {{.*}} -> tensor<4x4xf16, #{{.*}}>
  %y = tgpu.local_load %b[%slot] at [0, 4] : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x4xf16, #part>
  // CHECK: tgpu.local_load %[[B]][%{{.*}}] at [0, 0] + %{{.*}} * 4 along 1 : <2 of {{.*}} -> tensor<4x4xf16, #{{.*}}>
  %z = tgpu.local_load %b[%slot] at [0, 0] + %slot * 4 along 1 : !tgpu.buffer<2 of tensor<4x8xf16>, #shared> -> tensor<4x4xf16, #part>
  return
}

// CHECK-LABEL: func.func @atomics(
func.func @atomics(%v: tensor<32xi32, #line>, %i: tensor<32xi32, #line>, %m: tensor<32xi1, #line>) {
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64xi32>, #table>
  // CHECK: tgpu.local_atomic add, %{{.*}} at %{{.*}} mask %{{.*}} in %{{.*}} : tensor<32xi32, #{{.*}}>, <1 of tensor<64xi32>
  tgpu.local_atomic add, %v at %i mask %m in %b : tensor<32xi32, #line>, !tgpu.buffer<1 of tensor<64xi32>, #table>
  // CHECK: tgpu.local_atomic umax, %{{[a-z0-9]*}} at %{{[a-z0-9]*}} in
  tgpu.local_atomic umax, %v at %i in %b : tensor<32xi32, #line>, !tgpu.buffer<1 of tensor<64xi32>, #table>
  return
}

// CHECK-LABEL: func.func @copies(
func.func @copies(%slot: i32, %p: tensor<4x8x!tile.ptr<f16>, #rows>, %m: tensor<4x8xi1, #rows>, %c: i1) {
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // CHECK: tgpu.async_copy %{{[a-z0-9]*}} into %{{.*}}[%{{.*}}] : tensor<4x8x!tile.ptr<f16>, #{{.*}}>, <2 of
  tgpu.async_copy %p into %b[%slot] : tensor<4x8x!tile.ptr<f16>, #rows>, !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // CHECK: tgpu.async_copy %{{.*}} mask %{{.*}} if %{{.*}} into %{{.*}}[%{{.*}}] cache cg evict evict_last :
  tgpu.async_copy %p mask %m if %c into %b[%slot] cache cg evict evict_last : tensor<4x8x!tile.ptr<f16>, #rows>, !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // CHECK: tgpu.async_copy %{{[a-z0-9]*}} if %{{.*}} into
  tgpu.async_copy %p if %c into %b[%slot] : tensor<4x8x!tile.ptr<f16>, #rows>, !tgpu.buffer<2 of tensor<4x8xf16>, #shared>
  // CHECK-NEXT: tgpu.async_commit
  tgpu.async_commit
  // CHECK-NEXT: tgpu.async_wait pending 1
  tgpu.async_wait pending 1
  return
}
