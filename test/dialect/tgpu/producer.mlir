// Warps that only load, and what their readers say: what is written is read back.
// RUN: tegula-opt %s --split-input-file | tegula-opt --split-input-file | FileCheck %s

// 64 rows of 64 halves: rows of 128 bytes, whose chunks are flipped by the row's number modulo 8.
#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>

// CHECK-LABEL: func.func @ring
func.func @ring(%x: !tile.ptr<bf16>, %n: i32, %c0: i32, %c1: i32, %c64: i32, %any: i1) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  // CHECK: %[[FULL:.*]] = tgpu.barriers : <1>
  %full = tgpu.barriers : !tgpu.barriers<1>
  // CHECK: %[[EMPTY:.*]] = tgpu.barriers : <1, arrivals 2>
  %empty = tgpu.barriers : !tgpu.barriers<1, arrivals 2>
  tgpu.barriers_init %full : !tgpu.barriers<1>
  // CHECK: tgpu.barriers_init %[[EMPTY]] : <1, arrivals 2>
  tgpu.barriers_init %empty : !tgpu.barriers<1, arrivals 2>
  // CHECK: tgpu.producer warps 1 {
  tgpu.producer warps 1 {
    scf.for %k = %c0 to %n step %c64 : i32 {
      tgpu.barrier_wait %empty[%c0] parity %c1 : !tgpu.barriers<1, arrivals 2>
      tgpu.barrier_expect 8192 at %full[%c0] : !tgpu.barriers<1>
      tgpu.tma_copy %map[%k, %k] into %b[%c0] signals %full[%c0] : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.barriers<1>
    }
  }
  tgpu.barrier_wait %full[%c0] parity %c0 : !tgpu.barriers<1>
  // CHECK: tgpu.barrier_arrive %[[EMPTY]][%{{.*}}] if %{{.*}} : <1, arrivals 2>
  tgpu.barrier_arrive %empty[%c0] if %any : !tgpu.barriers<1, arrivals 2>
  // CHECK: tgpu.barrier_arrive %[[EMPTY]][%{{.*}}] : <1, arrivals 2>
  tgpu.barrier_arrive %empty[%c0] : !tgpu.barriers<1, arrivals 2>
  return
}

// -----

// CHECK-LABEL: func.func @handing_over_registers
func.func @handing_over_registers() {
  // CHECK: tgpu.producer warps 4 registers [24, 240] {
  tgpu.producer warps 4 registers [24, 240] {
  }
  return
}
