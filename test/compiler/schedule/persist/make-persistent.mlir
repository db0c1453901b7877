// A kernel whose blocks are to run several programs has a loop round them.
// RUN: tegula-opt %s --make-persistent | FileCheck %s --implicit-check-not=tgpu.grid

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>

// CHECK-LABEL: func.func @two_axes
// CHECK-SAME: tile.persistent = 2 : i32
// CHECK-DAG: %[[B:.*]] = tgpu.alloc
// CHECK-DAG: %[[MAP:.*]] = tgpu.tensor_map
// CHECK-DAG: %[[BLOCK:.*]] = tgpu.block_id
// CHECK-DAG: %[[BLOCKS:.*]] = tgpu.num_blocks
// CHECK-DAG: %[[X:.*]] = tile.num_programs x
// CHECK-DAG: %[[Y:.*]] = tile.num_programs y
// CHECK: arith.muli
// CHECK: %[[ALL:.*]] = arith.muli
// What is the same for all programs is computed once.
// CHECK: %[[SAME:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: scf.for %[[P:.*]] = %[[BLOCK]] to %[[ALL]] step %[[BLOCKS]]
// CHECK: tile.program_id x of %[[P]]
// CHECK: tile.program_id y of %[[P]]
// CHECK: tile.store
func.func @two_axes(%x: !tile.ptr<bf16>, %n: i32, %row: i64, %out: !tile.ptr<i32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tgpu.grid = #tgpu.grid<blocks = 2>} {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %i = tile.program_id x
  %j = tile.program_id y
  %same = arith.addi %n, %n : i32
  %k = arith.addi %i, %j : i32
  %l = arith.addi %k, %same : i32
  %p = tile.addptr %out, %l : !tile.ptr<i32>, i32
  tile.store %p, %l : !tile.ptr<i32>
  return
}

// CHECK-LABEL: func.func @untouched
// CHECK-NOT: scf.for
func.func @untouched(%n: i32, %out: !tile.ptr<i32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  tile.store %out, %n : !tile.ptr<i32>
  return
}
