// Atomic ops whose elements may meet change a table in shared memory first, for all programs of a block.
// RUN: tegula-opt %s --privatize-atomics --split-input-file | FileCheck %s
// RUN: tegula-opt %s --privatize-atomics --split-input-file --remarks-filter=privatize-atomics -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAY

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// Where an offset lies in the table the table is changed, and memory elsewhere. The table is begun before all
// programs and written after them.
// CHECK-LABEL: func.func @count(
// CHECK-SAME: %[[X:.*]]: !tile.ptr<i32>, %[[COUNTS:.*]]: !tile.ptr<i32>
// CHECK-SAME: tile.persistent = 32 : i32
// CHECK: %[[B:.*]] = tgpu.alloc : <1 of tensor<2048xi32>, #{{.*}}>
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0> : tensor<2048xi32, #[[T:.*]]>
// CHECK: tgpu.local_store %[[ZEROS]] into %[[B]]
// CHECK: scf.for %[[P:.*]] = %{{.*}} to %{{.*}} step %{{.*}}
// CHECK: tile.program_id x of %[[P]]
// CHECK: %[[V:.*]] = tile.load
// CHECK: %[[POINTER:.*]] = tile.addptr %{{.*}}, %[[V]]
// CHECK: %[[NEAR:.*]] = arith.cmpi ult, %[[V]], %{{.*}}
// CHECK: %[[FAR:.*]] = arith.cmpi uge, %[[V]], %{{.*}}
// CHECK: %[[INTABLE:.*]] = arith.andi %[[M:.*]], %[[NEAR]]
// CHECK: %[[INMEMORY:.*]] = arith.andi %[[M]], %[[FAR]]
// CHECK: tgpu.local_atomic add, %[[ONE:.*]] at %[[V]] mask %[[INTABLE]] in %[[B]]
// CHECK: tile.atomic_rmw add, relaxed, gpu, %[[POINTER]], %[[ONE]], %[[INMEMORY]]
// CHECK-NOT: tile.atomic_rmw
// CHECK: }
// CHECK: %[[SUMS:.*]] = tgpu.local_load %[[B]]
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[SUMS]], %{{.*}}
// CHECK: %[[FIRST:.*]] = tile.splat %[[COUNTS]]
// CHECK: %[[NUMBERS:.*]] = tile.arange 0 to 2048
// CHECK: %[[ALL:.*]] = tile.addptr %[[FIRST]], %[[NUMBERS]]
// CHECK: tile.atomic_rmw add, relaxed, gpu, %[[ALL]], %[[SUMS]], %[[ANY]]
// SAY: 2048 elements are changed in shared memory first, for all programs of a block
func.func @count(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %id = tile.program_id x
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #l>
  %ids = tile.splat %id : i32 -> tensor<256xi32, #l>
  %m = arith.cmpi slt, %ids, %ns : tensor<256xi32, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, gpu, %q, %one, %m : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// A table begins with what changes nothing; the order and the scope are those of the changes at the end. Offsets of 64
// bits are as good.
// CHECK-LABEL: func.func @largest(
// CHECK: arith.constant dense<-2147483648> : tensor<2048xi32
// CHECK: tgpu.local_store
// CHECK: %[[I:.*]] = arith.trunci %{{.*}} : tensor<256xi64
// CHECK: tgpu.local_atomic max, %{{.*}} at %[[I]] mask
// CHECK: tile.atomic_rmw max, acq_rel, cta
// CHECK: }
// CHECK: tile.atomic_rmw max, acq_rel, cta
func.func @largest(%x: !tile.ptr<i64>, %most: !tile.ptr<i32>, %v: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i64> -> tensor<256x!tile.ptr<i64>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i64>, #l>, tensor<256xi32, #l>
  %o = tile.load %p : tensor<256x!tile.ptr<i64>, #l>
  %vs = tile.splat %v : i32 -> tensor<256xi32, #l>
  %cs = tile.splat %most : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %o : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi64, #l>
  %old = tile.atomic_rmw max, acq_rel, cta, %q, %vs : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// Ops on one pointer that do the same have one table. The pointer is computed once.
// CHECK-LABEL: func.func @twice(
// CHECK: tgpu.alloc
// CHECK-NOT: tgpu.alloc
// CHECK: %[[BASE:.*]] = tile.addptr %{{.*}}, %{{.*}} : !tile.ptr<i32>, i32
// CHECK: scf.for
// CHECK: tgpu.local_atomic add
// CHECK: tile.atomic_rmw add
// CHECK: tgpu.local_atomic add
// CHECK: tile.atomic_rmw add
// CHECK: }
// CHECK: tile.splat %[[BASE]]
// CHECK: tile.atomic_rmw add
// CHECK-NOT: tile.atomic_rmw
func.func @twice(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %first: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %base = tile.addptr %counts, %first : !tile.ptr<i32>, i32
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %w = arith.muli %v, %v : tensor<256xi32, #l>
  %cs = tile.splat %base : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %r = tile.addptr %cs, %w : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %a = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  %b = tile.atomic_rmw add, relaxed, gpu, %r, %v : tensor<256x!tile.ptr<i32>, #l>
  return
}
