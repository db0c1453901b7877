// Tiles that a kernel numbers row by row are computed in groups of rows, column by column.
// RUN: tegula-opt %s --order-programs | FileCheck %s

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>

// CHECK-LABEL: func.func @two_axes
// CHECK: %[[X:.*]] = tile.num_programs x
// CHECK: %[[ROWS:.*]] = arith.divui %{{.*}}, %[[X]]
// CHECK: %[[Y:.*]] = tile.num_programs y
// CHECK: %[[C8:.*]] = arith.constant 8
// CHECK: arith.minui %[[Y]], %[[C8]]
// CHECK: scf.for %[[P:.*]] = %{{.*}} to
// CHECK-DAG: arith.divui %[[P]]
// CHECK-DAG: arith.remui %[[P]]
// CHECK: %[[ROW:.*]] = arith.addi
// CHECK: %[[COLUMN:.*]] = arith.divui
// CHECK: %[[BEFORE:.*]] = arith.muli %[[ROW]], %[[X]]
// CHECK: %[[ORDERED:.*]] = arith.addi %[[BEFORE]], %[[COLUMN]]
// CHECK-NEXT: tile.program_id x of %[[ORDERED]]
// CHECK-NEXT: tile.program_id y of %[[ORDERED]]
func.func @two_axes(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tile.persistent = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %block = tgpu.block_id
  %blocks = tgpu.num_blocks
  scf.for %program = %block to %n step %blocks : i32 {
    %i = tile.program_id x of %program
    %j = tile.program_id y of %program
    %column = arith.muli %i, %c64 : i32
    %line = arith.muli %j, %c64 : i32
    scf.for %k = %c0 to %n step %c64 : i32 {
      tgpu.tma_load %map[%k, %line] into %a[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
      tgpu.tma_load %map[%k, %column] into %b[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    }
  }
  return
}

// Quotient and remainder of one number are rows and columns, too. What is over is no whole row.
// CHECK-LABEL: func.func @of_one_number
// CHECK-SAME: %[[COLUMNS:[a-z0-9]*]]: i32
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[N:.*]] = arith.maxui %[[COLUMNS]], %[[ONE]]
// CHECK: %[[ROWS:.*]] = arith.divui %{{.*}}, %[[N]]
// CHECK: %[[WHOLE:.*]] = arith.muli %[[ROWS]], %[[N]]
// CHECK: scf.for %[[P:.*]] = %{{.*}} to
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[P]], %[[WHOLE]]
// CHECK: %[[ORDERED:.*]] = arith.select %[[INSIDE]], %{{.*}}, %[[P]]
// CHECK-NEXT: tile.program_id x of %[[ORDERED]]
func.func @of_one_number(%columns: i32, %x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tile.persistent = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %block = tgpu.block_id
  %blocks = tgpu.num_blocks
  scf.for %program = %block to %n step %blocks : i32 {
    %id = tile.program_id x of %program
    %i = arith.remsi %id, %columns : i32
    %j = arith.divsi %id, %columns : i32
    scf.for %k = %c0 to %n step %c64 iter_args(%at = %c0) -> (i32) : i32 {
      tgpu.tma_load %map[%at, %j] into %a[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
      tgpu.tma_load %map[%at, %i] into %b[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
      %next = arith.addi %at, %c64 : i32
      scf.yield %next : i32
    }
  }
  return
}

// Groups of the author's own stay.
// CHECK-LABEL: func.func @own_groups
// CHECK: scf.for %[[P:.*]] = %{{.*}} to
// CHECK-NEXT: tile.program_id x of %[[P]]
func.func @own_groups(%columns: i32, %height: i32, %x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tile.persistent = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %block = tgpu.block_id
  %blocks = tgpu.num_blocks
  scf.for %program = %block to %n step %blocks : i32 {
    %id = tile.program_id x of %program
    %group = arith.divsi %id, %columns : i32
    %inside = arith.remsi %id, %columns : i32
    %in_group = arith.remsi %inside, %height : i32
    %i = arith.divsi %inside, %height : i32
    %first = arith.muli %group, %height : i32
    %j = arith.addi %first, %in_group : i32
    scf.for %k = %c0 to %n step %c64 : i32 {
      tgpu.tma_load %map[%k, %j] into %a[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
      tgpu.tma_load %map[%k, %i] into %b[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    }
  }
  return
}

// A part of K along y, on which both loads depend, is no row of tiles.
// CHECK-LABEL: func.func @parts_of_k
// CHECK: scf.for %[[P:.*]] = %{{.*}} to
// CHECK-NEXT: tile.program_id x of %[[P]]
func.func @parts_of_k(%columns: i32, %x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>, tile.persistent = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %block = tgpu.block_id
  %blocks = tgpu.num_blocks
  scf.for %program = %block to %n step %blocks : i32 {
    %i = tile.program_id x of %program
    %part = tile.program_id y of %program
    scf.for %k = %part to %n step %c64 : i32 {
      tgpu.tma_load %map[%k, %i] into %a[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
      tgpu.tma_load %map[%k, %c0] into %b[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    }
  }
  return
}
