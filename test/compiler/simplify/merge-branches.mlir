// RUN: tegula-opt %s -merge-branches -canonicalize | FileCheck %s
// RUN: tegula-opt %s -merge-branches --remarks-filter=merge-branches 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// REMARK-COUNT-4: Remark="3 branches do the same with other values, and share their code"
// REMARK-NOT: share

// Three arrays of other sizes: the choice yields what differs, the code is there once. What a scalar is computed
// of differs as a whole where one branch computes it in another way. A number below bounds that grow is looked for
// by halves.
// CHECK-LABEL: @three
// CHECK: %[[PID:.*]] = tile.program_id x
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[PID]], %c2_i32
// CHECK: %[[SECOND:.*]] = arith.cmpi slt, %[[PID]], %c3_i32
// CHECK: %[[THIRD:.*]] = arith.cmpi slt, %[[PID]], %c5_i32
// CHECK: %[[CHOICE:.*]]:4 = scf.if %[[SECOND]] -> (i32, i32, !tile.ptr<f32>, i32) {
// CHECK-DAG: %[[SIZE:.*]] = arith.select %[[FIRST]], %c128_i32, %c64_i32
// CHECK-DAG: %[[ARRAY:.*]] = arith.select %[[FIRST]], %arg0, %arg1
// CHECK: arith.subi %[[PID]], %c2_i32
// CHECK: scf.yield %c0_i32, %[[SIZE]], %[[ARRAY]]
// CHECK: arith.select %[[THIRD]], %c192_i32, %c128_i32
// CHECK: arith.subi %[[PID]], %c3_i32
// CHECK: %[[IS_IT:.*]] = arith.cmpi eq, %[[CHOICE]]#0, %c0_i32
// CHECK-NEXT: scf.if %[[IS_IT]] {
// CHECK-DAG: %[[SIZES:.*]] = tile.splat %[[CHOICE]]#1
// CHECK-DAG: arith.muli %[[CHOICE]]#3, %c64_i32
// CHECK: arith.cmpi slt, %{{.*}}, %[[SIZES]]
// CHECK: tile.splat %[[CHOICE]]#2
// CHECK: tile.load
// CHECK: tile.store
// CHECK-NOT: tile.store
// CHECK: return
func.func @three(%a: !tile.ptr<f32> {tile.param = #tile.param<"a", "*fp32", 16>},
                 %b: !tile.ptr<f32> {tile.param = #tile.param<"b", "*fp32", 16>},
                 %c: !tile.ptr<f32> {tile.param = #tile.param<"c", "*fp32", 16>})
    attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c64 = arith.constant 64 : i32
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %of_a = arith.constant dense<128> : tensor<64xi32>
  %of_b = arith.constant dense<64> : tensor<64xi32>
  %of_c = arith.constant dense<192> : tensor<64xi32>
  %pid = tile.program_id x
  %first = arith.cmpi slt, %pid, %c2 : i32
  scf.if %first {
    %start = arith.muli %pid, %c64 : i32
    %starts = tile.splat %start : i32 -> tensor<64xi32>
    %range = tile.arange 0 to 64 : tensor<64xi32>
    %i = arith.addi %starts, %range : tensor<64xi32>
    %m = arith.cmpi slt, %i, %of_a : tensor<64xi32>
    %base = tile.splat %a : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %p = tile.addptr %base, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %x = tile.load %p, %m : tensor<64x!tile.ptr<f32>>
    %y = arith.addf %x, %one : tensor<64xf32>
    tile.store %p, %y, %m : tensor<64x!tile.ptr<f32>>
  } else {
    %second = arith.cmpi slt, %pid, %c3 : i32
    scf.if %second {
      %of = arith.subi %pid, %c2 : i32
      %start = arith.muli %of, %c64 : i32
      %starts = tile.splat %start : i32 -> tensor<64xi32>
      %range = tile.arange 0 to 64 : tensor<64xi32>
      %i = arith.addi %starts, %range : tensor<64xi32>
      %m = arith.cmpi slt, %i, %of_b : tensor<64xi32>
      %base = tile.splat %b : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %p = tile.addptr %base, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %x = tile.load %p, %m : tensor<64x!tile.ptr<f32>>
      %y = arith.addf %x, %one : tensor<64xf32>
      tile.store %p, %y, %m : tensor<64x!tile.ptr<f32>>
    } else {
      %third = arith.cmpi slt, %pid, %c5 : i32
      scf.if %third {
        %of = arith.subi %pid, %c3 : i32
        %start = arith.muli %of, %c64 : i32
        %starts = tile.splat %start : i32 -> tensor<64xi32>
        %range = tile.arange 0 to 64 : tensor<64xi32>
        %i = arith.addi %starts, %range : tensor<64xi32>
        %m = arith.cmpi slt, %i, %of_c : tensor<64xi32>
        %base = tile.splat %c : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
        %p = tile.addptr %base, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
        %x = tile.load %p, %m : tensor<64x!tile.ptr<f32>>
        %y = arith.addf %x, %one : tensor<64xf32>
        tile.store %p, %y, %m : tensor<64x!tile.ptr<f32>>
      }
    }
  }
  return
}

// Scalars too; a fourth branch that does something else keeps its code, and is chosen by a number of its own.
// CHECK-LABEL: @one_is_other
// CHECK: %[[CHOICE:.*]]:2 = scf.if
// CHECK: arith.select %{{.*}}, %arg2, %arg3
// CHECK: arith.cmpi eq, %[[CHOICE]]#0, %c0_i32
// CHECK: tile.load %[[CHOICE]]#1
// CHECK: tile.store %[[CHOICE]]#1
// CHECK: arith.cmpi eq, %[[CHOICE]]#0, %c1_i32
// CHECK: tile.load %arg1
// CHECK: tile.store %arg1
// CHECK-NOT: tile.store
// CHECK: return
func.func @one_is_other(%a: !tile.ptr<f32>  {tile.param = #tile.param<"a", "*fp32", 16>},
                        %b: !tile.ptr<f32> {tile.param = #tile.param<"b", "*fp32", 16>},
                        %c: !tile.ptr<f32> {tile.param = #tile.param<"c", "*fp32", 16>},
                        %d: !tile.ptr<f32> {tile.param = #tile.param<"d", "*fp32", 16>})
    attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %two = arith.constant 2.0 : f32
  %pid = tile.program_id x
  %is0 = arith.cmpi slt, %pid, %c1 : i32
  scf.if %is0 {
    %x = tile.load %a : !tile.ptr<f32>
    %y = arith.addf %x, %two : f32
    %z = arith.addf %y, %x : f32
    %w = math.sqrt %z : f32
    tile.store %a, %w : !tile.ptr<f32>
  } else {
    %is1 = arith.cmpi slt, %pid, %c2 : i32
    scf.if %is1 {
      %x = tile.load %b : !tile.ptr<f32>
      %y = arith.mulf %x, %two : f32
      tile.store %b, %y : !tile.ptr<f32>
    } else {
      %is2 = arith.cmpi slt, %pid, %c3 : i32
      scf.if %is2 {
        %x = tile.load %c : !tile.ptr<f32>
        %y = arith.addf %x, %two : f32
        %z = arith.addf %y, %x : f32
        %w = math.sqrt %z : f32
        tile.store %c, %w : !tile.ptr<f32>
      } else {
        %x = tile.load %d : !tile.ptr<f32>
        %y = arith.addf %x, %two : f32
        %z = arith.addf %y, %x : f32
        %w = math.sqrt %z : f32
        tile.store %d, %w : !tile.ptr<f32>
      }
    }
  }
  return
}

// Two alike of three are not worth a second choice.
// CHECK-LABEL: @two_alike
// CHECK-NOT: arith.cmpi eq
// CHECK-COUNT-3: tile.store
// CHECK: return
func.func @two_alike(%a: !tile.ptr<f32>  {tile.param = #tile.param<"a", "*fp32", 16>},
                     %b: !tile.ptr<f32> {tile.param = #tile.param<"b", "*fp32", 16>},
                     %c: !tile.ptr<f32> {tile.param = #tile.param<"c", "*fp32", 16>})
    attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %two = arith.constant 2.0 : f32
  %pid = tile.program_id x
  %is0 = arith.cmpi slt, %pid, %c1 : i32
  scf.if %is0 {
    %x = tile.load %a : !tile.ptr<f32>
    %y = arith.addf %x, %two : f32
    %z = arith.addf %y, %x : f32
    %w = math.sqrt %z : f32
    tile.store %a, %w : !tile.ptr<f32>
  } else {
    %is1 = arith.cmpi slt, %pid, %c2 : i32
    scf.if %is1 {
      %x = tile.load %b : !tile.ptr<f32>
      %y = arith.mulf %x, %two : f32
      tile.store %b, %y : !tile.ptr<f32>
    } else {
      %x = tile.load %c : !tile.ptr<f32>
      %y = arith.addf %x, %two : f32
      %z = arith.addf %y, %x : f32
      %w = math.sqrt %z : f32
      tile.store %c, %w : !tile.ptr<f32>
    }
  }
  return
}

// Left as they are: pointers of other alignment, divisors that would no longer be known, prints.
// CHECK-LABEL: @different
// CHECK-COUNT-3: arith.divsi
// CHECK: return
func.func @different(%a: !tile.ptr<i32> {tile.param = #tile.param<"a", "*i32", 16>},
                     %b: !tile.ptr<i32> {tile.param = #tile.param<"b", "*i32", 16>},
                     %c: !tile.ptr<i32> {tile.param = #tile.param<"c", "*i32", 4>})
    attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %three = arith.constant dense<3> : tensor<64xi32>
  %five = arith.constant dense<5> : tensor<64xi32>
  %pid = tile.program_id x
  %range = tile.arange 0 to 64 : tensor<64xi32>
  %is0 = arith.cmpi slt, %pid, %c1 : i32
  scf.if %is0 {
    %base = tile.splat %a : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
    %p = tile.addptr %base, %range : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
    %x = tile.load %p : tensor<64x!tile.ptr<i32>>
    %y = arith.divsi %x, %three : tensor<64xi32>
    %z = arith.addi %y, %x : tensor<64xi32>
    tile.store %p, %z : tensor<64x!tile.ptr<i32>>
  } else {
    %is1 = arith.cmpi slt, %pid, %c2 : i32
    scf.if %is1 {
      %base = tile.splat %b : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
      %p = tile.addptr %base, %range : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
      %x = tile.load %p : tensor<64x!tile.ptr<i32>>
      %y = arith.divsi %x, %five : tensor<64xi32>
      %z = arith.addi %y, %x : tensor<64xi32>
      tile.store %p, %z : tensor<64x!tile.ptr<i32>>
    } else {
      %base = tile.splat %c : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
      %p = tile.addptr %base, %range : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
      %x = tile.load %p : tensor<64x!tile.ptr<i32>>
      %y = arith.divsi %x, %three : tensor<64xi32>
      %z = arith.addi %y, %x : tensor<64xi32>
      tile.store %p, %z : tensor<64x!tile.ptr<i32>>
    }
  }
  return
}

// Conditions that do not grow are asked in their order.
// CHECK-LABEL: @unordered
// CHECK: %[[A:.*]] = arith.cmpi slt, %{{.*}}, %c2_i32
// CHECK: %[[B:.*]] = arith.cmpi eq, %{{.*}}, %c3_i32
// CHECK: scf.if %[[A]] -> (!tile.ptr<f32>) {
// CHECK-NEXT: scf.yield %arg0
func.func @unordered(%a: !tile.ptr<f32>  {tile.param = #tile.param<"a", "*fp32", 16>},
                     %b: !tile.ptr<f32> {tile.param = #tile.param<"b", "*fp32", 16>},
                     %c: !tile.ptr<f32> {tile.param = #tile.param<"c", "*fp32", 16>})
    attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %two = arith.constant 2.0 : f32
  %pid = tile.program_id x
  %is0 = arith.cmpi slt, %pid, %c2 : i32
  scf.if %is0 {
    %x = tile.load %a : !tile.ptr<f32>
    %y = arith.addf %x, %two : f32
    %z = arith.addf %y, %x : f32
    %w = math.sqrt %z : f32
    tile.store %a, %w : !tile.ptr<f32>
  } else {
    %is1 = arith.cmpi eq, %pid, %c3 : i32
    scf.if %is1 {
      %x = tile.load %b : !tile.ptr<f32>
      %y = arith.addf %x, %two : f32
      %z = arith.addf %y, %x : f32
      %w = math.sqrt %z : f32
      tile.store %b, %w : !tile.ptr<f32>
    } else {
      %x = tile.load %c : !tile.ptr<f32>
      %y = arith.addf %x, %two : f32
      %z = arith.addf %y, %x : f32
      %w = math.sqrt %z : f32
      tile.store %c, %w : !tile.ptr<f32>
    }
  }
  return
}

// An array without elements is like the others: zero is divisible by whatever their sizes are.
// CHECK-LABEL: @one_is_empty
// CHECK: arith.select %{{.*}}, %c128_i32, %c0_i32
// CHECK: tile.store
// CHECK-NOT: tile.store
// CHECK: return
func.func @one_is_empty(%a: !tile.ptr<f32> {tile.param = #tile.param<"a", "*fp32", 16>},
                        %b: !tile.ptr<f32> {tile.param = #tile.param<"b", "*fp32", 16>},
                        %c: !tile.ptr<f32> {tile.param = #tile.param<"c", "*fp32", 16>})
    attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %of_a = arith.constant dense<128> : tensor<64xi32>
  %of_b = arith.constant dense<0> : tensor<64xi32>
  %of_c = arith.constant dense<192> : tensor<64xi32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  %pid = tile.program_id x
  %first = arith.cmpi slt, %pid, %c2 : i32
  scf.if %first {
    %m = arith.cmpi slt, %i, %of_a : tensor<64xi32>
    %base = tile.splat %a : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %p = tile.addptr %base, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %x = tile.load %p, %m : tensor<64x!tile.ptr<f32>>
    %y = arith.addf %x, %x : tensor<64xf32>
    tile.store %p, %y, %m : tensor<64x!tile.ptr<f32>>
  } else {
    %second = arith.cmpi slt, %pid, %c3 : i32
    scf.if %second {
      %m = arith.cmpi slt, %i, %of_b : tensor<64xi32>
      %base = tile.splat %b : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %p = tile.addptr %base, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %x = tile.load %p, %m : tensor<64x!tile.ptr<f32>>
      %y = arith.addf %x, %x : tensor<64xf32>
      tile.store %p, %y, %m : tensor<64x!tile.ptr<f32>>
    } else {
      %m = arith.cmpi slt, %i, %of_c : tensor<64xi32>
      %base = tile.splat %c : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
      %p = tile.addptr %base, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %x = tile.load %p, %m : tensor<64x!tile.ptr<f32>>
      %y = arith.addf %x, %x : tensor<64xf32>
      tile.store %p, %y, %m : tensor<64x!tile.ptr<f32>>
    }
  }
  return
}
