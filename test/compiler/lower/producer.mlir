// Producer warps: where they leave the consumers, the elected thread, and the barrier of the consumers.
// RUN: tegula-opt %s --split-input-file --allocate-shared --place-barriers --convert-tile-to-llvm --verify-diagnostics | FileCheck %s

#memory = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]]} : [32, 32]>
#rows = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [8, 0]], warp = [[16, 0], [4, 0]]} : [32, 32]>

// All 160 threads begin the barriers, of which one initialises: thread 128 is the first of a warp, too. Those of the fifth
// warp leave: one of them starts copies, without a predicate, and the others end. The rest wait for each other at a barrier
// of their own. A warp that has read by itself says so when all its lanes have.
// CHECK-LABEL: llvm.func @one_warp
// CHECK-SAME: nvvm.reqntid = array<i32: 160, 1, 1>
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 160>
// CHECK-DAG: %[[ALL:.*]] = arith.constant 255 : i32
// CHECK-DAG: arith.andi %[[TID]], %[[ALL]]
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 128 : i32
// CHECK-DAG: %[[LOADS:.*]] = arith.cmpi uge, %[[TID]], %[[FIRST]]
// CHECK: mbarrier.init.shared.b64 [$0+0], 1;
// CHECK-NOT: nvvm.barrier
// CHECK: mbarrier.init.shared.b64 [$0+0], 4;
// CHECK-NEXT: nvvm.fence.mbarrier.init
// CHECK-NEXT: nvvm.barrier0
// CHECK: llvm.cond_br %[[LOADS]], ^[[PRODUCER:.*]], ^[[REST:[a-z0-9]+]]
// CHECK: ^[[PRODUCER]]:
// CHECK-NEXT: %[[ELECTED:.*]] = nvvm.elect.sync -> i1
// CHECK-NEXT: llvm.cond_br %[[ELECTED]], ^[[BODY:.*]], ^[[END:[a-z0-9]+]]
// CHECK: ^[[BODY]]:
// CHECK-NOT: "@
// CHECK: "mbarrier.arrive.expect_tx.shared.b64 _, [$0], 4096;
// CHECK: "cp.async.bulk.tensor.2d
// CHECK: llvm.return
// CHECK: ^[[END]]:
// CHECK-NEXT: llvm.return
// CHECK: ^[[REST]]:
// CHECK: nvvm.mbarrier.try_wait
// CHECK: llvm.load
// CHECK: nvvm.bar.warp.sync
// CHECK: mbarrier.arrive.shared.b64 _, [$0];
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
module attributes {tile.target = "sm_90a"} {
func.func @one_warp(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [32, 32] swizzle 128 : !tile.ptr<f32>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<32x32xf32>, #memory>
  %full = tgpu.barriers : !tgpu.barriers<1>
  %empty = tgpu.barriers : !tgpu.barriers<1, arrivals 4>
  tgpu.barriers_init %full : !tgpu.barriers<1>
  tgpu.barriers_init %empty : !tgpu.barriers<1, arrivals 4>
  %0 = arith.constant 0 : i32
  tgpu.producer warps 1 {
    tgpu.barrier_expect 4096 at %full[%0] : !tgpu.barriers<1>
    tgpu.tma_copy %map[%0, %0] into %b[%0] signals %full[%0] : !tgpu.buffer<1 of tensor<32x32xf32>, #memory>, !tgpu.barriers<1>
  }
  tgpu.barrier_wait %full[%0] parity %0 : !tgpu.barriers<1>
  %v = tgpu.local_load %b[%0] at [0, 0] : !tgpu.buffer<1 of tensor<32x32xf32>, #memory> -> tensor<32x32xf32, #rows>
  tgpu.barrier_arrive %empty[%0] : !tgpu.barriers<1, arrivals 4>
  tile.barrier
  tile.print "v" [true] values(%v : tensor<32x32xf32, #rows>)
  return
}
}

// -----

// Four warps hand registers over before one of them loads, and the others take them.
// CHECK-LABEL: llvm.func @four_warps
// CHECK-SAME: nvvm.reqntid = array<i32: 256, 1, 1>
// CHECK: llvm.cond_br %{{.*}}, ^[[ENTER:.*]], ^[[REST:[a-z0-9]+]]
// CHECK: ^[[ENTER]]:
// CHECK-NEXT: nvvm.setmaxregister decrease 24
// CHECK-NEXT: llvm.cond_br %{{.*}}, ^[[END:.*]], ^[[FIRST:[a-z0-9]+]]
// CHECK: ^[[FIRST]]:
// CHECK-NEXT: %[[ELECTED:.*]] = nvvm.elect.sync -> i1
// CHECK-NEXT: llvm.cond_br %[[ELECTED]], ^[[BODY:.*]], ^[[END]]
// CHECK: ^[[BODY]]:
// CHECK: mbarrier.arrive.expect_tx
// CHECK: llvm.return
// CHECK: ^[[END]]:
// CHECK-NEXT: llvm.return
// CHECK: ^[[REST]]:
// CHECK-NEXT: nvvm.setmaxregister increase 240
module attributes {tile.target = "sm_90a"} {
func.func @four_warps(%n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %full = tgpu.barriers : !tgpu.barriers<1>
  tgpu.barriers_init %full : !tgpu.barriers<1>
  %0 = arith.constant 0 : i32
  tgpu.producer warps 4 registers [24, 240] {
    tgpu.barrier_expect 4096 at %full[%0] : !tgpu.barriers<1>
  }
  return
}
}

// -----

// A producer's thread is alone: one branch goes round all boxes of a copy that has a condition.
// CHECK-LABEL: llvm.func @conditional_copy
// CHECK: nvvm.elect.sync
// CHECK: scf.if %{{.*}} {
// CHECK-COUNT-2: "cp.async.bulk.tensor.2d
// CHECK: }
#halves = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0], [0, 32]]} : [32, 64]>
module attributes {tile.target = "sm_90a"} {
func.func @conditional_copy(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%n] box [32, 32] swizzle 128 : !tile.ptr<f32>, [i32, i32], [i32]
  %b = tgpu.alloc : !tgpu.buffer<1 of tensor<32x64xf32>, #halves>
  %full = tgpu.barriers : !tgpu.barriers<1>
  tgpu.barriers_init %full : !tgpu.barriers<1>
  %0 = arith.constant 0 : i32
  %any = arith.cmpi slt, %0, %n : i32
  tgpu.producer warps 1 {
    tgpu.tma_copy %map[%0, %0] if %any into %b[%0] signals %full[%0] : !tgpu.buffer<1 of tensor<32x64xf32>, #halves>, !tgpu.barriers<1>
  }
  return
}
}

// -----

module attributes {tile.target = "sm_90a"} {
func.func @parts_of_warps(%n: i32 {tile.param = #tile.param<"n", "i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %empty = tgpu.barriers : !tgpu.barriers<1, arrivals 3>
  tgpu.barriers_init %empty : !tgpu.barriers<1, arrivals 3>
  %0 = arith.constant 0 : i32
  // expected-error @+2 {{expected arrivals that divide 4 warps, found 3}}
  // expected-error @+1 {{failed to legalize operation 'tgpu.barrier_arrive'}}
  tgpu.barrier_arrive %empty[%0] : !tgpu.barriers<1, arrivals 3>
  return
}
}
