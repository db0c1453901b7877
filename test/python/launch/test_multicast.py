"""Neighbouring blocks of a persistent kernel that load for each other: the same results as where each loads for itself."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from arrays import KIND, array, numbers, zeros
from tegula import knobs

pytestmark = pytest.mark.skipif(KIND == "interpret", reason="it has no blocks")


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K, ALONG_M: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
            BLOCK_K: tl.constexpr):
    tile_m, tile_n = tl.program_id(0), tl.program_id(1)
    if not ALONG_M:
        tile_n, tile_m = tile_m, tile_n
    m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + m[:, None] * K + k[None, :]
    b_ptrs = b_ptr + k[:, None] * N + n[None, :]
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=(m[:, None] < M) & (k[None, :] < K - first), other=0.0)
        b = tl.load(b_ptrs, mask=(k[:, None] < K - first) & (n[None, :] < N), other=0.0)
        sums = tl.dot(a, b, sums)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * N
    tl.store(c_ptr + m[:, None] * N + n[None, :], sums.to(tl.float16), mask=(m[:, None] < M) & (n[None, :] < N))


def matrix(rows, columns, seed):
    return np.random.default_rng(seed).standard_normal((rows, columns)).astype(np.float16)


def run(monkeypatch, without, M, N, K, along_m, blocks, stages):
    monkeypatch.setattr(knobs.compilation, "without", without)
    a, b, c = matrix(M, K, 1), matrix(K, N, 2), zeros(M * N, "float16")
    sides = triton.cdiv(M, blocks[0]), triton.cdiv(N, blocks[1])
    kernel = product[sides if along_m else sides[::-1]](array(a, "float16"), array(b, "float16"), c, M, N, K, along_m,
                                                       *blocks, num_warps=8, num_stages=stages)
    found = numbers(c).reshape(M, N)
    np.testing.assert_allclose(found.astype(np.float32), a.astype(np.float32) @ b.astype(np.float32), rtol=4e-3, atol=4e-2)
    return kernel, found


#: An even and an odd number of programs, rows of tiles of even and odd length, 2 to 4 slots, and one iteration.
CASES = [(256, 520, 136, True, (128, 256, 64), 3), (384, 776, 200, True, (128, 256, 64), 4),
         (384, 776, 200, False, (128, 256, 64), 2), (640, 264, 72, True, (256, 128, 64), 3),
         (300, 520, 40, False, (128, 256, 64), 3)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_pairs_of_blocks_find_what_single_ones_do(monkeypatch, case):
    kernel, found = run(monkeypatch, "", *case)
    assert ", in pairs" in kernel.asm["ptx"] and "multicast::cluster" in kernel.asm["ptx"]
    alone, expected = run(monkeypatch, "multicast", *case)
    assert "cluster" not in alone.asm["ptx"].replace("shared::cluster", "").replace("release.cluster", "")
    assert np.array_equal(found, expected)


def test_loops_of_other_lengths_stay_alone(monkeypatch):
    @triton.jit
    def triangle(a_ptr, b_ptr, c_ptr, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
        m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
        n = tl.arange(0, BLOCK_N)
        sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for first in range(0, (tl.program_id(0) + 1) * BLOCK_M, BLOCK_K):
            k = first + tl.arange(0, BLOCK_K)
            a = tl.load(a_ptr + m[:, None] * N + k[None, :], mask=(m[:, None] < N) & (k[None, :] < N), other=0.0)
            b = tl.load(b_ptr + k[:, None] * BLOCK_N + n[None, :], mask=k[:, None] < N, other=0.0)
            sums = tl.dot(a, b, sums)
        tl.store(c_ptr + m[:, None] * BLOCK_N + n[None, :], sums.to(tl.float16), mask=m[:, None] < N)

    n = 520
    a, b, c = matrix(n, n, 1), matrix(n, 256, 2), zeros(n * 256, "float16")
    kernel = triangle[(triton.cdiv(n, 128),)](array(a, "float16"), array(b, "float16"), c, n, 128, 256, 64, num_warps=8)
    assert "persistent" in kernel.asm["ptx"] and "multicast::cluster" not in kernel.asm["ptx"]
    ends = np.minimum((np.arange(n) // 128 + 1) * 128, n)
    kept = np.where(np.arange(n)[None, :] < ends[:, None], a, 0).astype(np.float32)
    np.testing.assert_allclose(numbers(c).reshape(n, 256).astype(np.float32), kept @ b.astype(np.float32), rtol=4e-3, atol=6e-2)
