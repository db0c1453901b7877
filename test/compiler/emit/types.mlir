// How values of each type are passed, moved and added.
// RUN: tegula-opt %s --print-ptx --split-input-file -o /dev/null | FileCheck %s

// Parameters are aligned to their size, as a C structure is.
// CHECK: // param    i1 flag
// CHECK: // param    fp16 h
// CHECK: // param    fp64 d
// CHECK: // param    bf16 b
// CHECK: // param    *u8 p
// CHECK: .entry params(
// CHECK-NEXT: .param .u8 params_param_0,
// CHECK-NEXT: .param .align 2 .b8 params_param_1[2],
// CHECK-NEXT: .param .f64 params_param_2,
// CHECK-NEXT: .param .align 2 .b8 params_param_3[2],
// CHECK-NEXT: .param .u64 .ptr .global .align 1 params_param_4
module attributes {tile.target = "sm_80"} {
  llvm.func @params(%flag: i1 {tile.param = #tile.param<"flag", "i1", 1>}, %h: f16 {tile.param = #tile.param<"h", "fp16", 1>},
                    %d: f64 {tile.param = #tile.param<"d", "fp64", 1>}, %b: bf16 {tile.param = #tile.param<"b", "bf16", 1>},
                    %p: !llvm.ptr<1> {tile.param = #tile.param<"p", "*u8", 1>}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    llvm.return
  }
}

// -----

// Before sm_90 a sum in bf16 is a fused multiply-add with one.
// CHECK-LABEL: .entry sum80(
// CHECK: fma.rn.bf16
module attributes {tile.target = "sm_80"} {
  llvm.func @sum80(%p: !llvm.ptr<1> {tile.param = #tile.param<"p", "*bf16", 1>}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> bf16
    %w = llvm.fadd %v, %v : bf16
    llvm.store %w, %p : bf16, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK-LABEL: .entry sum90(
// CHECK: add.rn.bf16
module attributes {tile.target = "sm_90a"} {
  llvm.func @sum90(%p: !llvm.ptr<1> {tile.param = #tile.param<"p", "*bf16", 1>}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> bf16
    %w = llvm.fadd %v, %v : bf16
    llvm.store %w, %p : bf16, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Only what carries `contract` is fused, in every form, also a product that is used twice. What carries
// none is written with `.rn`, so that ptxas fuses nothing of it either.
// CHECK-LABEL: .entry fuse(
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: fma.rn.f32
// CHECK: neg.f32
// CHECK: fma.rn.f32
// CHECK: neg.f32
// CHECK: fma.rn.f32
// CHECK: fma.rn.f32
// CHECK: fma.rn.f32
// CHECK-NOT: {{(mul|add|sub)}}.f32
module attributes {tile.target = "sm_90a"} {
  llvm.func @fuse(%p: !llvm.ptr<1> {tile.param = #tile.param<"p", "*fp32", 1>}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %v = llvm.load volatile %p : !llvm.ptr<1> -> f32
    %a = llvm.fmul %v, %v : f32
    %b = llvm.fadd %a, %v : f32
    %c = llvm.fmul %b, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
    %d = llvm.fadd %c, %v {fastmathFlags = #llvm.fastmath<contract>} : f32
    llvm.store volatile %d, %p : f32, !llvm.ptr<1>
    %e = llvm.fmul %d, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
    %f = llvm.fsub %e, %v {fastmathFlags = #llvm.fastmath<contract>} : f32
    llvm.store volatile %f, %p : f32, !llvm.ptr<1>
    %g = llvm.fmul %f, %d {fastmathFlags = #llvm.fastmath<contract>} : f32
    %h = llvm.fsub %v, %g {fastmathFlags = #llvm.fastmath<contract>} : f32
    llvm.store volatile %h, %p : f32, !llvm.ptr<1>
    %i = llvm.fmul %h, %f {fastmathFlags = #llvm.fastmath<contract>} : f32
    %j = llvm.fadd %i, %h {fastmathFlags = #llvm.fastmath<contract>} : f32
    %k = llvm.fadd %i, %v {fastmathFlags = #llvm.fastmath<contract>} : f32
    llvm.store volatile %j, %p : f32, !llvm.ptr<1>
    llvm.store volatile %k, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
