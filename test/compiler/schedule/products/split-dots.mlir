// Dots in steps along K.
// RUN: tegula-opt %s --split-input-file --split-dots | FileCheck %s
// RUN: tegula-opt %s --split-input-file --split-dots --remarks-filter=split-dots -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [16, 16]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [16, 32]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]} : [32, 16]>
#fbt = #tile.layout<{register = [[0, 1], [0, 8], [0, 16], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [16, 32]>
#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 32]>

// The second step's operands are read before the first one's product. K of the transposed one is the buffer's rows.
// REMARK: [Passed] steps | {{.*}}Function=both
// CHECK-LABEL: func.func @both
// CHECK: %[[A0:.*]] = tgpu.local_load %[[A:.*]][%{{.*}}] at [0, 0] {{.*}} -> tensor<16x16xf16
// CHECK: %[[L0:.*]] = tgpu.local_load %[[B:.*]][%{{.*}}] at [0, 0] {{.*}} -> tensor<16x16xf16
// CHECK: %[[B0:.*]] = tile.trans %[[L0]], [1, 0]
// CHECK: %[[A1:.*]] = tgpu.local_load %[[A]][%{{.*}}] at [0, 16]
// CHECK: %[[L1:.*]] = tgpu.local_load %[[B]][%{{.*}}] at [0, 16]
// CHECK: %[[B1:.*]] = tile.trans %[[L1]], [1, 0]
// CHECK: %[[D0:.*]] = tile.dot %[[A0]], %[[B0]], %arg0
// CHECK: tile.dot %[[A1]], %[[B1]], %[[D0]]
// CHECK-NOT: tgpu.local_load
module attributes {tile.target = "sm_80"} {
func.func @both(%c: tensor<16x16xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %as = tgpu.alloc : !tgpu.buffer<1 of tensor<16x32xf16>, #memory>
  %bs = tgpu.alloc : !tgpu.buffer<1 of tensor<16x32xf16>, #memory>
  %a = tgpu.local_load %as[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<16x32xf16>, #memory> -> tensor<16x32xf16, #fa>
  %bt = tgpu.local_load %bs[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<16x32xf16>, #memory> -> tensor<16x32xf16, #fbt>
  %b = tile.trans %bt, [1, 0] : tensor<16x32xf16, #fbt> -> tensor<32x16xf16, #fb>
  %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k16> : tensor<16x32xf16, #fa>, tensor<32x16xf16, #fb> -> tensor<16x16xf32, #sums>
  tile.print "d" [true] values(%d : tensor<16x16xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [16, 16]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [16, 32]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]} : [32, 16]>
#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 32]>

// A read before the buffer is written again stays where it is, and what is in registers is not cut for its own sake.
// CHECK-LABEL: func.func @whole
// CHECK: %[[A:.*]] = tgpu.local_load
// CHECK: tgpu.local_store
// CHECK-NEXT: tile.dot %[[A]], %arg1, %arg0
// CHECK-NEXT: tile.print
// CHECK-NEXT: return
module attributes {tile.target = "sm_80"} {
func.func @whole(%c: tensor<16x16xf32, #sums>, %b: tensor<32x16xf16, #fb>, %x: tensor<16x32xf16, #fa>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %as = tgpu.alloc : !tgpu.buffer<1 of tensor<16x32xf16>, #memory>
  %a = tgpu.local_load %as[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<16x32xf16>, #memory> -> tensor<16x32xf16, #fa>
  tgpu.local_store %x into %as[%c0] : tensor<16x32xf16, #fa>, !tgpu.buffer<1 of tensor<16x32xf16>, #memory>
  %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k16> : tensor<16x32xf16, #fa>, tensor<32x16xf16, #fb> -> tensor<16x16xf32, #sums>
  tile.print "d" [true] values(%d : tensor<16x16xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} : [16, 16]>
#lanes = #tile.layout<{register = [[0, 1], [0, 2], [4, 0], [8, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]} : [16, 32]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]} : [32, 16]>
#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]} : [16, 32]>

// Lanes that hold the second half of K have nothing of the first.
// REMARK: [Missed] steps | {{.*}}Function=lanes | Reason="elements would change threads", Remark="a dot is not cut along K"
// CHECK-LABEL: func.func @lanes
// CHECK: tile.dot
// CHECK-NOT: tile.dot
module attributes {tile.target = "sm_80"} {
func.func @lanes(%c: tensor<16x16xf32, #sums>, %b: tensor<32x16xf16, #fb>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %as = tgpu.alloc : !tgpu.buffer<1 of tensor<16x32xf16>, #memory>
  %a = tgpu.local_load %as[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<16x32xf16>, #memory> -> tensor<16x32xf16, #lanes>
  %d = tile.dot %a, %b, %c unit <mma_sync, m16n8k16> : tensor<16x32xf16, #lanes>, tensor<32x16xf16, #fb> -> tensor<16x16xf32, #sums>
  tile.print "d" [true] values(%d : tensor<16x16xf32, #sums>)
  return
}
}
