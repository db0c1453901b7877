// Programs whose tensors no thread could hold run on more warps.
// RUN: tegula-opt %s --widen-programs | FileCheck %s
// RUN: tegula-opt %s --widen-programs --remarks-filter=widen-programs -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: sed -e '1i module attributes {tile.without = ["packing"]} {' -e '$a }' %s | tegula-opt --widen-programs | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: warps = 16
// WITHOUT-NOT: warps = 32
// RUN: sed -e '1i module attributes {tile.target = "sm_80"} {' -e '$a }' %s | tegula-opt --widen-programs | FileCheck %s --check-prefixes=SINGLE
// RUN: sed -e '1i module attributes {tile.target = "sm_90a"} {' -e '$a }' %s | tegula-opt --widen-programs | FileCheck %s --check-prefixes=GROUP

// 512 elements a thread become 128.
// CHECK-LABEL: @long_row
// CHECK-SAME: #tile.kernel<warps = 16, stages = 3>
// REMARK: [Passed] widen | Category:widen-programs | Function=long_row | Remark="16 warps run one program instead of 4, whose threads would hold 512 elements of a tensor", Warps=16
func.func @long_row(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c = tile.arange 0 to 65536 : tensor<65536xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<65536x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<65536x!tile.ptr<f32>>, tensor<65536xi32>
  %v = tile.load %p : tensor<65536x!tile.ptr<f32>>
  %w = arith.mulf %v, %v : tensor<65536xf32>
  tile.store %p, %w : tensor<65536x!tile.ptr<f32>>
  return
}

// A block has no more than 32 warps.
// CHECK-LABEL: @tile
// CHECK-SAME: #tile.kernel<warps = 32, stages = 3>
// REMARK: Function=tile | Remark="32 warps run one program instead of 4, whose threads would hold 8192
func.func @tile(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c = tile.arange 0 to 1024 : tensor<1024xi32>
  %r = tile.expand_dims %c, 1 : tensor<1024xi32> -> tensor<1024x1xi32>
  %k = tile.expand_dims %c, 0 : tensor<1024xi32> -> tensor<1x1024xi32>
  %rs = tile.broadcast %r : tensor<1024x1xi32> -> tensor<1024x1024xi32>
  %ks = tile.broadcast %k : tensor<1x1024xi32> -> tensor<1024x1024xi32>
  %m = arith.cmpi eq, %rs, %ks : tensor<1024x1024xi32>
  %e = arith.extui %m : tensor<1024x1024xi1> to tensor<1024x1024xi32>
  %s = tile.reduce %e axis 1 : tensor<1024x1024xi32> -> tensor<1024xi32> {
  ^bb0(%a: i32, %b: i32):
    %q = arith.addi %a, %b : i32
    tile.yield %q : i32
  }
  %f = arith.sitofp %s : tensor<1024xi32> to tensor<1024xf32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %p, %f : tensor<1024x!tile.ptr<f32>>
  return
}

// Half as many are the author's business; so is a constant, which no thread holds.
// REMARK-NOT: Function=
// CHECK-LABEL: @shorter
// CHECK-SAME: #tile.kernel<warps = 4, stages = 3>
func.func @shorter(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %unused = arith.constant dense<1> : tensor<131072xi32>
  %c = tile.arange 0 to 32768 : tensor<32768xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32768x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<32768x!tile.ptr<f32>>, tensor<32768xi32>
  %v = tile.load %p : tensor<32768x!tile.ptr<f32>>
  tile.store %p, %v : tensor<32768x!tile.ptr<f32>>
  return
}

// A transposition would go through more shared memory than there is.
// CHECK-LABEL: @transposed
// CHECK-SAME: #tile.kernel<warps = 4, stages = 3>
func.func @transposed(%p: tensor<1024x1024x!tile.ptr<f32>>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %v = tile.load %p : tensor<1024x1024x!tile.ptr<f32>>
  %t = tile.trans %v, [1, 0] : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  tile.store %p, %t : tensor<1024x1024x!tile.ptr<f32>>
  return
}

// So would the parts of a scan that warps share.
// CHECK-LABEL: @scanned
// CHECK-SAME: #tile.kernel<warps = 4, stages = 3>
func.func @scanned(%p: tensor<512x256x!tile.ptr<f32>>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %v = tile.load %p : tensor<512x256x!tile.ptr<f32>>
  %t = tile.scan %v axis 0 : tensor<512x256xf32> -> tensor<512x256xf32> {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tile.yield %q : f32
  }
  tile.store %p, %t : tensor<512x256x!tile.ptr<f32>>
  return
}

