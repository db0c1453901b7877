// Atomic ops that change memory element by element, since others might see the difference or nothing is gained.
// RUN: tegula-opt %s --privatize-atomics --split-input-file | FileCheck %s --implicit-check-not=tgpu. --implicit-check-not=tile.persistent
// RUN: tegula-opt %s --privatize-atomics --split-input-file --remarks-filter=privatize-atomics -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAY

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// The old value is needed at once.
// CHECK-LABEL: func.func @used(
// SAY: [Missed] {{.*}} Function=used | {{.*}}Reason="its old values are used", Remark="each element is changed in global memory by itself"
func.func @used(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  tile.store %p, %old : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// The load may be of what was changed, if both parameters are one array.
// CHECK-LABEL: func.func @followed_by_load(
// SAY: [Missed] {{.*}} Function=followed_by_load | {{.*}}Reason="an access follows it, which may be of the same memory", Remark="each element is changed in global memory by itself"
func.func @followed_by_load(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  %w = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  tile.store %p, %w : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// A sum and a maximum of one element depend on which comes first.
// CHECK-LABEL: func.func @other_kind(
// SAY: [Missed] {{.*}} Function=other_kind | {{.*}}Reason="another atomic op may change the same memory in another way", Remark="each element is changed in global memory by itself"
func.func @other_kind(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  %o = tile.atomic_rmw max, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// An element in one table is none in the other.
// CHECK-LABEL: func.func @other_pointer(
// SAY: [Missed] {{.*}} Function=other_pointer | {{.*}}Reason="another atomic op counts elements from another pointer", Remark="each element is changed in global memory by itself"
func.func @other_pointer(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  %r = tile.addptr %xs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %o = tile.atomic_rmw add, relaxed, gpu, %r, %one : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// The second op comes after the first one, which orders memory.
// CHECK-LABEL: func.func @two_in_order(
// SAY: [Missed] {{.*}} Function=two_in_order | {{.*}}Reason="another atomic op of the kernel may order memory", Remark="each element is changed in global memory by itself"
func.func @two_in_order(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, acq_rel, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  %o = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// Each program has its own array.
// CHECK-LABEL: func.func @own_rows(
// SAY: [Missed] {{.*}} Function=own_rows | {{.*}}Reason="its elements are counted from no pointer that all programs have in common", Remark="each element is changed in global memory by itself"
func.func @own_rows(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %id = tile.program_id x
  %row = tile.addptr %counts, %id : !tile.ptr<i32>, i32
  %cs = tile.splat %row : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// Elements with addresses of their own do not meet.
// CHECK-LABEL: func.func @apart(
// SAY: [Missed] {{.*}} Function=apart | {{.*}}Reason="neighbours have addresses of their own", Remark="each element is changed in global memory by itself"
func.func @apart(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %r = tile.addptr %cs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, gpu, %r, %one : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// The host sees each change.
// CHECK-LABEL: func.func @host(
// SAY: [Missed] {{.*}} Function=host | {{.*}}Reason="the host may watch it", Remark="each element is changed in global memory by itself"
func.func @host(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, sys, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// No table tells which of several values is the last.
// CHECK-LABEL: func.func @exchange(
// SAY: [Missed] {{.*}} Function=exchange | {{.*}}Reason="shared memory has no such operation on 32 bits", Remark="each element is changed in global memory by itself"
func.func @exchange(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw xchg, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// A barrier tells threads what others have done.
// CHECK-LABEL: func.func @barrier(
// SAY: [Missed] {{.*}} Function=barrier | {{.*}}Reason="a barrier of the kernel orders memory", Remark="each element is changed in global memory by itself"
func.func @barrier(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  tile.barrier
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// Long programs are left to the hardware to hand out.
// CHECK-LABEL: func.func @loop(
// SAY: [Missed] {{.*}} Function=loop | {{.*}}Reason="a loop makes its programs long", Remark="each element is changed in global memory by itself"
func.func @loop(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %old = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  }
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>

// Programs of one warp have no block of their own.
// CHECK-LABEL: func.func @packed(
// SAY: [Missed] {{.*}} Function=packed | {{.*}}Reason="several of its programs share a block", Remark="each element is changed in global memory by itself"
func.func @packed(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3, programs = 4>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  return
}

// -----

#l = #tile.layout<{register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = []} : [256]>
#big = #tile.layout<{register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]], lane = [[1], [2], [4], [8], [16]], warp = []} : [16384]>

// Counts take all shared memory that a block has.
// CHECK-LABEL: func.func @full(
// SAY: [Missed] {{.*}} Function=full | {{.*}}Reason="there is no room for a table next to what else is in shared memory", Remark="each element is changed in global memory by itself"
module attributes {tile.target = "sm_75"} {
func.func @full(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3>} {
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.arange 0 to 256 : tensor<256xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<i32>, #l>
  %h = tile.histogram %v : tensor<256xi32, #l> -> tensor<16384xi32, #big>
  %far = tile.arange 0 to 16384 : tensor<16384xi32, #big>
  %ys = tile.splat %x : !tile.ptr<i32> -> tensor<16384x!tile.ptr<i32>, #big>
  %y = tile.addptr %ys, %far : tensor<16384x!tile.ptr<i32>, #big>, tensor<16384xi32, #big>
  tile.store %y, %h : tensor<16384x!tile.ptr<i32>, #big>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #l>
  %q = tile.addptr %cs, %v : tensor<256x!tile.ptr<i32>, #l>, tensor<256xi32, #l>
  %old = tile.atomic_rmw add, relaxed, gpu, %q, %one : tensor<256x!tile.ptr<i32>, #l>
  return
}
}
