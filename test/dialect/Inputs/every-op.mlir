// One op of each kind of both dialects. `answer` is what it says of itself, as EffectsTest.cpp words it.

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#table = #tile.layout<{offset = [[1], [2], [4], [8], [16], [32]]} : [64]>
#whole = #tile.layout<{register = [[0, 1], [0, 16]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 32]>
#part = #tile.layout<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = []} : [4, 16]>
#other = #tile.layout<{register = [[1, 0]], lane = [[0, 2], [0, 4], [0, 8], [0, 1], [2, 0]], warp = []} : [4, 16]>

func.func @memory(%p: !tile.ptr<f32>, %ps: tensor<64x!tile.ptr<f32>>, %i: !tile.ptr<i32>, %w: i32, %l: i64,
                  %x: tensor<64xf32>, %m: tensor<64xi1>, %c: i1) {
  %0 = tile.load %ps, %m {answer = "reads operand 0 where operand 1"} : tensor<64x!tile.ptr<f32>>
  %1 = tile.load %p volatile {answer = "volatile reads operand 0"} : !tile.ptr<f32>
  tile.store %ps, %x, %m {answer = "writes operand 0 where operand 2"} : tensor<64x!tile.ptr<f32>>
  %2 = tile.view %p, sizes [%l], strides [%l] {answer = "computes"} : !tile.ptr<f32> -> !tile.view<1 x f32>
  %3 = tile.view_base %2 {answer = "computes"} : !tile.view<1 x f32> -> !tile.ptr<f32>
  %4 = tile.view_load %2[%w] {answer = "reads operand 0"} : !tile.view<1 x f32> -> tensor<64xf32>
  tile.view_store %2[%w], %4 {answer = "writes operand 0"} : !tile.view<1 x f32>, tensor<64xf32>
  %5 = tile.atomic_rmw fadd, relaxed, gpu, %ps, %x, %m {answer = "atomic relaxed gpu reads and writes operand 0 where operand 2"} : tensor<64x!tile.ptr<f32>>
  %6 = tile.atomic_cas acq_rel, sys, %i, %w, %w {answer = "atomic acq_rel sys conditional reads and writes operand 0"} : !tile.ptr<i32>
  %12 = tile.atomic_load acquire, gpu, %ps, %m {answer = "atomic acquire gpu reads operand 0 where operand 1"} : tensor<64x!tile.ptr<f32>>
  tile.atomic_store release, cta, %ps, %x, %m {answer = "atomic release cta writes operand 0 where operand 2"} : tensor<64x!tile.ptr<f32>>
  %7 = tile.addptr %p, %w {answer = "computes"} : !tile.ptr<f32>, i32
  %8 = tile.ptr_to_int %p {answer = "computes"} : !tile.ptr<f32> -> i64
  %9 = tile.int_to_ptr %8 {answer = "computes"} : i64 -> !tile.ptr<f32>
  %11 = tile.box %p, sizes [-1], strides [1], starts affine_map<(d0) -> (0)>()[] multiples [1] {answer = "computes"} : (!tile.ptr<f32>) -> !tile.box
  %10 = tile.bitcast %9 {answer = "computes"} : !tile.ptr<f32> -> !tile.ptr<i32>
  tile.barrier {answer = "syncs threads, publishes writes"}
  return
}

func.func @device(%x: tensor<64xf32>, %c: i1) {
  %0 = tile.inline_asm "mov.b32 $0, $1;", "=r,r" pure pack = 1 (%x) {answer = "asks the device"} : (tensor<64xf32>) -> tensor<64xf32>
  %1 = tile.inline_asm "mov.b32 $0, $1;", "=r,r" pack = 1 (%x) {answer = "touches memory, asks the device"} : (tensor<64xf32>) -> tensor<64xf32>
  %e = tile.extern_call "scaled" pure (%x) {answer = "asks the device"} : (tensor<64xf32>) -> tensor<64xf32>
  %f = tile.extern_call "put" (%x) {answer = "touches memory, asks the device"} : (tensor<64xf32>) -> tensor<64xf32>
  %2 = tile.read_special smid {answer = "asks the device"} : i32
  tile.grid_dependency wait {answer = "asks the device, awaits launches"}
  %3 = tile.program_id x {answer = "computes"}
  %4 = tile.num_programs x {answer = "computes"}
  tile.print " x: " [false] values(%x : tensor<64xf32>) {answer = "prints"}
  tile.assert %c, "holds" {answer = "asserts"} : i1
  tile.assume %c {answer = "keeps its place"}
  %5 = tile.hint %4 contiguity = [1] {answer = "computes"} : i32
  tile.bind "x" : "fp32[64]" = %x : tensor<64xf32> {answer = "computes"}
  tile.debug_value 3 %x {answer = "keeps its place"} : tensor<64xf32>
  %6 = tile.opt_barrier %x after %4 {answer = "computes"} : tensor<64xf32>, i32
  return
}

