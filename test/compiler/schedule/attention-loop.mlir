// The loop of attention: two dots, keys and values in slots of their own, queries where there is room for them.
// RUN: tegula-opt %s --split-input-file --form-boxes --buffer-operands --plan-loops --specialize-warps --pipeline-loops --split-dots | FileCheck %s
// RUN: tegula-opt %s --split-input-file --buffer-operands --remarks-filter=buffer-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#q = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 32]>
#s = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 32]>
#o = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 32]>
#kt = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [32, 32]>
#v = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [32, 32]>
#rq = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [64, 32]>
#rk = #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]} : [32, 32]>
#rkt = #tile.layout<{register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16]]} : [32, 32]>

// Queries stay in registers and are cut there, and so are the probabilities: the sums' fragments are those of the
// next dot's operand. Keys are read as they lie and transposed on the way, which takes no move.
// REMARK: [Passed] operand | Category:buffer-operands | Function=in_registers | {{.*}}"an operand that is the same in each iteration stays in registers"
// Values in a group of their own are waited for by the dot that takes them.
// CHECK-LABEL: func.func @in_registers
// CHECK-DAG: %[[V:.*]] = tgpu.alloc : <2 of tensor<32x32xbf16>
// CHECK-DAG: %[[K:.*]] = tgpu.alloc : <2 of tensor<32x32xbf16>
// CHECK-DAG: %[[Q:.*]] = tgpu.alloc : <1 of tensor<64x32xbf16>
// CHECK: %[[FQ:.*]] = tgpu.local_load %[[Q]]
// CHECK: scf.for
// CHECK: tgpu.async_wait pending 0
// CHECK: tgpu.async_copy
// CHECK: tgpu.async_copy
// CHECK: tgpu.async_commit
// CHECK: %[[Q0:.*]] = tgpu.slice %[[FQ]] at [0, 0]
// CHECK: %[[K0:.*]] = tgpu.local_load %{{.*}} at [0, 0] : <2 of {{.*}} -> tensor<32x16xbf16
// CHECK: %[[T0:.*]] = tile.trans %[[K0]], [1, 0]
// CHECK: %[[Q1:.*]] = tgpu.slice %[[FQ]] at [0, 16]
// CHECK: %[[K1:.*]] = tgpu.local_load %{{.*}} at [0, 16] : <2 of {{.*}} -> tensor<32x16xbf16
// CHECK: %[[T1:.*]] = tile.trans %[[K1]], [1, 0]
// CHECK: %[[S0:.*]] = tile.dot %[[Q0]], %[[T0]]
// CHECK: tile.dot %[[Q1]], %[[T1]], %[[S0]]
// CHECK: %[[P:.*]] = arith.truncf
// CHECK: %[[P0:.*]] = tgpu.slice %[[P]] at [0, 0]
// CHECK: tgpu.local_load %{{.*}} at [0, 0] : <2 of {{.*}} -> tensor<16x32xbf16
// CHECK: %[[P1:.*]] = tgpu.slice %[[P]] at [0, 16]
// CHECK: tgpu.local_load %{{.*}} at [16, 0] : <2 of {{.*}} -> tensor<16x32xbf16
// CHECK: %[[O0:.*]] = tile.dot %[[P0]]
// CHECK: tile.dot %[[P1]], %{{.*}}, %[[O0]]
module attributes {tile.target = "sm_90a"} {
func.func @in_registers(%pq: tensor<64x32x!tile.ptr<bf16>, #rq>, %pk0: tensor<32x32x!tile.ptr<bf16>, #rk>, %pv0: tensor<32x32x!tile.ptr<bf16>, #rk>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zs = arith.constant dense<0.0> : tensor<64x32xf32, #s>
  %zo = arith.constant dense<0.0> : tensor<64x32xf32, #o>
  %pk = tile.hint %pk0 contiguity = [1, 32] divisibility = [16, 16] : tensor<32x32x!tile.ptr<bf16>, #rk>
  %pv = tile.hint %pv0 contiguity = [1, 32] divisibility = [16, 16] : tensor<32x32x!tile.ptr<bf16>, #rk>
  %q = tile.load %pq : tensor<64x32x!tile.ptr<bf16>, #rq>
  %fq = tile.convert_layout %q : tensor<64x32xbf16, #rq> -> tensor<64x32xbf16, #q>
  %size = arith.constant dense<1024> : tensor<32x32xi32, #rk>
  %out = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zo) -> (tensor<64x32xf32, #o>) : i32 {
    %is = tile.splat %i : i32 -> tensor<32x32xi32, #rk>
    %far = arith.muli %is, %size : tensor<32x32xi32, #rk>
    %pki = tile.addptr %pk, %far : tensor<32x32x!tile.ptr<bf16>, #rk>, tensor<32x32xi32, #rk>
    %k = tile.load %pki : tensor<32x32x!tile.ptr<bf16>, #rk>
    %t = tile.trans %k, [1, 0] : tensor<32x32xbf16, #rk> -> tensor<32x32xbf16, #rkt>
    %fk = tile.convert_layout %t : tensor<32x32xbf16, #rkt> -> tensor<32x32xbf16, #kt>
    %s = tile.dot %fq, %fk, %zs unit <mma_sync, m16n8k16> : tensor<64x32xbf16, #q>, tensor<32x32xbf16, #kt> -> tensor<64x32xf32, #s>
    %e = math.exp2 %s : tensor<64x32xf32, #s>
    %p = arith.truncf %e : tensor<64x32xf32, #s> to tensor<64x32xbf16, #s>
    %pvi = tile.addptr %pv, %far : tensor<32x32x!tile.ptr<bf16>, #rk>, tensor<32x32xi32, #rk>
    %v = tile.load %pvi : tensor<32x32x!tile.ptr<bf16>, #rk>
    %fv = tile.convert_layout %v : tensor<32x32xbf16, #rk> -> tensor<32x32xbf16, #v>
    %o = tile.dot %p, %fv, %acc unit <mma_sync, m16n8k16> : tensor<64x32xbf16, #s>, tensor<32x32xbf16, #v> -> tensor<64x32xf32, #o>
    scf.yield %o : tensor<64x32xf32, #o>
  }
  tile.print "o" [true] values(%out : tensor<64x32xf32, #o>)
  return
}
}

