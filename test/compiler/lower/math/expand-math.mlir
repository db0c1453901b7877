// What becomes of math ops: the shapes of the expansions. Their numbers are tested in AccuracyTest.cpp.
// RUN: tegula-opt %s --expand-math | FileCheck %s

#l = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]]} : [128]>

// An approximate exp stays, to become the hardware's power of two; so does the layout.
// CHECK-LABEL: @approximate_exp
// CHECK-SAME: (%[[X:.*]]: [[T:tensor<128xf32, #.*>]])
func.func @approximate_exp(%x: tensor<128xf32, #l>) -> tensor<128xf32, #l> {
  // CHECK: math.exp %[[X]] fastmath<afn> : [[T]]
  // CHECK-NEXT: return
  %y = math.exp %x fastmath<afn> : tensor<128xf32, #l>
  return %y : tensor<128xf32, #l>
}

// An exact one is the hardware's of what a multiple of ln 2 leaves: the product with log2 e is rounded where it is small.
// CHECK-LABEL: @exact_exp
func.func @exact_exp(%x: f32) -> f32 {
  // CHECK: %[[HIGH:.*]] = math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
  // CHECK: %[[REST:.*]] = math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
  // CHECK: %[[POWER:.*]] = math.exp2 %{{.*}} fastmath<afn> : f32
  // CHECK-NOT: math.
  // CHECK: arith.mulf %[[POWER]], %{{.*}} : f32
  // CHECK-NEXT: return
  %y = math.exp %x : f32
  return %y : f32
}

// Far arguments of a sine are reduced in a branch, which each element has for itself.
// CHECK-LABEL: @sin_of_tensor
func.func @sin_of_tensor(%x: tensor<128xf32>) -> tensor<128xf32> {
  // CHECK-NOT: math.sin
  // CHECK: tile.map {{.*}} pack 1 : tensor<128xi1>, tensor<128xf32>, tensor<128xf32>, tensor<128xi32> -> tensor<128xf32>, tensor<128xi32>
  // CHECK-NEXT: ^bb0(%[[FAR:.*]]: i1, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i32)
  // CHECK: scf.if %[[FAR]] -> (f32, i32)
  // CHECK: return
  %y = math.sin %x : tensor<128xf32>
  return %y : tensor<128xf32>
}

// What is known to be near is reduced as that: an angle made of a number below 1, as random numbers are.
// CHECK-LABEL: @cos_of_a_turn
func.func @cos_of_a_turn(%bits: tensor<128xi32>) -> tensor<128xf32> {
  // CHECK-NOT: arith.extui
  // CHECK-NOT: arith.muli
  // CHECK: return
  %scale = arith.constant dense<4.65661287E-10> : tensor<128xf32>
  %turn = arith.constant dense<6.28318548> : tensor<128xf32>
  %n = arith.sitofp %bits : tensor<128xi32> to tensor<128xf32>
  %u = arith.mulf %n, %scale : tensor<128xf32>
  %angle = arith.mulf %u, %turn : tensor<128xf32>
  %y = math.cos %angle : tensor<128xf32>
  return %y : tensor<128xf32>
}

// A place of a sequence times a frequency, as Inductor computes them in doubles: 255 * 10000^-2 at most.
// CHECK-LABEL: @sin_of_a_rotation
func.func @sin_of_a_rotation() -> tensor<128xf64> {
  // CHECK-NOT: arith.mului_extended
  // CHECK: return
  %program = tile.program_id x
  %block = arith.constant 128 : i32
  %begin = arith.muli %program, %block : i32
  %begins = tile.splat %begin : i32 -> tensor<128xi32>
  %within = tile.arange 0 to 128 : tensor<128xi32>
  %i = arith.addi %begins, %within : tensor<128xi32>
  %c64 = arith.constant dense<64> : tensor<128xi32>
  %c256 = arith.constant dense<256> : tensor<128xi32>
  %minus = arith.constant dense<-1> : tensor<128xi32>
  %column = arith.remsi %i, %c64 : tensor<128xi32>
  %row = arith.divsi %i, %c64 : tensor<128xi32>
  %place = arith.remsi %row, %c256 : tensor<128xi32>
  %down = arith.muli %column, %minus : tensor<128xi32>
  %n = arith.sitofp %down : tensor<128xi32> to tensor<128xf64>
  %share = arith.constant dense<0.03125> : tensor<128xf64>
  %exponent = arith.mulf %n, %share : tensor<128xf64>
  %base = arith.constant dense<1.0e4> : tensor<128xf64>
  %frequency = math.powf %base, %exponent : tensor<128xf64>
  %t = arith.sitofp %place : tensor<128xi32> to tensor<128xf64>
  %angle = arith.mulf %t, %frequency : tensor<128xf64>
  %y = math.sin %angle : tensor<128xf64>
  return %y : tensor<128xf64>
}

