// The blocks of a cluster share a program's long rows.
// RUN: tegula-opt %s --spread-tensors --split-input-file | FileCheck %s
// RUN: tegula-opt %s --spread-tensors --split-input-file --remarks-filter=spread-tensors -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

module attributes {tile.target = "sm_90a"} {
  // Four blocks have 16384 elements of a row each. What they reduce their parts to comes together.
  // CHECK-LABEL: func.func @row(
  // CHECK-SAME: tile.cluster = 4 : i32
  // CHECK: %[[RANK:.*]] = tgpu.cluster_rank
  // CHECK-NEXT: tgpu.cluster_arrive
  // CHECK: %[[PART:.*]] = tile.arange 0 to 16384 : tensor<16384xi32>
  // CHECK: %[[FIRST:.*]] = arith.muli %[[RANK]], %c16384{{.*}} overflow<nsw> : i32
  // CHECK: %[[SHIFT:.*]] = tile.splat %[[FIRST]] : i32 -> tensor<16384xi32>
  // CHECK: arith.addi %[[PART]], %[[SHIFT]] overflow<nsw> : tensor<16384xi32>
  // CHECK: %[[X:.*]] = tile.load %{{.*}} : tensor<16384x!tile.ptr<f32>>
  // CHECK: %[[OWN:.*]] = tile.reduce %[[X]] axis 0 : tensor<16384xf32> -> f32
  // CHECK: tgpu.cluster_wait
  // CHECK-NEXT: %[[ALL:.*]] = tgpu.cluster_gather %[[OWN]] : (f32) -> tensor<4xf32>
  // CHECK-NEXT: %[[SUM:.*]] = tile.reduce %[[ALL]] axis 0 : tensor<4xf32> -> f32
  // CHECK: tile.splat %[[SUM]] : f32 -> tensor<16384xf32>
  // CHECK-NOT: tgpu.cluster_barrier
  // CHECK: tile.store %{{.*}} : tensor<16384x!tile.ptr<f32>>
  // The first block stores what is no row.
  // CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[RANK]], %c0
  // CHECK-NEXT: scf.if %[[IS_FIRST]] {
  // CHECK-NEXT: tile.store %arg2, %[[SUM]] : !tile.ptr<f32>
  // REMARK: [Passed] spread | Category:spread-tensors | Function=row | Blocks=4, Remark="4 blocks of a cluster share each program's rows of 65536 elements"
  func.func @row(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 16, stages = 3>} {
    %i = tile.arange 0 to 65536 : tensor<65536xi32>
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<65536x!tile.ptr<f32>>
    %p = tile.addptr %xs, %i : tensor<65536x!tile.ptr<f32>>, tensor<65536xi32>
    %v = tile.load %p : tensor<65536x!tile.ptr<f32>>
    %sum = tile.reduce %v axis 0 : tensor<65536xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %q = arith.addf %a, %b : f32
      tile.yield %q : f32
    }
    %all = tile.splat %sum : f32 -> tensor<65536xf32>
    %d = arith.divf %v, %all : tensor<65536xf32>
    %ys = tile.splat %y : !tile.ptr<f32> -> tensor<65536x!tile.ptr<f32>>
    %r = tile.addptr %ys, %i : tensor<65536x!tile.ptr<f32>>, tensor<65536xi32>
    tile.store %r, %d : tensor<65536x!tile.ptr<f32>>
    tile.store %s, %sum : !tile.ptr<f32>
    return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // Rows of half the length are left alone, unless a caller asks. Several values come together at one wait.
  // CHECK-LABEL: func.func @short(
  // CHECK-NOT: tile.cluster =
  // CHECK: return
  func.func @short(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<i32> {tile.param = #tile.param<"y", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    %i = tile.arange 0 to 32768 : tensor<32768xi32>
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32768x!tile.ptr<f32>>
    %p = tile.addptr %xs, %i : tensor<32768x!tile.ptr<f32>>, tensor<32768xi32>
    %v = tile.load %p : tensor<32768x!tile.ptr<f32>>
    %m:2 = tile.reduce %v, %i axis 0 : tensor<32768xf32>, tensor<32768xi32> -> f32, i32 {
    ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
      %q = arith.cmpf ogt, %a, %b : f32
      %c = arith.select %q, %a, %b : f32
      %d = arith.select %q, %ai, %bi : i32
      tile.yield %c, %d : f32, i32
    }
    tile.store %y, %m#1 : !tile.ptr<i32>
    return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // CHECK-LABEL: func.func @asked(
  // CHECK-SAME: tile.cluster = 4 : i32
  // CHECK-NOT: tile.num_ctas
  // CHECK: %[[OWN:.*]]:2 = tile.reduce %{{.*}}, %{{.*}} axis 0 : tensor<256xf32>, tensor<256xi32> -> f32, i32
  // CHECK: tgpu.cluster_gather %[[OWN]]#0, %[[OWN]]#1 : (f32, i32) -> (tensor<4xf32>, tensor<4xi32>)
  // REMARK: [Passed] spread | {{.*}}Function=asked | Blocks=4
  func.func @asked(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<i32> {tile.param = #tile.param<"y", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.num_ctas = 4 : i32} {
    %i = tile.arange 0 to 1024 : tensor<1024xi32>
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
    %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %m:2 = tile.reduce %v, %i axis 0 : tensor<1024xf32>, tensor<1024xi32> -> f32, i32 {
    ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
      %q = arith.cmpf ogt, %a, %b : f32
      %c = arith.select %q, %a, %b : f32
      %d = arith.select %q, %ai, %bi : i32
      tile.yield %c, %d : f32, i32
    }
    tile.store %y, %m#1 : !tile.ptr<i32>
    return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // A loop over rows in place: the next row may be loaded once all blocks have stored theirs. One gather in an iteration
  // is not enough for its own sake either.
  // CHECK-LABEL: func.func @in_place(
  // CHECK: tgpu.cluster_wait
  // CHECK-NEXT: scf.for
  // CHECK: tile.load
  // CHECK: tgpu.cluster_gather
  // CHECK: tile.store
  // CHECK-NEXT: tgpu.cluster_barrier
  // CHECK-NEXT: }
  func.func @in_place(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %n: i32 {tile.param = #tile.param<"n", "i32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.num_ctas = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %i = tile.arange 0 to 1024 : tensor<1024xi32>
    scf.for %row = %c0 to %n step %c1 : i32 {
      %at = tile.addptr %x, %row : !tile.ptr<f32>, i32
      %xs = tile.splat %at : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
      %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
      %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
      %sum = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 {
      ^bb0(%a: f32, %b: f32):
        %q = arith.addf %a, %b : f32
        tile.yield %q : f32
      }
      %all = tile.splat %sum : f32 -> tensor<1024xf32>
      %d = arith.divf %v, %all : tensor<1024xf32>
      tile.store %p, %d : tensor<1024x!tile.ptr<f32>>
    }
    return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // Neighbours are loaded before one of them is stored: by then all blocks have loaded theirs.
  // CHECK-LABEL: func.func @neighbours(
  // CHECK: tgpu.cluster_gather
  // CHECK: tile.load
  // CHECK: tgpu.cluster_barrier
  // CHECK-NEXT: tile.store
  func.func @neighbours(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.num_ctas = 2 : i32} {
    %c1 = arith.constant dense<1> : tensor<1024xi32>
    %i = tile.arange 0 to 1024 : tensor<1024xi32>
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
    %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
    %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %sum = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %q = arith.addf %a, %b : f32
      tile.yield %q : f32
    }
    %all = tile.splat %sum : f32 -> tensor<1024xf32>
    %next = arith.addi %i, %c1 : tensor<1024xi32>
    %pn = tile.addptr %ys, %next : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %vn = tile.load %pn : tensor<1024x!tile.ptr<f32>>
    %d = arith.divf %vn, %all : tensor<1024xf32>
    %py = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    tile.store %py, %d : tensor<1024x!tile.ptr<f32>>
    return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // CHECK-LABEL: func.func @scan(
  // CHECK-NOT: tile.cluster =
  // REMARK: [Missed] spread | {{.*}}Function=scan | {{.*}}it takes whole rows
  func.func @scan(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.num_ctas = 2 : i32} {
    %i = tile.arange 0 to 1024 : tensor<1024xi32>
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
    %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    %sum = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %q = arith.addf %a, %b : f32
      tile.yield %q : f32
    }
    %sums = tile.scan %v axis 0 : tensor<1024xf32> -> tensor<1024xf32> {
    ^bb0(%a: f32, %b: f32):
      %q = arith.addf %a, %b : f32
      tile.yield %q : f32
    }
    tile.store %p, %sums : tensor<1024x!tile.ptr<f32>>
    return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // CHECK-LABEL: func.func @counts(
  // CHECK-NOT: tile.cluster =
  // REMARK: [Missed] spread | {{.*}}Function=counts | {{.*}}every block of the cluster would do it
  func.func @counts(%x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.num_ctas = 2 : i32} {
    %i = tile.arange 0 to 1024 : tensor<1024xi32>
    %sum = tile.reduce %i axis 0 : tensor<1024xi32> -> i32 {
    ^bb0(%a: i32, %b: i32):
      %q = arith.addi %a, %b : i32
      tile.yield %q : i32
    }
    %old = tile.atomic_rmw add, relaxed, gpu, %x, %sum : !tile.ptr<i32>
    return
  }
}

// -----

// Clusters are of sm_90 and up, and one may do without.
module attributes {tile.target = "sm_80"} {
  // CHECK-LABEL: func.func @older(
  // CHECK-NOT: tile.cluster =
  func.func @older(%y: !tile.ptr<i32> {tile.param = #tile.param<"y", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.num_ctas = 2 : i32} {
    %i = tile.arange 0 to 65536 : tensor<65536xi32>
    %sum = tile.reduce %i axis 0 : tensor<65536xi32> -> i32 {
    ^bb0(%a: i32, %b: i32):
      %q = arith.addi %a, %b : i32
      tile.yield %q : i32
    }
    tile.store %y, %sum : !tile.ptr<i32>
    return
  }
}

// -----

module attributes {tile.target = "sm_90a", tile.without = ["spread"]} {
  // CHECK-LABEL: func.func @without(
  // CHECK-NOT: tile.cluster =
  func.func @without(%y: !tile.ptr<i32> {tile.param = #tile.param<"y", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.num_ctas = 2 : i32} {
    %i = tile.arange 0 to 65536 : tensor<65536xi32>
    %sum = tile.reduce %i axis 0 : tensor<65536xi32> -> i32 {
    ^bb0(%a: i32, %b: i32):
      %q = arith.addi %a, %b : i32
      tile.yield %q : i32
    }
    tile.store %y, %sum : !tile.ptr<i32>
    return
  }
}

// -----

module attributes {tile.target = "sm_90a"} {
  // CHECK-LABEL: func.func @no_rows(
  // CHECK-NOT: tile.cluster =
  // REMARK: [Missed] spread | {{.*}}Function=no_rows | Reason="it reduces nothing", Remark="the blocks of a cluster do not share rows"
  func.func @no_rows(%y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>}, %v: f32 {tile.param = #tile.param<"v", "fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>, tile.num_ctas = 2 : i32} {
    tile.store %y, %v : !tile.ptr<f32>
    return
  }
}
