// Programs with little work share a block, one warp each.
// RUN: tegula-opt %s --pack-programs | FileCheck %s
// RUN: tegula-opt %s --pack-programs --remarks-filter=pack-programs -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: sed -e '1i module attributes {tile.without = ["packing"]} {' -e '$a }' %s | tegula-opt --pack-programs | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: programs =
// WITHOUT: @longer
// WITHOUT-SAME: #tile.kernel<warps = 4, stages = 3>
// WITHOUT-NOT: programs =

// The sum of 512 elements would cross four warps.
// CHECK-LABEL: @row
// CHECK-SAME: #tile.kernel<warps = 1, stages = 3, programs = 4>
// REMARK: [Passed] pack | Category:pack-programs | Function=row | Programs=4, Remark="4 programs of one warp share a block"
func.func @row(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  %c = tile.arange 0 to 512 : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %v = tile.load %p : tensor<512x!tile.ptr<f32>>
  %m = tile.reduce %v axis 0 : tensor<512xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tile.yield %q : f32
  }
  %sp = tile.addptr %s, %pid : !tile.ptr<f32>, i32
  tile.store %sp, %m : !tile.ptr<f32>
  return
}

// Twice as much to move: half as many programs.
// CHECK-LABEL: @twice
// CHECK-SAME: #tile.kernel<warps = 1, stages = 3, programs = 2>
// REMARK: [Passed] pack | Category:pack-programs | Function=twice | Programs=2, Remark="2 programs of one warp share a block"
func.func @twice(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  %c = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %m = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tile.yield %q : f32
  }
  %sp = tile.addptr %s, %pid : !tile.ptr<f32>, i32
  tile.store %sp, %m : !tile.ptr<f32>
  return
}

// And twice that: two warps of the four.
// CHECK-LABEL: @longer
// CHECK-SAME: #tile.kernel<warps = 2, stages = 3>
// REMARK: [Passed] pack | Category:pack-programs | Function=longer | Remark="2 warps run one program instead of 4", Warps=2
func.func @longer(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  %c = tile.arange 0 to 2048 : tensor<2048xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %v = tile.load %p : tensor<2048x!tile.ptr<f32>>
  %m = tile.reduce %v axis 0 : tensor<2048xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tile.yield %q : f32
  }
  %sp = tile.addptr %s, %pid : !tile.ptr<f32>, i32
  tile.store %sp, %m : !tile.ptr<f32>
  return
}

// 128 elements for eight warps: most of them would have none.
// CHECK-LABEL: @idle
// CHECK-SAME: #tile.kernel<warps = 1, stages = 3, programs = 4>
func.func @idle(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
  %pid = tile.program_id x
  %xp = tile.addptr %x, %pid : !tile.ptr<f32>, i32
  %c = tile.arange 0 to 128 : tensor<128xi32>
  %xs = tile.splat %xp : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %p : tensor<128x!tile.ptr<f32>>
  tile.store %p, %v : tensor<128x!tile.ptr<f32>>
  return
}

// Enough work, and nothing crosses warps: no word about it.
// CHECK-LABEL: @busy
// CHECK-SAME: #tile.kernel<warps = 4, stages = 3>
// REMARK-NOT: Function=busy
func.func @busy(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  %xp = tile.addptr %x, %pid : !tile.ptr<f32>, i32
  %c = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %xp : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  tile.store %p, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @large
// CHECK-SAME: #tile.kernel<warps = 4, stages = 3>
// REMARK: [Missed] pack | Category:pack-programs | Function=large | Reason="its largest tensor keeps the warps busy", Remark="4 warps run one program"
func.func @large(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  %c = tile.arange 0 to 4096 : tensor<4096xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>>
  %p = tile.addptr %xs, %c : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v = tile.load %p : tensor<4096x!tile.ptr<f32>>
  %m = tile.reduce %v axis 0 : tensor<4096xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tile.yield %q : f32
  }
  tile.store %x, %m : !tile.ptr<f32>
  return
}

