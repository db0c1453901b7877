// Pipeline states: what is written is read back, and what is known of one is a constant.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s -canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @steps
func.func @steps() -> (i32, i32) {
  // CHECK: %[[BEGIN:.*]] = tgpu.pipeline_begin parity 1 : <4>
  %begin = tgpu.pipeline_begin parity 1 : !tgpu.pipeline_state<4>
  // CHECK: %[[NEXT:.*]] = tgpu.pipeline_next %[[BEGIN]] : <4>
  %next = tgpu.pipeline_next %begin : !tgpu.pipeline_state<4>
  // CHECK: %[[BEFORE:.*]] = tgpu.pipeline_previous %[[NEXT]] : <4>
  %before = tgpu.pipeline_previous %next : !tgpu.pipeline_state<4>
  // CHECK: tgpu.pipeline_slot %[[BEFORE]] : <4>
  %slot = tgpu.pipeline_slot %before : !tgpu.pipeline_state<4>
  // CHECK: tgpu.pipeline_phase %[[NEXT]] : <4>
  %phase = tgpu.pipeline_phase %next : !tgpu.pipeline_state<4>
  return %slot, %phase : i32, i32
}

// The slot after the last is the first, in the other phase; the one before the first is the last.
// FOLD-LABEL: func.func @wraps
// FOLD-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// FOLD-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// FOLD-NOT: tgpu
// FOLD: return %[[ZERO]], %[[ONE]], %[[ONE]], %[[ONE]]
func.func @wraps() -> (i32, i32, i32, i32) {
  %begin = tgpu.pipeline_begin parity 0 : !tgpu.pipeline_state<2>
  %1 = tgpu.pipeline_next %begin : !tgpu.pipeline_state<2>
  %2 = tgpu.pipeline_next %1 : !tgpu.pipeline_state<2>
  %last = tgpu.pipeline_previous %begin : !tgpu.pipeline_state<2>
  %slot = tgpu.pipeline_slot %2 : !tgpu.pipeline_state<2>
  %phase = tgpu.pipeline_phase %2 : !tgpu.pipeline_state<2>
  %slot_before = tgpu.pipeline_slot %last : !tgpu.pipeline_state<2>
  %phase_before = tgpu.pipeline_phase %last : !tgpu.pipeline_state<2>
  return %slot, %phase, %slot_before, %phase_before : i32, i32, i32, i32
}

// Nothing is known of what a loop carries.
// FOLD-LABEL: func.func @carried
// FOLD: scf.for
// FOLD: tgpu.pipeline_slot
func.func @carried(%n: i32, %out: !tile.ptr<i32>) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %begin = tgpu.pipeline_begin parity 0 : !tgpu.pipeline_state<3>
  %end = scf.for %i = %0 to %n step %1 iter_args(%state = %begin) -> !tgpu.pipeline_state<3> : i32 {
    %slot = tgpu.pipeline_slot %state : !tgpu.pipeline_state<3>
    tile.store %out, %slot : !tile.ptr<i32>
    %next = tgpu.pipeline_next %state : !tgpu.pipeline_state<3>
    scf.yield %next : !tgpu.pipeline_state<3>
  }
  return
}
