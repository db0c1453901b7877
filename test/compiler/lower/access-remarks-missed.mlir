// Why an access is narrower than 16 bytes, as remarks say it.
// RUN: tegula-opt %s --split-input-file --form-boxes --assign-layouts --coalesce --remove-conversions --allocate-shared --place-barriers --convert-tile-to-llvm --remarks-filter=convert-tile-to-llvm -o /dev/null 2>&1 | FileCheck %s

// Every second element.
// CHECK: [Missed] load | Category:convert-tile-to-llvm | Function=strided | Reason="stride 2 along dim 0", Remark="vector width 1 (4 bytes)"{{.*}}, VectorBytes=4
func.func @strided(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %two = arith.constant dense<2> : tensor<1024xi32>
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %o = arith.muli %i, %two : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %s, %o : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  tile.print "v" [true] values(%v : tensor<1024xf32>)
  return
}

// -----

// One element past an aligned address: runs are long, but nothing wider than an element is aligned.
// CHECK: [Missed] load | Category:convert-tile-to-llvm | Function=misaligned | Reason="addresses are known to be multiples of 4 bytes only", Remark="vector width 1 (4 bytes)"
func.func @misaligned(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 1 to 1025 : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  tile.print "v" [true] values(%v : tensor<1024xf32>)
  return
}

// -----

// A length of which only a factor of 2 is known cuts vectors of 4.
// CHECK: [Missed] store | Category:convert-tile-to-llvm | Function=masked | Reason="the mask may change after every 2 elements along dim 0", Remark="vector width 2 (8 bytes)"
func.func @masked(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 2>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  tile.store %p, %zero, %m : tensor<1024x!tile.ptr<f32>>
  return
}

// -----

// A gather through loaded indices: nothing is known of the second load's neighbours.
// CHECK: [Passed] load | Category:convert-tile-to-llvm | Function=gather
// CHECK: [Missed] load | Category:convert-tile-to-llvm | Function=gather | Reason="neighbours along dim 0 are not known to be adjacent"
func.func @gather(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %j: !tile.ptr<i32> {tile.param = #tile.param<"j", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %js = tile.splat %j : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %jp = tile.addptr %js, %i : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %index = tile.load %jp : tensor<1024x!tile.ptr<i32>>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %s, %index : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  tile.print "v" [true] values(%v : tensor<1024xf32>)
  return
}

// -----

// Every element from one address, each on its own condition.
// CHECK: [Missed] load | Category:convert-tile-to-llvm | Function=broadcast | Reason="one address along dim 0"
func.func @broadcast(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %v = tile.load %s, %m : tensor<1024x!tile.ptr<f32>>
  tile.print "v" [true] values(%v : tensor<1024xf32>)
  return
}