// What is reshaped only to be reduced to one number keeps its places.
// REMARK: Function=flattened
// CHECK-LABEL: @flattened
// CHECK-SAME: #tile.kernel<warps = 32, stages = 3>
func.func @flattened(%p: tensor<512x256x!tile.ptr<f32>>, %r: !tile.ptr<f32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %v = tile.load %p : tensor<512x256x!tile.ptr<f32>>
  %f = tile.reshape %v : tensor<512x256xf32> -> tensor<131072xf32>
  %s = tile.reduce %f axis 0 : tensor<131072xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tile.yield %q : f32
  }
  tile.store %r, %s : !tile.ptr<f32>
  return
}

// Who reads registers of the device may count threads.
// CHECK-LABEL: @asks
// CHECK-SAME: #tile.kernel<warps = 4, stages = 3>
func.func @asks(%p: tensor<131072x!tile.ptr<f32>>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %v = tile.load %p : tensor<131072x!tile.ptr<f32>>
  %w = tile.inline_asm "mov.b32 $0, $1;", "=r,r" pure pack = 1 (%v) : (tensor<131072xf32>) -> tensor<131072xf32>
  tile.store %p, %w : tensor<131072x!tile.ptr<f32>>
  return
}

// Sums that leave a thread no registers for anything else are spread over twice as many warps; half as many are the
// author's business, and so are those of 16 warps, who have 128 registers a thread.
// CHECK-LABEL: @two_sums
// CHECK-SAME: #tile.kernel<warps = 8, stages = 3>
// REMARK: Function=two_sums | Remark="8 warps run one program instead of 4, whose threads would hold 256 registers of sums", Warps=8
func.func @two_sums(%n: i32, %a: tensor<128x128xf16>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %p = tile.dot %a, %a, %x : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    %q = tile.dot %a, %a, %y : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %p, %q : tensor<128x128xf32>, tensor<128x128xf32>
  }
  return
}
// REMARK-NOT: Function=
// CHECK-LABEL: @one_sum
// CHECK-SAME: #tile.kernel<warps = 4, stages = 3>
func.func @one_sum(%n: i32, %a: tensor<128x128xf16>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<128x128xf32>) : i32 {
    %p = tile.dot %a, %a, %x : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %p : tensor<128x128xf32>
  }
  return
}
// CHECK-LABEL: @many_warps
// CHECK-SAME: #tile.kernel<warps = 8, stages = 3>
func.func @many_warps(%n: i32, %a: tensor<256x256xf16>) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<256x256xf32>) : i32 {
    %p = tile.dot %a, %a, %x : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf32>
    scf.yield %p : tensor<256x256xf32>
  }
  return
}

// Attention of 128 by 64 with heads of 128 has 64 registers of scores next to 128 of sums: too many for products of single
// warps, whose operands are in registers too.
// SINGLE-LABEL: @scores
// SINGLE-SAME: #tile.kernel<warps = 8, stages = 3>
// GROUP-LABEL: @scores
// GROUP-SAME: #tile.kernel<warps = 4, stages = 3>
func.func @scores(%n: i32, %q: tensor<128x128xf16>, %k: tensor<128x64xf16>, %v: tensor<64x128xf16>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<128x128xf32>) : i32 {
    %s = tile.dot %q, %k, %none : tensor<128x128xf16>, tensor<128x64xf16> -> tensor<128x64xf32>
    %w = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xf16>
    %p = tile.dot %w, %v, %x : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %p : tensor<128x128xf32>
  }
  return
}
// Half as many scores fit; weights that wait while the next product is computed count like its result.
// SINGLE-LABEL: @few_scores
// SINGLE-SAME: #tile.kernel<warps = 4, stages = 3>
func.func @few_scores(%n: i32, %q: tensor<128x128xf16>, %k: tensor<128x32xf16>, %v: tensor<32x128xf16>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<128x128xf32>) : i32 {
    %s = tile.dot %q, %k, %none : tensor<128x128xf16>, tensor<128x32xf16> -> tensor<128x32xf32>
    %w = arith.truncf %s : tensor<128x32xf32> to tensor<128x32xf16>
    %p = tile.dot %w, %v, %x : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
    scf.yield %p : tensor<128x128xf32>
  }
  return
}
// SINGLE-LABEL: @weights_wait
// SINGLE-SAME: #tile.kernel<warps = 8, stages = 3>
func.func @weights_wait(%n: i32, %q: tensor<128x128xf16>, %k: tensor<128x32xf16>, %v: tensor<32x128xf16>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<128x128xf32>) : i32 {
    %s = tile.dot %q, %k, %none : tensor<128x128xf16>, tensor<128x32xf16> -> tensor<128x32xf32>
    %e = math.exp2 %s : tensor<128x32xf32>
    %d = tile.dot %q, %k, %none : tensor<128x128xf16>, tensor<128x32xf16> -> tensor<128x32xf32>
    %m = arith.mulf %e, %d : tensor<128x32xf32>
    %w = arith.truncf %m : tensor<128x32xf32> to tensor<128x32xf16>
    %p = tile.dot %w, %v, %x : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
    scf.yield %p : tensor<128x128xf32>
  }
  return
}
