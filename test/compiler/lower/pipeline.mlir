// A pipeline state is two numbers, which wrap together; loops carry both.
// RUN: tegula-opt %s --convert-tile-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @count
// CHECK: scf.for {{.*}} iter_args(%[[SLOT:.*]] = %c0_i32{{[_0-9]*}}, %[[PHASE:.*]] = %c1_i32{{[_0-9]*}}) -> (i32, i32)
// The last slot is the one before the first, of the phase before.
// CHECK: %[[LESS:.*]] = arith.subi %[[SLOT]]
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[SLOT]]
// CHECK: arith.select %[[IS_FIRST]], %{{.*}}, %[[LESS]]
// CHECK: %[[MORE:.*]] = arith.addi %[[SLOT]]
// CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[MORE]]
// CHECK: %[[OTHER:.*]] = arith.xori %[[PHASE]]
// CHECK: %[[NEXT_SLOT:.*]] = arith.select %[[WRAPS]], %{{.*}}, %[[MORE]]
// CHECK: %[[NEXT_PHASE:.*]] = arith.select %[[WRAPS]], %[[OTHER]], %[[PHASE]]
// CHECK: scf.yield %[[NEXT_SLOT]], %[[NEXT_PHASE]]
module attributes {tile.target = "sm_90a"} {
func.func @count(%out: !tile.ptr<i32> {tile.param = #tile.param<"out", "*i32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %begin = tgpu.pipeline_begin parity 1 : !tgpu.pipeline_state<3>
  %end = scf.for %i = %0 to %n step %1 iter_args(%state = %begin) -> !tgpu.pipeline_state<3> : i32 {
    %before = tgpu.pipeline_previous %state : !tgpu.pipeline_state<3>
    %slot = tgpu.pipeline_slot %before : !tgpu.pipeline_state<3>
    tile.store %out, %slot : !tile.ptr<i32>
    %phase = tgpu.pipeline_phase %before : !tgpu.pipeline_state<3>
    tile.store %out, %phase : !tile.ptr<i32>
    %next = tgpu.pipeline_next %state : !tgpu.pipeline_state<3>
    scf.yield %next : !tgpu.pipeline_state<3>
  }
  return
}
}
