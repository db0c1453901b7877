// The loop of a matrix product: copies into slots, one wait and one group an iteration, dots in steps.
// RUN: tegula-opt %s --form-boxes --buffer-operands --plan-loops --specialize-warps --pipeline-loops --split-dots --cse | FileCheck %s
// RUN: tegula-opt %s --form-boxes --buffer-operands --plan-loops --specialize-warps --pipeline-loops --split-dots --remarks-filter='plan-loops|split-dots' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [32, 64]>
#ra = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#rb = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 64]>
#ra0 = #tile.layout<{register = [[32]], lane = [[0], [0], [1], [2], [4]], warp = [[8], [16]]} : [64]>
#ra1 = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]]} : [32]>
#rb0 = #tile.layout<{register = [[16]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]} : [32]>
#rb1 = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]} : [64]>
#ra0e = #tile.layout<{register = [[32, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 1]>
#ra1e = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]} : [1, 32]>
#rb0e = #tile.layout<{register = [[16, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 1]>
#rb1e = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]} : [1, 64]>
// The number of stages is the kernel's. Two iterations' copies, if there are so many, before the loop; in it the copies
// of the iteration after the next, and slots by numbers that wrap.
// REMARK: [Passed] pipeline | Category:plan-loops | Function=matmul | {{.*}}"loads of 2 iterations in flight, in 24576 bytes of shared memory"
// REMARK: [Passed] steps | Category:split-dots | Function=matmul | {{.*}}Remark="a dot in 2 steps along K, the next one's operands read before each"
// CHECK-LABEL: func.func @matmul
// CHECK-DAG: %[[B:.*]] = tgpu.alloc : <3 of tensor<32x64xbf16>, #{{.*}}>
// CHECK-DAG: %[[A:.*]] = tgpu.alloc : <3 of tensor<64x32xbf16>, #{{.*}}>
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %arg2, %c0_i32
// CHECK: tgpu.async_copy %{{.*}} mask %{{.*}} if %[[ANY]] into %[[A]][%c0_i32]
// CHECK: tgpu.async_copy %{{.*}} if %[[ANY]] into %[[B]][%c0_i32]
// CHECK: tgpu.async_commit
// CHECK: tgpu.async_copy
// CHECK: tgpu.async_copy
// CHECK: tgpu.async_commit
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[PA:.*]] = %{{.*}}, %[[PB:.*]] = %{{.*}}, %[[FILL:.*]] = %{{.*}}, %[[READ:.*]] = %{{.*}})
// CHECK-DAG: %[[MORE:.*]] = arith.cmpi slt
// CHECK-DAG: %[[AHEAD:.*]] = tgpu.pipeline_slot %[[FILL]]
// CHECK-DAG: %[[NOW:.*]] = tgpu.pipeline_slot %[[READ]]
// CHECK: tgpu.async_wait pending 1
// CHECK: tgpu.async_copy %[[PA]] mask %{{.*}} if %[[MORE]] into %[[A]][%[[AHEAD]]]
// CHECK: tgpu.async_copy %[[PB]] if %[[MORE]] into %[[B]][%[[AHEAD]]]
// CHECK: tgpu.async_commit
// CHECK: %[[A0:.*]] = tgpu.local_load %[[A]][%[[NOW]]] at [0, 0]
// CHECK: %[[B0:.*]] = tgpu.local_load %[[B]][%[[NOW]]] at [0, 0]
// CHECK: %[[A1:.*]] = tgpu.local_load %[[A]][%[[NOW]]] at [0, 16]
// CHECK: %[[B1:.*]] = tgpu.local_load %[[B]][%[[NOW]]] at [16, 0]
// CHECK: %[[D0:.*]] = tile.dot %[[A0]], %[[B0]], %[[SUM]]
// CHECK: %[[D1:.*]] = tile.dot %[[A1]], %[[B1]], %[[D0]]
// CHECK: %[[NEXT:.*]] = tgpu.pipeline_next %[[READ]] : <3>
// CHECK: scf.yield %[[D1]], {{.*}}, %[[NEXT]] :
// CHECK: tgpu.async_wait pending 0
// CHECK-NEXT: tile.print
module attributes {tile.target = "sm_90a"} {
func.func @matmul(%a: !tile.ptr<bf16> {tile.param = #tile.param<"a", "*bf16", 16>}, %b: !tile.ptr<bf16> {tile.param = #tile.param<"b", "*bf16", 16>}, %k: i32 {tile.param = #tile.param<"k", "i32", 16>}, %stride: i32 {tile.param = #tile.param<"stride", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %noa = arith.constant dense<0.0> : tensor<64x32xbf16, #ra>
  %i = tile.arange 0 to 64 : tensor<64xi32, #ra0>
  %ie = tile.expand_dims %i, 1 : tensor<64xi32, #ra0> -> tensor<64x1xi32, #ra0e>
  %strides = tile.splat %stride : i32 -> tensor<64x1xi32, #ra0e>
  %rows = arith.muli %ie, %strides : tensor<64x1xi32, #ra0e>
  %rowsb = tile.broadcast %rows : tensor<64x1xi32, #ra0e> -> tensor<64x32xi32, #ra>
  %ka = tile.arange 0 to 32 : tensor<32xi32, #ra1>
  %kae = tile.expand_dims %ka, 0 : tensor<32xi32, #ra1> -> tensor<1x32xi32, #ra1e>
  %kab = tile.broadcast %kae : tensor<1x32xi32, #ra1e> -> tensor<64x32xi32, #ra>
  %offa = arith.addi %rowsb, %kab : tensor<64x32xi32, #ra>
  %as = tile.splat %a : !tile.ptr<bf16> -> tensor<64x32x!tile.ptr<bf16>, #ra>
  %pa0 = tile.addptr %as, %offa : tensor<64x32x!tile.ptr<bf16>, #ra>, tensor<64x32xi32, #ra>
  %kb = tile.arange 0 to 32 : tensor<32xi32, #rb0>
  %kbe = tile.expand_dims %kb, 1 : tensor<32xi32, #rb0> -> tensor<32x1xi32, #rb0e>
  %stridesb = tile.splat %stride : i32 -> tensor<32x1xi32, #rb0e>
  %kbs = arith.muli %kbe, %stridesb : tensor<32x1xi32, #rb0e>
  %kbb = tile.broadcast %kbs : tensor<32x1xi32, #rb0e> -> tensor<32x64xi32, #rb>
  %j = tile.arange 0 to 64 : tensor<64xi32, #rb1>
  %je = tile.expand_dims %j, 0 : tensor<64xi32, #rb1> -> tensor<1x64xi32, #rb1e>
  %jb = tile.broadcast %je : tensor<1x64xi32, #rb1e> -> tensor<32x64xi32, #rb>
  %offb = arith.addi %kbb, %jb : tensor<32x64xi32, #rb>
  %bs = tile.splat %b : !tile.ptr<bf16> -> tensor<32x64x!tile.ptr<bf16>, #rb>
  %pb0 = tile.addptr %bs, %offb : tensor<32x64x!tile.ptr<bf16>, #rb>, tensor<32x64xi32, #rb>
  %stepa = arith.constant dense<32> : tensor<64x32xi32, #ra>
  %s32 = arith.muli %stride, %c32 : i32
  %stepb = tile.splat %s32 : i32 -> tensor<32x64xi32, #rb>
  %d:3 = scf.for %n = %c0 to %k step %c32 iter_args(%acc = %zero, %pa = %pa0, %pb = %pb0) -> (tensor<64x64xf32, #sums>, tensor<64x32x!tile.ptr<bf16>, #ra>, tensor<32x64x!tile.ptr<bf16>, #rb>) : i32 {
    %left = arith.subi %k, %n : i32
    %lefts = tile.splat %left : i32 -> tensor<64x32xi32, #ra>
    %m = arith.cmpi slt, %kab, %lefts : tensor<64x32xi32, #ra>
    %va = tile.load %pa, %m, %noa : tensor<64x32x!tile.ptr<bf16>, #ra>
    %vb = tile.load %pb : tensor<32x64x!tile.ptr<bf16>, #rb>
    %fa = tile.convert_layout %va : tensor<64x32xbf16, #ra> -> tensor<64x32xbf16, #fa>
    %fb = tile.convert_layout %vb : tensor<32x64xbf16, #rb> -> tensor<32x64xbf16, #fb>
    %dot = tile.dot %fa, %fb, %acc unit <mma_sync, m16n8k16> : tensor<64x32xbf16, #fa>, tensor<32x64xbf16, #fb> -> tensor<64x64xf32, #sums>
    %qa = tile.addptr %pa, %stepa : tensor<64x32x!tile.ptr<bf16>, #ra>, tensor<64x32xi32, #ra>
    %qb = tile.addptr %pb, %stepb : tensor<32x64x!tile.ptr<bf16>, #rb>, tensor<32x64xi32, #rb>
    scf.yield %dot, %qa, %qb : tensor<64x64xf32, #sums>, tensor<64x32x!tile.ptr<bf16>, #ra>, tensor<32x64x!tile.ptr<bf16>, #rb>
  }
  tile.print "d" [true] values(%d#0 : tensor<64x64xf32, #sums>)
  return
}
}
