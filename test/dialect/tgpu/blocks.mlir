// Programs that a block runs one after the other: what is written is read back.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s

// CHECK-LABEL: func.func @walk
// CHECK-SAME: tile.persistent = 1 : i32
func.func @walk(%x: !tile.ptr<i32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.persistent = 1 : i32} {
  // CHECK: %[[BLOCK:.*]] = tgpu.block_id
  %block = tgpu.block_id
  // CHECK: %[[BLOCKS:.*]] = tgpu.num_blocks
  %blocks = tgpu.num_blocks
  // CHECK: %[[COUNT:.*]] = tile.num_programs x
  %count = tile.num_programs x
  // CHECK: scf.for %[[T:.*]] = %[[BLOCK]] to %[[COUNT]] step %[[BLOCKS]]
  scf.for %t = %block to %count step %blocks : i32 {
    // CHECK: tile.program_id x of %[[T]]
    %id = tile.program_id x of %t
    // CHECK: tile.program_id z of %[[T]] {a}
    %other = tile.program_id z of %t {a}
    tile.store %x, %id : !tile.ptr<i32>
  }
  return
}
