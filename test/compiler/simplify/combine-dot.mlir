// A matrix added to a product becomes where its sum begins, where the order of adding up is free.
// RUN: tegula-opt %s --combine | FileCheck %s
// RUN: tegula-opt %s --combine --remarks-filter=combine 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// REMARK-DAG: [Passed] accumulate | Category:combine | Remark="added up with the products themselves"
// REMARK-DAG: [Passed] outer-products | Category:combine | Remark="the sum of outer products is computed as a dot"
// REMARK-DAG: [Passed] narrow-operands | Category:combine | Remark="operands are multiplied in the 16 bits that they were converted from"

// Either side, and in the accumulators whose sums have no order.
// CHECK-LABEL: @accumulate
// CHECK-SAME: %[[A:.*]]: tensor<16x32xf16>, %[[B:.*]]: tensor<32x16xf16>, %[[C:.*]]: tensor<16x16xf32>, %[[D:.*]]: tensor<32x32xi8>, %[[E:.*]]: tensor<32x32xi32>, %[[F:.*]]: tensor<16x16xf64>, %[[G:.*]]: tensor<16x16xf64>
func.func @accumulate(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>,
                      %d: tensor<32x32xi8>, %e: tensor<32x32xi32>, %f: tensor<16x16xf64>, %g: tensor<16x16xf64>)
    -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<32x32xi32>, tensor<16x16xf64>) {
  // CHECK-NOT: arith.add
  // CHECK: %[[X:.*]] = tile.dot %[[A]], %[[B]], %[[C]] :
  // CHECK: %[[Y:.*]] = tile.dot %[[A]], %[[B]], %[[C]] :
  // CHECK: %[[Z:.*]] = tile.dot %[[D]], %[[D]], %[[E]] :
  // CHECK: %[[W:.*]] = tile.dot %[[F]], %[[F]], %[[G]] :
  // CHECK: return %[[X]], %[[Y]], %[[Z]], %[[W]]
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %zeroI = arith.constant dense<0> : tensor<32x32xi32>
  %zeroD = arith.constant dense<0.0> : tensor<16x16xf64>
  %0 = tile.dot %a, %b, %zero : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
  %1 = arith.addf %0, %c fastmath<contract> : tensor<16x16xf32>
  %2 = tile.dot %a, %b, %zero : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
  %3 = arith.addf %c, %2 : tensor<16x16xf32>
  %4 = tile.dot %d, %d, %zeroI : tensor<32x32xi8>, tensor<32x32xi8> -> tensor<32x32xi32>
  %5 = arith.addi %e, %4 : tensor<32x32xi32>
  %6 = tile.dot %f, %f, %zeroD : tensor<16x16xf64>, tensor<16x16xf64> -> tensor<16x16xf64>
  %7 = arith.addf %6, %g : tensor<16x16xf64>
  return %1, %3, %5, %7 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<32x32xi32>, tensor<16x16xf64>
}

// The attributes stay.
// CHECK-LABEL: @attributes
func.func @attributes(%a: tensor<16x16xf32>, %c: tensor<16x16xf32>, %d: tensor<32x32xf8E4M3FN>, %e: tensor<32x32xf32>)
    -> (tensor<16x16xf32>, tensor<32x32xf32>) {
  // CHECK: tile.dot %arg0, %arg0, %arg1 precision tf32x3 :
  // CHECK: tile.dot %arg2, %arg2, %arg3 max_imprecise 32 :
  // CHECK-NOT: arith.addf
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %wide = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = tile.dot %a, %a, %zero precision tf32x3 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = arith.addf %c, %0 : tensor<16x16xf32>
  %2 = tile.dot %d, %d, %wide max_imprecise 32 : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %3 = arith.addf %2, %e : tensor<32x32xf32>
  return %1, %3 : tensor<16x16xf32>, tensor<32x32xf32>
}

