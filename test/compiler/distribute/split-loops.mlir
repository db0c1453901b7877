// The blocks of a cluster share out a loop that adds up products, in kernels that ask for it.
// RUN: tegula-opt %s --split-loops | FileCheck %s
// RUN: tegula-opt %s --split-loops --remarks-filter=split-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

module attributes {tile.target = "sm_90a"} {

// Counted by steps of 32 up to an argument, which need not be a multiple: the last block ends where the loop did.
// Pointers begin at the block's first iteration, and what is behind the loop is left to the first block.
// REMARK: [Passed] split | Category:split-loops | Function=steps | Remark="the blocks of a cluster share out this loop"
// CHECK-LABEL: func.func @steps
// CHECK-NOT: tile.split_k
// CHECK-SAME: tile.splits = {blocks = 8 : i32, independent, size = 1 : i32, step = 32 : i32}
// CHECK: %[[STEP:.*]] = arith.muli %{{.*}}, %[[ROW:.*]] : i32
// CHECK: tile.splat %[[STEP]]
// CHECK: %[[RANK:.*]] = tgpu.cluster_rank
// CHECK: %[[SIZE:.*]] = tgpu.cluster_size
// CHECK: %[[SPAN:.*]] = arith.maxsi %[[K:.*]], %{{.*}} : i32
// CHECK: %[[UP:.*]] = arith.addi %[[SPAN]], %{{.*}} : i32
// CHECK: %[[COUNT:.*]] = arith.divui %[[UP]], %{{.*}} : i32
// CHECK: %[[EACH:.*]] = arith.divui %{{.*}}, %[[SIZE]] : i32
// CHECK: %[[AT:.*]] = arith.muli %[[RANK]], %[[EACH]] : i32
// CHECK: %[[BEGIN:.*]] = arith.minui %[[AT]], %[[COUNT]] : i32
// CHECK: %[[END:.*]] = arith.minui %{{.*}}, %[[COUNT]] : i32
// CHECK: %[[WHOLE:.*]] = arith.muli %[[END]], %{{.*}} : i32
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[END]], %[[COUNT]] : i32
// CHECK: %[[UPPER:.*]] = arith.select %[[LAST]], %[[K]], %[[WHOLE]] : i32
// CHECK: %[[WIDE:.*]] = arith.extsi %[[BEGIN]] : i32 to i64
// CHECK: %[[WIDE_STEP:.*]] = arith.extsi %[[STEP]] : i32 to i64
// CHECK: %[[DISTANCE:.*]] = arith.muli %[[WIDE_STEP]], %[[WIDE]] : i64
// CHECK: %[[DISTANCES:.*]] = tile.splat %[[DISTANCE]]
// CHECK: %[[MOVED:.*]] = tile.addptr %{{.*}}, %[[DISTANCES]] : tensor<16x32x!tile.ptr<f16>>, tensor<16x32xi64>
// CHECK: %[[LOWER:.*]] = arith.muli %[[BEGIN]], %{{.*}} : i32
// CHECK: %[[LOOP:.*]]:2 = scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %{{.*}} iter_args(%{{.*}} = %[[MOVED]],
// CHECK: %[[SUM:.*]] = tgpu.cluster_sum %[[LOOP]]#1 : tensor<16x16xf32>
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]], %{{.*}} : i32
// CHECK: scf.if %[[FIRST]] {
// CHECK: tile.store %{{.*}}, %[[SUM]]
// CHECK: return
func.func @steps(%a: tensor<16x32x!tile.ptr<f16>>, %k: i32, %row: i32, %b: tensor<32x16xf16>, %c: tensor<16x16x!tile.ptr<f32>>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %loop:2 = scf.for %i = %c0 to %k step %c32 iter_args(%p = %a, %sum = %zero) -> (tensor<16x32x!tile.ptr<f16>>, tensor<16x16xf32>) : i32 {
    %x = tile.load %p : tensor<16x32x!tile.ptr<f16>>
    %next = tile.dot %x, %b, %sum : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    %step = arith.muli %row, %c32 : i32
    %steps = tile.splat %step : i32 -> tensor<16x32xi32>
    %q = tile.addptr %p, %steps : tensor<16x32x!tile.ptr<f16>>, tensor<16x32xi32>
    scf.yield %q, %next : tensor<16x32x!tile.ptr<f16>>, tensor<16x16xf32>
  }
  tile.store %c, %loop#1 : tensor<16x16x!tile.ptr<f32>>
  return
}

// Counted one by one up to an argument divided by 32, rounded up, with two sums, of which one is used, and a number that
// goes on.
// CHECK-LABEL: func.func @quotient
// CHECK-SAME: tile.splits = {blocks = 8 : i32, independent, size = 0 : i32, step = 32 : i32}
// CHECK: %[[BEGIN:.*]] = arith.minui
// CHECK: %[[END:.*]] = arith.minui
// CHECK: %[[MOVED:.*]] = arith.muli %{{.*}}, %[[BEGIN]] : i32
// CHECK: %[[NUMBER:.*]] = arith.addi %{{.*}}, %[[MOVED]] : i32
// CHECK: %[[LOOP:.*]]:3 = scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %{{.*}} iter_args(%{{.*}} = %[[NUMBER]],
// CHECK: tgpu.cluster_sum %[[LOOP]]#1 : tensor<16x16xf32>
// CHECK: tgpu.cluster_sum %[[LOOP]]#2 : tensor<16x16xf32>
func.func @quotient(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16x!tile.ptr<f32>>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %up = arith.addi %k, %c31 : i32
  %trips = arith.divsi %up, %c32 : i32
  %loop:3 = scf.for %i = %c0 to %trips step %c1 iter_args(%n = %c7, %s = %zero, %t = %zero) -> (i32, tensor<16x16xf32>, tensor<16x16xf32>) : i32 {
    %half = arith.sitofp %n : i32 to f16
    %halves = tile.splat %half : f16 -> tensor<32x16xf16>
    %first = tile.dot %x, %halves, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    %second = tile.dot %x, %b, %t : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    %next = arith.addi %n, %c7 : i32
    scf.yield %next, %first, %second : i32, tensor<16x16xf32>, tensor<16x16xf32>
  }
  tile.store %c, %loop#1 : tensor<16x16x!tile.ptr<f32>>
  return
}