// Half of it in 16 bits is short enough.
// CHECK-LABEL: @narrow
// CHECK-SAME: #tile.kernel<warps = 2, stages = 3>
func.func @narrow(%x: !tile.ptr<bf16> {tile.param = #tile.param<"x", "*bf16", 16>}, %s: !tile.ptr<f32> {tile.param = #tile.param<"s", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  %c = tile.arange 0 to 2048 : tensor<2048xi32>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<2048x!tile.ptr<bf16>>
  %p = tile.addptr %xs, %c : tensor<2048x!tile.ptr<bf16>>, tensor<2048xi32>
  %v = tile.load %p : tensor<2048x!tile.ptr<bf16>>
  %w = arith.extf %v : tensor<2048xbf16> to tensor<2048xf32>
  %m = tile.reduce %w axis 0 : tensor<2048xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tile.yield %q : f32
  }
  %sp = tile.addptr %s, %pid : !tile.ptr<f32>, i32
  tile.store %sp, %m : !tile.ptr<f32>
  return
}

// REMARK: Function=alone | Reason="its programs do not differ along the grid's first axis"
func.func @alone(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id y
  %c = tile.arange 0 to 64 : tensor<64xi32>
  tile.print "c" [true] values(%c : tensor<64xi32>)
  return
}

// REMARK: Function=persistent | Line=[[#@LINE+3]], Reason="it asks how many programs there are, so its author chose the number"
func.func @persistent(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  %n = tile.num_programs x
  %c = tile.arange 0 to 64 : tensor<64xi32>
  tile.print "c" [true] values(%c : tensor<64xi32>)
  return
}

// REMARK: Function=spinning | Line=[[#@LINE+3]], Reason="a `while` loop may wait for other programs"
func.func @spinning(%x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  scf.while : () -> () {
    %v = tile.load %x : !tile.ptr<i32>
    %more = arith.cmpi ne, %v, %pid : i32
    scf.condition(%more)
  } do {
    scf.yield
  }
  %c = tile.arange 0 to 64 : tensor<64xi32>
  tile.print "c" [true] values(%c : tensor<64xi32>)
  return
}

// REMARK: Function=waiting | Line=[[#@LINE+3]], Reason="its threads wait for each other"
func.func @waiting(%x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  tile.barrier
  %c = tile.arange 0 to 64 : tensor<64xi32>
  tile.print "c" [true] values(%c : tensor<64xi32>)
  return
}

// REMARK: Function=locking | Line=[[#@LINE+3]], Reason="an atomic op may be a lock"
func.func @locking(%x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  %old = tile.atomic_cas relaxed, gpu, %x, %pid, %pid : !tile.ptr<i32>
  %c = tile.arange 0 to 64 : tensor<64xi32>
  tile.print "c" [true] values(%c : tensor<64xi32>)
  return
}

// REMARK: Function=ordering | Line=[[#@LINE+3]], Reason="an atomic op orders memory"
func.func @ordering(%x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  %old = tile.atomic_rmw add, acq_rel, gpu, %x, %pid : !tile.ptr<i32>
  %c = tile.arange 0 to 64 : tensor<64xi32>
  tile.print "c" [true] values(%c : tensor<64xi32>)
  return
}

// REMARK: Function=long | Line=[[#@LINE+6]], Reason="it loads in a loop, so its programs are long"
func.func @long(%x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
  %pid = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %pid step %c1 : i32 {
    %v = tile.load %x : !tile.ptr<i32>
    tile.print "v" [true] values(%v : i32)
  }
  %c = tile.arange 0 to 64 : tensor<64xi32>
  tile.print "c" [true] values(%c : tensor<64xi32>)
  return
}

// REMARK: Function=multiplying | Line=[[#@LINE+6]], Reason="it multiplies matrices, and its author chose warps for them"
func.func @multiplying(%x: !tile.ptr<i32> {tile.param = #tile.param<"x", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 3>} {
  %pid = tile.program_id x
  %a = arith.constant dense<1.0> : tensor<16x8xf16>
  %b = arith.constant dense<1.0> : tensor<8x8xf16>
  %c = arith.constant dense<0.0> : tensor<16x8xf32>
  %d = tile.dot %a, %b, %c : tensor<16x8xf16>, tensor<8x8xf16> -> tensor<16x8xf32>
  tile.print "d" [true] values(%d : tensor<16x8xf32>)
  return
}
