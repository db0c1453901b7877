// Operands of dots go through shared memory where they change warps.
// RUN: tegula-opt %s --split-input-file --buffer-operands | FileCheck %s

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [32, 64]>
#ra = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#rb = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 64]>
#rbt = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [0, 32]], lane = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16]]} : [32, 64]>

// Both operands are loaded: two buffers, both filled before one of them is read, so that threads wait once.
// CHECK-LABEL: func.func @loaded
// CHECK-DAG: %[[A:.*]] = tgpu.alloc : <1 of tensor<64x32xbf16>, #[[MA:.*]]>
// CHECK-DAG: %[[B:.*]] = tgpu.alloc : <1 of tensor<32x64xbf16>, #[[MB:.*]]>
// CHECK: %[[VA:.*]] = tile.load
// CHECK: %[[VB:.*]] = tile.load
// CHECK: tgpu.local_store %[[VA]] into %[[A]][%c0
// CHECK: tgpu.local_store %[[VB]] into %[[B]][%c0
// CHECK: %[[FA:.*]] = tgpu.local_load %[[A]][%c0{{.*}}] at [0, 0]
// CHECK: %[[FB:.*]] = tgpu.local_load %[[B]][%c0{{.*}}] at [0, 0]
// CHECK: tile.dot %[[FA]], %[[FB]]
module attributes {tile.target = "sm_90a"} {
func.func @loaded(%pa: tensor<64x32x!tile.ptr<bf16>, #ra>, %pb: tensor<32x64x!tile.ptr<bf16>, #rb>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %a = tile.load %pa : tensor<64x32x!tile.ptr<bf16>, #ra>
  %b = tile.load %pb : tensor<32x64x!tile.ptr<bf16>, #rb>
  %fa = tile.convert_layout %a : tensor<64x32xbf16, #ra> -> tensor<64x32xbf16, #fa>
  %fb = tile.convert_layout %b : tensor<32x64xbf16, #rb> -> tensor<32x64xbf16, #fb>
  %d = tile.dot %fa, %fb, %c unit <mma_sync, m16n8k16> : tensor<64x32xbf16, #fa>, tensor<32x64xbf16, #fb> -> tensor<64x64xf32, #sums>
  tile.print "d" [true] values(%d : tensor<64x64xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [32, 64]>
#ra = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#rb = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 64]>
#rbt = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [0, 32]], lane = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16]]} : [32, 64]>
#rat = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [0, 32]], lane = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16]]} : [32, 64]>

// Neither load waits for what becomes of the other one: layouts are changed when both are there.
// CHECK-LABEL: func.func @loaded_one_by_one
// CHECK: %[[VA:.*]] = tile.load
// CHECK: %[[VB:.*]] = tile.load
// CHECK: tgpu.local_store %[[VA]] into %[[A:[0-9]+]]
// CHECK: tgpu.local_store %[[VB]] into %[[B:[0-9]+]]
// CHECK: %[[FA:.*]] = tgpu.local_load %[[A]]
// CHECK: %[[T:.*]] = tile.trans %[[FA]]
// CHECK: %[[FB:.*]] = tgpu.local_load %[[B]]
// CHECK: tile.dot %[[FB]], %[[T]]
module attributes {tile.target = "sm_90a"} {
func.func @loaded_one_by_one(%pa: tensor<64x32x!tile.ptr<bf16>, #ra>, %pb: tensor<64x32x!tile.ptr<bf16>, #ra>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %a = tile.load %pa : tensor<64x32x!tile.ptr<bf16>, #ra>
  %t = tile.trans %a, [1, 0] : tensor<64x32xbf16, #ra> -> tensor<32x64xbf16, #rat>
  %fa = tile.convert_layout %t : tensor<32x64xbf16, #rat> -> tensor<32x64xbf16, #fb>
  %b = tile.load %pb : tensor<64x32x!tile.ptr<bf16>, #ra>
  %fb = tile.convert_layout %b : tensor<64x32xbf16, #ra> -> tensor<64x32xbf16, #fa>
  %d = tile.dot %fb, %fa, %c unit <mma_sync, m16n8k16> : tensor<64x32xbf16, #fa>, tensor<32x64xbf16, #fb> -> tensor<64x64xf32, #sums>
  tile.print "d" [true] values(%d : tensor<64x64xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 64]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [64, 64]>
#ra = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [0, 32]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 64]>

// An operand of 16 registers does not wait in them for the other one.
// CHECK-LABEL: func.func @wide
// CHECK: %[[VA:.*]] = tile.load
// CHECK: tgpu.local_store %[[VA]]
// CHECK: %[[VB:.*]] = tile.load
// CHECK: tgpu.local_store %[[VB]]
// CHECK: tile.dot
module attributes {tile.target = "sm_90a"} {
func.func @wide(%pa: tensor<64x64x!tile.ptr<bf16>, #ra>, %pb: tensor<64x64x!tile.ptr<bf16>, #ra>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %a = tile.load %pa : tensor<64x64x!tile.ptr<bf16>, #ra>
  %fa = tile.convert_layout %a : tensor<64x64xbf16, #ra> -> tensor<64x64xbf16, #fa>
  %b = tile.load %pb : tensor<64x64x!tile.ptr<bf16>, #ra>
  %fb = tile.convert_layout %b : tensor<64x64xbf16, #ra> -> tensor<64x64xbf16, #fb>
  %d = tile.dot %fa, %fb, %c unit <mma_sync, m16n8k16> : tensor<64x64xbf16, #fa>, tensor<64x64xbf16, #fb> -> tensor<64x64xf32, #sums>
  tile.print "d" [true] values(%d : tensor<64x64xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 32]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [32, 64]>
#rbn = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#rbt = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [0, 32]], lane = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16]]} : [32, 64]>

// A transposed operand: the buffer holds what was loaded, and its reader transposes.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[V:.*]] = tile.load
// CHECK: tgpu.local_store %[[V]] into
// CHECK: %[[F:.*]] = tgpu.local_load {{.*}} -> tensor<64x32xbf16, #[[L:.*]]>
// CHECK: %[[T:.*]] = tile.trans %[[F]], [1, 0] : tensor<64x32xbf16, #[[L]]> -> tensor<32x64xbf16, #{{.*}}>
// CHECK: tile.dot %{{.*}}, %[[T]]
module attributes {tile.target = "sm_90a"} {
func.func @transposed(%a: tensor<64x32xbf16, #fa>, %pb: tensor<64x32x!tile.ptr<bf16>, #rbn>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %b = tile.load %pb : tensor<64x32x!tile.ptr<bf16>, #rbn>
  %t = tile.trans %b, [1, 0] : tensor<64x32xbf16, #rbn> -> tensor<32x64xbf16, #rbt>
  %fb = tile.convert_layout %t : tensor<32x64xbf16, #rbt> -> tensor<32x64xbf16, #fb>
  %d = tile.dot %a, %fb, %c unit <mma_sync, m16n8k16> : tensor<64x32xbf16, #fa>, tensor<32x64xbf16, #fb> -> tensor<64x64xf32, #sums>
  tile.print "d" [true] values(%d : tensor<64x64xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 32]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 32]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [32, 32]>
#swapped = #tile.layout<{register = [[0, 8], [8, 0], [0, 1], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 32]>
#shuffled = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 4], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 32]>

// What stays with its thread, or its warp, goes through no memory.
// CHECK-LABEL: func.func @near
// CHECK-NOT: tgpu
// CHECK: return
module attributes {tile.target = "sm_90a"} {
func.func @near(%a: tensor<64x32xbf16, #swapped>, %s: tensor<64x32xbf16, #shuffled>, %b: tensor<32x32xbf16, #fb>, %c: tensor<64x32xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %fa = tile.convert_layout %a : tensor<64x32xbf16, #swapped> -> tensor<64x32xbf16, #fa>
  %fs = tile.convert_layout %s : tensor<64x32xbf16, #shuffled> -> tensor<64x32xbf16, #fa>
  %d = tile.dot %fa, %b, %c unit <mma_sync, m16n8k16> : tensor<64x32xbf16, #fa>, tensor<32x32xbf16, #fb> -> tensor<64x32xf32, #sums>
  %e = tile.dot %fs, %b, %d unit <mma_sync, m16n8k16> : tensor<64x32xbf16, #fa>, tensor<32x32xbf16, #fb> -> tensor<64x32xf32, #sums>
  tile.print "d" [true] values(%e : tensor<64x32xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 64]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [64, 64]>
#ra = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [0, 32]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 64]>

// What the dots of a loop take in each iteration stays in registers where there are as many as that needs,
// CHECK-LABEL: func.func @fits
// CHECK: %[[FA:.*]] = tgpu.local_load
// CHECK: %[[FB:.*]] = tgpu.local_load
// CHECK: scf.for
// CHECK-NEXT: tile.dot %[[FA]], %[[FB]]
module attributes {tile.target = "sm_90a"} {
func.func @fits(%n: i32, %pa: tensor<64x64x!tile.ptr<bf16>, #ra>, %pb: tensor<64x64x!tile.ptr<bf16>, #ra>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.registers = 152 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tile.load %pa : tensor<64x64x!tile.ptr<bf16>, #ra>
  %b = tile.load %pb : tensor<64x64x!tile.ptr<bf16>, #ra>
  %fa = tile.convert_layout %a : tensor<64x64xbf16, #ra> -> tensor<64x64xbf16, #fa>
  %fb = tile.convert_layout %b : tensor<64x64xbf16, #ra> -> tensor<64x64xbf16, #fb>
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c) -> (tensor<64x64xf32, #sums>) : i32 {
    %next = tile.dot %fa, %fb, %sum unit <mma_sync, m16n8k16> : tensor<64x64xbf16, #fa>, tensor<64x64xbf16, #fb> -> tensor<64x64xf32, #sums>
    scf.yield %next : tensor<64x64xf32, #sums>
  }
  tile.print "d" [true] values(%d : tensor<64x64xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 64]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [64, 64]>
#ra = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [0, 32]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 64]>

// and with one less the first operand is read in each, a part at a time, which leaves room for the second.
// CHECK-LABEL: func.func @first_does_not_fit
// CHECK: %[[FB:.*]] = tgpu.local_load
// CHECK: scf.for
// CHECK-NEXT: %[[FA:.*]] = tgpu.local_load
// CHECK-NEXT: tile.dot %[[FA]], %[[FB]]
module attributes {tile.target = "sm_90a"} {
func.func @first_does_not_fit(%n: i32, %pa: tensor<64x64x!tile.ptr<bf16>, #ra>, %pb: tensor<64x64x!tile.ptr<bf16>, #ra>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.registers = 151 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tile.load %pa : tensor<64x64x!tile.ptr<bf16>, #ra>
  %b = tile.load %pb : tensor<64x64x!tile.ptr<bf16>, #ra>
  %fa = tile.convert_layout %a : tensor<64x64xbf16, #ra> -> tensor<64x64xbf16, #fa>
  %fb = tile.convert_layout %b : tensor<64x64xbf16, #ra> -> tensor<64x64xbf16, #fb>
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c) -> (tensor<64x64xf32, #sums>) : i32 {
    %next = tile.dot %fa, %fb, %sum unit <mma_sync, m16n8k16> : tensor<64x64xbf16, #fa>, tensor<64x64xbf16, #fb> -> tensor<64x64xf32, #sums>
    scf.yield %next : tensor<64x64xf32, #sums>
  }
  tile.print "d" [true] values(%d : tensor<64x64xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 64]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [64, 64]>
#ra = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [0, 32]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 64]>

// Where there is room for neither both are, though something else takes one of them in any case.
// CHECK-LABEL: func.func @none_fits
// CHECK: %[[B:.*]] = tgpu.local_load
// CHECK: scf.for
// CHECK-NEXT: %[[FA:.*]] = tgpu.local_load
// CHECK-NEXT: %[[FB:.*]] = tgpu.local_load
// CHECK-NEXT: tile.dot %[[FA]], %[[FB]]
// CHECK: tile.print "b" [true] values(%[[B]]
module attributes {tile.target = "sm_90a"} {
func.func @none_fits(%n: i32, %pa: tensor<64x64x!tile.ptr<bf16>, #ra>, %pb: tensor<64x64x!tile.ptr<bf16>, #ra>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.registers = 64 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tile.load %pa : tensor<64x64x!tile.ptr<bf16>, #ra>
  %b = tile.load %pb : tensor<64x64x!tile.ptr<bf16>, #ra>
  %fa = tile.convert_layout %a : tensor<64x64xbf16, #ra> -> tensor<64x64xbf16, #fa>
  %fb = tile.convert_layout %b : tensor<64x64xbf16, #ra> -> tensor<64x64xbf16, #fb>
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c) -> (tensor<64x64xf32, #sums>) : i32 {
    %next = tile.dot %fa, %fb, %sum unit <mma_sync, m16n8k16> : tensor<64x64xbf16, #fa>, tensor<64x64xbf16, #fb> -> tensor<64x64xf32, #sums>
    scf.yield %next : tensor<64x64xf32, #sums>
  }
  tile.print "b" [true] values(%fb : tensor<64x64xbf16, #fb>)
  tile.print "d" [true] values(%d : tensor<64x64xf32, #sums>)
  return
}
}

// -----

#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [32, 0]]} : [64, 64]>
#fb = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [64, 64]>
#rb = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [64, 64]>
#rbt = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [0, 16], [0, 32]], lane = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8]]} : [64, 64]>

// Two dots have one tensor for an operand, and the one that comes last finds it converted first, as in a backward pass: one
// buffer.
// CHECK-LABEL: func.func @last_dot_first
// CHECK: %[[V:.*]] = tile.load
// CHECK: tgpu.local_store %[[V]] into %[[B:[0-9]+]][
// CHECK-NOT: tgpu.local_store
// CHECK: tgpu.local_load %[[B]][
// CHECK-NOT: tgpu.local_store
// CHECK: %[[T:.*]] = tgpu.local_load %[[B]][
// CHECK: tile.trans %[[T]]
// CHECK-NOT: tgpu.local_store
// CHECK: tile.dot
// CHECK: tile.dot
module attributes {tile.target = "sm_90a"} {
func.func @last_dot_first(%pb: tensor<64x64x!tile.ptr<bf16>, #rb>, %a: tensor<64x64xbf16, #fa>, %c: tensor<64x64xf32, #sums>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %b = tile.load %pb : tensor<64x64x!tile.ptr<bf16>, #rb>
  %fb = tile.convert_layout %b : tensor<64x64xbf16, #rb> -> tensor<64x64xbf16, #fb>
  %t = tile.trans %b, [1, 0] : tensor<64x64xbf16, #rb> -> tensor<64x64xbf16, #rbt>
  %ft = tile.convert_layout %t : tensor<64x64xbf16, #rbt> -> tensor<64x64xbf16, #fb>
  %d = tile.dot %a, %ft, %c unit <mma_sync, m16n8k16> : tensor<64x64xbf16, #fa>, tensor<64x64xbf16, #fb> -> tensor<64x64xf32, #sums>
  %e = tile.dot %a, %fb, %d unit <mma_sync, m16n8k16> : tensor<64x64xbf16, #fa>, tensor<64x64xbf16, #fb> -> tensor<64x64xf32, #sums>
  tile.print "e" [true] values(%e : tensor<64x64xf32, #sums>)
  return
}
}
