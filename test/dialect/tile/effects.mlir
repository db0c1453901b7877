// What atomics, barriers and reductions let other ops do: equal atomics both happen, loads keep to their side.
// RUN: tegula-opt %s --split-input-file --cse --canonicalize | FileCheck %s
// RUN: tegula-opt %s --split-input-file --loop-invariant-code-motion --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,LICM

// Each atomic op happens, used or not.
// CHECK-LABEL: @atomics_happen
func.func @atomics_happen(%p: !tile.ptr<i32>, %v: i32) -> (i32, i32) {
  // CHECK-COUNT-3: tile.atomic_rmw add
  // CHECK-COUNT-2: tile.atomic_cas
  // CHECK-COUNT-2: tile.atomic_load
  // CHECK-COUNT-2: tile.atomic_store
  // CHECK: return
  %0 = tile.atomic_rmw add, relaxed, gpu, %p, %v : !tile.ptr<i32>
  %1 = tile.atomic_rmw add, relaxed, gpu, %p, %v : !tile.ptr<i32>
  %2 = tile.atomic_rmw add, relaxed, gpu, %p, %v : !tile.ptr<i32>
  %3 = tile.atomic_cas relaxed, gpu, %p, %v, %v : !tile.ptr<i32>
  %4 = tile.atomic_cas relaxed, gpu, %p, %v, %v : !tile.ptr<i32>
  %5 = tile.atomic_load relaxed, gpu, %p : !tile.ptr<i32>
  %6 = tile.atomic_load relaxed, gpu, %p : !tile.ptr<i32>
  tile.atomic_store relaxed, gpu, %p, %v : !tile.ptr<i32>
  tile.atomic_store relaxed, gpu, %p, %v : !tile.ptr<i32>
  return %0, %1 : i32, i32
}

// -----

// A load behind an atomic op or a barrier is another than the one in front, also of another address.
// CHECK-LABEL: @loads_stay
func.func @loads_stay(%p: !tile.ptr<i32>, %q: !tile.ptr<f32>) -> (f32, f32, f32, f32) {
  %c = arith.constant 0 : i32
  // CHECK: %[[A:.*]] = tile.load
  // CHECK-NEXT: tile.atomic_cas
  // CHECK-NEXT: %[[B:.*]] = tile.load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: %[[C:.*]] = tile.load
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[C]]
  %a = tile.load %q : !tile.ptr<f32>
  %0 = tile.atomic_cas acquire, gpu, %p, %c, %c : !tile.ptr<i32>
  %b = tile.load %q : !tile.ptr<f32>
  tile.barrier
  %d = tile.load %q : !tile.ptr<f32>
  %e = tile.load %q : !tile.ptr<f32>
  return %a, %b, %d, %e : f32, f32, f32, f32
}

// -----

// Neither an atomic op nor a barrier leaves its loop, nor does a load next to one.
// CHECK-LABEL: @loop
func.func @loop(%p: !tile.ptr<i32>, %q: !tile.ptr<f32>, %n: i32) -> f32 {
  %c = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  // CHECK: scf.for
  // CHECK: tile.atomic_rmw xchg
  // CHECK: tile.load
  // CHECK: tile.barrier
  // CHECK: scf.yield
  %r = scf.for %i = %c to %n step %c iter_args(%s = %z) -> f32 : i32 {
    %0 = tile.atomic_rmw xchg, acq_rel, gpu, %p, %c : !tile.ptr<i32>
    %v = tile.load %q : !tile.ptr<f32>
    tile.barrier
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// -----

// A lock's loop has nothing in it but the atomic op, and stays.
// CHECK-LABEL: @lock
func.func @lock(%p: !tile.ptr<i32>) {
  // CHECK: scf.while
  // CHECK: tile.atomic_cas
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %old = tile.atomic_cas acq_rel, gpu, %p, %zero, %one : !tile.ptr<i32>
    %held = arith.cmpi eq, %old, %one : i32
    scf.condition(%held)
  } do {
    scf.yield
  }
  return
}

// -----

// Equal reductions are one, an unused one is none; what its region repeats is found within it.
// CHECK-LABEL: @reductions
func.func @reductions(%x: tensor<64xf32>) -> (f32, f32) {
  // CHECK: %[[S:.*]] = tile.reduce
  // CHECK: arith.addf
  // CHECK-NEXT: arith.mulf %[[T:.*]], %[[T]] :
  // CHECK-NOT: tile.reduce
  // CHECK: return %[[S]], %[[S]]
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    %d = arith.addf %a, %b : f32
    %e = arith.mulf %c, %d : f32
    tile.yield %e : f32
  }
  %1 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    %d = arith.addf %a, %b : f32
    %e = arith.mulf %c, %d : f32
    tile.yield %e : f32
  }
  %2 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tile.yield %c : f32
  }
  return %0, %1 : f32, f32
}

