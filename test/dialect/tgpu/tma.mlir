// TMA copies and the barriers that they arrive at: what is written is read back.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s

// 64 rows of 64 halves: rows of 128 bytes, whose chunks are flipped by the row's number modulo 8.
#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>

// CHECK-LABEL: func.func @copy
func.func @copy(%x: !tile.ptr<bf16>, %n: i32, %m: i32, %row: i64, %more: i1, %at: i32, %p: i32) {
  %c = arith.constant 7 : i64
  // CHECK: %[[MAP:.*]] = tgpu.tensor_map %{{.*}}, sizes[%{{.*}}, %{{.*}}, %{{.*}}], strides[%{{.*}}, %{{.*}}] box [64, 64, 1] swizzle 128 : !tile.ptr<bf16>, [i32, i32, i64], [i64, i64]
  %map = tgpu.tensor_map %x, sizes [%n, %m, %c], strides [%row, %c] box [64, 64, 1] swizzle 128 : !tile.ptr<bf16>, [i32, i32, i64], [i64, i64]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  // CHECK: %[[BARS:.*]] = tgpu.barriers : <2>
  %bars = tgpu.barriers : !tgpu.barriers<2>
  // CHECK: tgpu.barriers_init %[[BARS]] : <2>
  tgpu.barriers_init %bars : !tgpu.barriers<2>
  // CHECK: tgpu.tma_copy %[[MAP]][%{{.*}}, %{{.*}}, %{{.*}}] if %{{.*}} into %{{.*}}[%{{.*}}] signals %[[BARS]][%{{.*}}]
  tgpu.tma_copy %map[%at, %at, %at] if %more into %b[%p] signals %bars[%p] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.barriers<2>
  // CHECK: tgpu.barrier_expect 8192 at %[[BARS]][%{{.*}}] if %{{.*}} : <2>
  tgpu.barrier_expect 8192 at %bars[%p] if %more : !tgpu.barriers<2>
  // CHECK: tgpu.barrier_wait %[[BARS]][%{{.*}}] parity %{{.*}} : <2>
  tgpu.barrier_wait %bars[%p] parity %p : !tgpu.barriers<2>
  // CHECK: tgpu.global_fence
  tgpu.global_fence
  // CHECK: tgpu.barriers_end %[[BARS]] : <2>
  tgpu.barriers_end %bars : !tgpu.barriers<2>
  return
}
