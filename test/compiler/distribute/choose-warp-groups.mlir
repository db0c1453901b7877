// Dots of which groups of four warps compute 64 rows at a time, and those of which they cannot.
// RUN: tegula-opt %s --split-input-file --assign-layouts --choose-matrix-units | FileCheck %s
// RUN: tegula-opt %s --split-input-file --assign-layouts --choose-matrix-units --remarks-filter=choose-matrix-units -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Two groups along the rows, 64 for each: 16 for each warp. Registers go on along the columns.
// CHECK-DAG: #[[C:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [32, 0], [64, 0]]} : [128, 64]>
// CHECK-DAG: #[[A:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [32, 0], [64, 0]]} : [128, 32]>
// CHECK-LABEL: @two_groups
// CHECK: tile.dot {{.*}} unit <wgmma, m64n64k16> : tensor<128x32xf16, #[[A]]>, tensor<32x64xf16, {{.*}}> -> tensor<128x64xf32, #[[C]]>
// REMARK: Function=two_groups | Remark="wgmma.m64n64k16 f16 * f16 + f32, 8x1 warps with 64x64 each"
module attributes {tile.target = "sm_90a"} {
func.func @two_groups() attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<128x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<128x64xf32>
  %d = tile.dot %a, %b, %c : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  tile.print "d" [true] values(%d : tensor<128x64xf32>)
  return
}
}

// -----

// With 64 rows, the second warp group takes other columns.
// CHECK-LABEL: @side_by_side
// CHECK: unit <wgmma, m64n128k32>
// REMARK: Function=side_by_side | Remark="wgmma.m64n128k32 e4m3 * e5m2 + f32, 4x2 warps with 64x128 each"
module attributes {tile.target = "sm_90a"} {
func.func @side_by_side() attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<32x256xf8E5M2>
  %c = arith.constant dense<0.0> : tensor<64x256xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E4M3FN>, tensor<32x256xf8E5M2> -> tensor<64x256xf32>
  tile.print "d" [true] values(%d : tensor<64x256xf32>)
  return
}
}

// -----

// Fewer rows than a group has.
// CHECK-LABEL: @few_rows
// CHECK: unit <mma_sync, m16n8k16>
// REMARK: [Missed] wgmma | Category:choose-matrix-units | Function=few_rows | Reason="expected 64 rows and 16 columns for each four of its warps, found 32 by 64 for 4", Remark="warps do not multiply in groups"
module attributes {tile.target = "sm_90a"} {
func.func @few_rows() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<32x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<32x64xf32>
  %d = tile.dot %a, %b, %c : tensor<32x32xf16>, tensor<32x64xf16> -> tensor<32x64xf32>
  tile.print "d" [true] values(%d : tensor<32x64xf32>)
  return
}
}

// -----

// Fewer warps than a group has.
// CHECK-LABEL: @few_warps
// CHECK: unit <mma_sync, m16n8k16>
// REMARK: Function=few_warps | Reason="expected 64 rows and 16 columns for each four of its warps, found 64 by 64 for 2"
module attributes {tile.target = "sm_90a"} {
func.func @few_warps() attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.print "d" [true] values(%d : tensor<64x64xf32>)
  return
}
}

// -----

// The module does without.
// CHECK-LABEL: @without
// CHECK: unit <mma_sync, m16n8k16>
// REMARK-NOT: Missed
// REMARK: Function=without | Remark="mma.m16n8k16
module attributes {tile.target = "sm_90a", tile.without = ["wgmma"]} {
func.func @without() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.print "d" [true] values(%d : tensor<64x64xf32>)
  return
}
}

// -----

// Groups add up products of f8 in fewer bits than f32 has: 128 at most, or as many as the author wants.
// CHECK-LABEL: @promoted
// CHECK: tile.dot {{.*}} max_imprecise 128 unit <wgmma, m64n64k32> : tensor<64x256xf8E4M3FN
// CHECK: tile.dot {{.*}} max_imprecise 64 unit <wgmma, m64n64k32> : tensor<64x64xf8E4M3FN
// CHECK: tile.dot {{.*}} max_imprecise 32 unit <wgmma, m64n64k32> : tensor<64x64xf8E4M3FN
module attributes {tile.target = "sm_90a"} {
func.func @promoted() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<64x256xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<256x64xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x256xf8E4M3FN>, tensor<256x64xf8E4M3FN> -> tensor<64x64xf32>
  %a2 = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %b2 = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %e = tile.dot %a2, %b2, %d : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  %f = tile.dot %a2, %b2, %e max_imprecise 63 : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  tile.print "f" [true] values(%f : tensor<64x64xf32>)
  return
}
}

// -----