// -----

// A reduction of what does not change leaves the loop; a constant that its region needs stays inside.
// CHECK-LABEL: @invariant
func.func @invariant(%x: tensor<64xf32>, %n: i32) -> f32 {
  %c = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  // LICM: tile.reduce
  // LICM-NEXT: ^bb0
  // LICM-NEXT: arith.constant 2.0
  // LICM: scf.for
  %r = scf.for %i = %c to %n step %c iter_args(%s = %z) -> f32 : i32 {
    %v = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %two = arith.constant 2.0 : f32
      %d = arith.mulf %a, %two : f32
      %e = arith.addf %d, %b : f32
      tile.yield %e : f32
    }
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  // CHECK: return
  return %r : f32
}

// -----

// What asserts or prints happens as often as it is written, used or not.
// CHECK-LABEL: @effects_of_regions
func.func @effects_of_regions(%x: tensor<64xf32>, %ok: i1) -> (f32, f32) {
  // CHECK: tile.reduce
  // CHECK: tile.print " a: " [false]
  // CHECK: tile.reduce
  // CHECK: tile.print " a: " [false]
  // CHECK: tile.scan
  // CHECK: tile.assert
  // CHECK: tile.map
  // CHECK: scf.if
  // CHECK-NEXT: tile.print
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.print " a: " [false] values(%a : f32)
    tile.yield %b : f32
  }
  %1 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.print " a: " [false] values(%a : f32)
    tile.yield %b : f32
  }
  %2 = tile.scan %x axis 0 : tensor<64xf32> -> tensor<64xf32> {
  ^bb0(%a: f32, %b: f32):
    %less = arith.cmpf olt, %a, %b : f32
    tile.assert %less, "rises" : i1
    tile.yield %b : f32
  }
  %3 = tile.map %x pack 1 : tensor<64xf32> -> tensor<64xf32> {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %less = arith.cmpf olt, %a, %z : f32
    scf.if %less {
      tile.print " a: " [false] values(%a : f32)
    }
    tile.yield %a : f32
  }
  return %0, %1 : f32, f32
}

// -----

// Nor does it leave its loop, which what only computes does.
// CHECK-LABEL: @effects_in_loops
func.func @effects_in_loops(%x: tensor<64xi32>, %n: i32) -> i32 {
  %c = arith.constant 1 : i32
  // LICM: tile.reduce
  // LICM-NOT: tile.print
  // CHECK: scf.for
  // CHECK: tile.reduce
  // CHECK: tile.print
  // CHECK: scf.yield
  %r = scf.for %i = %c to %n step %c iter_args(%s = %c) -> i32 : i32 {
    %0 = tile.reduce %x axis 0 : tensor<64xi32> -> i32 {
    ^bb0(%a: i32, %b: i32):
      %d = arith.addi %a, %b : i32
      tile.yield %d : i32
    }
    %1 = tile.reduce %x axis 0 : tensor<64xi32> -> i32 {
    ^bb0(%a: i32, %b: i32):
      tile.print " a: " [true] values(%a : i32)
      tile.yield %b : i32
    }
    %t = arith.addi %0, %1 : i32
    %u = arith.addi %s, %t : i32
    scf.yield %u : i32
  }
  return %r : i32
}
