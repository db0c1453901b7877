// Threads that read a slot by themselves give it back by no barrier that a producer waits for.
// RUN: tegula-opt %s --form-boxes --plan-loops --remarks-filter=plan-loops -o /dev/null 2>&1 | FileCheck %s

#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]]} : [32, 32]>
#rows = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [4, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [8, 0]], warp = [[16, 0]]} : [32, 32]>
#r0 = #tile.layout<{register = [[0], [0], [0], [4]], lane = [[0], [0], [1], [2], [8]], warp = [[16]]} : [32]>
#c0 = #tile.layout<{register = [[1], [2], [4], [0]], lane = [[8], [16], [0], [0], [0]], warp = [[0]]} : [32]>
#r1 = #tile.layout<{register = [[0, 0], [0, 0], [0, 0], [4, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [8, 0]], warp = [[16, 0]]} : [32, 1]>
#c1 = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [0, 0]], lane = [[0, 8], [0, 16], [0, 0], [0, 0], [0, 0]], warp = [[0, 0]]} : [1, 32]>

// CHECK: Function=sums | Line=[[#@LINE+23]], Reason="other ops than products that the loop waits for read what a load loads", Remark="not warp-specialised"
module attributes {tile.target = "sm_90a"} {
func.func @sums(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #rows>
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<32x32xf32>, #memory>
  %i = tile.arange 0 to 32 : tensor<32xi32, #r0>
  %j = tile.arange 0 to 32 : tensor<32xi32, #c0>
  %ie = tile.expand_dims %i, 1 : tensor<32xi32, #r0> -> tensor<32x1xi32, #r1>
  %je = tile.expand_dims %j, 0 : tensor<32xi32, #c0> -> tensor<1x32xi32, #c1>
  %ns = tile.splat %n : i32 -> tensor<32x1xi32, #r1>
  %io = arith.muli %ie, %ns : tensor<32x1xi32, #r1>
  %ib = tile.broadcast %io : tensor<32x1xi32, #r1> -> tensor<32x32xi32, #rows>
  %jb = tile.broadcast %je : tensor<1x32xi32, #c1> -> tensor<32x32xi32, #rows>
  %o = arith.addi %ib, %jb : tensor<32x32xi32, #rows>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>, #rows>
  %p = tile.addptr %xs, %o : tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xi32, #rows>
  %sums = scf.for %k = %c0 to %n step %c32 iter_args(%before = %zero) -> (tensor<32x32xf32, #rows>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32x32xi32, #rows>
    %pk = tile.addptr %p, %ks : tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xi32, #rows>
    %v = tile.load %pk : tensor<32x32x!tile.ptr<f32>, #rows>
    tgpu.local_store %v into %b[%c0] : tensor<32x32xf32, #rows>, !tgpu.buffer<1 of tensor<32x32xf32>, #memory>
    %w = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<32x32xf32>, #memory> -> tensor<32x32xf32, #rows>
    %after = arith.addf %before, %w : tensor<32x32xf32, #rows>
    scf.yield %after : tensor<32x32xf32, #rows>
  } {tile.loop = #tile.loop<stages = 2>}
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>, #rows>
  %yp = tile.addptr %ys, %o : tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xi32, #rows>
  tile.store %yp, %sums : tensor<32x32x!tile.ptr<f32>, #rows>
  return
}
}
