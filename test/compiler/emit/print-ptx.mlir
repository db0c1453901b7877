// From a kernel with layouts to PTX: the manifest, wide accesses, places in the source.
// RUN: tegula-opt %s --tegula-lower --print-ptx -o /dev/null | FileCheck %s
// RUN: tegula-opt %s --tegula-lower --print-ptx=form=llvmir -o /dev/null | FileCheck %s --check-prefix=IR
// RUN: tegula-opt %s --tegula-lower --print-ptx=form=optimized -o /dev/null | FileCheck %s --check-prefix=OPT

#line = #tile.layout<{register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]} : [1024]>

// The target is there before any LLVM pass has run.
// IR: target datalayout = "e-p3:32:32{{.*}}"
// IR: target triple = "nvptx64-nvidia-cuda"
// IR: define ptx_kernel void @add(ptr addrspace(1) align 16 %0, ptr addrspace(1) align 16 %1, i32 %2, i1 %3) #[[A:.*]] !dbg
// IR: attributes #[[A]] = {{.*}}"nvvm.reqntid"="128,1,1"
// OPT: define ptx_kernel void @add(
// The second vector lies a constant behind the first.
// OPT: getelementptr i32, ptr addrspace(1) %{{.*}}, i64 512

// CHECK: // Tegula kernel 1
// CHECK-NEXT: // kernel   add
// CHECK-NEXT: // source   {{.*}}print-ptx.mlir
// CHECK-NEXT: // entry    add
// CHECK-NEXT: // target   sm_90a
// CHECK-NEXT: // block    128 threads
// CHECK-NEXT: // shared   0 bytes
// CHECK-NEXT: // programs 1 in a block
// CHECK-NEXT: // param    *fp32:16 x
// CHECK-NEXT: // param    *fp32:16 y
// CHECK-NEXT: // param    i32:16 n
// CHECK-NEXT: // param    i1 flag
// CHECK: .version 8.4
// CHECK: .target sm_90a
// The marker of a debug build would stop ptxas optimising.
// CHECK-NOT: debug
// CHECK: .visible .entry add(
// CHECK-NEXT: .param .u64 .ptr .global .align 16 add_param_0,
// CHECK-NEXT: .param .u64 .ptr .global .align 16 add_param_1,
// CHECK-NEXT: .param .u32 add_param_2,
// CHECK-NEXT: .param .u8 add_param_3
// CHECK: .reqntid 128, 1, 1
// CHECK: .loc [[KERNEL:[0-9]+]] 20 8
// CHECK: @%p1 ld.global.v4.b32 {%r{{.*}}}, [%rd{{.*}}];
// CHECK: @%p2 ld.global.v4.b32 {%r{{.*}}}, [%rd{{.*}}];
// The innermost place of an inlined call is named.
// CHECK: .loc [[HELPER:[0-9]+]] 3 10
// CHECK: add.rn.f32
// CHECK: .loc [[KERNEL]] 22 5
// CHECK: @%p1 st.global.v4.b32
// CHECK: @%p2 st.global.v4.b32
// CHECK-DAG: .file [[KERNEL]] "kernel.py"
// CHECK-DAG: .file [[HELPER]] "helper.py"
// CHECK-NOT: .section
module attributes {tile.target = "sm_90a"} {
  func.func @add(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>}, %y: !tile.ptr<f32> {tile.param = #tile.param<"y", "*fp32", 16>},
                 %n: i32 {tile.param = #tile.param<"n", "i32", 16>}, %flag: i1 {tile.param = #tile.param<"flag", "i1", 1>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {
    %pid = tile.program_id x
    %c = arith.constant 1024 : i32
    %first = arith.muli %pid, %c : i32
    %a = tile.arange 0 to 1024 : tensor<1024xi32, #line>
    %firsts = tile.splat %first : i32 -> tensor<1024xi32, #line>
    %i = arith.addi %firsts, %a : tensor<1024xi32, #line>
    %ns = tile.splat %n : i32 -> tensor<1024xi32, #line>
    %m = arith.cmpi slt, %i, %ns : tensor<1024xi32, #line>
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #line>
    %xi = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>, #line>, tensor<1024xi32, #line>
    %v = tile.load %xi, %m : tensor<1024x!tile.ptr<f32>, #line> loc("kernel.py":20:8)
    %s = arith.addf %v, %v : tensor<1024xf32, #line> loc(callsite("helper.py":3:10 at "kernel.py":21:9))
    %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #line>
    %yi = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>, #line>, tensor<1024xi32, #line>
    tile.store %yi, %s, %m : tensor<1024x!tile.ptr<f32>, #line> loc("kernel.py":22:5)
    return
  }
}
