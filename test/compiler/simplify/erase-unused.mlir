// Unused chains go, also within branches; what has effects stays, and what it uses.
// RUN: tegula-opt %s -erase-unused | FileCheck %s

// CHECK-LABEL: func @chain
func.func @chain(%p: !tile.ptr<f32>, %x: f32, %c: i1) {
  // CHECK-NEXT: %[[S:.*]] = arith.subf
  %s = arith.subf %x, %x : f32
  %a = arith.addf %x, %s : f32
  %b = arith.mulf %a, %a : f32
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: tile.store %{{.*}}, %[[S]]
  // CHECK-NEXT: }
  scf.if %c {
    %d = arith.addf %b, %b : f32
    %e = math.exp %d : f32
    tile.store %p, %s : !tile.ptr<f32>
  }
  // CHECK-NEXT: return
  return
}

// The results of what has regions are not asked for: that is the canonicalizer's.
// CHECK-LABEL: func @loop
func.func @loop(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (f32) {
    // CHECK-NEXT: arith.addf
    %w = arith.addf %v, %v : f32
    %u = arith.mulf %w, %w : f32
    // CHECK-NEXT: scf.yield
    scf.yield %w : f32
  }
  return
}
