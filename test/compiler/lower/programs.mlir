// Programs that share a block: each is a warp of it, and knows its place from the warp.
// RUN: tegula-opt %s --allocate-shared --convert-tile-to-llvm --split-input-file | FileCheck %s

#row = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []} : [128]>

// The last parameter is the number of programs. Warps beyond it end at once.
// CHECK-LABEL: llvm.func @shared(
// CHECK-SAME: %arg0: !llvm.ptr<1> {{{.*}}}, %[[COUNT:.*]]: i32)
// CHECK-SAME: nvvm.reqntid = array<i32: 128, 1, 1>
// CHECK-SAME: tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 4>
func.func @shared(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 4>} {
  // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128>
  // CHECK: %[[FIVE:.*]] = arith.constant 5 : i32
  // CHECK: %[[WARP:.*]] = arith.shrui %[[TID]], %[[FIVE]]
  // CHECK: %[[MASK:.*]] = arith.constant 31 : i32
  // CHECK: %[[LANE:.*]] = arith.andi %[[TID]], %[[MASK]]
  // CHECK: %[[MINE:.*]] = arith.addi %{{.*}}, %[[WARP]] overflow<nsw, nuw>
  // CHECK: %[[SURPLUS:.*]] = arith.cmpi uge, %[[MINE]], %[[COUNT]]
  // CHECK: llvm.cond_br %[[SURPLUS]], ^[[END:.*]], ^[[REST:.*]]
  // CHECK: ^[[REST]]:
  // CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
  // CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]],
  // CHECK: %[[PID:.*]] = arith.addi %[[FIRST]], %[[WARP]]
  %pid = tile.program_id x
  // CHECK: nvvm.read.ptx.sreg.ctaid.y
  %y = tile.program_id y
  %n = tile.num_programs x
  // CHECK: nvvm.read.ptx.sreg.nctaid.z
  %nz = tile.num_programs z
  // CHECK: nvvm.bar.warp.sync
  tile.barrier
  // CHECK: tile_sum
  %a = arith.addi %pid, %n {tile_sum} : i32
  %b = arith.addi %a, %y : i32
  %c = arith.addi %b, %nz : i32
  // The first lane of each program stores a scalar.
  // CHECK: "@$2 st.global.b32
  tile.store %p, %c : !tile.ptr<i32>
  // CHECK: ^[[END]]:
  // CHECK-NEXT: llvm.return
  return
}

// -----

#row = #tile.layout<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []} : [64]>
#col = #tile.layout<{register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []} : [64]>

// What a program prints begins with its own number.
// CHECK-LABEL: llvm.func @print(
func.func @print() attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 2>} {
  // CHECK: llvm.cond_br
  // CHECK: %[[PID:.*]] = arith.addi %{{.*}} overflow<nsw, nuw> : i32
  // CHECK: llvm.{{store|insertvalue}} %[[PID]]
  tile.print "here" []
  return
}

// -----

// Programs that a block runs one after the other are told apart by their number; how many there are, the launch says.
// CHECK-LABEL: llvm.func @walked(
// CHECK-SAME: %arg0: !llvm.ptr<1> {{{.*}}}, %[[X:.*]]: i32, %[[Y:.*]]: i32, %[[Z:.*]]: i32)
// CHECK-SAME: tile.persistent = 1 : i32
func.func @walked(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>, tile.persistent = 1 : i32} {
  // CHECK-DAG: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
  %block = tgpu.block_id
  // CHECK-DAG: %[[BLOCKS:.*]] = nvvm.read.ptx.sreg.nctaid.x
  %blocks = tgpu.num_blocks
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %nz = tile.num_programs z
  // CHECK: %[[PLANE:.*]] = arith.muli %[[X]], %[[Y]]
  %plane = arith.muli %nx, %ny : i32
  // CHECK: %[[ALL:.*]] = arith.muli %[[PLANE]], %[[Z]]
  %all = arith.muli %plane, %nz : i32
  // CHECK: scf.for %[[T:.*]] = %[[BLOCK]] to %[[ALL]] step %[[BLOCKS]]
  scf.for %t = %block to %all step %blocks : i32 {
    // CHECK: arith.remui %[[T]], %[[X]]
    %x = tile.program_id x of %t
    // CHECK: %[[ROW:.*]] = arith.divui %[[T]], %[[X]]
    // CHECK: arith.remui %[[ROW]], %[[Y]]
    %y = tile.program_id y of %t
    // CHECK: arith.divui %{{.*}}, %[[Y]]
    %z = tile.program_id z of %t
    %a = arith.addi %x, %y : i32
    %b = arith.addi %a, %z : i32
    tile.store %p, %b : !tile.ptr<i32>
  }
  return
}
