// ptxas unrolls no loop of products of warp groups, nor one that long products were made; others it may.
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx=form=ptx -o /dev/null | FileCheck %s

#ma = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]} : [64, 32]>
#mb = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]} : [32, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#ra = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#rb = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 64]>

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: .visible .entry two_loops(
// CHECK: $L__BB0_{{[0-9]+}}:
// CHECK-NEXT: .pragma "nounroll";
// CHECK: wgmma.mma_async
// CHECK: $L__BB0_{{[0-9]+}}:
// CHECK-NOT: .pragma
// CHECK: st.global
func.func @two_loops(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>},
                     %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %slot = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<64x32xbf16, #ra>
  %twos = arith.constant dense<2.0> : tensor<32x64xbf16, #rb>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x32xbf16>, #ma>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<32x64xbf16>, #mb>
  tgpu.local_store %ones into %a[%slot] : tensor<64x32xbf16, #ra>, !tgpu.buffer<1 of tensor<64x32xbf16>, #ma>
  tgpu.local_store %twos into %b[%slot] : tensor<32x64xbf16, #rb>, !tgpu.buffer<1 of tensor<32x64xbf16>, #mb>
  %d = scf.for %k = %slot to %n step %one iter_args(%c = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %f = tgpu.mma_begin %c : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%slot], %b[%slot] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x32xbf16>, #ma>, !tgpu.buffer<1 of tensor<32x64xbf16>, #mb> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %e = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %e : tensor<64x64xf32, #sums>
  }
  scf.for %k = %slot to %n step %one : i32 {
    %q = tile.addptr %p, %k : !tile.ptr<f32>, i32
    %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>, #sums>
    tile.store %qs, %d : tensor<64x64x!tile.ptr<f32>, #sums>
  }
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 4], [0, 8], [0, 16], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []} : [32, 32]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = []} : [32, 8]>
#fb = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [0, 4], [0, 8], [0, 16]], lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]], warp = []} : [8, 32]>
#ma = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]} : [32, 32]>

module attributes {tile.target = "sm_90a"} {
// 256 multiplications in a loop that counts to four, and in one of any length.
// CHECK-LABEL: .visible .entry rounds(
// CHECK: $L__BB0_{{[0-9]+}}:
// CHECK-NEXT: .pragma "nounroll";
// CHECK-COUNT-256: fma.rn.f32
// CHECK: $L__BB0_3:
// CHECK-NOT: .pragma
// CHECK-COUNT-256: fma.rn.f32
func.func @rounds(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %slot = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #sums>
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<32x32xf32>, #ma>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<32x32xf32>, #ma>
  %d = scf.for %k = %slot to %four step %one iter_args(%c = %zero) -> (tensor<32x32xf32, #sums>) : i32 {
    %x = tgpu.local_load %a[%slot] at [0, 0] + %k * 8 along 1 : !tgpu.buffer<1 of tensor<32x32xf32>, #ma> -> tensor<32x8xf32, #fa>
    %y = tgpu.local_load %a[%slot] at [0, 0] + %k * 8 along 0 : !tgpu.buffer<1 of tensor<32x32xf32>, #ma> -> tensor<8x32xf32, #fb>
    %s = tile.dot %x, %y, %c unit <fma> : tensor<32x8xf32, #fa>, tensor<8x32xf32, #fb> -> tensor<32x32xf32, #sums>
    scf.yield %s : tensor<32x32xf32, #sums>
  }
  %e = scf.for %k = %slot to %n step %one iter_args(%c = %d) -> (tensor<32x32xf32, #sums>) : i32 {
    %x = tgpu.local_load %a[%slot] at [0, 0] : !tgpu.buffer<1 of tensor<32x32xf32>, #ma> -> tensor<32x8xf32, #fa>
    %y = tgpu.local_load %a[%slot] at [0, 0] : !tgpu.buffer<1 of tensor<32x32xf32>, #ma> -> tensor<8x32xf32, #fb>
    %s = tile.dot %x, %y, %c unit <fma> : tensor<32x8xf32, #fa>, tensor<8x32xf32, #fb> -> tensor<32x32xf32, #sums>
    scf.yield %s : tensor<32x32xf32, #sums>
  }
  tgpu.local_store %e into %b[%slot] : tensor<32x32xf32, #sums>, !tgpu.buffer<1 of tensor<32x32xf32>, #ma>
  return
}
}
