// A scan works in the thread, then in the warp, then through shared memory, as far as the layout asks.
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file | FileCheck %s
// RUN: tegula-opt %s --allocate-shared --place-barriers --convert-tile-to-llvm --split-input-file --remarks-filter=convert-tile-to-llvm 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#row = #tile.layout<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [512]>

// Three sums in the thread, a shuffle for each bit of the lane, four totals read at once; then what lanes and warps
// have before is put together, and comes before each of the four elements.
// REMARK: [Passed] scan | {{.*}}Combinations=8, Registers=4, Remark="4 registers, 5 shuffles, 4 warps through 16 bytes of shared memory", SharedBytes=16, Shuffles=5, Warps=4
// CHECK: llvm.mlir.global external @tegula_shared() {{.*}} : !llvm.array<16 x i8>
// CHECK-LABEL: llvm.func @sums(
func.func @sums(%p: !tile.ptr<f32> {tile.param = #tile.param<"p", "*fp32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
  %i = tile.arange 0 to 512 : tensor<512xi32, #row>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #row>
  %pi = tile.addptr %ps, %i : tensor<512x!tile.ptr<f32>, #row>, tensor<512xi32, #row>
  %v = tile.load %pi : tensor<512x!tile.ptr<f32>, #row>
  // CHECK-COUNT-3: arith.addf
  // CHECK: nvvm.shfl.sync bfly
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl
  // CHECK-NOT: nvvm.barrier0
  // CHECK: st.shared.b32
  // CHECK: nvvm.barrier0
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  // CHECK-COUNT-3: arith.addf
  // CHECK-COUNT-5: arith.addf
  // CHECK-NOT: arith.addf
  // CHECK-NOT: nvvm.barrier0
  %s = tile.scan %v axis 0 : tensor<512xf32, #row> -> tensor<512xf32, #row> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %pi, %s : tensor<512x!tile.ptr<f32>, #row>
  return
}

// -----

#rows = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]} : [32, 4]>

// Along registers alone nothing leaves the thread; backwards the last comes first.
// REMARK: [Passed] scan | {{.*}}Remark="4 registers"
// CHECK-LABEL: llvm.func @rows(
func.func @rows(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x4x!tile.ptr<i32>, #rows>
  %v = tile.load %ps : tensor<32x4x!tile.ptr<i32>, #rows>
  // CHECK-NOT: nvvm.shfl
  // CHECK-COUNT-3: arith.subi
  // CHECK-NOT: arith.subi
  %s = tile.scan %v axis 1 reverse : tensor<32x4xi32, #rows> -> tensor<32x4xi32, #rows> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.subi %a, %b : i32
    tile.yield %c : i32
  }
  tile.store %ps, %s : tensor<32x4x!tile.ptr<i32>, #rows>
  return
}

// -----

#long = #tile.layout<{register = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = [[512], [1024], [2048]]} : [4096]>

