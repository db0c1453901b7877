// Each hand-written check of producer warps, by its number in ProducerOps.td and TmaOps.td.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected 1 to 32 arrivals, found 33}}
func.func private @barriers_c2(!tgpu.barriers<2, arrivals 33>)

// -----

func.func @barrier_expect_c2(%n: i32) {
  %bars = tgpu.barriers : !tgpu.barriers<2, arrivals 2>
  // expected-error @+1 {{expected barriers whose phases have one arrival, found 2}}
  tgpu.barrier_expect 1024 at %bars[%n] : !tgpu.barriers<2, arrivals 2>
  return
}

// -----

func.func @producer_c1(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{expected to stand outside of loops and branches}}
    tgpu.producer warps 1 {
    }
  }
  return
}

// -----

func.func @producer_c1_twice() {
  tgpu.producer warps 1 {
  }
  // expected-error @+1 {{expected one in a kernel, found a second}}
  tgpu.producer warps 1 {
  }
  return
}

// -----

func.func @producer_c2() {
  // expected-error @+1 {{expected 1 to 4 warps, and 4 where registers are handed over, found 5}}
  tgpu.producer warps 5 {
  }
  return
}

// -----

func.func @producer_c2_registers() {
  // expected-error @+1 {{expected 1 to 4 warps, and 4 where registers are handed over, found 1}}
  tgpu.producer warps 1 registers [24, 240] {
  }
  return
}

// -----

func.func @producer_c3() {
  // expected-error @+1 {{expected two numbers of registers, multiples of 8 from 24 to 256, the first below the second}}
  tgpu.producer warps 4 registers [20, 240] {
  }
  return
}

// -----

func.func @producer_c3_order() {
  // expected-error @+1 {{expected two numbers of registers, multiples of 8 from 24 to 256, the first below the second}}
  tgpu.producer warps 4 registers [240, 24] {
  }
  return
}

// -----

func.func @producer_c4(%x: !tile.ptr<i32>, %n: i32) {
  // expected-error @+1 {{expected scalars, loops, branches, TMA copies and waits in it, found `tile.store`}}
  tgpu.producer warps 1 {
    tile.store %x, %n : !tile.ptr<i32>
  }
  return
}

// -----

func.func @producer_c4_tensors() {
  // expected-error @+1 {{expected scalars, loops, branches, TMA copies and waits in it, found `tile.arange`}}
  tgpu.producer warps 1 {
    %i = tile.arange 0 to 64 : tensor<64xi32>
  }
  return
}

// -----

func.func @producer_c5(%x: !tile.ptr<i32>, %n: i32) {
  tile.store %x, %n : !tile.ptr<i32>
  // expected-error @+1 {{expected nothing in front of it that not all warps may execute, found `tile.store`}}
  tgpu.producer warps 1 {
  }
  return
}

// -----

func.func @producer_c5_tensors() {
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @+1 {{expected nothing in front of it that not all warps may execute, found `tile.arange`}}
  tgpu.producer warps 1 {
  }
  return
}

// -----

func.func @producer_c4_arrivals(%n: i32) {
  %bars = tgpu.barriers : !tgpu.barriers<2>
  // expected-error @+1 {{expected scalars, loops, branches, TMA copies and waits in it, found `tgpu.barrier_arrive`}}
  tgpu.producer warps 1 {
    tgpu.barrier_arrive %bars[%n] : !tgpu.barriers<2>
  }
  return
}
