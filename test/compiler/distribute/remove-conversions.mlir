// What is left of the conversions after values have followed the accesses.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce --remove-conversions | FileCheck %s
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce --remove-conversions --remarks-filter=remove-conversions -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-DAG: #[[V4:.*]] = #tile.layout<{register = {{\[\[}}1], [2], [512]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256]]} : [1024]>

// Offsets, masks and data of a vector add all live in the accesses' layout.
// CHECK-LABEL: @vector_add
// CHECK-NOT: convert_layout
// CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<1024xf32, #[[V4]]>
// CHECK-NOT: convert_layout
// CHECK: return
func.func @vector_add(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %a = tile.load %xp, %m : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %b = tile.load %yp, %m : tensor<1024x!tile.ptr<f32>>
  %r = arith.addf %a, %b : tensor<1024xf32>
  tile.store %xp, %r, %m : tensor<1024x!tile.ptr<f32>>
  return
}

// A transposing copy in a wider type: one conversion, of the narrow data, none of pointers.
// CHECK-LABEL: @transpose
// CHECK-NOT: convert_layout
// CHECK: %[[V:.*]] = tile.load
// CHECK: %[[C:.*]] = tile.convert_layout %[[V]] : tensor<64x64xbf16
// CHECK: %[[W:.*]] = arith.extf %[[C]]
// CHECK-NOT: convert_layout
// CHECK: tile.store %{{.*}}, %[[W]]
// REMARK: [Missed] conversion | Category:remove-conversions | Function=transpose | Bytes=8192
func.func @transpose(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 64 : tensor<64xi32>
  %r = tile.expand_dims %i, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %i, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %nr = tile.splat %n : i32 -> tensor<64x1xi32>
  %nc = tile.splat %n : i32 -> tensor<1x64xi32>
  %rn = arith.muli %r, %nr : tensor<64x1xi32>
  %cn = arith.muli %c, %nc : tensor<1x64xi32>
  %r0 = tile.broadcast %rn : tensor<64x1xi32> -> tensor<64x64xi32>
  %c0 = tile.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
  %from = arith.addi %r0, %c0 : tensor<64x64xi32>
  %r1 = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x64xi32>
  %c1 = tile.broadcast %cn : tensor<1x64xi32> -> tensor<64x64xi32>
  %to = arith.addi %r1, %c1 : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %from : tensor<64x64x!tile.ptr<bf16>>, tensor<64x64xi32>
  %v = tile.load %xp : tensor<64x64x!tile.ptr<bf16>>
  %w = arith.extf %v : tensor<64x64xbf16> to tensor<64x64xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %to : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %yp, %w : tensor<64x64x!tile.ptr<f32>>
  return
}

// A bias is loaded where its matrix wants it.
// CHECK-LABEL: @bias
// CHECK-NOT: convert_layout
// CHECK: return
func.func @bias(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %b: !tile.ptr<f32> {tile.param = #tile.param<"b", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 64 : tensor<64xi32>
  %wide = arith.constant dense<64> : tensor<64x1xi32>
  %r = tile.expand_dims %i, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %i, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %rn = arith.muli %r, %wide : tensor<64x1xi32>
  %r0 = tile.broadcast %rn : tensor<64x1xi32> -> tensor<64x64xi32>
  %c0 = tile.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %r0, %c0 : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %v = tile.load %xp : tensor<64x64x!tile.ptr<f32>>
  %bs = tile.splat %b : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %bp = tile.addptr %bs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %bv = tile.load %bp : tensor<64x!tile.ptr<f32>>
  %be = tile.expand_dims %bv, 0 : tensor<64xf32> -> tensor<1x64xf32>
  %bb = tile.broadcast %be : tensor<1x64xf32> -> tensor<64x64xf32>
  %sum = arith.addf %v, %bb : tensor<64x64xf32>
  tile.store %xp, %sum : tensor<64x64x!tile.ptr<f32>>
  return
}
