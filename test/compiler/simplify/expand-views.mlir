// Blocks of arrays become pointers and masks.
// RUN: tegula-opt %s --expand-views --canonicalize --cse | FileCheck %s

module attributes {tile.target = "sm_90a"} {

// The start moves a scalar; along the axis of stride 1 steps are constants of 32 bits, along the other of 64. One
// comparison tells what is inside, in 32 bits where the size has no more.
// CHECK-LABEL: @block
// CHECK-SAME: %[[P:[a-z0-9]+]]: !tile.ptr<bf16> {{.*}} %[[M:[a-z0-9]+]]: i32 {{.*}} %[[N:[a-z0-9]+]]: i64 {{.*}} %[[S:[a-z0-9]+]]: i64 {{.*}} %[[I:[a-z0-9]+]]: i32
func.func @block(%p: !tile.ptr<bf16> {tile.param = #tile.param<"p", "*bf16", 16>}, %m: i32 {tile.param = #tile.param<"m", "i32", 1>},
                 %n: i64 {tile.param = #tile.param<"n", "i64", 1>}, %s: i64 {tile.param = #tile.param<"s", "i64", 1>},
                 %i: i32 {tile.param = #tile.param<"i", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %wide = arith.extsi %m : i32 to i64
  %v = tile.view %p, sizes [%wide, %n], strides [%s, %one] : !tile.ptr<bf16> -> !tile.view<2 x bf16>
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16x32xbf16>
  // CHECK-DAG: %[[START:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK-DAG: %[[STEP:.*]] = arith.muli %[[START]], %[[S]] : i64
  // CHECK-DAG: %[[BASE:.*]] = tile.addptr %[[P]], %[[STEP]] : !tile.ptr<bf16>, i64
  // CHECK-DAG: %[[ROWS:.*]] = tile.expand_dims %{{.*}}, 1 : tensor<16xi32> -> tensor<16x1xi32>
  // CHECK-DAG: %[[COLS:.*]] = tile.expand_dims %{{.*}}, 0 : tensor<32xi32> -> tensor<1x32xi32>
  // CHECK-DAG: %[[FAR:.*]] = arith.muli %{{.*}}, %{{.*}} : tensor<16x1xi64>
  // CHECK-DAG: %[[LINES:.*]] = tile.addptr %{{.*}}, %[[FAR]] : tensor<16x1x!tile.ptr<bf16>>, tensor<16x1xi64>
  // CHECK-DAG: %[[WHOLE:.*]] = tile.broadcast %[[LINES]] : tensor<16x1x!tile.ptr<bf16>> -> tensor<16x32x!tile.ptr<bf16>>
  // CHECK-DAG: %[[NEAR:.*]] = tile.broadcast %[[COLS]] : tensor<1x32xi32> -> tensor<16x32xi32>
  // CHECK-DAG: %[[PS:.*]] = tile.addptr %[[WHOLE]], %[[NEAR]] : tensor<16x32x!tile.ptr<bf16>>, tensor<16x32xi32>
  // CHECK-DAG: %[[COUNT:.*]] = arith.maxsi %[[M]], %{{.*}} : i32
  // CHECK-DAG: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<16x1xi32>
  // CHECK-DAG: %[[BELOW:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<1x32xi64>
  // CHECK: %[[MASK:.*]] = arith.andi %{{.*}}, %{{.*}} : tensor<16x32xi1>
  // CHECK: %[[X:.*]] = tile.load %[[PS]], %[[MASK]], %[[ZERO]] cache = cg evict = evict_last
  %x = tile.view_load %v[%i, %zero] checked [0, 1] padding = zero cache = cg evict = evict_last : !tile.view<2 x bf16> -> tensor<16x32xbf16>
  // Nothing is compared along an axis that is not checked, and without any there is no mask.
  // CHECK: tile.store %{{.*}}, %[[X]] : tensor<16x32x!tile.ptr<bf16>>
  tile.view_store %v[%i, %zero], %x : !tile.view<2 x bf16>, tensor<16x32xbf16>
  return
}

// The largest size of 32 bits is one of them, the next needs more.
// CHECK-LABEL: @largest_sizes
func.func @largest_sizes(%p: !tile.ptr<f32>, %s: i64, %i: i32, %j: i32) -> tensor<16x32xf32> {
  // CHECK-DAG: %[[LARGEST:.*]] = arith.constant dense<2147483647> : tensor<16x1xi32>
  // CHECK-DAG: %[[LARGER:.*]] = arith.constant dense<2147483648> : tensor<1x32xi64>
  // CHECK-DAG: arith.cmpi ult, %{{.*}}, %[[LARGEST]] : tensor<16x1xi32>
  // CHECK-DAG: arith.cmpi ult, %{{.*}}, %[[LARGER]] : tensor<1x32xi64>
  %one = arith.constant 1 : i64
  %largest = arith.constant 2147483647 : i64
  %larger = arith.constant 2147483648 : i64
  %v = tile.view %p, sizes [%largest, %larger], strides [%s, %one] : !tile.ptr<f32> -> !tile.view<2 x f32>
  %x = tile.view_load %v[%i, %j] checked [0, 1] : !tile.view<2 x f32> -> tensor<16x32xf32>
  return %x : tensor<16x32xf32>
}

// What a loop or a branch hands on are the parts.
// CHECK-LABEL: @carried
func.func @carried(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i64, %c: i1, %i: i32) -> tensor<64xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = arith.constant 1 : i64
  %v = tile.view %p, sizes [%n], strides [%s] : !tile.ptr<f32> -> !tile.view<1 x f32>
  %w = tile.view %q, sizes [%n], strides [%s] : !tile.ptr<f32> -> !tile.view<1 x f32>
  // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %u = scf.if %c -> !tile.view<1 x f32> {
    scf.yield %v : !tile.view<1 x f32>
  } else {
    scf.yield %w : !tile.view<1 x f32>
  }
  // CHECK: scf.for
  // CHECK-SAME: iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (!tile.ptr<f32>, !tile.ptr<f32>)
  %a:2 = scf.for %k = %zero to %i step %one iter_args(%x = %u, %y = %v) -> (!tile.view<1 x f32>, !tile.view<1 x f32>) : i32 {
    scf.yield %y, %x : !tile.view<1 x f32>, !tile.view<1 x f32>
  }
  // CHECK: tile.load %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>
  %r = tile.view_load %a#0[%i] checked [0] : !tile.view<1 x f32> -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// CHECK-LABEL: @padded
// CHECK: arith.constant dense<0x7FC00000> : tensor<64xf32>
func.func @padded(%v: !tile.ptr<f32>, %n: i64, %i: i32) -> tensor<64xf32> {
  %w = tile.view %v, sizes [%n], strides [%n] : !tile.ptr<f32> -> !tile.view<1 x f32>
  %x = tile.view_load %w[%i] checked [0] padding = nan : !tile.view<1 x f32> -> tensor<64xf32>
  return %x : tensor<64xf32>
}

// The base of a view is the pointer, also after a branch.
// CHECK-LABEL: @base
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[Q:.*]]: !tile.ptr<f32>, %{{.*}}: i64, %[[C:.*]]: i1)
func.func @base(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i64, %c: i1) -> !tile.ptr<f32> {
  %v = tile.view %p, sizes [%n], strides [%n] : !tile.ptr<f32> -> !tile.view<1 x f32>
  %w = tile.view %q, sizes [%n], strides [%n] : !tile.ptr<f32> -> !tile.view<1 x f32>
  // CHECK: %[[B:.*]] = arith.select %[[C]], %[[P]], %[[Q]] : !tile.ptr<f32>
  %u = arith.select %c, %v, %w : !tile.view<1 x f32>
  // CHECK: return %[[B]]
  %b = tile.view_base %u : !tile.view<1 x f32> -> !tile.ptr<f32>
  return %b : !tile.ptr<f32>
}

}
