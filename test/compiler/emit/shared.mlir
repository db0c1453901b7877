// Shared memory is dynamic in the PTX, its size is in the manifest, its addresses fit 32 bits.
// RUN: tegula-opt %s --print-ptx -o /dev/null | FileCheck %s

// CHECK: // block    32 threads
// CHECK-NEXT: // shared   512 bytes
// CHECK: .extern .shared .align 16 .b8 tegula_shared[];
// CHECK: mov.b32 %[[BASE:r[0-9]+]], tegula_shared;
// CHECK: st.shared.b32
// CHECK: bar.sync 0;
// CHECK: ld.shared.b32 %r{{[0-9]+}}, [tegula_shared+64]
module attributes {tile.target = "sm_80"} {
  llvm.mlir.global external @tegula_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
  llvm.func @k(%p: !llvm.ptr<1> {tile.param = #tile.param<"p", "*i32", 16>}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @tegula_shared : !llvm.ptr<3>
    %a = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %a : i32, !llvm.ptr<3>
    nvvm.barrier0
    %b = llvm.getelementptr %s[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
    %v = llvm.load %b : !llvm.ptr<3> -> i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
