// What the program says: prints and assertions are calls, assumptions are for LLVM.
// RUN: tegula-opt %s --convert-tile-to-llvm | FileCheck %s

#half = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [0]], warp = []} : [16]>

// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("pid (%u, %u, %u) idx (%2u) 50%% x: (operand 0) %d\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("pid (%u, %u, %u) idx () 50%% x: (operand 1) %f\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("pid (%u, %u, %u) idx (%2u) h: 0x%08x\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("pid (%u, %u, %u) hello\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("too small\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("kernel.py\00")
// CHECK-LABEL: llvm.func @hints(
func.func @hints(%n: i32 {tile.param = #tile.param<"n", "i32", 1>}, %x: f32 {tile.param = #tile.param<"x", "fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // CHECK: %[[OWNER:.*]] = arith.cmpi eq
  // CHECK: llvm.intr.assume
  %c0 = arith.constant 0 : i32
  %positive = arith.cmpi sgt, %n, %c0 : i32
  tile.assume %positive
  %i = tile.arange 0 to 16 : tensor<16xi32, #half>
  // CHECK: scf.if %[[OWNER]]
  // CHECK: llvm.call @vprintf
  // CHECK: }
  // CHECK-NOT: scf.if
  // CHECK: arith.extf %arg1 : f32 to f64
  // CHECK: llvm.call @vprintf
  tile.print " 50% x: " [true, true] values(%i, %x : tensor<16xi32, #half>, f32)
  // CHECK: llvm.call @vprintf
  tile.print " h: " [true] hex values(%i : tensor<16xi32, #half>)
  %ns = tile.splat %n : i32 -> tensor<16xi32, #half>
  %ok = arith.cmpi slt, %i, %ns : tensor<16xi32, #half>
  // CHECK: llvm.call @vprintf
  tile.print " hello" []
  // CHECK: %[[FAILS:.*]] = arith.xori
  // CHECK: scf.if %[[FAILS]]
  // CHECK: %[[LINE:.*]] = llvm.mlir.constant(7 : i32)
  // CHECK: llvm.call @__assertfail(%{{.*}}, %{{.*}}, %[[LINE]],
  tile.assert %ok, "too small" : tensor<16xi1, #half> loc("kernel.py":7:3)
  return
}
