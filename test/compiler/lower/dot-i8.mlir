// Dots of bytes.
// RUN: tegula-opt %s --tegula-lower --print-ptx --split-input-file -o /dev/null | FileCheck %s

#a = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 32]>
#b = #tile.layout<{register = [[1, 0], [2, 0], [16, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [32, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// Four bytes a register.
// CHECK-LABEL: .visible .entry i8(
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
module attributes {tile.target = "sm_80"} {
  func.func @i8(%x: i8 {tile.param = #tile.param<"x", "i8", 1>}, %y: i8 {tile.param = #tile.param<"y", "i8", 1>}, %p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : i8 -> tensor<16x32xi8, #a>
    %b = tile.splat %y : i8 -> tensor<32x8xi8, #b>
    %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x8x!tile.ptr<i32>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<i32>, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k32> : tensor<16x32xi8, #a>, tensor<32x8xi8, #b> -> tensor<16x8xi32, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<i32>, #c>
    return
  }
}

// -----

#a = #tile.layout<{register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 16]>
#b = #tile.layout<{register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [16, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [16, 8]>

// K of 16.
// CHECK-LABEL: .visible .entry i8_short(
// CHECK: mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32
module attributes {tile.target = "sm_80"} {
  func.func @i8_short(%x: i8 {tile.param = #tile.param<"x", "i8", 1>}, %y: i8 {tile.param = #tile.param<"y", "i8", 1>}, %p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.splat %x : i8 -> tensor<16x16xi8, #a>
    %b = tile.splat %y : i8 -> tensor<16x8xi8, #b>
    %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x8x!tile.ptr<i32>, #c>
    %c = tile.load %ps : tensor<16x8x!tile.ptr<i32>, #c>
    %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k16> : tensor<16x16xi8, #a>, tensor<16x8xi8, #b> -> tensor<16x8xi32, #c>
    tile.store %ps, %d : tensor<16x8x!tile.ptr<i32>, #c>
    return
  }
}