// The same upwards reaches 255 * 10000^7.9.
// CHECK-LABEL: @sin_of_a_fast_rotation
func.func @sin_of_a_fast_rotation(%row: tensor<128xi32>) -> tensor<128xf64> {
  // CHECK: arith.mului_extended
  // CHECK: return
  %c256 = arith.constant dense<256> : tensor<128xi32>
  %place = arith.remui %row, %c256 : tensor<128xi32>
  %n = arith.uitofp %place : tensor<128xi32> to tensor<128xf64>
  %share = arith.constant dense<0.03125> : tensor<128xf64>
  %exponent = arith.mulf %n, %share : tensor<128xf64>
  %base = arith.constant dense<1.0e4> : tensor<128xf64>
  %frequency = math.powf %base, %exponent : tensor<128xf64>
  %angle = arith.mulf %n, %frequency : tensor<128xf64>
  %y = math.sin %angle : tensor<128xf64>
  return %y : tensor<128xf64>
}

// A place among as many as a size says is no farther than what is divided: 2^24 * 10000^3 is far, but its table is one window.
// CHECK-LABEL: @sin_of_a_place
func.func @sin_of_a_place(%i: tensor<128xi32>, %size: i64) -> tensor<128xf64> {
  // CHECK-NOT: arith.select
  // CHECK: arith.mului_extended
  // CHECK: return
  %c128 = arith.constant dense<128> : tensor<128xi32>
  %row = arith.divsi %i, %c128 : tensor<128xi32>
  %wide = arith.extsi %row : tensor<128xi32> to tensor<128xi64>
  %sizes = tile.splat %size : i64 -> tensor<128xi64>
  %place = arith.remsi %wide, %sizes : tensor<128xi64>
  %n = arith.sitofp %place : tensor<128xi64> to tensor<128xf64>
  %frequency = arith.constant dense<1.0e12> : tensor<128xf64>
  %angle = arith.mulf %n, %frequency : tensor<128xf64>
  %y = math.sin %angle : tensor<128xf64>
  return %y : tensor<128xf64>
}

// An integer itself may be far.
// CHECK-LABEL: @cos_of_an_integer
func.func @cos_of_an_integer(%bits: tensor<128xi32>) -> tensor<128xf32> {
  // CHECK: arith.extui
  // CHECK: return
  %n = arith.sitofp %bits : tensor<128xi32> to tensor<128xf32>
  %y = math.cos %n : tensor<128xf32>
  return %y : tensor<128xf32>
}

// A scalar can.
// CHECK-LABEL: @sin_of_scalar
func.func @sin_of_scalar(%x: f32) -> f32 {
  // CHECK: %[[FAR:.*]] = arith.cmpf oge, %{{.*}}, %{{.*}} : f32
  // CHECK: scf.if %[[FAR]] -> (f32, i32) {
  // CHECK: } else {
  // CHECK-NEXT: scf.yield
  // CHECK-NOT: math.sin
  // CHECK: return
  %y = math.sin %x : f32
  return %y : f32
}

// Narrow floats are computed in single precision, where the hardware's functions are exact enough.
// CHECK-LABEL: @exp_of_half
func.func @exp_of_half(%x: f16) -> f16 {
  // CHECK: %[[W:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: %[[Y:.*]] = math.exp %[[W]] fastmath<afn> : f32
  // CHECK: arith.truncf %[[Y]] : f32 to f16
  %y = math.exp %x : f16
  return %y : f16
}

// What the hardware has stays, also where the result is approximate by request.
// CHECK-LABEL: @native
func.func @native(%x: f32, %h: f16, %i: i32) -> (f32, f16, i32) {
  // CHECK: math.sqrt %{{.*}} : f32
  // CHECK: math.rsqrt %{{.*}} fastmath<afn> : f32
  // CHECK: math.exp2 %{{.*}} fastmath<afn> : f32
  // CHECK: math.fma
  // CHECK: math.absf %{{.*}} : f16
  // CHECK: math.ctpop
  %0 = math.sqrt %x : f32
  %1 = math.rsqrt %0 fastmath<afn> : f32
  %2 = math.exp2 %1 fastmath<afn> : f32
  %3 = math.fma %2, %1, %0 : f32
  %4 = math.absf %h : f16
  %5 = math.ctpop %i : i32
  return %3, %4, %5 : f32, f16, i32
}
