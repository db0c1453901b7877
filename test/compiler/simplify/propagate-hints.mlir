// A hint whose value is unused is about the value that it was given, from there on.
// RUN: tegula-opt %s -propagate-hints | FileCheck %s

// CHECK-LABEL: func @statement
// CHECK-SAME: %[[P:.*]]: !tile.ptr<i32>, %[[X:.*]]: i32, %[[C:.*]]: i1
func.func @statement(%p: !tile.ptr<i32>, %x: i32, %c: i1) {
  // CHECK: tile.store %[[P]], %[[X]]
  tile.store %p, %x : !tile.ptr<i32>
  // CHECK: %[[FIRST:.*]] = tile.hint %[[X]] divisibility
  %h = tile.hint %x divisibility = [16] : i32
  // CHECK: %[[SECOND:.*]] = tile.hint %[[FIRST]] constancy
  %g = tile.hint %h constancy = [1] : i32
  // CHECK: tile.store %[[P]], %[[SECOND]]
  tile.store %p, %x : !tile.ptr<i32>
  // CHECK: scf.if
  scf.if %c {
    // CHECK-NEXT: tile.store %[[P]], %[[SECOND]]
    tile.store %p, %x : !tile.ptr<i32>
  }
  return
}

// Not behind the branch in which it is said, and not where the hinted value is taken.
// CHECK-LABEL: func @apart
// CHECK-SAME: %[[P:.*]]: !tile.ptr<i32>, %[[X:.*]]: i32, %[[C:.*]]: i1
func.func @apart(%p: !tile.ptr<i32>, %x: i32, %c: i1) {
  scf.if %c {
    // CHECK: tile.hint %[[X]]
    %h = tile.hint %x divisibility = [16] : i32
  }
  // CHECK: tile.store %[[P]], %[[X]]
  tile.store %p, %x : !tile.ptr<i32>
  %g = tile.hint %x divisibility = [16] : i32
  tile.store %p, %g : !tile.ptr<i32>
  // CHECK: tile.store %[[P]], %[[X]]
  tile.store %p, %x : !tile.ptr<i32>
  return
}
