// PTX by hand runs once a pack of registers; special registers and hand-overs are one instruction.
// RUN: tegula-opt %s --convert-tile-to-llvm | FileCheck %s

#bytes = #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = []} : [256]>
#line = #tile.layout<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []} : [32]>

// CHECK-LABEL: llvm.func @device(
func.func @device(%i: i8 {tile.param = #tile.param<"i", "i8", 1>}, %f: f32 {tile.param = #tile.param<"f", "fp32", 1>}) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  // Eight registers of a byte are two packs of four.
  %x = tile.splat %i : i8 -> tensor<256xi8, #bytes>
  // CHECK: llvm.bitcast %{{.*}} : vector<4xi8> to i32
  // CHECK: llvm.inline_asm "shl.b32 $0, $1, 3;", "=r,r" %{{.*}} : (i32) -> i32
  // CHECK: llvm.bitcast %{{.*}} : i32 to vector<4xi8>
  // CHECK: llvm.inline_asm "shl.b32 $0, $1, 3;", "=r,r" %{{.*}} : (i32) -> i32
  // CHECK-NOT: shl.b32
  %y = tile.inline_asm "shl.b32 $0, $1, 3;", "=r, r" pure pack = 4 (%x) : (tensor<256xi8, #bytes>) -> tensor<256xi8, #bytes>
  // What is not pure may write memory. Results come in a struct.
  // CHECK: llvm.inline_asm has_side_effects "two", "=f,=r,f,0,~{memory}" %{{.*}}, %{{.*}} : (f32, f32) -> !llvm.struct<(f32, i32)>
  // CHECK: llvm.trunc %{{.*}} : i32 to i16
  %g = tile.splat %f : f32 -> tensor<32xf32, #line>
  %a:2 = tile.inline_asm "two", "=f,=r,f,0" pack = 1 (%g, %g) : (tensor<32xf32, #line>, tensor<32xf32, #line>) -> (tensor<32xf32, #line>, tensor<32xf16, #line>)
  // A register of 32 bits for a result of 64 holds its lower half.
  // CHECK: llvm.inline_asm has_side_effects "low", "=r,r,~{memory}" %{{.*}} : (i32) -> i32
  // CHECK: llvm.zext %{{.*}} : i32 to i64
  %n = arith.extui %i : i8 to i32
  %low = tile.inline_asm "low", "=r,r" pack = 1 (%n) : (i32) -> i64
  // A thread with one element of a pair runs it with that element twice.
  // CHECK: llvm.inline_asm "pair", "=r,r" %{{.*}} : (i32) -> i32
  %h = arith.truncf %g : tensor<32xf32, #line> to tensor<32xf16, #line>
  %b = tile.inline_asm "pair", "=r,r" pure pack = 2 (%h) : (tensor<32xf16, #line>) -> tensor<32xf16, #line>
  // A library's function is called for each register, and gets generic addresses.
  // CHECK-COUNT-8: llvm.call @scaled(%{{.*}}) : (i8) -> i8
  %e = tile.extern_call "scaled" pure (%x) : (tensor<256xi8, #bytes>) -> tensor<256xi8, #bytes>
  // CHECK: %[[GENERIC:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<1> to !llvm.ptr
  // CHECK: llvm.call @put(%[[GENERIC]]) : (!llvm.ptr) -> i32
  %long = arith.extui %i : i8 to i64
  %address = tile.int_to_ptr %long : i64 -> !tile.ptr<i32>
  %put = tile.extern_call "put" (%address) : (!tile.ptr<i32>) -> i32
  // CHECK: llvm.inline_asm has_side_effects "mov.u64 $0, %globaltimer;", "=l"  : () -> i64
  %t = tile.read_special globaltimer : i64
  // CHECK: llvm.inline_asm "mov.u32 $0, %smid;", "=r"  : () -> i32
  %s = tile.read_special smid : i32
  // CHECK: llvm.inline_asm has_side_effects "griddepcontrol.wait;", "~{memory}"  : () -> ()
  tile.grid_dependency wait
  // CHECK: llvm.inline_asm has_side_effects "griddepcontrol.launch_dependents;", "~{memory}"
  tile.grid_dependency launch_dependents
  return
}
