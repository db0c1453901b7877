// What is the same in every iteration is computed once, unless the author refuses.
// RUN: tegula-opt %s --hoist-invariants | FileCheck %s

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
