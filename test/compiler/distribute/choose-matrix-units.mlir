// Each dot gets an instruction, a grid of warps, and the layouts of both.
// RUN: tegula-opt %s --split-input-file --assign-layouts --choose-matrix-units | FileCheck %s
// RUN: tegula-opt %s --split-input-file --assign-layouts --choose-matrix-units --remarks-filter=choose-matrix-units -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Two by two warps with 32x32 results each: fragments along n, then along m, then warps.
// CHECK-DAG: #[[C:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 32], [32, 0]]} : [64, 64]>
// CHECK-DAG: #[[A:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 0], [32, 0]]} : [64, 32]>
// CHECK-DAG: #[[B:.*]] = #tile.layout<{register = {{\[\[}}1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = {{\[\[}}2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = {{\[\[}}0, 32], [0, 0]]} : [32, 64]>
// CHECK-LABEL: @half
// CHECK-DAG: %[[X:.*]] = tile.convert_layout %{{.*}} -> tensor<64x32xf16, #[[A]]>
// CHECK-DAG: %[[Y:.*]] = tile.convert_layout %{{.*}} -> tensor<32x64xf16, #[[B]]>
// CHECK-DAG: %[[Z:.*]] = tile.convert_layout %{{.*}} -> tensor<64x64xf32, #[[C]]>
// CHECK: %[[D:.*]] = tile.dot %[[X]], %[[Y]], %[[Z]] unit <mma_sync, m16n8k16> :
// CHECK: tile.convert_layout %[[D]]
// REMARK: [Passed] dot | Category:choose-matrix-units | Function=half | Remark="mma.m16n8k16 f16 * f16 + f32, 2x2 warps with 32x32 each", SharedBytesPerMultiply=0.1250
module attributes {tile.target = "sm_80"} {
func.func @half() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.print "d" [true] values(%d : tensor<64x64xf32>)
  return
}
}

// -----

// Threads that multiply by themselves hold all of K for four by four results.
// CHECK-DAG: #[[C:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [1, 0], [2, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [4, 0], [8, 0]], warp = {{\[\[}}0, 32], [16, 0]]} : [32, 64]>
// CHECK-DAG: #[[A:.*]] = #tile.layout<{register = {{\[\[}}1, 0], [2, 0], [0, 1], [0, 2], [0, 4], [0, 8]], lane = {{\[\[}}0, 0], [0, 0], [0, 0], [4, 0], [8, 0]], warp = {{\[\[}}0, 0], [16, 0]]} : [32, 16]>
// CHECK-DAG: #[[B:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 0], [0, 0]], warp = {{\[\[}}0, 32], [0, 0]]} : [16, 64]>
// CHECK-LABEL: @exact
// CHECK: tile.dot {{.*}} unit <fma> : tensor<32x16xf32, #[[A]]>, tensor<16x64xf32, #[[B]]> -> tensor<32x64xf32, #[[C]]>
// REMARK: [Missed] dot | Category:choose-matrix-units | Function=exact | Reason="`ieee` asks for products of f32 that no unit rounds", Remark="threads multiply by themselves, 2x2 warps with 16x32 each", SharedBytesPerMultiply=0.3750
module attributes {tile.target = "sm_80"} {
func.func @exact() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<32x16xf32>
  %b = arith.constant dense<1.0> : tensor<16x64xf32>
  %c = arith.constant dense<0.0> : tensor<32x64xf32>
  %d = tile.dot %a, %b, %c : tensor<32x16xf32>, tensor<16x64xf32> -> tensor<32x64xf32>
  tile.print "d" [true] values(%d : tensor<32x64xf32>)
  return
}
}

// -----

// Without a unit for f8, f16 takes its place.
// CHECK-LABEL: @eight
// CHECK: %[[X:.*]] = arith.extf %{{.*}} : tensor<64x32xf8E4M3FN, #{{.*}}> to tensor<64x32xf16, #{{.*}}>
// CHECK: %[[A:.*]] = tile.convert_layout %[[X]]
// CHECK: tile.dot %[[A]], {{.*}} : tensor<64x32xf16
// REMARK: [Passed] dot | Category:choose-matrix-units | Function=eight | Remark="mma.m16n8k16 f16 * f16 + f32, 2x2 warps with 32x32 each"
module attributes {tile.target = "sm_80"} {
func.func @eight() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<32x64xf8E5M2>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E4M3FN>, tensor<32x64xf8E5M2> -> tensor<64x64xf32>
  tile.print "d" [true] values(%d : tensor<64x64xf32>)
  return
}
}

// -----

// Where there is one, it is taken. Batches go to warps of their own.
// CHECK-LABEL: @batches
// CHECK-NOT: arith.extf
// REMARK: [Passed] dot | Category:choose-matrix-units | Function=batches | Remark="mma.m16n8k32 e4m3 * e5m2 + f32, 2x2x1 warps with 32x64 each"
module attributes {tile.target = "sm_90a"} {
func.func @batches() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<2x64x32xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<2x32x64xf8E5M2>
  %c = arith.constant dense<0.0> : tensor<2x64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<2x64x32xf8E4M3FN>, tensor<2x32x64xf8E5M2> -> tensor<2x64x64xf32>
  tile.print "d" [true] values(%d : tensor<2x64x64xf32>)
  return
}
}

// -----

// A K below that of all instructions; and a chain, where warps have whole rows of both products.
// CHECK-LABEL: @chain
// REMARK: [Missed] dot {{.*}}Function=chain | Reason="sm_80 has no unit for products of i8 summed up in i32 with a K of 8"
// REMARK: [Passed] dot {{.*}}Function=chain | Remark="mma.m16n8k16 f16 * f16 + f32, chained, 4x1 warps with 16x64 each"
// REMARK: [Passed] dot {{.*}}Function=chain | Remark="mma.m16n8k16 f16 * f16 + f32, chained, 4x1 warps with 16x128 each"
module attributes {tile.target = "sm_80"} {
func.func @chain() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = arith.constant dense<1> : tensor<32x8xi8>
  %j = arith.constant dense<1> : tensor<8x32xi8>
  %k = arith.constant dense<0> : tensor<32x32xi32>
  %l = tile.dot %i, %j, %k : tensor<32x8xi8>, tensor<8x32xi8> -> tensor<32x32xi32>
  tile.print "l" [true] values(%l : tensor<32x32xi32>)
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  %e = math.exp2 %d : tensor<64x64xf32>
  %f = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
  %v = arith.constant dense<1.0> : tensor<64x128xf16>
  %o = arith.constant dense<0.0> : tensor<64x128xf32>
  %p = tile.dot %f, %v, %o : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
  tile.print "p" [true] values(%p : tensor<64x128xf32>)
  return
}
}
