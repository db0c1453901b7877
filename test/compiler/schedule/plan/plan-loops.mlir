// What is decided about a loop stands on it, its loads, its products and the kernel.
// RUN: tegula-opt %s --form-boxes --plan-loops | FileCheck %s --implicit-check-not=tile.loop
// RUN: tegula-opt %s --form-boxes --plan-loops --remarks-filter=plan-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A kernel that clusters run has no producer warps, and why says what their blocks share.
// RUN: sed 's/warps = 4, stages = 3>/&, tile.cluster = 2 : i32/' %s | tegula-opt - --form-boxes --plan-loops --remarks-filter=plan-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: sed 's/warps = 4, stages = 3>/&, tile.splits = {blocks = 2 : i32, size = 1 : i32, step = 64 : i32}/' %s | tegula-opt - --form-boxes --plan-loops --remarks-filter=plan-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOP
// ROWS: Function=by_producer | {{.*}}Reason="the blocks of a cluster share the rows of the kernel", Remark="`warp_specialize` is not honoured"
// LOOP: Function=by_producer | {{.*}}Reason="the blocks of a cluster share out a loop of the kernel", Remark="`warp_specialize` is not honoured"

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#regs = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [64, 64]>
#r0 = #tile.layout<{register = [[0], [0], [0], [16], [32]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]} : [64]>
#r1 = #tile.layout<{register = [[0, 0], [0, 0], [0, 0], [16, 0], [32, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [64, 1]>
#c0 = #tile.layout<{register = [[1], [2], [4], [0], [0]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]} : [64]>
#c1 = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [0, 0], [0, 0]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]} : [1, 64]>

