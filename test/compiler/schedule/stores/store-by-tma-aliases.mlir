// What threads access behind a store by TMA, through another parameter that may be the same array,
// waits until it is there.
// RUN: tegula-opt %s --form-boxes --store-by-tma | FileCheck %s

#rows = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [128, 64]>
#r0 = #tile.layout<{register = [[32], [64]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8], [16]]} : [128]>
#r1 = #tile.layout<{register = [[32, 0], [64, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]} : [128, 1]>
#c0 = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0], [0]]} : [64]>
#c1 = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0], [0, 0]]} : [1, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]} : [128, 64]>
#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]} : [128, 64]>
module attributes {tile.target = "sm_90a"} {
// In front of a load and of a store of the same elements; a number of another type lies in another array.
// CHECK-LABEL: func.func @behind
// CHECK: tile.load %{{.*}} : !tile.ptr<bf16>
// CHECK: tgpu.tma_store
// CHECK-NOT: tgpu.tma_store_wait
// CHECK: tile.store %{{.*}} : !tile.ptr<f32>
// CHECK-NEXT: tgpu.tma_store_wait pending 0 refill
// CHECK-NEXT: tile.load
// CHECK: tgpu.tma_store_wait pending 0 refill
// CHECK-NEXT: tile.store %{{.*}} : !tile.ptr<bf16>
// CHECK: tgpu.tma_store_wait pending 0 read
func.func @behind(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 16>}, %y: !tile.ptr<bf16> {tile.param = #tile.param<"y", "*bf16", 16>}, %z: !tile.ptr<f32> {tile.param = #tile.param<"z", "*fp32", 16>}, %stride: i32 {tile.param = #tile.param<"stride", "i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %one = arith.constant 1.0 : f32
  %v = tile.load %y : !tile.ptr<bf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #sums>
  %begun = tgpu.mma_begin %zero : tensor<128x64xf32, #sums>
  %s = tgpu.mma_wait pending 0 %begun : !tgpu.in_flight<tensor<128x64xf32, #sums>> -> tensor<128x64xf32, #sums>
  %t = arith.truncf %s : tensor<128x64xf32, #sums> to tensor<128x64xbf16, #sums>
  %m = tile.arange 0 to 128 : tensor<128xi32, #r0>
  %me = tile.expand_dims %m, 1 : tensor<128xi32, #r0> -> tensor<128x1xi32, #r1>
  %st = tile.splat %stride : i32 -> tensor<128x1xi32, #r1>
  %mo = arith.muli %me, %st : tensor<128x1xi32, #r1>
  %mb = tile.broadcast %mo : tensor<128x1xi32, #r1> -> tensor<128x64xi32, #rows>
  %k = tile.arange 0 to 64 : tensor<64xi32, #c0>
  %ke = tile.expand_dims %k, 0 : tensor<64xi32, #c0> -> tensor<1x64xi32, #c1>
  %kb = tile.broadcast %ke : tensor<1x64xi32, #c1> -> tensor<128x64xi32, #rows>
  %o = arith.addi %mb, %kb : tensor<128x64xi32, #rows>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<128x64x!tile.ptr<bf16>, #rows>
  %p = tile.addptr %xs, %o : tensor<128x64x!tile.ptr<bf16>, #rows>, tensor<128x64xi32, #rows>
  %c = tile.convert_layout %t : tensor<128x64xbf16, #sums> -> tensor<128x64xbf16, #rows>
  tile.store %p, %c : tensor<128x64x!tile.ptr<bf16>, #rows>
  tile.store %z, %one : !tile.ptr<f32>
  %w = tile.load %y : !tile.ptr<bf16>
  %sum = arith.addf %v, %w : bf16
  tile.store %y, %sum : !tile.ptr<bf16>
  return
}

// A loop after the store waits once, before it begins. A load before the store waits in each iteration of the outer
// loop, as the back edge leads from the store to it.
// CHECK-LABEL: func.func @loops
// CHECK: scf.for
// CHECK: tgpu.tma_store_wait pending 0 refill
// CHECK-NEXT: tile.load
// CHECK: tgpu.tma_store
// CHECK: tgpu.tma_store_wait pending 0 refill
// CHECK-NEXT: scf.for
// CHECK-NOT: tgpu.tma_store_wait
// CHECK: tile.load
func.func @loops(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 16>}, %y: !tile.ptr<bf16> {tile.param = #tile.param<"y", "*bf16", 16>}, %z: !tile.ptr<f32> {tile.param = #tile.param<"z", "*fp32", 16>}, %stride: i32 {tile.param = #tile.param<"stride", "i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #sums>
  %begun = tgpu.mma_begin %zero : tensor<128x64xf32, #sums>
  %s = tgpu.mma_wait pending 0 %begun : !tgpu.in_flight<tensor<128x64xf32, #sums>> -> tensor<128x64xf32, #sums>
  %t = arith.truncf %s : tensor<128x64xf32, #sums> to tensor<128x64xbf16, #sums>
  %m = tile.arange 0 to 128 : tensor<128xi32, #r0>
  %me = tile.expand_dims %m, 1 : tensor<128xi32, #r0> -> tensor<128x1xi32, #r1>
  %st = tile.splat %stride : i32 -> tensor<128x1xi32, #r1>
  %mo = arith.muli %me, %st : tensor<128x1xi32, #r1>
  %mb = tile.broadcast %mo : tensor<128x1xi32, #r1> -> tensor<128x64xi32, #rows>
  %k = tile.arange 0 to 64 : tensor<64xi32, #c0>
  %ke = tile.expand_dims %k, 0 : tensor<64xi32, #c0> -> tensor<1x64xi32, #c1>
  %kb = tile.broadcast %ke : tensor<1x64xi32, #c1> -> tensor<128x64xi32, #rows>
  %o = arith.addi %mb, %kb : tensor<128x64xi32, #rows>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<128x64x!tile.ptr<bf16>, #rows>
  %p = tile.addptr %xs, %o : tensor<128x64x!tile.ptr<bf16>, #rows>, tensor<128x64xi32, #rows>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %u = tile.load %y : !tile.ptr<bf16>
    %us = tile.splat %u : bf16 -> tensor<128x64xbf16, #sums>
    %a = arith.addf %t, %us : tensor<128x64xbf16, #sums>
    %c = tile.convert_layout %a : tensor<128x64xbf16, #sums> -> tensor<128x64xbf16, #rows>
    tile.store %p, %c : tensor<128x64x!tile.ptr<bf16>, #rows>
    scf.for %j = %c0 to %n step %c1 : i32 {
      %v = tile.load %y : !tile.ptr<bf16>
      tile.print "v" [true] values(%v : bf16)
    }
  }
  return
}
}