// Who does not ask is told that it could.
// CHECK-LABEL: func.func @could
// CHECK-SAME: tile.splits = {independent, size = 4096 : i64, step = 64 : i32}
// CHECK-NOT: tgpu
// CHECK: return
func.func @could(%x: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16x!tile.ptr<f32>>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %k = arith.constant 4096 : i32
  %sums = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  tile.store %c, %sums : tensor<16x16x!tile.ptr<f32>>
  return
}

// Programs that ask how many they are, or use atomics, are not independent.
// CHECK-LABEL: func.func @counting
// CHECK-SAME: tile.splits = {size = 4096 : i64, step = 64 : i32}
// CHECK-LABEL: func.func @adding
// CHECK-SAME: tile.splits = {size = 4096 : i64, step = 64 : i32}
func.func @counting(%x: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: !tile.ptr<i32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %k = arith.constant 4096 : i32
  %sums = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  %n = tile.num_programs x
  tile.store %c, %n : !tile.ptr<i32>
  return
}
func.func @adding(%x: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: !tile.ptr<i32>) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %k = arith.constant 4096 : i32
  %sums = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  %old = tile.atomic_rmw add, relaxed, gpu, %c, %c64 : !tile.ptr<i32>
  return
}

// CHECK-LABEL: func.func @no_loop
// CHECK-NOT: tile.split
// REMARK: [Missed] split | Category:split-loops | Function=no_loop | Reason="it has no loop of products outside of other loops and branches", Remark="the blocks of a cluster do not share a loop"
func.func @no_loop(%x: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16x!tile.ptr<f32>>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %next = tile.dot %x, %b, %zero : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
  tile.store %c, %next : tensor<16x16x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: func.func @from_one
// CHECK-NOT: tile.split
// REMARK: Reason="it does not count from 0 by a number that is known"
func.func @from_one(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c1 = arith.constant 1 : i32
  %sums = scf.for %i = %c1 to %k step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  return
}

// REMARK: Reason="it counts with more than 32 bits"
func.func @wide(%k: i64, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %sums = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i64 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  return
}

// A quotient that is rounded down, or by another number than was added for that, is no number of iterations that a launch
// computes.
// REMARK: Reason="a launch does not know how often it runs"
// REMARK: Reason="a launch does not know how often it runs"
func.func @down(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %trips = arith.divsi %k, %c32 : i32
  %sums = scf.for %i = %c0 to %trips step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  return
}
func.func @other(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %up = arith.addi %k, %c32 : i32
  %trips = arith.divsi %up, %c32 : i32
  %sums = scf.for %i = %c0 to %trips step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  return
}

// Sums that begin as something would count it once for each block.
// REMARK: Reason="an iteration takes more from the one before than sums and steps"
func.func @begun(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %one = arith.constant dense<1.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sums = scf.for %i = %c0 to %k step %c1 iter_args(%s = %one) -> (tensor<16x16xf32>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  return
}

// REMARK: Reason="it does not add up products from zero on"
func.func @no_sum(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>, %zero: tensor<16x16xf32>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %k step %c1 : i32 {
    %next = tile.dot %x, %b, %zero : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield
  }
  return
}

// REMARK: Reason="its sums have fewer bits than f32"
func.func @halves(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sums = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (tensor<16x16xf16>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf16>
    scf.yield %next : tensor<16x16xf16>
  }
  return
}

// REMARK: Reason="what it counts is used behind it"
func.func @count(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: !tile.ptr<i32>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %loop:2 = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero, %n = %c0) -> (tensor<16x16xf32>, i32) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    %more = arith.addi %n, %c1 : i32
    scf.yield %next, %more : tensor<16x16xf32>, i32
  }
  tile.store %c, %loop#1 : !tile.ptr<i32>
  return
}

// A step that is another one each time, and a sum that an iteration also reads.
// REMARK: Reason="an iteration takes more from the one before than sums and steps"
// REMARK: Reason="an iteration takes more from the one before than sums and steps"
func.func @growing(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %loop:2 = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero, %n = %c0) -> (tensor<16x16xf32>, i32) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    %more = arith.addi %n, %i : i32
    scf.yield %next, %more : tensor<16x16xf32>, i32
  }
  return
}
func.func @scaled(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sums = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %half = arith.addf %s, %s : tensor<16x16xf32>
    %next = tile.dot %x, %b, %half : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  return
}

// What is stored before the loop, or in it, would be stored by every block.
// REMARK: Reason="it would be done by every block of the cluster"
// REMARK: Reason="it would be done by every block of the cluster"
func.func @before(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: !tile.ptr<i32>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile.store %c, %k : !tile.ptr<i32>
  %sums = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  return
}
func.func @inside(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: !tile.ptr<i32>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sums = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    %old = tile.atomic_rmw add, relaxed, gpu, %c, %c1 : !tile.ptr<i32>
    scf.yield %next : tensor<16x16xf32>
  }
  return
}

// REMARK: Reason="several of its programs share a block"
func.func @packed(%k: i32, %x: tensor<16x32xf16>, %b: tensor<32x16xf16>) attributes {tile.split_k, tile.kernel = #tile.kernel<warps = 1, stages = 3, programs = 4>} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sums = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tile.dot %x, %b, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  return
}

}
