// Each hand-written check of what is decided about loops, by its number in ScheduleAttrs.td and ScheduleOps.td.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @fetch_c1(%x: !tile.ptr<bf16>) {
  // expected-error @+1 {{expected `tgpu.fetch = #tgpu.fetch<...>` on a load, by `tma` on a `tgpu.tma_load` alone}}
  %v = tile.load %x {tgpu.fetch = #tgpu.fetch<by = tma>} : !tile.ptr<bf16>
  return
}

// -----

func.func @fetch_c1_other(%n: i32) {
  // expected-error @+1 {{expected `tgpu.fetch = #tgpu.fetch<...>` on a load}}
  %v = arith.addi %n, %n {tgpu.fetch = #tgpu.fetch<by = registers>} : i32
  return
}

// -----

func.func @fetch_c2(%x: !tile.ptr<bf16>) {
  // expected-error @+1 {{expected a stage and a group of at most 32, found 33}}
  %v = tile.load %x {tgpu.fetch = #tgpu.fetch<by = registers, stage = 33>} : !tile.ptr<bf16>
  return
}

// -----

func.func @pipeline_c1(%n: i32) {
  // expected-error @+1 {{expected `tgpu.pipeline = #tgpu.pipeline<...>` on an `scf.for`}}
  %v = arith.addi %n, %n {tgpu.pipeline = #tgpu.pipeline<stages = 2>} : i32
  return
}

// -----

// expected-error @+1 {{expected 2 to 32 stages, found 1}}
func.func private @pipeline_c2() attributes {x = #tgpu.pipeline<stages = 1>}

// -----

func.func @overlap_c1(%n: i32) {
  // expected-error @+1 {{expected `tgpu.overlap = #tgpu.overlap<...>` on a `tgpu.mma`}}
  %v = arith.addi %n, %n {tgpu.overlap = #tgpu.overlap<back_edge>} : i32
  return
}

// -----

// expected-error @+1 {{expected `tgpu.roles = #tgpu.roles<...>` on a kernel}}
func.func private @roles_c1() attributes {tgpu.roles = #tgpu.roles<producers = 1>}

// -----

// expected-error @+1 {{expected 1 to 4 producer warps, found 5}}
func.func private @roles_c2() attributes {x = #tgpu.roles<producers = 5>}

// -----

// expected-error @+1 {{expected registers of producers and of consumers, or none of them}}
func.func private @roles_c3() attributes {x = #tgpu.roles<producers = 4, producer_registers = 24>}

// -----

// expected-error @+1 {{expected `tgpu.grid = #tgpu.grid<...>` on a kernel}}
func.func private @grid_c1() attributes {tgpu.grid = #tgpu.grid<blocks = 1>}

// -----

// expected-error @+1 {{expected 1 to 32 blocks, found 33}}
func.func private @grid_c2() attributes {x = #tgpu.grid<blocks = 33>}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>

func.func @tma_load_c1(%x: !tile.ptr<bf16>, %n: i32) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  // expected-error @+1 {{expected a coordinate for each axis of a map with two or more}}
  tgpu.tma_load %map[%n] into %b[%n] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  return
}

// -----

#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>

func.func @tma_load_c2(%x: !tile.ptr<bf16>, %n: i32) {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [64, 32] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  // expected-error @+1 {{expected a buffer of whole boxes of the map}}
  tgpu.tma_load %map[%n, %n] into %b[%n] : !tgpu.buffer<2 of tensor<64x64xbf16>, #rows>
  return
}
