// Loads and stores: how elements share instructions, what a mask does, who stores copies.
// RUN: tegula-opt %s --convert-tile-to-llvm --split-input-file | FileCheck %s

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []} : [128]>

// With a mask: a predicated instruction, whose outputs hold `other` (or zero) beforehand.
// CHECK-LABEL: llvm.func @masked(
func.func @masked(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #four>
  %ns = tile.splat %n : i32 -> tensor<128xi32, #four>
  // CHECK: %[[M:.*]] = arith.cmpi slt, %{{.*}}, %arg1
  %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  // CHECK: %[[A:.*]] = llvm.getelementptr %arg0
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  %one = arith.constant dense<1.0> : tensor<128xf32, #four>
  // CHECK: %[[W:.*]] = llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[V:.*]] = llvm.inline_asm has_side_effects "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3" %[[A]], %[[M]], %[[W]], %{{.*}}, %{{.*}}, %{{.*}} :
  // CHECK: llvm.extractvalue %[[V]][0]
  %v = tile.load %pi, %m, %one : tensor<128x!tile.ptr<f32>, #four>
  // CHECK: %[[Z:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK: llvm.inline_asm has_side_effects "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3" %[[A]], %[[M]], %[[Z]], %[[Z]], %[[Z]], %[[Z]] :
  %w = tile.load %pi, %m : tensor<128x!tile.ptr<f32>, #four>
  %s = arith.addf %v, %w : tensor<128xf32, #four>
  // CHECK: llvm.inline_asm has_side_effects "@$5 st.global.v4.b32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r,b" %[[A]],
  tile.store %pi, %s, %m : tensor<128x!tile.ptr<f32>, #four>
  return
}

// -----

#four = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []} : [128]>

// Without a mask LLVM's own load and store do; a pointer aligned to 8 bytes allows two floats.
// CHECK-LABEL: llvm.func @plain(
func.func @plain(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 8>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #four>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  // CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
  %v = tile.load %pi : tensor<128x!tile.ptr<f32>, #four>
  // CHECK-COUNT-2: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
  tile.store %pi, %v : tensor<128x!tile.ptr<f32>, #four>
  // CHECK: llvm.load volatile %{{.*}} -> vector<2xi32>
  %w = tile.load %pi volatile : tensor<128x!tile.ptr<f32>, #four>
  return
}

// -----

#eight = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = []} : [256]>