// Sums in f16, sums of f8 without a bound, products used twice, sums that begin elsewhere already, and
// products that are made less often than they are added stay as they are.
// CHECK-LABEL: @apart
func.func @apart(%a: tensor<16x16xf16>, %h: tensor<16x16xf16>, %d: tensor<32x32xf8E5M2>, %e: tensor<32x32xf32>,
                 %c: tensor<16x16xf32>, %n: index)
    -> (tensor<16x16xf16>, tensor<32x32xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  // CHECK-COUNT-4: arith.addf
  // CHECK: scf.for
  // CHECK-NEXT: arith.addf
  %zeroH = arith.constant dense<0.0> : tensor<16x16xf16>
  %wide = arith.constant dense<0.0> : tensor<32x32xf32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.dot %a, %a, %zeroH : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf16>
  %1 = arith.addf %0, %h : tensor<16x16xf16>
  %2 = tile.dot %d, %d, %wide : tensor<32x32xf8E5M2>, tensor<32x32xf8E5M2> -> tensor<32x32xf32>
  %3 = arith.addf %2, %e : tensor<32x32xf32>
  %4 = tile.dot %a, %a, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %5 = arith.addf %4, %c : tensor<16x16xf32>
  %6 = tile.dot %a, %a, %c : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %7 = arith.addf %6, %c : tensor<16x16xf32>
  %8 = tile.dot %a, %h, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %9 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c) -> tensor<16x16xf32> {
    %10 = arith.addf %s, %8 : tensor<16x16xf32>
    scf.yield %10 : tensor<16x16xf32>
  }
  return %1, %3, %4, %5, %7, %9 : tensor<16x16xf16>, tensor<32x32xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}

// A sum of outer products is a dot, whichever factor comes first.
// CHECK-LABEL: @outer_products
// CHECK-SAME: %[[A:.*]]: tensor<32x16xf32>, %[[B:.*]]: tensor<16x64xf32>, %[[C:.*]]: tensor<32x64xf32>
func.func @outer_products(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>, %c: tensor<32x64xf32>) -> tensor<32x64xf32> {
  // CHECK: %[[R:.*]] = tile.dot %[[A]], %[[B]], %[[C]] :
  // CHECK-NEXT: return %[[R]]
  %0 = tile.expand_dims %a, 2 : tensor<32x16xf32> -> tensor<32x16x1xf32>
  %1 = tile.expand_dims %b, 0 : tensor<16x64xf32> -> tensor<1x16x64xf32>
  %2 = tile.broadcast %0 : tensor<32x16x1xf32> -> tensor<32x16x64xf32>
  %3 = tile.broadcast %1 : tensor<1x16x64xf32> -> tensor<32x16x64xf32>
  %4 = arith.mulf %3, %2 fastmath<contract> : tensor<32x16x64xf32>
  %5 = tile.reduce %4 axis 1 : tensor<32x16x64xf32> -> tensor<32x64xf32> {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y fastmath<contract> : f32
    tile.yield %s : f32
  }
  %6 = arith.addf %5, %c fastmath<contract> : tensor<32x64xf32>
  return %6 : tensor<32x64xf32>
}

