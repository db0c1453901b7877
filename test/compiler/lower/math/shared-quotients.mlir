// Approximate quotients by a divisor that many elements share: the steps of `div.full`, of which those that only the
// divisor has to do with are done once.
// RUN: tegula-opt %s --expand-math | FileCheck %s

#l = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]]} : [128]>
#m = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]} : [8, 16]>
#n = #tile.layout<{register = [[0, 0], [0, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]} : [8, 1]>
#other = #tile.layout<{lane = [[1, 0], [2, 0], [4, 0], [0, 0], [0, 0]]} : [8, 1]>

// CHECK-LABEL: @by_scalar
// CHECK-SAME: (%[[X:.*]]: tensor<128xf32, #{{.*}}>, %[[D:.*]]: f32)
// CHECK: %[[SIZE:.*]] = math.absf %[[D]] : f32
// CHECK: arith.cmpf ogt, %[[SIZE]]
// CHECK: arith.cmpf olt, %[[SIZE]]
// CHECK: arith.select
// CHECK: %[[SCALE:.*]] = arith.select {{.*}} : f32
// CHECK: %[[SCALED:.*]] = arith.mulf %[[D]], %[[SCALE]] : f32
// CHECK: %[[R:.*]] = arith.divf %{{.*}}, %[[SCALED]] fastmath<arcp,afn> : f32
// CHECK: %[[SCALES:.*]] = tile.splat %[[SCALE]]
// CHECK: %[[A:.*]] = arith.mulf %[[X]], %[[SCALES]]
// CHECK: %[[RS:.*]] = tile.splat %[[R]]
// CHECK: arith.mulf %[[A]], %[[RS]]
// CHECK-NOT: arith.divf
// CHECK: return
func.func @by_scalar(%x: tensor<128xf32, #l>, %d: f32) -> tensor<128xf32, #l> {
  %ds = tile.splat %d : f32 -> tensor<128xf32, #l>
  %q = arith.divf %x, %ds fastmath<afn> : tensor<128xf32, #l>
  return %q : tensor<128xf32, #l>
}

// CHECK-LABEL: @by_column
// CHECK: arith.divf {{.*}} fastmath<arcp,afn> : tensor<8x1xf32
// CHECK-COUNT-2: tile.broadcast {{.*}} -> tensor<8x16xf32
// CHECK-NOT: arith.divf
// CHECK: return
func.func @by_column(%x: tensor<8x16xf32, #m>, %d: tensor<8x1xf32, #n>) -> tensor<8x16xf32, #m> {
  %ds = tile.broadcast %d : tensor<8x1xf32, #n> -> tensor<8x16xf32, #m>
  %q = arith.divf %x, %ds fastmath<afn> : tensor<8x16xf32, #m>
  return %q : tensor<8x16xf32, #m>
}

// Each by its own, a number by a number, a constant divisor, which is a product anyway, and exact ones stay.
// CHECK-LABEL: @others
// CHECK-COUNT-4: arith.divf
// CHECK: return
func.func @others(%x: tensor<128xf32, #l>, %y: tensor<128xf32, #l>, %a: f32, %b: f32)
    -> (tensor<128xf32, #l>, f32, tensor<128xf32, #l>, tensor<128xf32, #l>) {
  %three = arith.constant 3.0 : f32
  %threes = tile.splat %three : f32 -> tensor<128xf32, #l>
  %bs = tile.splat %b : f32 -> tensor<128xf32, #l>
  %0 = arith.divf %x, %y fastmath<afn> : tensor<128xf32, #l>
  %1 = arith.divf %a, %b fastmath<afn> : f32
  %2 = arith.divf %x, %threes fastmath<afn> : tensor<128xf32, #l>
  %3 = arith.divf %x, %bs : tensor<128xf32, #l>
  return %0, %1, %2, %3 : tensor<128xf32, #l>, f32, tensor<128xf32, #l>, tensor<128xf32, #l>
}

// Threads exchange divisors once, before the reciprocal is taken: an exchange for each factor would cost more.
// CHECK-LABEL: @exchanged
// CHECK: tile.convert_layout
// CHECK-NOT: tile.convert_layout
// CHECK: arith.divf {{.*}} fastmath<arcp,afn> : tensor<8x1xf32
// CHECK: return
func.func @exchanged(%x: tensor<8x16xf32, #m>, %d: tensor<8x1xf32, #other>) -> tensor<8x16xf32, #m> {
  %moved = tile.convert_layout %d : tensor<8x1xf32, #other> -> tensor<8x1xf32, #n>
  %ds = tile.broadcast %moved : tensor<8x1xf32, #n> -> tensor<8x16xf32, #m>
  %q = arith.divf %x, %ds fastmath<afn> : tensor<8x16xf32, #m>
  return %q : tensor<8x16xf32, #m>
}