// A thread has 128 sums, and registers for 64 more: parts have half the columns. Not where groups have 128 rows; and with half
// as many sums two parts along K fit.
// CHECK-LABEL: @parts
// CHECK: tile.dot {{.*}} max_imprecise 128 parts <columns = 128, in_flight = 1> unit <wgmma, m64n128k32> : tensor<128x128xf8E4M3FN
// CHECK: tile.dot {{.*}} max_imprecise 128 unit <wgmma, m64n128k32> : tensor<256x128xf8E4M3FN
// CHECK: tile.dot {{.*}} max_imprecise 128 unit <wgmma, m64n128k32> : tensor<128x256xf8E4M3FN
// REMARK: Function=parts | Remark="wgmma.m64n128k32 e4m3 * e4m3 + f32, 8x1 warps with 64x256 each"
// REMARK: Function=parts | {{.*}}Remark="a product in parts of 128 columns, each added up in f32 after 128 of K"
module attributes {tile.target = "sm_90a"} {
func.func @parts() attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<128x128xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<128x256xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = tile.dot %a, %b, %c : tensor<128x128xf8E4M3FN>, tensor<128x256xf8E4M3FN> -> tensor<128x256xf32>
  tile.print "d" [true] values(%d : tensor<128x256xf32>)
  %a2 = arith.constant dense<1.0> : tensor<256x128xf8E4M3FN>
  %b2 = arith.constant dense<1.0> : tensor<128x128xf8E4M3FN>
  %c2 = arith.constant dense<0.0> : tensor<256x128xf32>
  %d2 = tile.dot %a2, %b2, %c2 : tensor<256x128xf8E4M3FN>, tensor<128x128xf8E4M3FN> -> tensor<256x128xf32>
  tile.print "d2" [true] values(%d2 : tensor<256x128xf32>)
  %a3 = arith.constant dense<1.0> : tensor<128x256xf8E4M3FN>
  %b3 = arith.constant dense<1.0> : tensor<256x128xf8E4M3FN>
  %c3 = arith.constant dense<0.0> : tensor<128x128xf32>
  %d3 = tile.dot %a3, %b3, %c3 : tensor<128x256xf8E4M3FN>, tensor<256x128xf8E4M3FN> -> tensor<128x128xf32>
  tile.print "d3" [true] values(%d3 : tensor<128x128xf32>)
  return
}
}

// -----

// Products of f8 whose author wants them promoted more often than one instruction is done.
// CHECK-LABEL: @precise
// CHECK: unit <mma_sync, m16n8k32>
// REMARK: Function=precise | Reason="the author wants at most 31 additions with less precision than f32 has, and one instruction makes 32"
module attributes {tile.target = "sm_90a"} {
func.func @precise() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c max_imprecise 31 : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  tile.print "d" [true] values(%d : tensor<64x64xf32>)
  return
}
}

// -----

// Threads of sixteen warps have 128 registers, which the sums of 256 columns would fill.
// CHECK-LABEL: @few_registers
// CHECK: unit <wgmma, m64n128k16>
// CHECK-LABEL: @fewer_registers
// CHECK: unit <wgmma, m64n64k16>
module attributes {tile.target = "sm_90a"} {
func.func @few_registers() attributes {tile.kernel = #tile.kernel<warps = 16, stages = 1>} {
  %a = arith.constant dense<1.0> : tensor<256x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x256xf16>
  %c = arith.constant dense<0.0> : tensor<256x256xf32>
  %d = tile.dot %a, %b, %c : tensor<256x32xf16>, tensor<32x256xf16> -> tensor<256x256xf32>
  tile.print "d" [true] values(%d : tensor<256x256xf32>)
  return
}
func.func @fewer_registers() attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>, tile.registers = 80 : i32} {
  %a = arith.constant dense<1.0> : tensor<128x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x256xf16>
  %c = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = tile.dot %a, %b, %c : tensor<128x32xf16>, tensor<32x256xf16> -> tensor<128x256xf32>
  tile.print "d" [true] values(%d : tensor<128x256xf32>)
  return
}
}

// -----

// Bytes that are contiguous across K: of these no descriptor knows.
// CHECK-LABEL: @across
// CHECK: unit <mma_sync, m16n8k32>
// REMARK: Function=across | Reason="operand `b` has no neighbours along K in memory, and only elements of two bytes may be the other way round"
module attributes {tile.target = "sm_90a"} {
func.func @across(%p: !tile.ptr<i8> {tile.param = #tile.param<"p", "*i8", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %a = arith.constant dense<1> : tensor<64x32xi8>
  %c = arith.constant dense<0> : tensor<64x64xi32>
  %n = tile.arange 0 to 64 : tensor<64xi32>
  %k = tile.arange 0 to 32 : tensor<32xi32>
  %ns = tile.expand_dims %n, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %ks = tile.expand_dims %k, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %s = arith.constant dense<64> : tensor<32x1xi32>
  %kt = arith.muli %ks, %s : tensor<32x1xi32>
  %nb = tile.broadcast %ns : tensor<1x64xi32> -> tensor<32x64xi32>
  %kb = tile.broadcast %kt : tensor<32x1xi32> -> tensor<32x64xi32>
  %o = arith.addi %nb, %kb : tensor<32x64xi32>
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<32x64x!tile.ptr<i8>>
  %pp = tile.addptr %ps, %o : tensor<32x64x!tile.ptr<i8>>, tensor<32x64xi32>
  %b = tile.load %pp : tensor<32x64x!tile.ptr<i8>>
  %d = tile.dot %a, %b, %c : tensor<64x32xi8>, tensor<32x64xi8> -> tensor<64x64xi32>
  tile.print "d" [true] values(%d : tensor<64x64xi32>)
  return
}
}
