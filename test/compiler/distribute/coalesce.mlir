// Accesses get the layout in which each thread touches 16 neighbouring bytes.
// RUN: tegula-opt %s --form-boxes --assign-layouts --coalesce | FileCheck %s

// CHECK-DAG: #[[V4:.*]] = #tile.layout<{register = {{\[\[}}1], [2], [512]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256]]} : [1024]>
// CHECK-DAG: #[[V8:.*]] = #tile.layout<{register = {{\[\[}}1], [2], [4]], lane = {{\[\[}}8], [16], [32], [64], [128]], warp = {{\[\[}}256], [512]]} : [1024]>
// CHECK-DAG: #[[V1:.*]] = #tile.layout<{register = {{\[\[}}128], [256], [512]], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}32], [64]]} : [1024]>
// CHECK-DAG: #[[V2:.*]] = #tile.layout<{register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [128]]} : [256]>
// CHECK-DAG: #[[COL:.*]] = #tile.layout<{register = {{\[\[}}1, 0], [2, 0], {{.*}}

// Four floats of 4 bytes; operand and result are wrapped in conversions.
// CHECK-LABEL: @floats
// CHECK: %[[P:.*]] = tile.convert_layout %{{.*}} : {{.*}} -> tensor<1024x!tile.ptr<f32>, #[[V4]]>
// CHECK: %[[V:.*]] = tile.load %[[P]] : tensor<1024x!tile.ptr<f32>, #[[V4]]>
// CHECK: tile.convert_layout %[[V]] : tensor<1024xf32, #[[V4]]> -> tensor<1024xf32, #[[V1]]>
func.func @floats(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  tile.print "v" [true] values(%v : tensor<1024xf32>)
  return
}

// Two widths in one kernel share the layout of the widest access, so that nothing moves between them.
// CHECK-LABEL: @narrowing
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V8]]>
// CHECK: tile.store {{.*}} : tensor<1024x!tile.ptr<bf16>, #[[V8]]>
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

// What is stored is not cut in pieces with gaps between them: four floats, and so four numbers of 16 bits.
// CHECK-LABEL: @widening
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<bf16>, #[[V4]]>
// CHECK: tile.store {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V4]]>
func.func @widening(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %x : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %p = tile.addptr %s, %i : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<bf16>>
  %w = arith.extf %v : tensor<1024xbf16> to tensor<1024xf32>
  %t = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %q = tile.addptr %t, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %q, %w : tensor<1024x!tile.ptr<f32>>
  return
}

// 256 elements keep 128 threads busy with two each.
// CHECK-LABEL: @busy
// CHECK: tile.load {{.*}} : tensor<256x!tile.ptr<f32>, #[[V2]]>
func.func @busy(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32>
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %p : tensor<256x!tile.ptr<f32>>
  tile.print "v" [true] values(%v : tensor<256xf32>)
  return
}

// Stride 2: neighbouring threads still take neighbouring elements, one at a time.
// CHECK-LABEL: @strided
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #[[V1]]>
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

// A tile stored column by column: dim 0 is the fast one.
// CHECK-LABEL: @columns
// CHECK: tile.load {{.*}} : tensor<32x32x!tile.ptr<f32>, #[[COL]]>
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
