// What two neighbouring blocks both load is loaded by one of them.
// RUN: tegula-opt %s --split-input-file --multicast-loads | FileCheck %s
// RUN: tegula-opt %s --split-input-file --multicast-loads --remarks-filter=multicast-loads -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>

// Coordinates along K are the same; which row of tiles it is, and which column, is compared with the other's. The block
// without a program stores nothing.
// CHECK-LABEL: func.func @product
// CHECK-SAME: tile.pairs
// CHECK: %[[EMPTY:.*]] = tgpu.barriers : <3, arrivals 2 from 2 blocks>
// CHECK: tgpu.barriers_init
// CHECK: tgpu.cluster_barrier
// CHECK-NEXT: tgpu.producer warps 1 {
// CHECK: %[[RANK:.*]] = tgpu.cluster_rank
// CHECK: %[[SIZE:.*]] = tgpu.cluster_size
// CHECK: %[[PAIR:.*]] = arith.cmpi eq, %[[SIZE]]
// CHECK: %[[MORE:.*]] = arith.subi
// CHECK: %[[MISSING:.*]] = arith.andi %[[COUNT:.*]], %[[MORE]]
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT]]
// CHECK: %[[ROUNDED:.*]] = arith.addi %[[COUNT]], %[[MISSING]]
// CHECK: scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %[[ROUNDED]] step
// CHECK: %[[PROGRAM:.*]] = arith.minsi %[[I]], %[[LAST]]
// CHECK: %[[NEXT:.*]] = arith.xori %[[I]]
// CHECK: %[[OTHER:.*]] = arith.minsi %[[NEXT]], %[[LAST]]
// CHECK: tile.program_id x of %[[OTHER]]
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq
// CHECK: %[[SAME:.*]] = arith.andi %[[PAIR]], %[[EQUAL]]
// CHECK: scf.for
// CHECK: tgpu.barrier_wait %[[EMPTY]]
// CHECK: tgpu.barrier_expect 16384
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: %[[OWN:.*]] = arith.cmpi eq, %{{.*}}, %[[RANK]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[SAME]], %[[OWN]]
// CHECK: tgpu.tma_copy %{{.*}} if %[[BOTH]] into %{{.*}} multicast signals
// CHECK-NEXT: tgpu.tma_copy %{{.*}} if %{{.*}} into %{{.*}}] signals
// CHECK: tgpu.tma_copy {{.*}} multicast signals
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK: %[[THERE:.*]] = arith.cmpi slt, %[[J]]
// CHECK: scf.for
// CHECK: tgpu.barrier_arrive %[[EMPTY]]{{.*}} from 2 blocks
// CHECK: scf.if %[[THERE]] {
// CHECK: tile.store
// CHECK: tgpu.cluster_barrier
// CHECK-NEXT: return
// REMARK: [Passed] multicast | Category:multicast-loads | Function=product | Loads=2, Remark="what two neighbouring blocks both load is loaded once (TMA multicast)"
module attributes {tile.target = "sm_90a"} {
  func.func @product(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>, tile.persistent = 1 : i32} {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
    %full = tgpu.barriers : !tgpu.barriers<3>
    %empty = tgpu.barriers : !tgpu.barriers<3, arrivals 2>
    %a = tgpu.alloc : !tgpu.buffer<3 of tensor<64x64xbf16>, #a>
    %b = tgpu.alloc : !tgpu.buffer<3 of tensor<64x64xbf16>, #a>
    tgpu.barriers_init %full : !tgpu.barriers<3>
    tgpu.barriers_init %empty : !tgpu.barriers<3, arrivals 2>
    %block = tgpu.block_id
    %blocks = tgpu.num_blocks
    %count = tile.num_programs x
    tgpu.producer warps 1 {
      %begin = tgpu.pipeline_begin parity 1 : !tgpu.pipeline_state<3>
      %b0 = tgpu.block_id
      %left = scf.for %i = %b0 to %count step %blocks iter_args(%s = %begin) -> (!tgpu.pipeline_state<3>) : i32 {
        %p = tile.program_id x of %i
        %tile_n = arith.divsi %p, %c64 : i32
        %tile_m = arith.remsi %p, %c64 : i32
        %end = scf.for %k = %c0 to %n step %c64 iter_args(%t = %s) -> (!tgpu.pipeline_state<3>) : i32 {
          %slot = tgpu.pipeline_slot %t : !tgpu.pipeline_state<3>
          %phase = tgpu.pipeline_phase %t : !tgpu.pipeline_state<3>
          tgpu.barrier_wait %empty[%slot] parity %phase : !tgpu.barriers<3, arrivals 2>
          tgpu.barrier_expect 16384 at %full[%slot] : !tgpu.barriers<3>
          tgpu.tma_copy %map[%k, %tile_m] into %a[%slot] signals %full[%slot] : !tgpu.buffer<3 of tensor<64x64xbf16>, #a>, !tgpu.barriers<3>
          tgpu.tma_copy %map[%tile_n, %k] into %b[%slot] signals %full[%slot] : !tgpu.buffer<3 of tensor<64x64xbf16>, #a>, !tgpu.barriers<3>
          %next = tgpu.pipeline_next %t : !tgpu.pipeline_state<3>
          scf.yield %next : !tgpu.pipeline_state<3>
        }
        scf.yield %end : !tgpu.pipeline_state<3>
      }
    }
    %begin = tgpu.pipeline_begin parity 0 : !tgpu.pipeline_state<3>
    %left = scf.for %i = %block to %count step %blocks iter_args(%s = %begin) -> (!tgpu.pipeline_state<3>) : i32 {
      %end = scf.for %k = %c0 to %n step %c64 iter_args(%t = %s) -> (!tgpu.pipeline_state<3>) : i32 {
        %slot = tgpu.pipeline_slot %t : !tgpu.pipeline_state<3>
        %phase = tgpu.pipeline_phase %t : !tgpu.pipeline_state<3>
        tgpu.barrier_wait %full[%slot] parity %phase : !tgpu.barriers<3>
        tgpu.barrier_arrive %empty[%slot] : !tgpu.barriers<3, arrivals 2>
        %next = tgpu.pipeline_next %t : !tgpu.pipeline_state<3>
        scf.yield %next : !tgpu.pipeline_state<3>
      }
      %one = arith.constant 1.0 : bf16
      tile.store %x, %one : !tile.ptr<bf16>
      scf.yield %end : !tgpu.pipeline_state<3>
    }
    return
  }
}

