// RUN: tegula-opt %s -roll-repeats | FileCheck %s
// RUN: tegula-opt %s -roll-repeats --remarks-filter=roll-repeats 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// REMARK: Remark="6 times the same code become a loop"
// REMARK: Remark="5 times the same code become a loop"
// REMARK-NOT: loop

// What one iteration hands to the next goes round the loop; a number that grows is computed of the counter. The last
// iteration stays behind the loop.
// CHECK-LABEL: @counted
// CHECK-SAME: (%[[X:.*]]: tensor<131072xi32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[FIVE:.*]] = arith.constant 5 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %[[ZERO]] to %[[FIVE]] step %[[ONE]] iter_args(%[[A:.*]] = %[[X]])
// CHECK-DAG: %[[STEP:.*]] = arith.constant 2 : i32
// CHECK-DAG: %[[SCALED:.*]] = arith.muli %[[I]], %[[STEP]] : i32
// CHECK-DAG: %[[START:.*]] = arith.constant 3 : i32
// CHECK-DAG: %[[NUMBER:.*]] = arith.addi %[[SCALED]], %[[START]] : i32
// CHECK-DAG: %[[SPLAT:.*]] = tile.splat %[[NUMBER]]
// CHECK-DAG: %[[M:.*]] = arith.muli %[[A]], %[[X]]
// CHECK: %[[N:.*]] = arith.addi %[[M]], %[[SPLAT]]
// CHECK-NEXT: scf.yield %[[N]]
// CHECK: %[[LAST:.*]] = arith.constant dense<13>
// CHECK: arith.muli %[[R]], %[[X]]
// CHECK-NEXT: %[[RESULT:.*]] = arith.addi {{.*}}, %[[LAST]]
// CHECK-NEXT: tile.store %{{.*}}, %[[RESULT]]
func.func @counted(%x: tensor<131072xi32>, %p: tensor<131072x!tile.ptr<i32>>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant dense<3> : tensor<131072xi32>
  %m0 = arith.muli %x, %x : tensor<131072xi32>
  %a0 = arith.addi %m0, %c0 : tensor<131072xi32>
  %c1 = arith.constant dense<5> : tensor<131072xi32>
  %m1 = arith.muli %a0, %x : tensor<131072xi32>
  %a1 = arith.addi %m1, %c1 : tensor<131072xi32>
  %c2 = arith.constant dense<7> : tensor<131072xi32>
  %m2 = arith.muli %a1, %x : tensor<131072xi32>
  %a2 = arith.addi %m2, %c2 : tensor<131072xi32>
  %c3 = arith.constant dense<9> : tensor<131072xi32>
  %m3 = arith.muli %a2, %x : tensor<131072xi32>
  %a3 = arith.addi %m3, %c3 : tensor<131072xi32>
  %c4 = arith.constant dense<11> : tensor<131072xi32>
  %m4 = arith.muli %a3, %x : tensor<131072xi32>
  %a4 = arith.addi %m4, %c4 : tensor<131072xi32>
  %c5 = arith.constant dense<13> : tensor<131072xi32>
  %m5 = arith.muli %a4, %x : tensor<131072xi32>
  %a5 = arith.addi %m5, %c5 : tensor<131072xi32>
  tile.store %p, %a5 : tensor<131072x!tile.ptr<i32>>
  return
}

// A number that grows by another step ends the loop.
// CHECK-LABEL: @another_step
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK: scf.for {{.*}} to %[[FOUR]]
// CHECK: scf.yield
// CHECK: arith.constant dense<11>
// CHECK: arith.constant dense<1000>
// CHECK-NOT: scf.for
func.func @another_step(%x: tensor<131072xi32>, %p: tensor<131072x!tile.ptr<i32>>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant dense<3> : tensor<131072xi32>
  %m0 = arith.muli %x, %x : tensor<131072xi32>
  %a0 = arith.addi %m0, %c0 : tensor<131072xi32>
  %c1 = arith.constant dense<5> : tensor<131072xi32>
  %m1 = arith.muli %a0, %x : tensor<131072xi32>
  %a1 = arith.addi %m1, %c1 : tensor<131072xi32>
  %c2 = arith.constant dense<7> : tensor<131072xi32>
  %m2 = arith.muli %a1, %x : tensor<131072xi32>
  %a2 = arith.addi %m2, %c2 : tensor<131072xi32>
  %c3 = arith.constant dense<9> : tensor<131072xi32>
  %m3 = arith.muli %a2, %x : tensor<131072xi32>
  %a3 = arith.addi %m3, %c3 : tensor<131072xi32>
  %c4 = arith.constant dense<11> : tensor<131072xi32>
  %m4 = arith.muli %a3, %x : tensor<131072xi32>
  %a4 = arith.addi %m4, %c4 : tensor<131072xi32>
  %c5 = arith.constant dense<1000> : tensor<131072xi32>
  %m5 = arith.muli %a4, %x : tensor<131072xi32>
  %a5 = arith.addi %m5, %c5 : tensor<131072xi32>
  tile.store %p, %a5 : tensor<131072x!tile.ptr<i32>>
  return
}

