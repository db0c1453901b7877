// Long dots of threads are loops over K.
// RUN: tegula-opt %s --split-input-file --split-dots=max-multiplications=16 | FileCheck %s
// RUN: tegula-opt %s --split-input-file --split-dots=max-multiplications=16 --remarks-filter=split-dots -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tegula-opt %s --split-input-file --split-dots=max-multiplications=64 | FileCheck %s --check-prefix=ONCE

#sums = #tile.layout<{register = [[0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]} : [8, 8]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]} : [8, 32]>
#fbt = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [4, 0]], lane = [[1, 0], [2, 0], [0, 0], [0, 0], [0, 0]]} : [8, 32]>
#fb = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]]} : [32, 8]>
#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0]]} : [8, 32]>

// Two sums times 32 are 64 multiplications: four rounds of two steps. K of the transposed one is the buffer's rows.
// REMARK: [Passed] steps | {{.*}}Function=rounds | {{.*}}Remark="a dot in 8 steps along K, the next one's operands read before each, as a loop of 4 rounds", Rounds=4, Steps=8
// CHECK-LABEL: func.func @rounds
// CHECK-DAG: %[[BEGIN:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[END:.*]] = arith.constant 4 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[D:.*]] = scf.for %[[K:.*]] = %{{.*}} to %[[END]] step %[[ONE]] iter_args(%[[SUM:.*]] = %arg0)
// CHECK: %[[A0:.*]] = tgpu.local_load %[[A:.*]][%{{.*}}] at [0, 0] + %[[K]] * 8 along 1 {{.*}} -> tensor<8x4xf32
// CHECK: %[[L0:.*]] = tgpu.local_load %[[B:.*]][%{{.*}}] at [0, 0] + %[[K]] * 8 along 1 {{.*}} -> tensor<8x4xf32
// CHECK: %[[B0:.*]] = tile.trans %[[L0]], [1, 0]
// CHECK: %[[A1:.*]] = tgpu.local_load %[[A]][%{{.*}}] at [0, 4] + %[[K]] * 8 along 1
// CHECK: %[[L1:.*]] = tgpu.local_load %[[B]][%{{.*}}] at [0, 4] + %[[K]] * 8 along 1
// CHECK: %[[B1:.*]] = tile.trans %[[L1]], [1, 0]
// CHECK: %[[D0:.*]] = tile.dot %[[A0]], %[[B0]], %[[SUM]]
// CHECK: %[[D1:.*]] = tile.dot %[[A1]], %[[B1]], %[[D0]]
// CHECK: scf.yield %[[D1]]
// CHECK-NOT: tgpu.local_load
// CHECK: tile.print "d" [true] values(%[[D]]
// No more than what may stand in a row does.
// ONCE-LABEL: func.func @rounds
// ONCE-NOT: scf.for
// ONCE-COUNT-8: tile.dot
// ONCE-NOT: tile.dot
// ONCE: tile.print
module attributes {tile.target = "sm_80"} {
func.func @rounds(%c: tensor<8x8xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %as = tgpu.alloc : !tgpu.buffer<1 of tensor<8x32xf32>, #memory>
  %bs = tgpu.alloc : !tgpu.buffer<1 of tensor<8x32xf32>, #memory>
  %a = tgpu.local_load %as[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<8x32xf32>, #memory> -> tensor<8x32xf32, #fa>
  %bt = tgpu.local_load %bs[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<8x32xf32>, #memory> -> tensor<8x32xf32, #fbt>
  %b = tile.trans %bt, [1, 0] : tensor<8x32xf32, #fbt> -> tensor<32x8xf32, #fb>
  %d = tile.dot %a, %b, %c unit <fma> : tensor<8x32xf32, #fa>, tensor<32x8xf32, #fb> -> tensor<8x8xf32, #sums>
  tile.print "d" [true] values(%d : tensor<8x8xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]} : [8, 8]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]]} : [8, 32]>
#fb = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]]} : [32, 8]>
#columns = #tile.layout<{offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [0, 4]]} : [32, 8]>
#long = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [0, 32]]} : [8, 64]>

// Registers have no number at run time, nor does a part say where in it another is, nor one behind the buffer's first
// stride.
// REMARK: Function=in_registers | {{.*}}Rounds=1
// CHECK-LABEL: func.func @in_registers
// CHECK-NOT: scf.for
// CHECK: tgpu.slice %arg1 at [0, 0]
// CHECK-COUNT-8: tile.dot
// CHECK-LABEL: func.func @moved
// CHECK: %[[MOVED:.*]] = tgpu.local_load %{{.*}}[%{{.*}}] at [0, 0] + %arg1 * 32 along 1
// CHECK-NOT: scf.for
// CHECK: tgpu.slice %[[MOVED]] at [0, 0]
// CHECK-COUNT-8: tile.dot
// CHECK-LABEL: func.func @behind
// CHECK-NOT: scf.for
// CHECK: tgpu.local_load %{{.*}}[%{{.*}}] at [0, 32] :
// CHECK-COUNT-8: tile.dot
// CHECK: return
module attributes {tile.target = "sm_80"} {
func.func @in_registers(%c: tensor<8x8xf32, #sums>, %a: tensor<8x32xf32, #fa>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %bm = tgpu.alloc : !tgpu.buffer<1 of tensor<32x8xf32>, #columns>
  %b = tgpu.local_load %bm[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<32x8xf32>, #columns> -> tensor<32x8xf32, #fb>
  %d = tile.dot %a, %b, %c unit <fma> : tensor<8x32xf32, #fa>, tensor<32x8xf32, #fb> -> tensor<8x8xf32, #sums>
  tile.print "d" [true] values(%d : tensor<8x8xf32, #sums>)
  return
}
func.func @moved(%c: tensor<8x8xf32, #sums>, %k: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %as = tgpu.alloc : !tgpu.buffer<1 of tensor<8x64xf32>, #long>
  %bm = tgpu.alloc : !tgpu.buffer<1 of tensor<32x8xf32>, #columns>
  %a = tgpu.local_load %as[%c0] at [0, 0] + %k * 32 along 1 : !tgpu.buffer<1 of tensor<8x64xf32>, #long> -> tensor<8x32xf32, #fa>
  %bl = tgpu.local_load %bm[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<32x8xf32>, #columns> -> tensor<32x8xf32, #fb>
  %d = tile.dot %a, %bl, %c unit <fma> : tensor<8x32xf32, #fa>, tensor<32x8xf32, #fb> -> tensor<8x8xf32, #sums>
  tile.print "d" [true] values(%d : tensor<8x8xf32, #sums>)
  return
}
func.func @behind(%c: tensor<8x8xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %as = tgpu.alloc : !tgpu.buffer<1 of tensor<8x64xf32>, #long>
  %bm = tgpu.alloc : !tgpu.buffer<1 of tensor<32x8xf32>, #columns>
  %a = tgpu.local_load %as[%c0] at [0, 32] : !tgpu.buffer<1 of tensor<8x64xf32>, #long> -> tensor<8x32xf32, #fa>
  %b = tgpu.local_load %bm[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<32x8xf32>, #columns> -> tensor<32x8xf32, #fb>
  %d = tile.dot %a, %b, %c unit <fma> : tensor<8x32xf32, #fa>, tensor<32x8xf32, #fb> -> tensor<8x8xf32, #sums>
  tile.print "d" [true] values(%d : tensor<8x8xf32, #sums>)
  return
}
}
