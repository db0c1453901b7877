// Reductions, atomics and loops in their short and generic forms.
// RUN: tegula-opt %s | FileCheck %s
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s

#tile_2x32 = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]]} : [2, 32]>
#column = #tile.layout<{lane = [[0], [0], [0], [0], [1]]} : [2]>

// CHECK-LABEL: func.func @reduce
func.func @reduce(%x: tensor<16x32xf32>, %i: tensor<16x32xi32>, %y: tensor<2x32xf32, #tile_2x32>) {
  // CHECK: %[[S:.*]] = tile.reduce %{{.*}} axis 1 : tensor<16x32xf32> -> tensor<16xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT: %[[C:.*]] = arith.addf %[[A]], %[[B]] : f32
  // CHECK-NEXT: tile.yield %[[C]] : f32
  // CHECK-NEXT: }
  %s = tile.reduce %x axis 1 : tensor<16x32xf32> -> tensor<16xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  // One axis leaves a scalar.
  // CHECK: tile.reduce %[[S]] axis 0 {note} : tensor<16xf32> -> f32 {
  %t = tile.reduce %s axis 0 {note} : tensor<16xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tile.yield %c : f32
  }
  // Several are combined together.
  // CHECK: tile.reduce %{{.*}}, %{{.*}} axis 0 : tensor<16x32xf32>, tensor<16x32xi32> -> tensor<32xf32>, tensor<32xi32> {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
  // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
  %m:2 = tile.reduce %x, %i axis 0 : tensor<16x32xf32>, tensor<16x32xi32> -> tensor<32xf32>, tensor<32xi32> {
  ^bb0(%a: f32, %j: i32, %b: f32, %k: i32):
    %less = arith.cmpf olt, %a, %b : f32
    %v = arith.select %less, %b, %a : f32
    %w = arith.select %less, %k, %j : i32
    tile.yield %v, %w : f32, i32
  }
  // CHECK: tile.reduce %{{.*}} axis 1 : tensor<2x32xf32, #{{.*}}> -> tensor<2xf32, #{{.*}}> {
  %l = tile.reduce %y axis 1 : tensor<2x32xf32, #tile_2x32> -> tensor<2xf32, #column> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%p: tensor<64x!tile.ptr<f32>>, %v: tensor<64xf32>, %m: tensor<64xi1>, %q: !tile.ptr<i32>, %i: i32, %c: i1, %h: !tile.ptr<bf16>, %b: bf16) {
  // CHECK: tile.atomic_rmw fadd, relaxed, gpu, %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>
  %0 = tile.atomic_rmw fadd, relaxed, gpu, %p, %v, %m : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw fadd, acq_rel, sys, %{{.*}}, %{{.*}} {note} : !tile.ptr<bf16>
  %1 = tile.atomic_rmw fadd, acq_rel, sys, %h, %b {note} : !tile.ptr<bf16>
  // CHECK: tile.atomic_rmw add, acquire, cta,
  %2 = tile.atomic_rmw add, acquire, cta, %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw and, release, gpu,
  %3 = tile.atomic_rmw and, release, gpu, %q, %i, %c : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw or,
  %4 = tile.atomic_rmw or, relaxed, gpu, %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw xor,
  %5 = tile.atomic_rmw xor, relaxed, gpu, %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw max,
  %6 = tile.atomic_rmw max, relaxed, gpu, %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw min,
  %7 = tile.atomic_rmw min, relaxed, gpu, %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw umax,
  %8 = tile.atomic_rmw umax, relaxed, gpu, %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw umin,
  %9 = tile.atomic_rmw umin, relaxed, gpu, %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw xchg,
  %10 = tile.atomic_rmw xchg, relaxed, gpu, %p, %v : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.atomic_cas acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %11 = tile.atomic_cas acq_rel, gpu, %q, %i, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_cas relaxed, sys, %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<bf16>
  %12 = tile.atomic_cas relaxed, sys, %h, %b, %b : !tile.ptr<bf16>
  // CHECK: tile.atomic_load acquire, gpu, %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>
  %13 = tile.atomic_load acquire, gpu, %p, %m : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.atomic_load relaxed, cta, %{{[^,]*}} {note} : !tile.ptr<bf16>
  %14 = tile.atomic_load relaxed, cta, %h {note} : !tile.ptr<bf16>
  // CHECK: tile.atomic_store release, sys, %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>
  tile.atomic_store release, sys, %p, %13, %m : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.atomic_store relaxed, gpu, %{{.*}}, %{{[^,]*}} : !tile.ptr<bf16>
  tile.atomic_store relaxed, gpu, %h, %14 : !tile.ptr<bf16>
  // CHECK: tile.barrier{{$}}
  tile.barrier
  return
}

// CHECK-LABEL: func.func @loops
// CHECK-SAME: tile.kernel = #tile.kernel<warps = 1, stages = 3, programs = 4>
func.func @loops(%n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3, programs = 4>} {
  %c = arith.constant 1 : i32
  scf.for %i = %c to %n step %c : i32 {
  // CHECK: {tile.loop = #tile.loop<stages = 2, unroll = 4, flatten, single_acc, specialize, no_licm>}
  } {tile.loop = #tile.loop<stages = 2, unroll = 4, flatten, single_acc, specialize, no_licm>}
  scf.for %i = %c to %n step %c : i32 {
  // CHECK: {tile.loop = #tile.loop<>}
  } {tile.loop = #tile.loop<>}
  // CHECK: scf.while
  scf.while : () -> () {
    %t = arith.cmpi slt, %c, %n : i32
    scf.condition(%t)
  } do {
    scf.yield
  // CHECK: attributes {tile.loop = #tile.loop<flatten>}
  } attributes {tile.loop = #tile.loop<flatten>}
  return
}
