// Every op, type and attribute is read and written in its short form and in its generic form.
// RUN: tegula-opt %s | FileCheck %s
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s

// Layouts get a short name; axes without bits are left out, in whatever order they were written.
// CHECK-DAG: #[[L:layout.*]] = #tile.layout<{register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256]]} : [512]>
#shuffled = #tile.layout<{block = [], warp = [[128], [256]], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]]} : [512]>
// A row of 512 in the other axis of two, as an operand of an expansion.
// CHECK-DAG: #[[R:layout.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2]],
#row = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 128], [0, 256]]} : [1, 512]>
// A map from memory keeps its other inputs and names its outputs where they are no tensor's.
// CHECK-DAG: #[[M:layout.*]] = #tile.layout<{offset = {{\[\[}}1], [2]]} : [4]>
#memory = #tile.layout<{offset = [[1], [2]]} : [4]>
// CHECK-DAG: #[[NAMED:layout.*]] = #tile.layout<{register = {{\[\[}}1]]} : [offset = 2]>
#named = #tile.layout<{register = [[1]]} : [offset = 2]>

// CHECK: module attributes {tile.target = "sm_90a"}
module attributes {tile.target = "sm_90a"} {

// CHECK-LABEL: func.func @program(
// CHECK-SAME: %[[X:.*]]: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}
// CHECK-SAME: %[[N:.*]]: i32 {tile.param = #tile.param<"n", "u32", 1>}
// CHECK-SAME: %[[F:.*]]: i1 {tile.param = #tile.param<"flag", "i1", 1>}
// CHECK-SAME: %[[P:.*]]: !tile.ptr<!tile.ptr<bf16>> {tile.param = #tile.param<"pp", "**bf16", 8>}
// CHECK-SAME: attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>}
func.func @program(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>},
                   %n: i32 {tile.param = #tile.param<"n", "u32", 1>},
                   %flag: i1 {tile.param = #tile.param<"flag", "i1", 1>},
                   %pp: !tile.ptr<!tile.ptr<bf16>> {tile.param = #tile.param<"pp", "**bf16", 8>})
    attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  // CHECK: tile.program_id x {memory = #[[M]], named = #[[NAMED]]}
  %pid = tile.program_id x {memory = #memory, named = #named}
  // CHECK: tile.num_programs y {note}
  %count = tile.num_programs y {note}
  // CHECK: tile.assume %[[F]]
  tile.assume %flag
  // CHECK: %[[S:.*]] = tile.hint %[[N]] divisibility = [16] : i32
  %hinted = tile.hint %n divisibility = [16] : i32
  // Without values, whatever follows is not taken for one.
  // CHECK: tile.print "none" []
  tile.print "none" []
  // CHECK: tile.print "two" [true, false] hex values(%[[S]], %[[N]] : i32, i32)
  tile.print "two" [true, false] hex values(%hinted, %n : i32, i32)
  // CHECK: tile.assert %[[F]], "why" : i1
  tile.assert %flag, "why" : i1
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: f32) {
  // CHECK: %[[I:.*]] = tile.arange -8 to 24 : tensor<32xi32>
  %i = tile.arange -8 to 24 : tensor<32xi32>
  // CHECK: %[[H:.*]] = tile.hint %[[I]] contiguity = [32] divisibility = [8] constancy = [1] : tensor<32xi32>
  %h = tile.hint %i contiguity = [32] divisibility = [8] constancy = [1] : tensor<32xi32>
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<16x32xf32>
  %s = tile.splat %x : f32 -> tensor<16x32xf32>
  // CHECK: %[[E:.*]] = tile.expand_dims %[[H]], 0 : tensor<32xi32> -> tensor<1x32xi32>
  %e = tile.expand_dims %h, 0 : tensor<32xi32> -> tensor<1x32xi32>
  // CHECK: %[[B:.*]] = tile.broadcast %[[E]] : tensor<1x32xi32> -> tensor<16x32xi32>
  %b = tile.broadcast %e : tensor<1x32xi32> -> tensor<16x32xi32>
  // CHECK: %[[T:.*]] = tile.trans %[[B]], [1, 0] : tensor<16x32xi32> -> tensor<32x16xi32>
  %t = tile.trans %b, [1, 0] : tensor<16x32xi32> -> tensor<32x16xi32>
  // CHECK: tile.reshape %[[T]] : tensor<32x16xi32> -> tensor<512xi32>
  %r = tile.reshape %t : tensor<32x16xi32> -> tensor<512xi32>
  return
}

// CHECK-LABEL: func.func @memory
func.func @memory(%p: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi64>, %m: tensor<64xi1>, %o: tensor<64xf32>, %q: !tile.ptr<i8>, %c: i1, %v: i8) {
  // CHECK: %[[A:.*]] = tile.addptr %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  %a = tile.addptr %p, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  // CHECK: tile.load %[[A]] : tensor<64x!tile.ptr<f32>>
  %0 = tile.load %a : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.load %[[A]], %[[M:.*]] evict = evict_first volatile {note} : tensor<64x!tile.ptr<f32>>
  %1 = tile.load %a, %m evict = evict_first volatile {note} : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.load %[[A]], %[[M]], %[[O:.*]] cache = cg evict = evict_last : tensor<64x!tile.ptr<f32>>
  %2 = tile.load %a, %m, %o cache = cg evict = evict_last : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.load %[[Q:.*]], %[[C:.*]] : !tile.ptr<i8>
  %3 = tile.load %q, %c : !tile.ptr<i8>
  // CHECK: tile.store %[[A]], %[[O]] : tensor<64x!tile.ptr<f32>>
  tile.store %a, %o : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.store %[[A]], %[[O]], %[[M]] cache = wt evict = evict_first : tensor<64x!tile.ptr<f32>>
  tile.store %a, %o, %m cache = wt evict = evict_first : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.store %[[Q]], %{{.*}}, %[[C]] : !tile.ptr<i8>
  tile.store %q, %v, %c : !tile.ptr<i8>
  // CHECK: %[[K:.*]] = tile.bitcast %[[A]] : tensor<64x!tile.ptr<f32>> -> tensor<64x!tile.ptr<i32>>
  %4 = tile.bitcast %a : tensor<64x!tile.ptr<f32>> -> tensor<64x!tile.ptr<i32>>
  // CHECK: %[[J:.*]] = tile.ptr_to_int %[[K]] : tensor<64x!tile.ptr<i32>> -> tensor<64xi64>
  %5 = tile.ptr_to_int %4 : tensor<64x!tile.ptr<i32>> -> tensor<64xi64>
  // CHECK: tile.int_to_ptr %[[J]] : tensor<64xi64> -> tensor<64x!tile.ptr<f64>>
  %6 = tile.int_to_ptr %5 : tensor<64xi64> -> tensor<64x!tile.ptr<f64>>
  return
}

// CHECK-LABEL: func.func @layouts
func.func @layouts(%r: tensor<1x512xf32, #row>) {
  // CHECK: tile.arange 0 to 512 : tensor<512xi32, #[[L]]>
  %i = tile.arange 0 to 512 : tensor<512xi32, #shuffled>
  // CHECK: tile.expand_dims %{{.*}}, 0 : tensor<512xi32, #[[L]]> -> tensor<1x512xi32, #[[R]]>
  %e = tile.expand_dims %i, 0 : tensor<512xi32, #shuffled> -> tensor<1x512xi32, #row>
  // CHECK: tile.reshape %{{.*}} : tensor<1x512xf32, #[[R]]> -> tensor<512xf32, #[[L]]>
  %f = tile.reshape %r : tensor<1x512xf32, #row> -> tensor<512xf32, #shuffled>
  // CHECK: tile.convert_layout %{{.*}} : tensor<512xf32, #[[L]]> -> tensor<512xf32, #[[L2:.*]]>
  %g = tile.convert_layout %f : tensor<512xf32, #shuffled> -> tensor<512xf32, #tile.layout<{lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], register = [[128], [256]]} : [512]>>
  return
}
}
