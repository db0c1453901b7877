// Floats become small integers through 32 bits where something is computed with them: ptxas 13.0 compares an upper half
// that it has not copied.
// RUN: tegula-opt %s --split-input-file --tegula-lower --print-ptx -o /dev/null | FileCheck %s

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: .entry compared(
// CHECK-NOT: cvt.rzi.u16
// CHECK: cvt.rzi.u32.f32 %[[WIDE:r[0-9]+]],
// CHECK: min.u32 %{{r[0-9]+}}, %[[WIDE]], 65535;
// CHECK: cvt.rzi.s32.f32 %[[WIDE:r[0-9]+]],
// CHECK: min.s32 %[[LESS:r[0-9]+]], %[[WIDE]], 32767;
// CHECK: max.s32 %{{r[0-9]+}}, %[[LESS]], -32768;
func.func @compared(%p: !tile.ptr<i8> {tile.param = #tile.param<"p", "*i8", 16>},
                    %x: f32 {tile.param = #tile.param<"x", "fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %c251 = arith.constant 251 : i16
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : i8
  %i = arith.fptoui %x : f32 to i16
  %j = arith.fptosi %x : f32 to i16
  %more = arith.cmpi ugt, %i, %c251 : i16
  %less = arith.cmpi slt, %j, %c251 : i16
  %both = arith.andi %more, %less : i1
  %k = arith.select %both, %c1, %c2 : i8
  tile.store %p, %k : !tile.ptr<i8>
  return
}
}

// -----

// What is only stored is not.
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: .entry stored(
// CHECK: cvt.rzi.u16.f32
// CHECK-NOT: min.u32
func.func @stored(%p: !tile.ptr<i16> {tile.param = #tile.param<"p", "*u16", 16>},
                  %x: f32 {tile.param = #tile.param<"x", "fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %i = arith.fptoui %x : f32 to i16
  tile.store %p, %i : !tile.ptr<i16>
  return
}
}
