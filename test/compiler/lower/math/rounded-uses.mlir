// Of an approximate exponential of which at most 16 bits are seen the square of the hardware's power of two is taken,
// which needs no scaling for subnormal results. Another keeps the bits that it has.
// RUN: tegula-opt %s --expand-math | FileCheck %s

#l = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]]} : [128]>

// CHECK-LABEL: @rounded
// CHECK: %[[HALF:.*]] = arith.mulf %{{.*}}, %{{.*}} : tensor<128xf32
// CHECK-NEXT: %[[ROOT:.*]] = math.exp2 %[[HALF]] fastmath<afn>
// CHECK-NEXT: %[[POWER:.*]] = arith.mulf %[[ROOT]], %[[ROOT]]
// CHECK-NEXT: arith.truncf %[[POWER]]
func.func @rounded(%x: tensor<128xf32, #l>) -> tensor<128xbf16, #l> {
  %e = math.exp %x fastmath<afn> : tensor<128xf32, #l>
  %y = arith.truncf %e : tensor<128xf32, #l> to tensor<128xbf16, #l>
  return %y : tensor<128xbf16, #l>
}

// One whose flags ask for all bits is no approximation to begin with.
// CHECK-LABEL: @exact
// CHECK-NOT: math.exp2 {{.*}}
// CHECK: math.fma
func.func @exact(%x: f32) -> bf16 {
  %e = math.exp %x : f32
  %y = arith.truncf %e : f32 to bf16
  return %y : bf16
}

// Softmax: of both uses, the sum and the quotient, 16 bits are seen. What is only waited for is no use.
// CHECK-LABEL: @softmax
// CHECK-NOT: math.exp %
// CHECK: return
func.func @softmax(%x: tensor<128xf32, #l>, %z: tensor<128xf16, #l>) -> (tensor<128xf16, #l>, tensor<128xf16, #l>) {
  %e = math.exp %x fastmath<afn> : tensor<128xf32, #l>
  %sum = tile.reduce %e axis 0 : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
  %later = tile.opt_barrier %z after %sum : tensor<128xf16, #l>, f32
  %sums = tile.splat %sum : f32 -> tensor<128xf32, #l>
  %q = arith.divf %e, %sums fastmath<afn> : tensor<128xf32, #l>
  %y = arith.truncf %q : tensor<128xf32, #l> to tensor<128xf16, #l>
  return %y, %later : tensor<128xf16, #l>, tensor<128xf16, #l>
}

// A loop hands its sums on, and a branch its results.
// CHECK-LABEL: @loop
// CHECK-NOT: math.exp %
// CHECK: return
func.func @loop(%x: f32, %n: i32, %c: i1) -> bf16 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %first = math.exp %x fastmath<afn> : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %first) -> (f32) : i32 {
    %e = scf.if %c -> f32 {
      %inner = math.exp %x fastmath<afn> : f32
      scf.yield %inner : f32
    } else {
      scf.yield %zero : f32
    }
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  %y = arith.truncf %sum : f32 to bf16
  return %y : bf16
}

// CHECK-LABEL: @seen
// CHECK: math.exp %
// CHECK-NOT: math.exp2
// CHECK: return
func.func @seen(%x: f32) -> (bf16, f32) {
  %e = math.exp %x fastmath<afn> : f32
  %y = arith.truncf %e : f32 to bf16
  return %y, %e : bf16, f32
}

// A difference may be all in the last bits, and so may what a comparison tells.
// CHECK-LABEL: @difference
// CHECK: math.exp %
func.func @difference(%x: f32, %z: f32) -> bf16 {
  %e = math.exp %x fastmath<afn> : f32
  %d = arith.subf %e, %z : f32
  %y = arith.truncf %d : f32 to bf16
  return %y : bf16
}

// CHECK-LABEL: @comparison
// CHECK: math.exp %
func.func @comparison(%x: f32, %z: f32) -> bf16 {
  %e = math.exp %x fastmath<afn> : f32
  %c = arith.cmpf olt, %e, %z : f32
  %s = arith.select %c, %x, %z : f32
  %y = arith.truncf %s : f32 to bf16
  return %y : bf16
}

// A reduction may compare, too.
// CHECK-LABEL: @compared_in_a_reduction
// CHECK: math.exp %
func.func @compared_in_a_reduction(%x: tensor<128xf32, #l>) -> bf16 {
  %e = math.exp %x fastmath<afn> : tensor<128xf32, #l>
  %r = tile.reduce %e axis 0 : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.subf %a, %b : f32
    tile.yield %s : f32
  }
  %y = arith.truncf %r : f32 to bf16
  return %y : bf16
}

// A loop that runs while it is large counts for a comparison.
// CHECK-LABEL: @while
// CHECK: math.exp %
func.func @while(%x: f32, %c: i1) -> bf16 {
  %e = math.exp %x fastmath<afn> : f32
  %r = scf.while (%s = %e) : (f32) -> f32 {
    scf.condition(%c) %s : f32
  } do {
  ^bb0(%s: f32):
    scf.yield %s : f32
  }
  %y = arith.truncf %r : f32 to bf16
  return %y : bf16
}
