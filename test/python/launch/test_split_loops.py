"""Loops of products that the blocks of a cluster share out: the same bits here and on the GPU that they were recorded on."""

import hashlib

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from arrays import KIND, array, numbers, zeros
from tegula import knobs


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + m[:, None] * K + k[None, :]
    b_ptrs = b_ptr + k[:, None] * N + n[None, :]
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for step in range(tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_ptrs, mask=(m[:, None] < M) & (k[None, :] < K - step * BLOCK_K), other=0.0)
        b = tl.load(b_ptrs, mask=(k[:, None] < K - step * BLOCK_K) & (n[None, :] < N), other=0.0)
        sums = tl.dot(a, b, sums)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * N
    tl.store(c_ptr + m[:, None] * N + n[None, :], sums, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def fill(x_ptr):
    tl.store(x_ptr + tl.program_id(0) * 2 + tl.arange(0, 2), tl.num_programs(0))


def matrix(rows, columns, factor):
    """Multiples of 1/512 up to 2, which fp16 holds."""
    i = np.arange(rows * columns, dtype=np.uint64)
    return (((i * factor % 2**32 >> 13) % 2001).astype(np.float32) - 1000).reshape(rows, columns) / 512


def run(M, N, K, blocks, warps, **options):
    a, b = matrix(M, K, np.uint64(2654435761)), matrix(K, N, np.uint64(2246822519))
    c = zeros(M * N)
    grid = (triton.cdiv(M, blocks[0]), triton.cdiv(N, blocks[1]))
    product[grid](array(a, "float16"), array(b, "float16"), c, M, N, K, *blocks, num_warps=warps, **options)
    found = numbers(c).reshape(M, N)
    np.testing.assert_allclose(found, a.astype(np.float64) @ b, rtol=0, atol=2e-3)
    return hashlib.sha256(found.tobytes()).hexdigest()[:16]


#: By an H100: wgmma with TMA over 8 and 4 blocks, a tile with few chunks, two warp groups, mma.sync. The last three, over 7, 5
#: and 3 blocks, are the emulator's and an H200's alike.
GOLDEN = {
    (64, 128, 2048, (64, 128, 64), 4): "896f9c36bd7d4eff",
    (100, 2000, 1600, (64, 128, 64), 4): "ede6680b7b1dc437",
    (16, 64, 4096, (64, 64, 64), 4): "1881b4fa3dafdf08",
    (128, 128, 4096, (128, 128, 32), 8): "2e15eb047122216e",
    (60, 70, 1500, (32, 32, 64), 4): "47b412fe5ce643e3",
    (64, 128, 4184, (64, 128, 128), 4): "0702177b495700fd",
    (64, 128, 2680, (64, 128, 128), 4): "1c1fee360ad633aa",
    (64, 64, 3840, (64, 64, 256), 4): "5e88f743d16ee184",
}


@pytest.mark.parametrize("case", GOLDEN, ids=str)
@pytest.mark.skipif(KIND == "interpret", reason="it has no blocks")
def test_sums_over_a_cluster_are_those_of_a_gpu(case):
    assert run(*case) == GOLDEN[case]


@pytest.mark.skipif(KIND == "interpret", reason="it has no blocks")
def test_without_split_a_block_adds_up_by_itself(monkeypatch):
    case = next(iter(GOLDEN))
    monkeypatch.setattr(knobs.compilation, "without", "split")
    assert run(*case) != GOLDEN[case]


@pytest.mark.parametrize("ctas, same", [(1, 8), (2, 2), (8, 8), (16, 8)])
@pytest.mark.skipif(KIND == "interpret", reason="it has no blocks")
def test_num_ctas_says_how_many_blocks_share_a_loop(ctas, same):
    """The order of sums tells how many blocks there were: by itself a launch of one program takes eight."""
    shape = next(iter(GOLDEN))
    assert run(*shape, num_ctas=ctas) == run(*shape, num_ctas=same)
    assert (run(*shape, num_ctas=ctas) == run(*shape, num_ctas=4)) == (ctas == 4)


@pytest.mark.parametrize("K", [1, 64, 200, 460])
def test_blocks_without_a_part_of_a_loop_add_nothing(K):
    run(70, 60, K, (64, 64, 64), 4, num_ctas=8)


def test_num_ctas_leaves_other_kernels_as_they_are():
    x = zeros(4)
    fill[(2,)](x, num_ctas=2)
    assert numbers(x).tolist() == [2, 2, 2, 2]