// -----

// How often the loop runs depends on the program.
// CHECK-LABEL: func.func @triangle
// CHECK-NOT: multicast
// REMARK: [Missed] multicast | Category:multicast-loads | Function=triangle | {{.*}}how often it runs depends on the program
#a = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>
module attributes {tile.target = "sm_90a"} {
  func.func @triangle(%x: !tile.ptr<bf16>, %n: i32, %row: i64) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>, tile.persistent = 1 : i32} {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %map = tgpu.tensor_map %x, sizes [%n, %n], strides [%row] box [64, 64] swizzle 128 : !tile.ptr<bf16>, [i32, i32], [i64]
    %full = tgpu.barriers : !tgpu.barriers<3>
    %empty = tgpu.barriers : !tgpu.barriers<3, arrivals 2>
    %a = tgpu.alloc : !tgpu.buffer<3 of tensor<64x64xbf16>, #a>
    tgpu.barriers_init %full : !tgpu.barriers<3>
    tgpu.barriers_init %empty : !tgpu.barriers<3, arrivals 2>
    %block = tgpu.block_id
    %blocks = tgpu.num_blocks
    %count = tile.num_programs x
    tgpu.producer warps 1 {
      %begin = tgpu.pipeline_begin parity 1 : !tgpu.pipeline_state<3>
      %b0 = tgpu.block_id
      %left = scf.for %i = %b0 to %count step %blocks iter_args(%s = %begin) -> (!tgpu.pipeline_state<3>) : i32 {
        %p = tile.program_id x of %i
        %end = scf.for %k = %c0 to %p step %c64 iter_args(%t = %s) -> (!tgpu.pipeline_state<3>) : i32 {
          %slot = tgpu.pipeline_slot %t : !tgpu.pipeline_state<3>
          %phase = tgpu.pipeline_phase %t : !tgpu.pipeline_state<3>
          tgpu.barrier_wait %empty[%slot] parity %phase : !tgpu.barriers<3, arrivals 2>
          tgpu.barrier_expect 8192 at %full[%slot] : !tgpu.barriers<3>
          tgpu.tma_copy %map[%k, %c0] into %a[%slot] signals %full[%slot] : !tgpu.buffer<3 of tensor<64x64xbf16>, #a>, !tgpu.barriers<3>
          %next = tgpu.pipeline_next %t : !tgpu.pipeline_state<3>
          scf.yield %next : !tgpu.pipeline_state<3>
        }
        scf.yield %end : !tgpu.pipeline_state<3>
      }
    }
    %begin = tgpu.pipeline_begin parity 0 : !tgpu.pipeline_state<3>
    %left = scf.for %i = %block to %count step %blocks iter_args(%s = %begin) -> (!tgpu.pipeline_state<3>) : i32 {
      scf.yield %s : !tgpu.pipeline_state<3>
    }
    return
  }
}
