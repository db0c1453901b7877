// Several iterations become one where the author asks for it.
// RUN: tegula-opt %s --unroll-loops | FileCheck %s
// RUN: tegula-opt %s --unroll-loops --remarks-filter=unroll-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The upper bound is not below the lower one when iterations are counted; what is left over is a second loop,
// which gets no stages.
// CHECK-LABEL: @twice
// CHECK: arith.maxsi %arg1, %{{.*}} : i32
// CHECK: scf.for
// CHECK-COUNT-2: tile.load
// CHECK: tile.loop = #tile.loop<stages = 3>
// CHECK: scf.for
// CHECK-COUNT-1: tile.load
// CHECK: tile.loop = #tile.loop<stages = 1>
// REMARK: [Passed] unroll | Category:unroll-loops | Function=twice | Remark="2 iterations as one"
func.func @twice(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %c0 to %n step %c1 : i32 {
    %xp = tile.addptr %x, %r : !tile.ptr<f32>, i32
    %v = tile.load %xp : !tile.ptr<f32>
    tile.print "v" [true] values(%v : f32)
  } {tile.loop = #tile.loop<stages = 3, unroll = 2>}
  return
}

// All iterations are known: nothing is left over.
// CHECK-LABEL: @evenly
// CHECK: scf.for
// CHECK-COUNT-4: tile.print
// CHECK-NOT: scf.for
// CHECK: return
func.func @evenly() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  scf.for %r = %c0 to %c8 step %c1 : i32 {
    tile.print "r" [true] values(%r : i32)
  } {tile.loop = #tile.loop<unroll = 4>}
  return
}

// What counts without sign does so with more bits and a sign.
// CHECK-LABEL: @without_sign
// CHECK: %[[END:.*]] = arith.extui %arg0 : i32 to i64
// CHECK: scf.for %{{.*}} to %{{.*}} step %{{.*}} : i64 {
// CHECK-COUNT-4: tile.print
// CHECK: scf.for
// CHECK: tile.print
// CHECK: return
// REMARK: [Passed] unroll | {{.*}}Function=without_sign | {{.*}}"4 iterations as one"
func.func @without_sign(%n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for unsigned %r = %c0 to %n step %c1 : i32 {
    tile.print "r" [true] values(%r : i32)
  } {tile.loop = #tile.loop<unroll = 4>}
  return
}

// CHECK-LABEL: @wide_without_sign
// CHECK-COUNT-1: tile.print
// CHECK-NOT: tile.print
// CHECK: return
// REMARK: [Missed] unroll | Category:unroll-loops | Function=wide_without_sign | Reason="it counts more than 32 bits without sign", Remark="the loop is not unrolled"
func.func @wide_without_sign(%n: i64 {tile.param = #tile.param<"n", "i64", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for unsigned %r = %c0 to %n step %c1 : i64 {
    tile.print "r" [true] values(%r : i64)
  } {tile.loop = #tile.loop<unroll = 4>}
  return
}

#wide = #tile.layout<{register = [[1], [2], [4], [8], [16], [32], [64], [128], [256]], lane = [[512], [1024], [2048], [4096], [8192]]} : [16384]>

// What a loop hands on counts as what it computes does: sixteen iterations of 1,024 values are as many as one may have.
// CHECK-LABEL: @long
// CHECK: scf.for
// CHECK-COUNT-16: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: return
// REMARK: [Missed] unroll | {{.*}}Function=long | Reason="together they may have 16384 values of a thread", Remark="16 of 32 iterations as one"
// REMARK: [Passed] unroll | {{.*}}Function=long | Remark="16 iterations as one"
func.func @long(%x: tensor<16384xf32, #wide>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %r = %c0 to %c64 step %c1 iter_args(%acc = %x) -> tensor<16384xf32, #wide> : i32 {
    %next = arith.mulf %acc, %x : tensor<16384xf32, #wide>
    scf.yield %next : tensor<16384xf32, #wide>
  } {tile.loop = #tile.loop<unroll = 32>}
  return
}

// One iteration that is as long is not repeated.
// CHECK-LABEL: @longest
// CHECK: scf.for
// CHECK-COUNT-1: math.log
// CHECK-NOT: math.log
// CHECK: return
// REMARK: [Missed] unroll | {{.*}}Function=longest | Reason="together they may have 16384 values of a thread", Remark="1 of 2 iterations as one"
func.func @longest(%x: tensor<16384xf32, #wide>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %r = %c0 to %c64 step %c1 iter_args(%acc = %x) -> tensor<16384xf32, #wide> : i32 {
    %next = math.log %acc : tensor<16384xf32, #wide>
    scf.yield %next : tensor<16384xf32, #wide>
  } {tile.loop = #tile.loop<unroll = 2>}
  return
}
