// Of two products of a warp group with equal operands ptxas 13.0 makes one and loses the sums of the other, so to a
// register of the second a 0 is added that it does not know. A matrix of 128 equal rows has two such products for each 16 columns.
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx -o /dev/null | FileCheck %s

#mb = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]} : [16, 16]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [128, 16]>
#rb = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [16, 16]>

// CHECK-LABEL: .entry equal_rows(
// CHECK: mov.u32 %[[SIZE:r[0-9]+]], %dynamic_smem_size;
// CHECK: shr.u32 %[[ZERO:r[0-9]+]], %[[SIZE]], 24;
// CHECK: add.s32 %[[OTHER:r[0-9]+]], %[[A:r[0-9]+]], %[[ZERO]];
// CHECK: wgmma.mma_async{{.*}}}, {%[[A]], %[[A]], %[[A]], %[[A]]}, %rd
// CHECK-NEXT: wgmma.mma_async{{.*}}}, {%[[OTHER]], %[[A]], %[[A]], %[[A]]}, %rd
module attributes {tile.target = "sm_90a"} {
func.func @equal_rows(%x: f16 {tile.param = #tile.param<"x", "fp16", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %slot = arith.constant 0 : i32
  %a = tile.splat %x : f16 -> tensor<128x16xf16, #sums>
  %twos = arith.constant dense<2.0> : tensor<16x16xf16, #rb>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<16x16xf16>, #mb>
  tgpu.local_store %twos into %b[%slot] : tensor<16x16xf16, #rb>, !tgpu.buffer<1 of tensor<16x16xf16>, #mb>
  %g = tgpu.mma %a, %b[%slot] transposed unit <wgmma, m64n16k16> : tensor<128x16xf16, #sums>, !tgpu.buffer<1 of tensor<16x16xf16>, #mb> -> !tgpu.in_flight<tensor<128x16xf16, #sums>>
  %d = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<128x16xf16, #sums>> -> tensor<128x16xf16, #sums>
  tile.print "d" [true] values(%d : tensor<128x16xf16, #sums>)
  return
}
}

// -----

#mb = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]} : [16, 16]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [128, 16]>
#rb = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [16, 16]>
#row = #tile.layout<{register = [[0], [8], [0], [64]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]]} : [128]>
#column = #tile.layout<{register = [[0, 0], [8, 0], [0, 0], [64, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [128, 1]>

// Rows that differ are left alone.
// CHECK-LABEL: .entry other_rows(
// CHECK-NOT: dynamic_smem_size
// CHECK: wgmma.wait_group
module attributes {tile.target = "sm_90a"} {
func.func @other_rows() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %slot = arith.constant 0 : i32
  %rows = tile.arange 0 to 128 : tensor<128xi32, #row>
  %numbers = arith.sitofp %rows : tensor<128xi32, #row> to tensor<128xf16, #row>
  %column = tile.expand_dims %numbers, 1 : tensor<128xf16, #row> -> tensor<128x1xf16, #column>
  %a = tile.broadcast %column : tensor<128x1xf16, #column> -> tensor<128x16xf16, #sums>
  %twos = arith.constant dense<2.0> : tensor<16x16xf16, #rb>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<16x16xf16>, #mb>
  tgpu.local_store %twos into %b[%slot] : tensor<16x16xf16, #rb>, !tgpu.buffer<1 of tensor<16x16xf16>, #mb>
  %g = tgpu.mma %a, %b[%slot] transposed unit <wgmma, m64n16k16> : tensor<128x16xf16, #sums>, !tgpu.buffer<1 of tensor<16x16xf16>, #mb> -> !tgpu.in_flight<tensor<128x16xf16, #sums>>
  %d = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<128x16xf16, #sums>> -> tensor<128x16xf16, #sums>
  tile.print "d" [true] values(%d : tensor<128x16xf16, #sums>)
  return
}
}