// Eight 16-bit floats fill four words, eight bytes two; what was not touched is not taken apart.
// CHECK-LABEL: llvm.func @narrow(
func.func @narrow(%p: !tile.ptr<bf16> {tile.param = #tile.param<"p", "*bf16", 16>}, %q: !tile.ptr<i8> {tile.param = #tile.param<"q", "*i8", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #eight>
  %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<256x!tile.ptr<bf16>, #eight>
  %pi = tile.addptr %ps, %i : tensor<256x!tile.ptr<bf16>, #eight>, tensor<256xi32, #eight>
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
  // CHECK-COUNT-4: llvm.bitcast %{{.*}} : i32 to vector<2xbf16>
  %v = tile.load %pi : tensor<256x!tile.ptr<bf16>, #eight>
  // CHECK-COUNT-8: arith.addf
  %s = arith.addf %v, %v : tensor<256xbf16, #eight>
  // CHECK-COUNT-4: llvm.bitcast %{{.*}} : vector<2xbf16> to i32
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>
  tile.store %pi, %s : tensor<256x!tile.ptr<bf16>, #eight>
  %qs = tile.splat %q : !tile.ptr<i8> -> tensor<256x!tile.ptr<i8>, #eight>
  %qi = tile.addptr %qs, %i : tensor<256x!tile.ptr<i8>, #eight>, tensor<256xi32, #eight>
  // CHECK: %[[TWO:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
  // CHECK: %[[LOW:.*]] = llvm.extractelement %[[TWO]]
  // CHECK: %[[HIGH:.*]] = llvm.extractelement %[[TWO]]
  %w = tile.load %qi : tensor<256x!tile.ptr<i8>, #eight>
  // CHECK: %[[ONE:.*]] = llvm.insertelement %[[LOW]],
  // CHECK: %[[BOTH:.*]] = llvm.insertelement %[[HIGH]], %[[ONE]]
  // CHECK: llvm.store %[[BOTH]],
  tile.store %qi, %w : tensor<256x!tile.ptr<i8>, #eight>
  %t = arith.addi %w, %w : tensor<256xi8, #eight>
  // CHECK-COUNT-6: nvvm.prmt
  // CHECK: llvm.store %{{.*}} : vector<2xi32>
  tile.store %qi, %t : tensor<256x!tile.ptr<i8>, #eight>
  return
}

// -----

#one = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [0]], warp = [[0]]} : [16]>

// Of the threads that hold an element the first stores it; a byte travels in a 16-bit register.
// CHECK-LABEL: llvm.func @copies(
func.func @copies(%p: !tile.ptr<i8> {tile.param = #tile.param<"p", "*i8", 16>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK: %[[MASK:.*]] = arith.constant 48 : i32
  // CHECK: %[[BITS:.*]] = arith.andi %[[TID]], %[[MASK]]
  // CHECK: %[[OWNER:.*]] = arith.cmpi eq, %[[BITS]]
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<16x!tile.ptr<i8>, #one>
  %v = arith.constant dense<5> : tensor<16xi8, #one>
  // CHECK: %[[WIDE:.*]] = llvm.zext %{{.*}} : i8 to i16
  // CHECK: "@$2 st.global.b8 [$0], $1;", "l,h,b" %{{.*}}, %[[WIDE]], %[[OWNER]]
  tile.store %ps, %v : tensor<16x!tile.ptr<i8>, #one>
  return
}

// -----

// A scalar is loaded by all threads and stored by the first.
// CHECK-LABEL: llvm.func @scalar(
func.func @scalar(%p: !tile.ptr<!tile.ptr<f64>> {tile.param = #tile.param<"p", "**fp64", 8>}, %c: i1 {tile.param = #tile.param<"c", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 2, stages = 1>} {
  // CHECK: %[[ALL:.*]] = arith.constant 63 : i32
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq
  // CHECK: %[[I:.*]] = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr<1> -> i64
  // CHECK: %[[Q:.*]] = llvm.inttoptr %[[I]] : i64 to !llvm.ptr<1>
  %q = tile.load %p : !tile.ptr<!tile.ptr<f64>>
  // CHECK: "@$2 ld.global.b64 $0, [$1];", "=l,l,b,0" %[[Q]], %arg1,
  %v = tile.load %q, %c : !tile.ptr<f64>
  // CHECK: %[[BOTH:.*]] = arith.andi %arg1, %[[FIRST]] : i1
  // CHECK: "@$2 st.global.b64 [$0], $1;", "l,l,b" %[[Q]], %{{.*}}, %[[BOTH]]
  tile.store %q, %v, %c : !tile.ptr<f64>
  return
}

// -----

#one = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>

// Hints become modifiers. A cache operator goes before a priority, since PTX takes only one of them.
// CHECK-LABEL: llvm.func @hints(
func.func @hints(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #one>
  // CHECK: "ld.global.cg.b32 $0, [$1];"
  %a = tile.load %ps cache = cg : tensor<32x!tile.ptr<f32>, #one>
  // CHECK: "ld.global.L1::evict_last.b32 $0, [$1];"
  %b = tile.load %ps evict = evict_last : tensor<32x!tile.ptr<f32>, #one>
  // CHECK: "ld.global.cv.b32 $0, [$1];"
  %c = tile.load %ps cache = cv evict = evict_first : tensor<32x!tile.ptr<f32>, #one>
  // CHECK: "st.global.wt.b32 [$0], $1;"
  tile.store %ps, %a cache = wt : tensor<32x!tile.ptr<f32>, #one>
  // CHECK: "st.global.L1::evict_first.b32 [$0], $1;"
  tile.store %ps, %b evict = evict_first : tensor<32x!tile.ptr<f32>, #one>
  return
}
