// Arguments of unknown divisibility say up to which power of two below 16 more would widen accesses.
// RUN: tegula-opt %s --find-finer-facts | FileCheck %s

// Eight halves of a row are 16 bytes: `row` had better be a multiple of 8, and `n`, by which the mask falls, too. What
// is only added up by threads, `m`, makes no difference, nor does a float.
// CHECK-LABEL: @rows
// CHECK-SAME: tile.param = #tile.param<"x", "*fp16", 16>
// CHECK-SAME: tile.finer = 8 : i32, tile.param = #tile.param<"row", "i32", 1>
// CHECK-SAME: tile.finer = 8 : i32, tile.param = #tile.param<"n", "i32", 1>
// CHECK-NOT: tile.finer
// CHECK-LABEL: @floats
func.func @rows(%x: !tile.ptr<f16> {tile.param = #tile.param<"x", "*fp16", 16>}, %row: i32 {tile.param = #tile.param<"row", "i32", 1>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %m: i32 {tile.param = #tile.param<"m", "i32", 1>}, %f: f32 {tile.param = #tile.param<"f", "fp32", 1>}, %known: i32 {tile.param = #tile.param<"known", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %pid = tile.program_id x
  %start = arith.muli %pid, %row : i32
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %starts = tile.splat %start : i32 -> tensor<1024xi32>
  %o = arith.addi %starts, %i : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %s, %o : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  %v = tile.load %p, %mask : tensor<1024x!tile.ptr<f16>>
  tile.store %p, %v, %mask : tensor<1024x!tile.ptr<f16>>
  return
}

// Four floats are 16 bytes; of a base at 8 bytes it is two.
// CHECK-SAME: tile.finer = 8 : i32, tile.param = #tile.param<"x", "*fp32", 1>
// CHECK-SAME: tile.finer = 4 : i32, tile.param = #tile.param<"row", "i64", 1>
// CHECK-LABEL: @told
func.func @floats(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 1>}, %row: i64 {tile.param = #tile.param<"row", "i64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %pid = tile.program_id x
  %wide = arith.extsi %pid : i32 to i64
  %start = arith.muli %wide, %row : i64
  %b = tile.addptr %x, %start : !tile.ptr<f32>, i64
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %b : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  tile.store %p, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// What a launch told already, of all or of a part, is not asked for; nor is what would change nothing, since neighbours
// are far apart.
// CHECK-NOT: tile.finer
// CHECK-LABEL: @bytes
func.func @told(%x: !tile.ptr<f16> {tile.param = #tile.param<"x", "*fp16", 16>}, %row: i32 {tile.param = #tile.param<"row", "i32", 4>}, %step: i32 {tile.param = #tile.param<"step", "i32", 1>}, %y: !tile.ptr<f16> {tile.param = #tile.param<"y", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %pid = tile.program_id x
  %start = arith.muli %pid, %row : i32
  %b = tile.addptr %x, %start : !tile.ptr<f16>, i32
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %b : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f16>>
  %steps = tile.splat %step : i32 -> tensor<1024xi32>
  %far = arith.muli %i, %steps : tensor<1024xi32>
  %t = tile.splat %y : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
  %q = tile.addptr %t, %far : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  tile.store %q, %v : tensor<1024x!tile.ptr<f16>>
  return
}

// Of bytes 16 make an access: 8 do more than 4.
// CHECK-SAME: tile.finer = 8 : i32, tile.param = #tile.param<"row", "i32", 1>
func.func @bytes(%x: !tile.ptr<i8> {tile.param = #tile.param<"x", "*i8", 16>}, %row: i32 {tile.param = #tile.param<"row", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %pid = tile.program_id x
  %start = arith.muli %pid, %row : i32
  %b = tile.addptr %x, %start : !tile.ptr<i8>, i32
  %i = tile.arange 0 to 2048 : tensor<2048xi32>
  %s = tile.splat %b : !tile.ptr<i8> -> tensor<2048x!tile.ptr<i8>>
  %p = tile.addptr %s, %i : tensor<2048x!tile.ptr<i8>>, tensor<2048xi32>
  %v = tile.load %p : tensor<2048x!tile.ptr<i8>>
  tile.store %p, %v : tensor<2048x!tile.ptr<i8>>
  return
}

// Sizes, by which masks fall, are no reason to ask where addresses are aligned.
// CHECK-LABEL: @sizes
// CHECK-NOT: tile.finer
func.func @sizes(%x: !tile.ptr<f16> {tile.param = #tile.param<"x", "*fp16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  %v = tile.load %p, %mask : tensor<1024x!tile.ptr<f16>>
  tile.store %p, %v, %mask : tensor<1024x!tile.ptr<f16>>
  return
}