func.func @shapes(%x: tensor<64xf32>, %y: tensor<64xi32>, %z: f32, %a: tensor<16x16xf32>, %h: tensor<4x16xf16, #part>) {
  %0 = tile.arange 0 to 64 {answer = "computes"} : tensor<64xi32>
  %1 = tile.splat %z {answer = "computes"} : f32 -> tensor<64xf32>
  %2 = tile.expand_dims %x, 0 {answer = "computes"} : tensor<64xf32> -> tensor<1x64xf32>
  %3 = tile.broadcast %2 {answer = "computes"} : tensor<1x64xf32> -> tensor<2x64xf32>
  %4 = tile.reshape %3 {answer = "computes"} : tensor<2x64xf32> -> tensor<128xf32>
  %5 = tile.trans %3, [1, 0] {answer = "computes"} : tensor<2x64xf32> -> tensor<64x2xf32>
  %6 = tile.join %x, %x {answer = "computes"} : tensor<64xf32> -> tensor<64x2xf32>
  %7, %8 = tile.split %6 {answer = "computes"} : tensor<64x2xf32> -> tensor<64xf32>
  %9 = tile.convert_layout %h {answer = "computes"} : tensor<4x16xf16, #part> -> tensor<4x16xf16, #other>
  %10 = tile.dot %a, %a, %a {answer = "computes"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %11 = tile.butterfly %x axis 0 mask 1 {answer = "computes"} : tensor<64xf32>
  %12 = tile.gather %x[%y] axis 0 {answer = "computes"} : tensor<64xf32>, tensor<64xi32> -> tensor<64xf32>
  %13 = tile.histogram %y {answer = "computes"} : tensor<64xi32> -> tensor<64xi32>
  %14 = tile.rounded add rz %x, %x {answer = "computes"} : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %15 = tile.reduce %x axis 0 {answer = "as its region"} : tensor<64xf32> -> f32 {
  ^bb0(%p: f32, %q: f32):
    tile.yield %p {answer = "computes"} : f32
  }
  %16 = tile.scan %x axis 0 {answer = "as its region"} : tensor<64xf32> -> tensor<64xf32> {
  ^bb0(%p: f32, %q: f32):
    tile.yield %p {answer = "computes"} : f32
  }
  %17 = tile.map %x pack 1 {answer = "as its region"} : tensor<64xf32> -> tensor<64xf32> {
  ^bb0(%p: f32):
    tile.yield %p {answer = "computes"} : f32
  }
  return
}

func.func @buffers(%x: !tile.ptr<bf16>, %n: i32, %row: i64, %s: i32, %v: tensor<64x64xbf16, #sums>, %sums: tensor<64x64xf32, #sums>,
                   %p: tensor<64x64x!tile.ptr<bf16>, #sums>, %m: tensor<64x64xi1, #sums>, %w: tensor<4x32xf16, #whole>, %bins: tensor<64xi32>) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 {answer = "computes"} : !tile.ptr<bf16>, [i32, i32], [i64]
  %b = tgpu.alloc {answer = "allocates shared memory"} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  tgpu.local_store %v into %b[%s] {answer = "writes a buffer"} : tensor<64x64xbf16, #sums>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %0 = tgpu.local_load %b[%s] at [0, 0] {answer = "reads a buffer"} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #sums>
  %table = tgpu.alloc {answer = "allocates shared memory"} : !tgpu.buffer<1 of tensor<64xi32>, #table>
  tgpu.local_atomic add, %bins at %bins in %table {answer = "writes a buffer"} : tensor<64xi32>, !tgpu.buffer<1 of tensor<64xi32>, #table>
  %1 = tgpu.slice %w at [0, 16] {answer = "computes"} : tensor<4x32xf16, #whole> -> tensor<4x16xf16, #part>
  %put = tgpu.insert %1 into %w at [0, 0] {answer = "computes"} : tensor<4x16xf16, #part> -> tensor<4x32xf16, #whole>
  tgpu.async_copy %p mask %m into %b[%s] {answer = "reads operand 0 where operand 1, starts copies, writes a buffer"} : tensor<64x64x!tile.ptr<bf16>, #sums>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  tgpu.async_commit {answer = "groups copies"}
  tgpu.async_wait pending 1 {answer = "awaits copies but 1"}
  tgpu.proxy_fence {answer = "keeps its place"}
  %2 = tgpu.mma_begin %sums {answer = "keeps its place"} : tensor<64x64xf32, #sums>
  %3 = tgpu.mma %b[%s], %b[%s] adding %2 unit <wgmma, m64n64k16> {answer = "starts products by a unit, reads a buffer, reads a buffer"} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
  %4 = tgpu.mma_wait pending 0 %3 {answer = "awaits products but 0"} : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
  %full = tgpu.barriers {answer = "allocates shared memory"} : !tgpu.barriers<1>
  tgpu.barriers_init %full {answer = "syncs threads"} : !tgpu.barriers<1>
  tgpu.barrier_expect 8192 at %full[%s] {answer = "groups TMA loads"} : !tgpu.barriers<1>
  tgpu.global_fence {answer = "keeps its place"}
  tgpu.tma_load %map[%n, %n] into %b[%s] {answer = "reads an array, writes a buffer"} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  tgpu.tma_copy %map[%n, %n] into %b[%s] signals %full[%s] {answer = "reads an array, starts TMA loads by a unit, writes a buffer"} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, !tgpu.barriers<1>
  tgpu.barrier_wait %full[%s] parity %s {answer = "awaits TMA loads but 0"} : !tgpu.barriers<1>
  tgpu.barrier_arrive %full[%s] {answer = "frees TMA loads"} : !tgpu.barriers<1>
  tgpu.barriers_end %full {answer = "syncs threads"} : !tgpu.barriers<1>
  tgpu.tma_store %v by %b[%s] to %map[%n, %n] {answer = "writes an array, starts TMA stores by a unit in order, reads a buffer, writes a buffer"} : tensor<64x64xbf16, #sums>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  tgpu.tma_store_wait pending 1 read {answer = "awaits TMA stores but 1"}
  return
}

func.func @blocks() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.persistent = 1 : i32} {
  %0 = tgpu.block_id {answer = "computes"}
  %1 = tgpu.num_blocks {answer = "computes"}
  %2 = tgpu.pipeline_begin parity 0 {answer = "computes"} : !tgpu.pipeline_state<2>
  %3 = tgpu.pipeline_next %2 {answer = "computes"} : !tgpu.pipeline_state<2>
  %4 = tgpu.pipeline_previous %3 {answer = "computes"} : !tgpu.pipeline_state<2>
  %5 = tgpu.pipeline_slot %4 {answer = "computes"} : !tgpu.pipeline_state<2>
  %6 = tgpu.pipeline_phase %4 {answer = "computes"} : !tgpu.pipeline_state<2>
  tgpu.producer warps 1 {
  } {answer = "as its region"}
  return
}

func.func @pairs() attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.persistent = 1 : i32, tile.pairs} {
  tgpu.cluster_barrier {answer = "syncs threads"}
  return
}

func.func @clusters(%x: tensor<64xf32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.splits = {blocks = 8 : i32, size = 64, step = 1 : i32}} {
  %0 = tgpu.cluster_rank {answer = "computes"}
  %1 = tgpu.cluster_size {answer = "computes"}
  %2 = tgpu.cluster_sum %x {answer = "keeps its place"} : tensor<64xf32>
  return
}

func.func @spread(%x: f32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.cluster = 2 : i32} {
  tgpu.cluster_arrive {answer = "keeps its place"}
  tgpu.cluster_wait {answer = "syncs threads, of an op before"}
  %0 = tgpu.cluster_gather %x {answer = "syncs threads"} : (f32) -> tensor<2xf32>
  return
}