// What is used of an iteration before the last keeps the code as it is.
// CHECK-LABEL: @used_later
// CHECK-NOT: scf.for
func.func @used_later(%x: tensor<131072xi32>, %p: tensor<131072x!tile.ptr<i32>>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant dense<3> : tensor<131072xi32>
  %m0 = arith.muli %x, %x : tensor<131072xi32>
  %a0 = arith.addi %m0, %c0 : tensor<131072xi32>
  %c1 = arith.constant dense<5> : tensor<131072xi32>
  %m1 = arith.muli %a0, %x : tensor<131072xi32>
  %a1 = arith.addi %m1, %c1 : tensor<131072xi32>
  %c2 = arith.constant dense<7> : tensor<131072xi32>
  %m2 = arith.muli %a1, %x : tensor<131072xi32>
  %a2 = arith.addi %m2, %c2 : tensor<131072xi32>
  %c3 = arith.constant dense<9> : tensor<131072xi32>
  %m3 = arith.muli %a2, %x : tensor<131072xi32>
  %a3 = arith.addi %m3, %c3 : tensor<131072xi32>
  %c4 = arith.constant dense<11> : tensor<131072xi32>
  %m4 = arith.muli %a3, %x : tensor<131072xi32>
  %a4 = arith.addi %m4, %c4 : tensor<131072xi32>
  %c5 = arith.constant dense<13> : tensor<131072xi32>
  %m5 = arith.muli %a4, %x : tensor<131072xi32>
  %a5 = arith.addi %m5, %c5 : tensor<131072xi32>
  tile.store %p, %a2 : tensor<131072x!tile.ptr<i32>>
  return
}

// When memory is read is the author's choice.
// CHECK-LABEL: @loads
// CHECK-NOT: scf.for
func.func @loads(%x: tensor<131072xi32>, %p: tensor<131072x!tile.ptr<i32>>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant dense<3> : tensor<131072xi32>
  %l0 = tile.load %p : tensor<131072x!tile.ptr<i32>>
  %m0 = arith.muli %x, %l0 : tensor<131072xi32>
  %a0 = arith.addi %m0, %c0 : tensor<131072xi32>
  %c1 = arith.constant dense<5> : tensor<131072xi32>
  %l1 = tile.load %p : tensor<131072x!tile.ptr<i32>>
  %m1 = arith.muli %a0, %l1 : tensor<131072xi32>
  %a1 = arith.addi %m1, %c1 : tensor<131072xi32>
  %c2 = arith.constant dense<7> : tensor<131072xi32>
  %l2 = tile.load %p : tensor<131072x!tile.ptr<i32>>
  %m2 = arith.muli %a1, %l2 : tensor<131072xi32>
  %a2 = arith.addi %m2, %c2 : tensor<131072xi32>
  %c3 = arith.constant dense<9> : tensor<131072xi32>
  %l3 = tile.load %p : tensor<131072x!tile.ptr<i32>>
  %m3 = arith.muli %a2, %l3 : tensor<131072xi32>
  %a3 = arith.addi %m3, %c3 : tensor<131072xi32>
  %c4 = arith.constant dense<11> : tensor<131072xi32>
  %l4 = tile.load %p : tensor<131072x!tile.ptr<i32>>
  %m4 = arith.muli %a3, %l4 : tensor<131072xi32>
  %a4 = arith.addi %m4, %c4 : tensor<131072xi32>
  %c5 = arith.constant dense<13> : tensor<131072xi32>
  %l5 = tile.load %p : tensor<131072x!tile.ptr<i32>>
  %m5 = arith.muli %a4, %l5 : tensor<131072xi32>
  %a5 = arith.addi %m5, %c5 : tensor<131072xi32>
  tile.store %p, %a5 : tensor<131072x!tile.ptr<i32>>
  return
}

// Little code stays.
// CHECK-LABEL: @little
// CHECK-NOT: scf.for
func.func @little(%x: tensor<1024xi32>, %p: tensor<1024x!tile.ptr<i32>>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c0 = arith.constant dense<3> : tensor<1024xi32>
  %m0 = arith.muli %x, %x : tensor<1024xi32>
  %a0 = arith.addi %m0, %c0 : tensor<1024xi32>
  %c1 = arith.constant dense<5> : tensor<1024xi32>
  %m1 = arith.muli %a0, %x : tensor<1024xi32>
  %a1 = arith.addi %m1, %c1 : tensor<1024xi32>
  %c2 = arith.constant dense<7> : tensor<1024xi32>
  %m2 = arith.muli %a1, %x : tensor<1024xi32>
  %a2 = arith.addi %m2, %c2 : tensor<1024xi32>
  %c3 = arith.constant dense<9> : tensor<1024xi32>
  %m3 = arith.muli %a2, %x : tensor<1024xi32>
  %a3 = arith.addi %m3, %c3 : tensor<1024xi32>
  %c4 = arith.constant dense<11> : tensor<1024xi32>
  %m4 = arith.muli %a3, %x : tensor<1024xi32>
  %a4 = arith.addi %m4, %c4 : tensor<1024xi32>
  %c5 = arith.constant dense<13> : tensor<1024xi32>
  %m5 = arith.muli %a4, %x : tensor<1024xi32>
  %a5 = arith.addi %m5, %c5 : tensor<1024xi32>
  tile.store %p, %a5 : tensor<1024x!tile.ptr<i32>>
  return
}
