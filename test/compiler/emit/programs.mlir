// Kernels whose programs share blocks, or have one after the other: more parameters, which are not the source's.
// RUN: tegula-opt %s --print-ptx --split-input-file -o /dev/null | FileCheck %s

// CHECK: // block    128 threads
// CHECK-NEXT: // shared   0 bytes
// CHECK-NEXT: // programs 4 in a block
// CHECK-NEXT: // param    *i32:16 p
// CHECK-NEXT: // implicit u32 programs in x
// CHECK: .entry shared(
// CHECK-NEXT: .param .u64 .ptr .global .align 16 shared_param_0,
// CHECK-NEXT: .param .u32 shared_param_1
// CHECK-NEXT: )
// CHECK-NEXT: .reqntid 128, 1, 1
module attributes {tile.target = "sm_90a"} {
  llvm.func @shared(%p: !llvm.ptr<1> {llvm.align = 16 : i64, tile.param = #tile.param<"p", "*i32", 16>}, %count: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 4>} {
    llvm.store %count, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Blocks that run several programs: three more.
// CHECK: // block    128 threads
// CHECK-NEXT: // shared   0 bytes
// CHECK-NEXT: // programs 1 persistent blocks a multiprocessor
// CHECK-NEXT: // param    *i32:16 p
// CHECK-NEXT: // implicit u32 programs in x
// CHECK-NEXT: // implicit u32 programs in y
// CHECK-NEXT: // implicit u32 programs in z
// CHECK: .entry walked(
// CHECK-NEXT: .param .u64 .ptr .global .align 16 walked_param_0,
// CHECK-NEXT: .param .u32 walked_param_1,
// CHECK-NEXT: .param .u32 walked_param_2,
// CHECK-NEXT: .param .u32 walked_param_3
// CHECK-NEXT: )
module attributes {tile.target = "sm_90a"} {
  llvm.func @walked(%p: !llvm.ptr<1> {llvm.align = 16 : i64, tile.param = #tile.param<"p", "*i32", 16>}, %x: i32, %y: i32, %z: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.kernel = #tile.kernel<warps = 4, stages = 1>, tile.persistent = 1 : i32} {
    llvm.store %z, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