// A long function has a copy in each of three loops: for the elements, for the lanes behind the first bit, and for what
// comes before. Warps are few compared with its length. What is carried around a loop moves on by one.
// CHECK-LABEL: llvm.func @long(
func.func @long(%p: !tile.ptr<i32> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<4096x!tile.ptr<i32>, #long>
  %v = tile.load %ps : tensor<4096x!tile.ptr<i32>, #long>
  // CHECK: %[[ELEMENTS:.*]]:16 = scf.for
  // CHECK-COUNT-1: arith.divsi
  // CHECK-NOT: arith.divsi
  // CHECK: scf.yield
  // CHECK: arith.divsi
  // CHECK: scf.for
  // CHECK: nvvm.shfl.sync bfly
  // CHECK-COUNT-2: arith.divsi
  // CHECK-NOT: arith.divsi
  // CHECK: scf.yield
  // CHECK: nvvm.barrier0
  // CHECK: scf.for
  // CHECK-COUNT-1: arith.divsi
  // CHECK-NOT: arith.divsi
  // CHECK: scf.yield
  // CHECK: arith.divsi
  // CHECK: scf.for
  // CHECK-COUNT-1: arith.divsi
  // CHECK-NOT: arith.divsi
  // CHECK: scf.yield
  // CHECK-NOT: arith.divsi
  %s = tile.scan %v axis 0 : tensor<4096xi32, #long> -> tensor<4096xi32, #long> {
  ^bb0(%a: i32, %b: i32):
    %x0 = arith.muli %a, %b : i32
    %x1 = arith.xori %x0, %b : i32
    %x2 = arith.muli %x1, %b : i32
    %x3 = arith.xori %x2, %b : i32
    %x4 = arith.muli %x3, %b : i32
    %x5 = arith.xori %x4, %b : i32
    %x6 = arith.muli %x5, %b : i32
    %x7 = arith.xori %x6, %b : i32
    %x8 = arith.muli %x7, %b : i32
    %x9 = arith.xori %x8, %b : i32
    %x10 = arith.muli %x9, %b : i32
    %x11 = arith.xori %x10, %b : i32
    %x12 = arith.muli %x11, %b : i32
    %x13 = arith.xori %x12, %b : i32
    %x14 = arith.muli %x13, %b : i32
    %x15 = arith.xori %x14, %b : i32
    %x16 = arith.muli %x15, %b : i32
    %x17 = arith.xori %x16, %b : i32
    %x18 = arith.muli %x17, %b : i32
    %x19 = arith.xori %x18, %b : i32
    %x20 = arith.muli %x19, %b : i32
    %x21 = arith.xori %x20, %b : i32
    %x22 = arith.muli %x21, %b : i32
    %x23 = arith.xori %x22, %b : i32
    %x24 = arith.muli %x23, %b : i32
    %x25 = arith.xori %x24, %b : i32
    %x26 = arith.muli %x25, %b : i32
    %x27 = arith.xori %x26, %b : i32
    %x28 = arith.muli %x27, %b : i32
    %x29 = arith.xori %x28, %b : i32
    %x30 = arith.muli %x29, %b : i32
    %x31 = arith.xori %x30, %b : i32
    %x32 = arith.muli %x31, %b : i32
    %x33 = arith.xori %x32, %b : i32
    %x34 = arith.muli %x33, %b : i32
    %x35 = arith.xori %x34, %b : i32
    %x36 = arith.muli %x35, %b : i32
    %x37 = arith.xori %x36, %b : i32
    %x38 = arith.muli %x37, %b : i32
    %x39 = arith.xori %x38, %b : i32
    %x40 = arith.muli %x39, %b : i32
    %x41 = arith.xori %x40, %b : i32
    %x42 = arith.muli %x41, %b : i32
    %x43 = arith.xori %x42, %b : i32
    %x44 = arith.muli %x43, %b : i32
    %x45 = arith.xori %x44, %b : i32
    %x46 = arith.muli %x45, %b : i32
    %x47 = arith.xori %x46, %b : i32
    %x48 = arith.muli %x47, %b : i32
    %x49 = arith.xori %x48, %b : i32
    %x50 = arith.muli %x49, %b : i32
    %x51 = arith.xori %x50, %b : i32
    %x52 = arith.muli %x51, %b : i32
    %x53 = arith.xori %x52, %b : i32
    %x54 = arith.muli %x53, %b : i32
    %x55 = arith.xori %x54, %b : i32
    %x56 = arith.muli %x55, %b : i32
    %x57 = arith.xori %x56, %b : i32
    %x58 = arith.muli %x57, %b : i32
    %x59 = arith.xori %x58, %b : i32
    %x60 = arith.muli %x59, %b : i32
    %x61 = arith.xori %x60, %b : i32
    %x62 = arith.muli %x61, %b : i32
    %x63 = arith.xori %x62, %b : i32
    %x64 = arith.muli %x63, %b : i32
    %x65 = arith.xori %x64, %b : i32
    %x66 = arith.muli %x65, %b : i32
    %x67 = arith.xori %x66, %b : i32
    %x68 = arith.muli %x67, %b : i32
    %x69 = arith.xori %x68, %b : i32
    %c = arith.divsi %x69, %b : i32
    tile.yield %c : i32
  }
  tile.store %ps, %s : tensor<4096x!tile.ptr<i32>, #long>
  return
}
