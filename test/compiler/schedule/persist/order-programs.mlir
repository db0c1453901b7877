// Tiles that a kernel numbers row by row are computed in groups of rows, column by column.
// RUN: tegula-opt %s --order-programs | FileCheck %s

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>

// CHECK-LABEL: func.func @two_axes
// CHECK-SAME: tile.ordered
// CHECK: scf.for %[[P:.*]] = %{{.*}} to
// CHECK: %[[X:.*]] = tile.program_id x of %[[P]]
// CHECK: %[[Y:.*]] = tile.program_id y of %[[P]]
// CHECK: %[[COLUMNS:.*]] = tile.num_programs x
// CHECK: %[[ROWS:.*]] = tile.num_programs y
// CHECK: %[[MOST:.*]] = arith.select
// CHECK: %[[GROUP:.*]] = arith.divui %[[Y]], %[[MOST]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[GROUP]], %[[MOST]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[FIRST]]
// CHECK: %[[HEIGHT:.*]] = arith.minui %[[LEFT]], %[[MOST]]
// CHECK: %[[INSIDE:.*]] = arith.addi %{{.*}}, %[[X]]
// CHECK: %[[DOWN:.*]] = arith.remui %[[INSIDE]], %[[HEIGHT]]
// CHECK: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[DOWN]]
// CHECK: %[[COLUMN:.*]] = arith.divui %[[INSIDE]], %[[HEIGHT]]
// CHECK: arith.muli %[[COLUMN]]
// CHECK: arith.muli %[[ROW]]
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
// CHECK: scf.for %[[P:.*]] = %{{.*}} to
// CHECK: %[[ID:.*]] = tile.program_id x of %[[P]]
// CHECK: %[[N:.*]] = arith.maxui %[[COLUMNS]]
// CHECK: %[[ROWS:.*]] = arith.divui %{{.*}}, %[[N]]
// CHECK: %[[ROW:.*]] = arith.divui %[[ID]], %[[N]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %[[ROWS]]
// CHECK: %[[ORDERED:.*]] = arith.select %[[INSIDE]], %{{.*}}, %[[ID]]
// CHECK: arith.remsi %[[ORDERED]], %[[COLUMNS]]
// CHECK: arith.divsi %[[ORDERED]], %[[COLUMNS]]
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

// The ids come first, whatever was computed of one before the other; a block that runs one program has an order, too.
// CHECK-LABEL: func.func @one_program
// CHECK: %[[Y:.*]] = tile.program_id y
// CHECK: %[[X:.*]] = tile.program_id x
// CHECK: %[[DOWN:.*]] = arith.remui
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[DOWN]]
// CHECK: %[[COLUMN:.*]] = arith.divui
// CHECK: arith.muli %[[ROW]]
// CHECK: arith.muli %[[COLUMN]]
func.func @one_program(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %j = tile.program_id y
  %line = arith.muli %j, %c64 : i32
  %i = tile.program_id x
  %column = arith.muli %i, %c64 : i32
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  scf.for %k = %c0 to %n step %c64 : i32 {
    tgpu.tma_load %map[%k, %line] into %a[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    tgpu.tma_load %map[%k, %column] into %b[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  }
  return
}

// What the number is divided by is computed first.
// CHECK-LABEL: func.func @divisor_behind
// CHECK: %[[COLUMNS:.*]] = arith.ceildivsi
// CHECK: %[[ID:.*]] = tile.program_id x
// CHECK: %[[ORDERED:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ID]]
// CHECK: arith.muli %[[ORDERED]], %[[ORDERED]]
// CHECK: arith.remsi %[[ORDERED]], %[[COLUMNS]]
// CHECK: arith.divsi %[[ORDERED]], %[[COLUMNS]]
func.func @divisor_behind(%x: !tile.ptr<bf16>, %n: i32, %row: i64, %out: !tile.ptr<i32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %id = tile.program_id x
  %square = arith.muli %id, %id : i32
  tile.store %out, %square : !tile.ptr<i32>
  %columns = arith.ceildivsi %n, %c64 : i32
  %i = arith.remsi %id, %columns : i32
  %j = arith.divsi %id, %columns : i32
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %a = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  scf.for %k = %c0 to %n step %c64 : i32 {
    tgpu.tma_load %map[%k, %j] into %a[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    tgpu.tma_load %map[%k, %i] into %b[%c0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  }
  return
}
