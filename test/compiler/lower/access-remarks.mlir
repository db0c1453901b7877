// How wide each access is in the end, as remarks say it.
// RUN: tegula-opt %s --split-input-file --form-boxes --assign-layouts --coalesce --remove-conversions --allocate-shared --place-barriers --convert-tile-to-llvm --remarks-filter=convert-tile-to-llvm -o /dev/null 2>&1 | FileCheck %s

// Four floats.
// CHECK: [Passed] load | Category:convert-tile-to-llvm | Function=floats | Remark="vector width 4 (16 bytes)", VectorBytes=16
func.func @floats(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  tile.print "v" [true] values(%v : tensor<1024xf32>)
  return
}

// -----

// Two widths in one layout: eight elements a thread, four of them an instruction.
// CHECK: [Passed] load | Category:convert-tile-to-llvm | Function=narrowing | Remark="vector width 4 (16 bytes)", ThreadBytes=32, VectorBytes=16
// CHECK: [Passed] store | Category:convert-tile-to-llvm | Function=narrowing | Remark="vector width 8 (16 bytes)", VectorBytes=16
func.func @narrowing(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<bf16> {tile.param = #tile.param<"y", "*bf16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %w = arith.truncf %v : tensor<1024xf32> to tensor<1024xbf16>
  %t = tile.splat %y : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %q = tile.addptr %t, %i : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  tile.store %q, %w : tensor<1024x!tile.ptr<bf16>>
  return
}

// -----

// 256 elements keep 128 threads busy with two each: all that there is.
// CHECK: [Passed] load | Category:convert-tile-to-llvm | Function=busy | Remark="vector width 2 (8 bytes)"
func.func @busy(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %p : tensor<256x!tile.ptr<f32>>
  tile.print "v" [true] values(%v : tensor<256xf32>)
  return
}

// -----

// A tile stored column by column: dim 0 is the fast one.
// CHECK: [Passed] load | Category:convert-tile-to-llvm | Function=columns | Remark="vector width 4 (16 bytes)"
func.func @columns(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 32 : tensor<32xi32>
  %r = tile.expand_dims %i, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c = tile.expand_dims %i, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %n1 = tile.splat %n : i32 -> tensor<1x32xi32>
  %cn = arith.muli %c, %n1 : tensor<1x32xi32>
  %rb = tile.broadcast %r : tensor<32x1xi32> -> tensor<32x32xi32>
  %cb = tile.broadcast %cn : tensor<1x32xi32> -> tensor<32x32xi32>
  %o = arith.addi %rb, %cb : tensor<32x32xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %p = tile.addptr %s, %o : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %v = tile.load %p : tensor<32x32x!tile.ptr<f32>>
  tile.print "v" [true] values(%v : tensor<32x32xf32>)
  return
}

// -----

// What unrolling made of one line is told once.
// CHECK: load | Category:convert-tile-to-llvm | Function=twice
// CHECK-NOT: Function=twice
func.func @twice(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>> loc("twice.py":3:7)
  %w = tile.load %p : tensor<1024x!tile.ptr<f32>> loc("twice.py":3:7)
  tile.print "v" [true] values(%v : tensor<1024xf32>)
  tile.print "w" [true] values(%w : tensor<1024xf32>)
  return
}

// -----

// Groups of one address are read once: of a thread's eight elements two.
// CHECK: [Passed] load | Category:convert-tile-to-llvm | Function=grouped | Copies=4, Remark="vector width 1 (4 bytes), once for 4 elements at one address", VectorBytes=4
func.func @grouped(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %k = arith.divsi %i, %ns : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %s, %k : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %q = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %q, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// -----

// A scalar has no layout and no remark.
// CHECK-NOT: Function=scalar
func.func @scalar(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %v = tile.load %x : !tile.ptr<f32>
  tile.print "v" [true] values(%v : f32)
  return
}
