// What is subtracted from half a product is subtracted the other way round: ptxas 13.0 loses a borrow of the plain form.
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx -o /dev/null | FileCheck %s

#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

module attributes {tile.target = "sm_90a"} {
// A division by a constant is a product: by 641 without a shift behind it.
// CHECK-LABEL: .entry quotient(
// CHECK: mul.hi.u32 %[[HIGH:r[0-9]+]], %{{r[0-9]+}}, 6700417;
// CHECK: cvt.u64.u32 %[[WIDE:rd[0-9]+]], %[[HIGH]];
// CHECK: sub.s64 %[[OTHER:rd[0-9]+]], %[[X:rd[0-9]+]], %[[WIDE]];
// CHECK-NEXT: neg.s64 %[[OTHER]], %[[OTHER]];
// CHECK-NOT: sub.s64
func.func @quotient(%p: !tile.ptr<i64> {tile.param = #tile.param<"p", "*i64", 16>},
                    %x: i64 {tile.param = #tile.param<"x", "i64", 1>},
                    %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c641 = arith.constant 641 : i32
  %q = arith.divui %n, %c641 : i32
  %wide = arith.extui %q : i32 to i64
  %difference = arith.subi %wide, %x : i64
  tile.store %p, %difference : !tile.ptr<i64>
  return
}
}

// -----

#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: .entry upper_half(
// CHECK: mul.hi.u32 %[[HIGH:r[0-9]+]],
// CHECK: sub.s64 %[[OTHER:rd[0-9]+]], %[[X:rd[0-9]+]], %{{rd[0-9]+}};
// CHECK-NEXT: neg.s64 %[[OTHER]], %[[OTHER]];
func.func @upper_half(%p: !tile.ptr<i64> {tile.param = #tile.param<"p", "*i64", 16>},
                      %x: i64 {tile.param = #tile.param<"x", "i64", 1>},
                      %a: i32 {tile.param = #tile.param<"a", "i32", 1>},
                      %b: i32 {tile.param = #tile.param<"b", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %low, %high = arith.mului_extended %a, %b : i32
  %wide = arith.extui %high : i32 to i64
  %difference = arith.subi %wide, %x : i64
  tile.store %p, %difference : !tile.ptr<i64>
  return
}
}

// -----

#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

module attributes {tile.target = "sm_90a"} {
// The other way round ptxas is right by itself.
// CHECK-LABEL: .entry less_a_quotient(
// CHECK: sub.s64
// CHECK-NOT: neg.s64
func.func @less_a_quotient(%p: !tile.ptr<i64> {tile.param = #tile.param<"p", "*i64", 16>},
                           %x: i64 {tile.param = #tile.param<"x", "i64", 1>},
                           %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c641 = arith.constant 641 : i32
  %q = arith.divui %n, %c641 : i32
  %wide = arith.extui %q : i32 to i64
  %difference = arith.subi %x, %wide : i64
  tile.store %p, %difference : !tile.ptr<i64>
  return
}
}

// -----

#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

// A signed quotient of what is known not to be negative.
// CHECK-LABEL: .entry signed_quotient(
// CHECK: mul.hi.u32
// CHECK: sub.s64 %[[OTHER:rd[0-9]+]], %{{rd[0-9]+}}, %{{rd[0-9]+}};
// CHECK-NEXT: neg.s64 %[[OTHER]], %[[OTHER]];
module attributes {tile.target = "sm_90a"} {
func.func @signed_quotient(%p: !tile.ptr<i64> {tile.param = #tile.param<"p", "*i64", 16>},
                           %x: i64 {tile.param = #tile.param<"x", "i64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c3 = arith.constant 3 : i32
  %xs = tile.splat %x : i64 -> tensor<32xi64, #one>
  %i = tile.arange 0 to 32 : tensor<32xi32, #one>
  %threes = tile.splat %c3 : i32 -> tensor<32xi32, #one>
  %q = arith.divsi %i, %threes : tensor<32xi32, #one>
  %wide = arith.extsi %q : tensor<32xi32, #one> to tensor<32xi64, #one>
  %difference = arith.subi %wide, %xs : tensor<32xi64, #one>
  %to = tile.splat %p : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>, #one>
  %places = tile.addptr %to, %i : tensor<32x!tile.ptr<i64>, #one>, tensor<32xi32, #one>
  tile.store %places, %difference : tensor<32x!tile.ptr<i64>, #one>
  return
}
}

// -----

#one = #tile.layout<{lane = [[1], [2], [4], [8], [16]]} : [32]>

// A quotient of 64 bits that the backend computes in 32.
// CHECK-LABEL: .entry narrow_quotient(
// CHECK: mul.hi.u32
// CHECK: sub.s64 %[[OTHER:rd[0-9]+]], %{{rd[0-9]+}}, %{{rd[0-9]+}};
// CHECK-NEXT: neg.s64 %[[OTHER]], %[[OTHER]];
module attributes {tile.target = "sm_90a"} {
func.func @narrow_quotient(%p: !tile.ptr<i64> {tile.param = #tile.param<"p", "*i64", 16>},
                           %x: i64 {tile.param = #tile.param<"x", "i64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c3 = arith.constant 3 : i64
  %xs = tile.splat %x : i64 -> tensor<32xi64, #one>
  %i = tile.arange 0 to 32 : tensor<32xi32, #one>
  %wide = arith.extui %i : tensor<32xi32, #one> to tensor<32xi64, #one>
  %threes = tile.splat %c3 : i64 -> tensor<32xi64, #one>
  %q = arith.divui %wide, %threes : tensor<32xi64, #one>
  %difference = arith.subi %q, %xs : tensor<32xi64, #one>
  %to = tile.splat %p : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>, #one>
  %places = tile.addptr %to, %i : tensor<32x!tile.ptr<i64>, #one>, tensor<32xi32, #one>
  tile.store %places, %difference : tensor<32x!tile.ptr<i64>, #one>
  return
}
}
