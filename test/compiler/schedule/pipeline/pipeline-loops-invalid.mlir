// Loads that cannot run ahead, whatever is asked for.
// RUN: tegula-opt %s --split-input-file --pipeline-loops --verify-diagnostics

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#regs = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [64, 64]>

func.func @stage(%x: !tile.ptr<bf16>, %y: tensor<64x64x!tile.ptr<bf16>, #regs>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %px = tile.addptr %x, %i : !tile.ptr<bf16>, i32
    %p = tile.splat %px : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
    // expected-error @+1 {{expected a stage below the loop's 2}}
    %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = registers, stage = 2>} : tensor<64x64x!tile.ptr<bf16>, #regs>
    tile.store %y, %v : tensor<64x64x!tile.ptr<bf16>, #regs>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  return
}

// -----

func.func @address(%x: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (i32) : i32 {
    %p = tile.addptr %x, %at : !tile.ptr<i32>, i32
    // expected-error @+1 {{expected an address that depends only on which iteration it is}}
    %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = registers>} : !tile.ptr<i32>
    scf.yield %v : i32
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#regs = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [64, 64]>

func.func @not_stored(%x: !tile.ptr<bf16>, %y: tensor<64x64x!tile.ptr<bf16>, #regs>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %px = tile.addptr %x, %i : !tile.ptr<bf16>, i32
    %p = tile.splat %px : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
    // expected-error @+1 {{expected a load that is stored into a buffer and not used otherwise}}
    %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = async>} : tensor<64x64x!tile.ptr<bf16>, #regs>
    tile.store %y, %v : tensor<64x64x!tile.ptr<bf16>, #regs>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#regs = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [64, 64]>

// expected-error @+1 {{expected a loop that can be pipelined: }}
func.func @too_few_slots(%x: !tile.ptr<bf16>, %y: tensor<64x64x!tile.ptr<bf16>, #regs>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %px = tile.addptr %x, %i : !tile.ptr<bf16>, i32
    %p = tile.splat %px : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
    %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = async>} : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v into %b[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<1 of tensor<64x64xbf16>, #rows>
    %w = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #regs>
    tile.store %y, %w : tensor<64x64x!tile.ptr<bf16>, #regs>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 3>}
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#regs = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [64, 64]>

func.func @buffer_from_elsewhere(%b: !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>, %x: !tile.ptr<bf16>, %y: tensor<64x64x!tile.ptr<bf16>, #regs>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %px = tile.addptr %x, %i : !tile.ptr<bf16>, i32
    %p = tile.splat %px : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #regs>
    // expected-error @+1 {{expected a buffer of the kernel's own}}
    %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = async>} : tensor<64x64x!tile.ptr<bf16>, #regs>
    tgpu.local_store %v into %b[%c0] : tensor<64x64xbf16, #regs>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %w = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> tensor<64x64xbf16, #regs>
    tile.store %y, %w : tensor<64x64x!tile.ptr<bf16>, #regs>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>

// expected-error @+1 {{expected a loop that can be pipelined: a product in flight is not the second of two, of what threads compute of the first}}
func.func @alone(%x: !tile.ptr<bf16>, %weights: tensor<64x64xbf16, #sums>, %y: tensor<64x64x!tile.ptr<f32>, #sums>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
  %v = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%before = %zero) -> (tensor<64x64xf32, #sums>) : i32 {
    tgpu.tma_load %map[%c0, %j] into %v[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
    %g = tgpu.mma_begin %before : tensor<64x64xf32, #sums>
    %h = tgpu.mma %weights, %v[%c0] adding %g unit <wgmma, m64n64k16> {tgpu.overlap = #tgpu.overlap<back_edge>} : tensor<64x64xbf16, #sums>, !tgpu.buffer<2 of tensor<64x64xbf16>, #rows> -> !tgpu.in_flight<tensor<64x64xf32, #sums>>
    %after = tgpu.mma_wait pending 0 %h : !tgpu.in_flight<tensor<64x64xf32, #sums>> -> tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
  tile.store %y, %sum : tensor<64x64x!tile.ptr<f32>, #sums>
  return
}
