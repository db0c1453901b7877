// Products whose unit adds up in few bits, in parts that threads add up.
// RUN: tegula-opt %s --split-input-file --buffer-operands | FileCheck %s

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#fb = #tile.layout<{register = [[1, 0], [2, 0], [16, 0], [32, 0], [0, 8], [0, 16], [0, 32]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [64, 64]>

// Two parts along K of all columns: one is added up while the other is computed.
// CHECK-LABEL: func.func @along_k
// CHECK: %[[P:.*]] = tgpu.mma {{.*}} part [0, 32] unit
// CHECK: %[[Q:.*]] = tgpu.mma {{.*}} part [32, 32] unit
// CHECK: %[[X:.*]] = tgpu.mma_wait pending 1 %[[P]] :
// CHECK: %[[S:.*]] = arith.addf %arg2, %[[X]]
// CHECK: %[[Y:.*]] = tgpu.mma_wait pending 0 %[[Q]] holding(%[[S]] :
// CHECK: %[[T:.*]] = arith.addf %[[S]], %[[Y]]
// CHECK: tile.print {{.*}}(%[[T]]
module attributes {tile.target = "sm_90a"} {
func.func @along_k(%a: tensor<64x64xf8E5M2, #fa>, %b: tensor<64x64xf8E5M2, #fb>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %d = tile.dot %a, %b, %c max_imprecise 32 unit <wgmma, m64n64k32> : tensor<64x64xf8E5M2, #fa>, tensor<64x64xf8E5M2, #fb> -> tensor<64x64xf32, #sums>
  tile.print "d" [true] values(%d : tensor<64x64xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#fb = #tile.layout<{register = [[1, 0], [2, 0], [16, 0], [32, 0], [0, 8], [0, 16], [0, 32]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [64, 64]>

// Columns as well, one part at a time: each is added to the sums of its columns before the next one starts. The first of
// each column are the sums where those are zero.
// CHECK-DAG: #[[SUMS:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = {{.*}} : [64, 64]>
// CHECK-DAG: #[[HALF:.*]] = #tile.layout<{register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16]], lane = {{.*}} : [64, 32]>
// CHECK-LABEL: func.func @by_columns
// CHECK: %[[P:.*]] = tgpu.mma {{.*}} part [0, 32] columns [0, 32] unit {{.*}} -> <tensor<64x32xf32, #[[HALF]]>>
// CHECK-NEXT: %[[X:.*]] = tgpu.mma_wait pending 0 %[[P]] :
// CHECK-NEXT: %[[L:.*]] = tgpu.slice %arg2 at [0, 0]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[L]], %[[X]]
// CHECK-NEXT: %[[ONE:.*]] = tgpu.insert %[[S]] into %arg2 at [0, 0] : tensor<64x32xf32, #[[HALF]]> -> tensor<64x64xf32, #[[SUMS]]>
// CHECK-NEXT: %[[Q:.*]] = tgpu.mma {{.*}} part [0, 32] columns [32, 32] unit
// CHECK-NEXT: %[[Y:.*]] = tgpu.mma_wait pending 0 %[[Q]] holding(%[[S]] :
// CHECK-NEXT: %[[R:.*]] = tgpu.slice %[[ONE]] at [0, 32]
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[R]], %[[Y]]
// CHECK-NEXT: %[[TWO:.*]] = tgpu.insert %[[T]] into %[[ONE]] at [0, 32]
// CHECK-NEXT: tgpu.mma {{.*}} part [32, 32] columns [0, 32] unit
// CHECK: tgpu.mma {{.*}} part [32, 32] columns [32, 32] unit
// CHECK: tgpu.mma {{.*}} part [0, 32] columns [0, 32] unit
// CHECK-NEXT: %[[FIRST:.*]] = tgpu.mma_wait
// CHECK-NEXT: tgpu.insert %[[FIRST]] into
module attributes {tile.target = "sm_90a"} {
func.func @by_columns(%a: tensor<64x64xf8E5M2, #fa>, %b: tensor<64x64xf8E5M2, #fb>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %d = tile.dot %a, %b, %c max_imprecise 32 parts <columns = 32, in_flight = 1> unit <wgmma, m64n32k32> : tensor<64x64xf8E5M2, #fa>, tensor<64x64xf8E5M2, #fb> -> tensor<64x64xf32, #sums>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %e = tile.dot %a, %b, %zero max_imprecise 32 parts <columns = 32, in_flight = 1> unit <wgmma, m64n32k32> : tensor<64x64xf8E5M2, #fa>, tensor<64x64xf8E5M2, #fb> -> tensor<64x64xf32, #sums>
  tile.print "d" [true] values(%d : tensor<64x64xf32, #sums>)
  tile.print "e" [true] values(%e : tensor<64x64xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#fb = #tile.layout<{register = [[1, 0], [2, 0], [16, 0], [32, 0], [0, 8], [0, 16], [0, 32]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [64, 64]>

// Smaller parts in turns.
// CHECK-LABEL: func.func @in_turns
// CHECK: tgpu.mma {{.*}} columns [0, 16] unit
// CHECK-NEXT: tgpu.mma {{.*}} columns [16, 16] unit
// CHECK-NEXT: tgpu.mma_wait pending 1
// CHECK: tgpu.mma {{.*}} columns [32, 16] unit
// CHECK-NEXT: tgpu.mma_wait pending 1
// CHECK: tgpu.mma {{.*}} columns [48, 16] unit
// CHECK-NEXT: tgpu.mma_wait pending 1
// CHECK: tgpu.mma_wait pending 0
module attributes {tile.target = "sm_90a"} {
func.func @in_turns(%a: tensor<64x64xf8E5M2, #fa>, %b: tensor<64x64xf8E5M2, #fb>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %d = tile.dot %a, %b, %c max_imprecise 64 parts <columns = 16, in_flight = 2> unit <wgmma, m64n16k32> : tensor<64x64xf8E5M2, #fa>, tensor<64x64xf8E5M2, #fb> -> tensor<64x64xf32, #sums>
  tile.print "d" [true] values(%d : tensor<64x64xf32, #sums>)
  return
}
}