// REMARK: [Passed] pipeline | Category:plan-loops | Function=by_producer | {{.*}}"warp-specialised: a producer warp loads 3 iterations ahead, into 24576 bytes of shared memory"
// REMARK: Function=by_all | {{.*}}"loads of 1 iterations in flight, in 16384 bytes of shared memory"
// REMARK: Function=one_stage | Reason="it has one stage", Remark="`warp_specialize` is not honoured"
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: func.func @by_producer
// CHECK-SAME: tgpu.roles = #tgpu.roles<producers = 1>
// CHECK: %[[MAP:.*]] = tgpu.tensor_map
// CHECK: %[[A:.*]] = tgpu.alloc : <3 of
// CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(
// CHECK: tgpu.tma_load %[[MAP]][%[[K]], %{{.*}}] into %[[A]][%{{.*}}] {tgpu.fetch = #tgpu.fetch<by = tma>}
// CHECK-NOT: tile.load
// CHECK-NOT: tgpu.local_store
// CHECK: tgpu.mma {{.*}} {tgpu.overlap = #tgpu.overlap<back_edge>}
// CHECK: } {tgpu.pipeline = #tgpu.pipeline<stages = 3, by = producer>}
func.func @by_producer(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}, %out: !tile.ptr<f32> {tile.param = #tile.param<"out", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %i = tile.arange 0 to 64 : tensor<64xi32, #r0>
  %j = tile.arange 0 to 64 : tensor<64xi32, #c0>
  %ie = tile.expand_dims %i, 1 : tensor<64xi32, #r0> -> tensor<64x1xi32, #r1>
  %je = tile.expand_dims %j, 0 : tensor<64xi32, #c0> -> tensor<1x64xi32, #c1>
  %ns = tile.splat %n : i32 -> tensor<64x1xi32, #r1>
  %io = arith.muli %ie, %ns : tensor<64x1xi32, #r1>
  %ib = tile.broadcast %io : tensor<64x1xi32, #r1> -> tensor<64x64xi32, #regs>
  %jb = tile.broadcast %je : tensor<1x64xi32, #c1> -> tensor<64x64xi32, #regs>
  %o = arith.addi %ib, %jb : tensor<64x64xi32, #regs>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
  %p = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<bf16>, #regs>, tensor<64x64xi32, #regs>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x64xi32, #regs>
    %pk = tile.addptr %p, %ks : tensor<64x64x!tile.ptr<bf16>, #regs>, tensor<64x64xi32, #regs>
    %v = tile.load %pk : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v into %a[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tile.loop = #tile.loop<stages = 3, specialize>}
  return
}

// CHECK-LABEL: func.func @by_all
// CHECK-NOT: tgpu.roles
// CHECK: tgpu.alloc : <2 of
// CHECK: tgpu.tma_load {{.*}} {tgpu.fetch = #tgpu.fetch<by = tma>}
// CHECK: } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
func.func @by_all(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}, %out: !tile.ptr<f32> {tile.param = #tile.param<"out", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %i = tile.arange 0 to 64 : tensor<64xi32, #r0>
  %j = tile.arange 0 to 64 : tensor<64xi32, #c0>
  %ie = tile.expand_dims %i, 1 : tensor<64xi32, #r0> -> tensor<64x1xi32, #r1>
  %je = tile.expand_dims %j, 0 : tensor<64xi32, #c0> -> tensor<1x64xi32, #c1>
  %ns = tile.splat %n : i32 -> tensor<64x1xi32, #r1>
  %io = arith.muli %ie, %ns : tensor<64x1xi32, #r1>
  %ib = tile.broadcast %io : tensor<64x1xi32, #r1> -> tensor<64x64xi32, #regs>
  %jb = tile.broadcast %je : tensor<1x64xi32, #c1> -> tensor<64x64xi32, #regs>
  %o = arith.addi %ib, %jb : tensor<64x64xi32, #regs>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
  %p = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<bf16>, #regs>, tensor<64x64xi32, #regs>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x64xi32, #regs>
    %pk = tile.addptr %p, %ks : tensor<64x64x!tile.ptr<bf16>, #regs>, tensor<64x64xi32, #regs>
    %v = tile.load %pk : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v into %a[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tile.loop = #tile.loop<stages = 2>}
  return
}

// The array need not begin where TMA takes it.
// CHECK-LABEL: func.func @by_threads
// CHECK: tgpu.alloc : <3 of
// CHECK-NOT: tgpu.tma_load
// CHECK: tile.load {{.*}} {tgpu.fetch = #tgpu.fetch<by = async>}
// CHECK: } {tgpu.pipeline = #tgpu.pipeline<stages = 3>}
func.func @by_threads(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 8>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}, %out: !tile.ptr<f32> {tile.param = #tile.param<"out", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %i = tile.arange 0 to 64 : tensor<64xi32, #r0>
  %j = tile.arange 0 to 64 : tensor<64xi32, #c0>
  %ie = tile.expand_dims %i, 1 : tensor<64xi32, #r0> -> tensor<64x1xi32, #r1>
  %je = tile.expand_dims %j, 0 : tensor<64xi32, #c0> -> tensor<1x64xi32, #c1>
  %ns = tile.splat %n : i32 -> tensor<64x1xi32, #r1>
  %io = arith.muli %ie, %ns : tensor<64x1xi32, #r1>
  %ib = tile.broadcast %io : tensor<64x1xi32, #r1> -> tensor<64x64xi32, #regs>
  %jb = tile.broadcast %je : tensor<1x64xi32, #c1> -> tensor<64x64xi32, #regs>
  %o = arith.addi %ib, %jb : tensor<64x64xi32, #regs>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
  %p = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<bf16>, #regs>, tensor<64x64xi32, #regs>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x64xi32, #regs>
    %pk = tile.addptr %p, %ks : tensor<64x64x!tile.ptr<bf16>, #regs>, tensor<64x64xi32, #regs>
    %v = tile.load %pk : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v into %a[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tile.loop = #tile.loop<stages = 3>}
  return
}

// It begins where no copy of a thread can: elements go through registers, for which there is room also where products
// leave none.
// CHECK-LABEL: func.func @by_registers
// CHECK: tgpu.alloc : <{{[23]}} of
// CHECK: tile.load {{.*}} {tgpu.fetch = #tgpu.fetch<by = buffer>}
// CHECK: } {tgpu.pipeline = #tgpu.pipeline<stages = {{[23]}}>}
func.func @by_registers(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 2>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}, %out: !tile.ptr<f32> {tile.param = #tile.param<"out", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.registers = 64 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %i = tile.arange 0 to 64 : tensor<64xi32, #r0>
  %j = tile.arange 0 to 64 : tensor<64xi32, #c0>
  %ie = tile.expand_dims %i, 1 : tensor<64xi32, #r0> -> tensor<64x1xi32, #r1>
  %je = tile.expand_dims %j, 0 : tensor<64xi32, #c0> -> tensor<1x64xi32, #c1>
  %ns = tile.splat %n : i32 -> tensor<64x1xi32, #r1>
  %io = arith.muli %ie, %ns : tensor<64x1xi32, #r1>
  %ib = tile.broadcast %io : tensor<64x1xi32, #r1> -> tensor<64x64xi32, #regs>
  %jb = tile.broadcast %je : tensor<1x64xi32, #c1> -> tensor<64x64xi32, #regs>
  %o = arith.addi %ib, %jb : tensor<64x64xi32, #regs>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
  %p = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<bf16>, #regs>, tensor<64x64xi32, #regs>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x64xi32, #regs>
    %pk = tile.addptr %p, %ks : tensor<64x64x!tile.ptr<bf16>, #regs>, tensor<64x64xi32, #regs>
    %v = tile.load %pk : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v into %a[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tile.loop = #tile.loop<stages = 3>}
  return
}

// CHECK-LABEL: func.func @one_stage
// CHECK: tgpu.alloc : <1 of
// CHECK-NOT: tgpu.fetch
// CHECK-NOT: tgpu.pipeline
// CHECK: return
func.func @one_stage(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}, %out: !tile.ptr<f32> {tile.param = #tile.param<"out", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %a = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  %i = tile.arange 0 to 64 : tensor<64xi32, #r0>
  %j = tile.arange 0 to 64 : tensor<64xi32, #c0>
  %ie = tile.expand_dims %i, 1 : tensor<64xi32, #r0> -> tensor<64x1xi32, #r1>
  %je = tile.expand_dims %j, 0 : tensor<64xi32, #c0> -> tensor<1x64xi32, #c1>
  %ns = tile.splat %n : i32 -> tensor<64x1xi32, #r1>
  %io = arith.muli %ie, %ns : tensor<64x1xi32, #r1>
  %ib = tile.broadcast %io : tensor<64x1xi32, #r1> -> tensor<64x64xi32, #regs>
  %jb = tile.broadcast %je : tensor<1x64xi32, #c1> -> tensor<64x64xi32, #regs>
  %o = arith.addi %ib, %jb : tensor<64x64xi32, #regs>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
  %p = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<bf16>, #regs>, tensor<64x64xi32, #regs>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x64xi32, #regs>
    %pk = tile.addptr %p, %ks : tensor<64x64x!tile.ptr<bf16>, #regs>, tensor<64x64xi32, #regs>
    %v = tile.load %pk : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v into %a[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
    %f = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %g = tgpu.mma %a[%c0], %a[%c0] adding %f unit <wgmma, m64n64k16> : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tile.loop = #tile.loop<stages = 1, specialize>}
  return
}
}
