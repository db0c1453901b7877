// What is decided about loops, and loads that are yet to be pipelined: what is written is read back.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>

// CHECK-LABEL: func.func @decided
// CHECK-SAME: tgpu.grid = #tgpu.grid<blocks = 1>
// CHECK-SAME: tgpu.roles = #tgpu.roles<producers = 4, producer_registers = 24, consumer_registers = 240>
func.func @decided(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {
    tile.kernel = #tile.kernel<warps = 8, stages = 4>, tgpu.grid = #tgpu.grid<blocks = 1>,
    tgpu.roles = #tgpu.roles<producers = 4, producer_registers = 24, consumer_registers = 240>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %b = tgpu.alloc : !tgpu.buffer<4 of tensor<64x64xbf16>, #rows>
  // CHECK: scf.for
  scf.for %k = %c0 to %n step %c64 : i32 {
    // CHECK: tgpu.tma_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}}[%{{.*}}] {tgpu.fetch = #tgpu.fetch<by = tma, group = 1>} : <4 of tensor<64x64xbf16>
    tgpu.tma_load %map[%k, %c0] into %b[%c0] {tgpu.fetch = #tgpu.fetch<by = tma, group = 1>} : !tgpu.buffer<4 of tensor<64x64xbf16>, #rows>
    // CHECK: tile.load %{{.*}} {tgpu.fetch = #tgpu.fetch<by = registers, stage = 2>}
    %v = tile.load %x {tgpu.fetch = #tgpu.fetch<by = registers, stage = 2>} : !tile.ptr<bf16>
  // CHECK: } {tgpu.pipeline = #tgpu.pipeline<stages = 4, by = producer>}
  } {tgpu.pipeline = #tgpu.pipeline<stages = 4, by = producer>}
  return
}
