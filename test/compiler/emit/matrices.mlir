// How buffers end up in PTX: numbers in addresses, matrices by their instructions, copies with their sizes.
// RUN: tegula-opt %s --tegula-lower --print-ptx -o /dev/null | FileCheck %s

#rows = #tile.layout<{register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 64]>
#fragment = #tile.layout<{register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 32], [0, 0]]} : [32, 64]>
#shared = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]} : [32, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [0, 32]]} : [32, 64]>

// CHECK-LABEL: .entry k(
// CHECK: cp.async.cg.shared.global [%r{{[0-9]+}}+0], [%rd{{[0-9]+}}], 16;
// CHECK: cp.async.cg.shared.global [%r{{[0-9]+}}+{{[1-9][0-9]*}}], [%rd{{[0-9]+}}], 16;
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 0;
// CHECK: bar.sync 0;
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%r{{[0-9]+}}];
// CHECK-COUNT-3: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-NOT: ldmatrix
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r{{[0-9]+}}], {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}};
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r{{[0-9]+}}+{{[0-9]+}}],
// CHECK: bar.sync 0;
// CHECK: ld.shared.v4.b32
// CHECK: st.global.v4.b32
module attributes {tile.target = "sm_90a"} {
  func.func @k(%p: !tile.ptr<f16> {tile.param = #tile.param<"p", "*fp16", 16>}, %q: !tile.ptr<f16> {tile.param = #tile.param<"q", "*fp16", 16>}) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant dense<64> : tensor<32x1xi32, #tile.layout<{register = [[16, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 1]>>
    %r = tile.arange 0 to 32 : tensor<32xi32, #tile.layout<{register = [[16]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]} : [32]>>
    %r1 = tile.expand_dims %r, 1 : tensor<32xi32, #tile.layout<{register = [[16]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]} : [32]>> -> tensor<32x1xi32, #tile.layout<{register = [[16, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 1]>>
    %rs = arith.muli %r1, %c64 : tensor<32x1xi32, #tile.layout<{register = [[16, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 1]>>
    %rb = tile.broadcast %rs : tensor<32x1xi32, #tile.layout<{register = [[16, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]} : [32, 1]>> -> tensor<32x64xi32, #rows>
    %c = tile.arange 0 to 64 : tensor<64xi32, #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]} : [64]>>
    %c1 = tile.expand_dims %c, 0 : tensor<64xi32, #tile.layout<{register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]} : [64]>> -> tensor<1x64xi32, #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]} : [1, 64]>>
    %cb = tile.broadcast %c1 : tensor<1x64xi32, #tile.layout<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]} : [1, 64]>> -> tensor<32x64xi32, #rows>
    %o = arith.addi %rb, %cb : tensor<32x64xi32, #rows>
    %ps = tile.splat %p : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>, #rows>
    %po = tile.addptr %ps, %o : tensor<32x64x!tile.ptr<f16>, #rows>, tensor<32x64xi32, #rows>
    %qs = tile.splat %q : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>, #rows>
    %qo = tile.addptr %qs, %o : tensor<32x64x!tile.ptr<f16>, #rows>, tensor<32x64xi32, #rows>
    %b = tgpu.alloc : !tgpu.buffer<1 of tensor<32x64xf16>, #shared>
    tgpu.async_copy %po into %b[%c0] : tensor<32x64x!tile.ptr<f16>, #rows>, !tgpu.buffer<1 of tensor<32x64xf16>, #shared>
    tgpu.async_commit
    tgpu.async_wait pending 0
    %x = tgpu.local_load %b[%c0] at [0, 0] : !tgpu.buffer<1 of tensor<32x64xf16>, #shared> -> tensor<32x64xf16, #fragment>
    %s = tile.convert_layout %x : tensor<32x64xf16, #fragment> -> tensor<32x64xf16, #sums>
    %y = tile.convert_layout %s : tensor<32x64xf16, #sums> -> tensor<32x64xf16, #rows>
    tile.store %qo, %y : tensor<32x64x!tile.ptr<f16>, #rows>
    return
  }
}