// -----

#q = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0]]} : [128, 128]>
#s = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0]]} : [128, 64]>
#o = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0]]} : [128, 128]>
#kt = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 8], [0, 16], [0, 32]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [128, 64]>
#v = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]} : [64, 128]>
#rq = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [0, 64], [1, 0]], warp = [[2, 0], [4, 0]]} : [128, 128]>
#rk = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [0, 64], [1, 0]], warp = [[2, 0], [4, 0]]} : [64, 128]>
#rkt = #tile.layout<{register = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16], [0, 32]], lane = [[8, 0], [16, 0], [32, 0], [64, 0], [0, 1]], warp = [[0, 2], [0, 4]]} : [128, 64]>

// 128 registers of sums, 64 of scores: queries have no room, and each step reads its part of them again.
// REMARK: [Missed] operand | Category:buffer-operands | Function=in_memory | Reason="the loop takes about {{[0-9]+}} registers a thread with it, expected at most 255", Remark="an operand that is the same in each iteration is read from shared memory in each"
// CHECK-LABEL: func.func @in_memory
// CHECK: %[[Q:.*]] = tgpu.alloc : <1 of tensor<128x128xbf16>
// CHECK: tgpu.local_store %{{.*}} into %[[Q]]
// CHECK-NOT: tgpu.local_load
// CHECK: scf.for
// CHECK: tgpu.local_load %[[Q]][%{{.*}}] at [0, 0] {{.*}} -> tensor<128x16xbf16
// CHECK: tgpu.local_load %[[Q]][%{{.*}}] at [0, 112]
module attributes {tile.target = "sm_90a"} {
func.func @in_memory(%pq: tensor<128x128x!tile.ptr<bf16>, #rq>, %pk0: tensor<64x128x!tile.ptr<bf16>, #rk>, %pv0: tensor<64x128x!tile.ptr<bf16>, #rk>, %n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zs = arith.constant dense<0.0> : tensor<128x64xf32, #s>
  %zo = arith.constant dense<0.0> : tensor<128x128xf32, #o>
  %pk = tile.hint %pk0 contiguity = [1, 128] divisibility = [16, 16] : tensor<64x128x!tile.ptr<bf16>, #rk>
  %pv = tile.hint %pv0 contiguity = [1, 128] divisibility = [16, 16] : tensor<64x128x!tile.ptr<bf16>, #rk>
  %q = tile.load %pq : tensor<128x128x!tile.ptr<bf16>, #rq>
  %fq = tile.convert_layout %q : tensor<128x128xbf16, #rq> -> tensor<128x128xbf16, #q>
  %size = arith.constant dense<8192> : tensor<64x128xi32, #rk>
  %out = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zo) -> (tensor<128x128xf32, #o>) : i32 {
    %is = tile.splat %i : i32 -> tensor<64x128xi32, #rk>
    %far = arith.muli %is, %size : tensor<64x128xi32, #rk>
    %pki = tile.addptr %pk, %far : tensor<64x128x!tile.ptr<bf16>, #rk>, tensor<64x128xi32, #rk>
    %k = tile.load %pki : tensor<64x128x!tile.ptr<bf16>, #rk>
    %t = tile.trans %k, [1, 0] : tensor<64x128xbf16, #rk> -> tensor<128x64xbf16, #rkt>
    %fk = tile.convert_layout %t : tensor<128x64xbf16, #rkt> -> tensor<128x64xbf16, #kt>
    %s = tile.dot %fq, %fk, %zs unit <mma_sync, m16n8k16> : tensor<128x128xbf16, #q>, tensor<128x64xbf16, #kt> -> tensor<128x64xf32, #s>
    %e = math.exp2 %s : tensor<128x64xf32, #s>
    %p = arith.truncf %e : tensor<128x64xf32, #s> to tensor<128x64xbf16, #s>
    %pvi = tile.addptr %pv, %far : tensor<64x128x!tile.ptr<bf16>, #rk>, tensor<64x128xi32, #rk>
    %v = tile.load %pvi : tensor<64x128x!tile.ptr<bf16>, #rk>
    %fv = tile.convert_layout %v : tensor<64x128xbf16, #rk> -> tensor<64x128xbf16, #v>
    %o = tile.dot %p, %fv, %acc unit <mma_sync, m16n8k16> : tensor<128x64xbf16, #s>, tensor<64x128xbf16, #v> -> tensor<128x128xf32, #o>
    scf.yield %o : tensor<128x128xf32, #o>
  }
  tile.print "o" [true] values(%out : tensor<128x128xf32, #o>)
  return
}
}