// Not where products are to be rounded by themselves, where elements are squared, or along another axis.
// CHECK-LABEL: @no_outer_products
// CHECK-COUNT-3: tile.reduce
// CHECK-NOT: tile.dot
func.func @no_outer_products(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>)
    -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x16xf32>) {
  %0 = tile.expand_dims %a, 2 : tensor<32x16xf32> -> tensor<32x16x1xf32>
  %1 = tile.expand_dims %b, 0 : tensor<16x64xf32> -> tensor<1x16x64xf32>
  %2 = tile.broadcast %0 : tensor<32x16x1xf32> -> tensor<32x16x64xf32>
  %3 = tile.broadcast %1 : tensor<1x16x64xf32> -> tensor<32x16x64xf32>
  %apart = arith.mulf %2, %3 : tensor<32x16x64xf32>
  %4 = tile.reduce %apart axis 1 : tensor<32x16x64xf32> -> tensor<32x64xf32> {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tile.yield %s : f32
  }
  %squares = arith.mulf %2, %2 fastmath<contract> : tensor<32x16x64xf32>
  %5 = tile.reduce %squares axis 1 : tensor<32x16x64xf32> -> tensor<32x64xf32> {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y fastmath<contract> : f32
    tile.yield %s : f32
  }
  %fused = arith.mulf %2, %3 fastmath<contract> : tensor<32x16x64xf32>
  %6 = tile.reduce %fused axis 2 : tensor<32x16x64xf32> -> tensor<32x16xf32> {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y fastmath<contract> : f32
    tile.yield %s : f32
  }
  return %4, %5, %6 : tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x16xf32>
}

// Operands that were both converted from one type of 16 bits are multiplied in it, also behind a transposition.
// CHECK-LABEL: @narrow
// CHECK-SAME: %[[A:.*]]: tensor<32x16xbf16>, %[[B:.*]]: tensor<32x16xbf16>, %[[C:.*]]: tensor<16x16xf32>
func.func @narrow(%a: tensor<32x16xbf16>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>)
    -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  // CHECK-NOT: arith.extf
  // CHECK: %[[T:.*]] = tile.trans %[[A]], [1, 0] : tensor<32x16xbf16> -> tensor<16x32xbf16>
  // CHECK: tile.dot %[[T]], %[[B]], %[[C]] precision tf32 : tensor<16x32xbf16>
  // CHECK: tile.dot %{{.*}}, %[[B]], %[[C]] precision tf32x3 : tensor<16x32xbf16>
  %0 = arith.extf %a : tensor<32x16xbf16> to tensor<32x16xf32>
  %1 = arith.extf %b : tensor<32x16xbf16> to tensor<32x16xf32>
  %2 = tile.trans %0, [1, 0] : tensor<32x16xf32> -> tensor<16x32xf32>
  %3 = tile.dot %2, %1, %c precision tf32 : tensor<16x32xf32>, tensor<32x16xf32> -> tensor<16x16xf32>
  %4 = tile.dot %2, %1, %c precision tf32x3 : tensor<16x32xf32>, tensor<32x16xf32> -> tensor<16x16xf32>
  return %3, %4 : tensor<16x16xf32>, tensor<16x16xf32>
}

// Not where the author asks for f32, where the types differ, where one operand is of f32, nor where K is too short
// for the units of 16 bits.
// CHECK-LABEL: @wide
func.func @wide(%a: tensor<16x16xf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>, %d: tensor<16x8xf16>, %e: tensor<8x16xf16>)
    -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  // CHECK: %[[A:.*]] = arith.extf %arg0
  // CHECK: tile.dot %[[A]], %[[A]], %arg2 : tensor<16x16xf32>
  // CHECK: tile.dot %[[A]], %{{.*}}, %arg2 precision tf32 : tensor<16x16xf32>
  // CHECK: tile.dot %[[A]], %arg2, %arg2 precision tf32 : tensor<16x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %arg2 precision tf32 : tensor<16x8xf32>
  %0 = arith.extf %a : tensor<16x16xf16> to tensor<16x16xf32>
  %1 = arith.extf %b : tensor<16x16xbf16> to tensor<16x16xf32>
  %2 = arith.extf %d : tensor<16x8xf16> to tensor<16x8xf32>
  %3 = arith.extf %e : tensor<8x16xf16> to tensor<8x16xf32>
  %4 = tile.dot %0, %0, %c : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %5 = tile.dot %0, %1, %c precision tf32 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %6 = tile.dot %0, %c, %c precision tf32 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %7 = tile.dot %2, %3, %c precision tf32 : tensor<16x8xf32>, tensor<8x16xf32> -> tensor<16x16xf32>
  return %4, %5, %6, %7 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
