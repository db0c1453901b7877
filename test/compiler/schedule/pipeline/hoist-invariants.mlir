// What is the same in every iteration is computed once, unless the author refuses.
// RUN: tegula-opt %s --hoist-invariants | FileCheck %s
// RUN: tegula-opt %s --hoist-invariants --remarks-filter=hoist-invariants -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: @hoisted
// CHECK: math.exp
// CHECK: scf.while
// CHECK: tile.load
func.func @hoisted(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %a: f32 {tile.param = #tile.param<"a", "fp32", 1>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %e = math.exp %a : f32
    %v = tile.load %x : !tile.ptr<f32>
    %s = arith.addf %e, %v : f32
    tile.store %x, %s : !tile.ptr<f32>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  return
}

// CHECK-LABEL: @refused
// CHECK: scf.for
// CHECK: math.exp
func.func @refused(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %a: f32 {tile.param = #tile.param<"a", "fp32", 1>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %e = math.exp %a : f32
    tile.store %x, %e : !tile.ptr<f32>
  } {tile.loop = #tile.loop<no_licm>}
  return
}

// A load at one address leaves the loop too, and what follows from it; it happens if there is an iteration.
// CHECK-LABEL: @loads
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %c0{{.*}}, %arg2
// CHECK: tile.load %arg0, %[[ANY]]
// CHECK: math.exp
// CHECK: scf.for
// CHECK-NOT: tile.load
// CHECK: return
func.func @loads(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %v = tile.load %x : !tile.ptr<f32>
    %e = math.exp %v : f32
    tile.print "e" [true] values(%e : f32)
  }
  return
}

// A loop that runs needs no mask. A store through another parameter is no matter where the author asked for stages,
// one through the same is.
// CHECK-LABEL: @stores
// CHECK: tile.load %arg0 :
// CHECK: scf.for
// CHECK-NOT: tile.load %arg0
// CHECK: tile.load %arg1
// CHECK: return
func.func @stores(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %v = tile.load %x : !tile.ptr<f32>
    %w = tile.load %y : !tile.ptr<f32>
    %s = arith.addf %v, %w : f32
    tile.store %y, %s : !tile.ptr<f32>
  } {tile.loop = #tile.loop<stages = 2>}
  return
}

// CHECK-LABEL: @unasked
// CHECK: scf.for
// CHECK: tile.load
func.func @unasked(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %v = tile.load %x : !tile.ptr<f32>
    tile.store %y, %v : !tile.ptr<f32>
  }
  return
}

#many = #tile.layout<{register = [[1], [2], [512], [1024], [2048]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [4096]>
// 32 registers a thread are too many to keep all the time.
// REMARK: [Missed] hoist | {{.*}}Function=many | Reason="such loads would take 32 registers a thread all the time, expected at most 16", Remark="a load that is the same in each iteration stays in the loop"
// CHECK-LABEL: @many
// CHECK: scf.for
// CHECK: tile.load
func.func @many(%p: tensor<4096x!tile.ptr<f32>, #many>, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %v = tile.load %p : tensor<4096x!tile.ptr<f32>, #many>
    tile.print "v" [true] values(%v : tensor<4096xf32, #many>)
  }
  return
}
