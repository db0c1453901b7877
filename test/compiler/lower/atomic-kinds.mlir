// Each kind of atomic on each type it is defined on, in each order and scope: scalars of one warp.
// RUN: tegula-opt %s --convert-tile-to-llvm --split-input-file | FileCheck %s

// The results are unused: no thread waits for them. An exchange has no such form.
// CHECK-LABEL: llvm.func @unused(
module attributes {tile.target = "sm_90a"} {
func.func @unused(%pi16: !tile.ptr<i16> {tile.param = #tile.param<"pi16", "*i16", 16>}, %i16: i16 {tile.param = #tile.param<"i16", "i16", 1>}, %pi32: !tile.ptr<i32> {tile.param = #tile.param<"pi32", "*i32", 16>}, %i32: i32 {tile.param = #tile.param<"i32", "i32", 1>}, %pi64: !tile.ptr<i64> {tile.param = #tile.param<"pi64", "*i64", 16>}, %i64: i64 {tile.param = #tile.param<"i64", "i64", 1>}, %pf16: !tile.ptr<f16> {tile.param = #tile.param<"pf16", "*fp16", 16>}, %f16: f16 {tile.param = #tile.param<"f16", "fp16", 1>}, %pbf16: !tile.ptr<bf16> {tile.param = #tile.param<"pbf16", "*bf16", 16>}, %bf16: bf16 {tile.param = #tile.param<"bf16", "bf16", 1>}, %pf32: !tile.ptr<f32> {tile.param = #tile.param<"pf32", "*fp32", 16>}, %f32: f32 {tile.param = #tile.param<"f32", "fp32", 1>}, %pf64: !tile.ptr<f64> {tile.param = #tile.param<"pf64", "*fp64", 16>}, %f64: f64 {tile.param = #tile.param<"f64", "fp64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: "@$3 atom.global.gpu.relaxed.add.u32 $0, [$1], $2;"
  %0 = tile.atomic_rmw add, relaxed, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.gpu.relaxed.add.u64 $0, [$1], $2;"
  %1 = tile.atomic_rmw add, relaxed, gpu, %pi64, %i64 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.gpu.relaxed.and.b32 $0, [$1], $2;"
  %2 = tile.atomic_rmw and, relaxed, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.gpu.relaxed.and.b64 $0, [$1], $2;"
  %3 = tile.atomic_rmw and, relaxed, gpu, %pi64, %i64 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.gpu.relaxed.or.b32 $0, [$1], $2;"
  %4 = tile.atomic_rmw or, relaxed, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.gpu.relaxed.or.b64 $0, [$1], $2;"
  %5 = tile.atomic_rmw or, relaxed, gpu, %pi64, %i64 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.gpu.relaxed.xor.b32 $0, [$1], $2;"
  %6 = tile.atomic_rmw xor, relaxed, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.gpu.relaxed.xor.b64 $0, [$1], $2;"
  %7 = tile.atomic_rmw xor, relaxed, gpu, %pi64, %i64 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.gpu.relaxed.max.s32 $0, [$1], $2;"
  %8 = tile.atomic_rmw max, relaxed, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.gpu.relaxed.max.s64 $0, [$1], $2;"
  %9 = tile.atomic_rmw max, relaxed, gpu, %pi64, %i64 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.gpu.relaxed.min.s32 $0, [$1], $2;"
  %10 = tile.atomic_rmw min, relaxed, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.gpu.relaxed.min.s64 $0, [$1], $2;"
  %11 = tile.atomic_rmw min, relaxed, gpu, %pi64, %i64 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.gpu.relaxed.max.u32 $0, [$1], $2;"
  %12 = tile.atomic_rmw umax, relaxed, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.gpu.relaxed.max.u64 $0, [$1], $2;"
  %13 = tile.atomic_rmw umax, relaxed, gpu, %pi64, %i64 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.gpu.relaxed.min.u32 $0, [$1], $2;"
  %14 = tile.atomic_rmw umin, relaxed, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.gpu.relaxed.min.u64 $0, [$1], $2;"
  %15 = tile.atomic_rmw umin, relaxed, gpu, %pi64, %i64 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.gpu.relaxed.add.noftz.f16 $0, [$1], $2;"
  %16 = tile.atomic_rmw fadd, relaxed, gpu, %pf16, %f16 : !tile.ptr<f16>
  // CHECK: "@$3 atom.global.gpu.relaxed.add.noftz.bf16 $0, [$1], $2;"
  %17 = tile.atomic_rmw fadd, relaxed, gpu, %pbf16, %bf16 : !tile.ptr<bf16>
  // CHECK: "@$3 atom.global.gpu.relaxed.add.f32 $0, [$1], $2;"
  %18 = tile.atomic_rmw fadd, relaxed, gpu, %pf32, %f32 : !tile.ptr<f32>
  // CHECK: "@$3 atom.global.gpu.relaxed.add.f64 $0, [$1], $2;"
  %19 = tile.atomic_rmw fadd, relaxed, gpu, %pf64, %f64 : !tile.ptr<f64>
  // CHECK: "@$3 atom.global.gpu.relaxed.exch.b32 $0, [$1], $2;"
  %20 = tile.atomic_rmw xchg, relaxed, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.gpu.relaxed.exch.b64 $0, [$1], $2;"
  %21 = tile.atomic_rmw xchg, relaxed, gpu, %pi64, %i64 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.gpu.relaxed.exch.b32 $0, [$1], $2;"
  %22 = tile.atomic_rmw xchg, relaxed, gpu, %pf32, %f32 : !tile.ptr<f32>
  // CHECK: "@$3 atom.global.gpu.relaxed.exch.b64 $0, [$1], $2;"
  %23 = tile.atomic_rmw xchg, relaxed, gpu, %pf64, %f64 : !tile.ptr<f64>
  return
}
}

// -----

// The first lane's result goes to all.
// CHECK-LABEL: llvm.func @used(
module attributes {tile.target = "sm_90a"} {
func.func @used(%pi16: !tile.ptr<i16> {tile.param = #tile.param<"pi16", "*i16", 16>}, %i16: i16 {tile.param = #tile.param<"i16", "i16", 1>}, %pi32: !tile.ptr<i32> {tile.param = #tile.param<"pi32", "*i32", 16>}, %i32: i32 {tile.param = #tile.param<"i32", "i32", 1>}, %pi64: !tile.ptr<i64> {tile.param = #tile.param<"pi64", "*i64", 16>}, %i64: i64 {tile.param = #tile.param<"i64", "i64", 1>}, %pf16: !tile.ptr<f16> {tile.param = #tile.param<"pf16", "*fp16", 16>}, %f16: f16 {tile.param = #tile.param<"f16", "fp16", 1>}, %pbf16: !tile.ptr<bf16> {tile.param = #tile.param<"pbf16", "*bf16", 16>}, %bf16: bf16 {tile.param = #tile.param<"bf16", "bf16", 1>}, %pf32: !tile.ptr<f32> {tile.param = #tile.param<"pf32", "*fp32", 16>}, %f32: f32 {tile.param = #tile.param<"f32", "fp32", 1>}, %pf64: !tile.ptr<f64> {tile.param = #tile.param<"pf64", "*fp64", 16>}, %f64: f64 {tile.param = #tile.param<"f64", "fp64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: "@$3 atom.global.sys.acq_rel.add.u32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r0 = tile.atomic_rmw add, acq_rel, sys, %pi32, %i32 : !tile.ptr<i32>
  tile.store %pi32, %r0 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.sys.acq_rel.add.u64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r1 = tile.atomic_rmw add, acq_rel, sys, %pi64, %i64 : !tile.ptr<i64>
  tile.store %pi64, %r1 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.sys.acq_rel.and.b32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r2 = tile.atomic_rmw and, acq_rel, sys, %pi32, %i32 : !tile.ptr<i32>
  tile.store %pi32, %r2 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.sys.acq_rel.and.b64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r3 = tile.atomic_rmw and, acq_rel, sys, %pi64, %i64 : !tile.ptr<i64>
  tile.store %pi64, %r3 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.sys.acq_rel.or.b32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r4 = tile.atomic_rmw or, acq_rel, sys, %pi32, %i32 : !tile.ptr<i32>
  tile.store %pi32, %r4 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.sys.acq_rel.or.b64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r5 = tile.atomic_rmw or, acq_rel, sys, %pi64, %i64 : !tile.ptr<i64>
  tile.store %pi64, %r5 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.sys.acq_rel.xor.b32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r6 = tile.atomic_rmw xor, acq_rel, sys, %pi32, %i32 : !tile.ptr<i32>
  tile.store %pi32, %r6 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.sys.acq_rel.xor.b64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r7 = tile.atomic_rmw xor, acq_rel, sys, %pi64, %i64 : !tile.ptr<i64>
  tile.store %pi64, %r7 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.sys.acq_rel.max.s32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r8 = tile.atomic_rmw max, acq_rel, sys, %pi32, %i32 : !tile.ptr<i32>
  tile.store %pi32, %r8 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.sys.acq_rel.max.s64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r9 = tile.atomic_rmw max, acq_rel, sys, %pi64, %i64 : !tile.ptr<i64>
  tile.store %pi64, %r9 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.sys.acq_rel.min.s32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r10 = tile.atomic_rmw min, acq_rel, sys, %pi32, %i32 : !tile.ptr<i32>
  tile.store %pi32, %r10 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.sys.acq_rel.min.s64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r11 = tile.atomic_rmw min, acq_rel, sys, %pi64, %i64 : !tile.ptr<i64>
  tile.store %pi64, %r11 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.sys.acq_rel.max.u32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r12 = tile.atomic_rmw umax, acq_rel, sys, %pi32, %i32 : !tile.ptr<i32>
  tile.store %pi32, %r12 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.sys.acq_rel.max.u64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r13 = tile.atomic_rmw umax, acq_rel, sys, %pi64, %i64 : !tile.ptr<i64>
  tile.store %pi64, %r13 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.sys.acq_rel.min.u32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r14 = tile.atomic_rmw umin, acq_rel, sys, %pi32, %i32 : !tile.ptr<i32>
  tile.store %pi32, %r14 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.sys.acq_rel.min.u64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r15 = tile.atomic_rmw umin, acq_rel, sys, %pi64, %i64 : !tile.ptr<i64>
  tile.store %pi64, %r15 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.sys.acq_rel.add.noftz.f16 $0, [$1], $2;", "=h,l,h,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r16 = tile.atomic_rmw fadd, acq_rel, sys, %pf16, %f16 : !tile.ptr<f16>
  tile.store %pf16, %r16 : !tile.ptr<f16>
  // CHECK: "@$3 atom.global.sys.acq_rel.add.noftz.bf16 $0, [$1], $2;", "=h,l,h,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r17 = tile.atomic_rmw fadd, acq_rel, sys, %pbf16, %bf16 : !tile.ptr<bf16>
  tile.store %pbf16, %r17 : !tile.ptr<bf16>
  // CHECK: "@$3 atom.global.sys.acq_rel.add.f32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r18 = tile.atomic_rmw fadd, acq_rel, sys, %pf32, %f32 : !tile.ptr<f32>
  tile.store %pf32, %r18 : !tile.ptr<f32>
  // CHECK: "@$3 atom.global.sys.acq_rel.add.f64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r19 = tile.atomic_rmw fadd, acq_rel, sys, %pf64, %f64 : !tile.ptr<f64>
  tile.store %pf64, %r19 : !tile.ptr<f64>
  // CHECK: "@$3 atom.global.sys.acq_rel.exch.b32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r20 = tile.atomic_rmw xchg, acq_rel, sys, %pi32, %i32 : !tile.ptr<i32>
  tile.store %pi32, %r20 : !tile.ptr<i32>
  // CHECK: "@$3 atom.global.sys.acq_rel.exch.b64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r21 = tile.atomic_rmw xchg, acq_rel, sys, %pi64, %i64 : !tile.ptr<i64>
  tile.store %pi64, %r21 : !tile.ptr<i64>
  // CHECK: "@$3 atom.global.sys.acq_rel.exch.b32 $0, [$1], $2;", "=r,l,r,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r22 = tile.atomic_rmw xchg, acq_rel, sys, %pf32, %f32 : !tile.ptr<f32>
  tile.store %pf32, %r22 : !tile.ptr<f32>
  // CHECK: "@$3 atom.global.sys.acq_rel.exch.b64 $0, [$1], $2;", "=l,l,l,b,0"
  // CHECK: nvvm.shfl.sync idx
  %r23 = tile.atomic_rmw xchg, acq_rel, sys, %pf64, %f64 : !tile.ptr<f64>
  tile.store %pf64, %r23 : !tile.ptr<f64>
  return
}
}

// -----

// CHECK-LABEL: llvm.func @swaps(
module attributes {tile.target = "sm_90a"} {
func.func @swaps(%pi16: !tile.ptr<i16> {tile.param = #tile.param<"pi16", "*i16", 16>}, %i16: i16 {tile.param = #tile.param<"i16", "i16", 1>}, %pi32: !tile.ptr<i32> {tile.param = #tile.param<"pi32", "*i32", 16>}, %i32: i32 {tile.param = #tile.param<"i32", "i32", 1>}, %pi64: !tile.ptr<i64> {tile.param = #tile.param<"pi64", "*i64", 16>}, %i64: i64 {tile.param = #tile.param<"i64", "i64", 1>}, %pf16: !tile.ptr<f16> {tile.param = #tile.param<"pf16", "*fp16", 16>}, %f16: f16 {tile.param = #tile.param<"f16", "fp16", 1>}, %pbf16: !tile.ptr<bf16> {tile.param = #tile.param<"pbf16", "*bf16", 16>}, %bf16: bf16 {tile.param = #tile.param<"bf16", "bf16", 1>}, %pf32: !tile.ptr<f32> {tile.param = #tile.param<"pf32", "*fp32", 16>}, %f32: f32 {tile.param = #tile.param<"f32", "fp32", 1>}, %pf64: !tile.ptr<f64> {tile.param = #tile.param<"pf64", "*fp64", 16>}, %f64: f64 {tile.param = #tile.param<"f64", "fp64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: "@$4 atom.global.acquire.cta.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h,b,0"
  %r0 = tile.atomic_cas acquire, cta, %pi16, %i16, %i16 : !tile.ptr<i16>
  tile.store %pi16, %r0 : !tile.ptr<i16>
  // CHECK: "@$4 atom.global.acquire.cta.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,b,0"
  %r1 = tile.atomic_cas acquire, cta, %pi32, %i32, %i32 : !tile.ptr<i32>
  tile.store %pi32, %r1 : !tile.ptr<i32>
  // CHECK: "@$4 atom.global.acquire.cta.cas.b64 $0, [$1], $2, $3;", "=l,l,l,l,b,0"
  %r2 = tile.atomic_cas acquire, cta, %pi64, %i64, %i64 : !tile.ptr<i64>
  tile.store %pi64, %r2 : !tile.ptr<i64>
  // CHECK: "@$4 atom.global.acquire.cta.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h,b,0"
  %r3 = tile.atomic_cas acquire, cta, %pf16, %f16, %f16 : !tile.ptr<f16>
  tile.store %pf16, %r3 : !tile.ptr<f16>
  // CHECK: "@$4 atom.global.acquire.cta.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h,b,0"
  %r4 = tile.atomic_cas acquire, cta, %pbf16, %bf16, %bf16 : !tile.ptr<bf16>
  tile.store %pbf16, %r4 : !tile.ptr<bf16>
  // CHECK: "@$4 atom.global.acquire.cta.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,b,0"
  %r5 = tile.atomic_cas acquire, cta, %pf32, %f32, %f32 : !tile.ptr<f32>
  tile.store %pf32, %r5 : !tile.ptr<f32>
  // CHECK: "@$4 atom.global.acquire.cta.cas.b64 $0, [$1], $2, $3;", "=l,l,l,l,b,0"
  %r6 = tile.atomic_cas acquire, cta, %pf64, %f64, %f64 : !tile.ptr<f64>
  tile.store %pf64, %r6 : !tile.ptr<f64>
  return
}
}

// -----

// Every order in every scope. Only `atom` acquires; nothing is left to acquire where no access follows.
// CHECK-LABEL: llvm.func @orders(
module attributes {tile.target = "sm_90a"} {
func.func @orders(%pi16: !tile.ptr<i16> {tile.param = #tile.param<"pi16", "*i16", 16>}, %i16: i16 {tile.param = #tile.param<"i16", "i16", 1>}, %pi32: !tile.ptr<i32> {tile.param = #tile.param<"pi32", "*i32", 16>}, %i32: i32 {tile.param = #tile.param<"i32", "i32", 1>}, %pi64: !tile.ptr<i64> {tile.param = #tile.param<"pi64", "*i64", 16>}, %i64: i64 {tile.param = #tile.param<"i64", "i64", 1>}, %pf16: !tile.ptr<f16> {tile.param = #tile.param<"pf16", "*fp16", 16>}, %f16: f16 {tile.param = #tile.param<"f16", "fp16", 1>}, %pbf16: !tile.ptr<bf16> {tile.param = #tile.param<"pbf16", "*bf16", 16>}, %bf16: bf16 {tile.param = #tile.param<"bf16", "bf16", 1>}, %pf32: !tile.ptr<f32> {tile.param = #tile.param<"pf32", "*fp32", 16>}, %f32: f32 {tile.param = #tile.param<"f32", "fp32", 1>}, %pf64: !tile.ptr<f64> {tile.param = #tile.param<"pf64", "*fp64", 16>}, %f64: f64 {tile.param = #tile.param<"f64", "fp64", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: atom.global.cta.relaxed.add.u32
  %0 = tile.atomic_rmw add, relaxed, cta, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.cta.acquire.add.u32
  %1 = tile.atomic_rmw add, acquire, cta, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.cta.release.add.u32
  %2 = tile.atomic_rmw add, release, cta, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.cta.acq_rel.add.u32
  %3 = tile.atomic_rmw add, acq_rel, cta, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.gpu.relaxed.add.u32
  %4 = tile.atomic_rmw add, relaxed, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.gpu.acquire.add.u32
  %5 = tile.atomic_rmw add, acquire, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.gpu.release.add.u32
  %6 = tile.atomic_rmw add, release, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.gpu.acq_rel.add.u32
  %7 = tile.atomic_rmw add, acq_rel, gpu, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.sys.relaxed.add.u32
  %8 = tile.atomic_rmw add, relaxed, sys, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.sys.acquire.add.u32
  %9 = tile.atomic_rmw add, acquire, sys, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.sys.release.add.u32
  %10 = tile.atomic_rmw add, release, sys, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.sys.acq_rel.add.u32
  %11 = tile.atomic_rmw add, acq_rel, sys, %pi32, %i32 : !tile.ptr<i32>
  // CHECK: atom.global.gpu.acq_rel.add.u32
  %12 = tile.atomic_rmw add, acq_rel, gpu, %pi32, %i32 : !tile.ptr<i32>
  return
}
}
