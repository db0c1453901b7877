"""Persistent kernels whose tiles are numbered row by row: each tile is computed, whatever the order."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from arrays import KIND, array, numbers, zeros

pytestmark = pytest.mark.skipif(KIND == "interpret", reason="it has no blocks")


@triton.jit
def tile(a_ptr, b_ptr, c_ptr, M, N, K, tile_m, tile_n, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + m[:, None] * K + (first + k)[None, :], mask=(m[:, None] < M) & (k[None, :] < K - first), other=0.0)
        b = tl.load(b_ptr + (first + k)[:, None] * N + n[None, :], mask=(k[:, None] < K - first) & (n[None, :] < N), other=0.0)
        sums = tl.dot(a, b, sums)
    tl.store(c_ptr + m[:, None] * N + n[None, :], sums.to(tl.float16), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def by_axes(a_ptr, b_ptr, c_ptr, M, N, K, columns, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    tile(a_ptr, b_ptr, c_ptr, M, N, K, tl.program_id(1), tl.program_id(0), BLOCK_M, BLOCK_N, BLOCK_K)


@triton.jit
def by_number(a_ptr, b_ptr, c_ptr, M, N, K, columns, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    program = tl.program_id(0)
    tile(a_ptr, b_ptr, c_ptr, M, N, K, program // columns, program % columns, BLOCK_M, BLOCK_N, BLOCK_K)


def matrix(rows, columns, seed):
    return np.random.default_rng(seed).standard_normal((rows, columns)).astype(np.float16)


def run(kernel, grid, rows, columns, counted):
    """`counted` is the number of columns that the kernel is told of; tiles behind the last column compute nothing."""
    M, N, K = rows * 128 - 40, columns * 256 - 72, 64
    a, b, c = matrix(M, K, 1), matrix(K, N, 2), zeros(M * N, "float16")
    compiled = kernel[grid](array(a, "float16"), array(b, "float16"), c, M, N, K, counted, 128, 256, 64, num_warps=8)
    assert "persistent" in compiled.asm["ptx"]
    found = numbers(c).reshape(M, N)
    np.testing.assert_allclose(found.astype(np.float32), a.astype(np.float32) @ b.astype(np.float32), rtol=4e-3, atol=4e-2)


#: Rows by columns of tiles: less than a group, one, one and a part, several; one column, one row.
TABLES = [(3, 5), (8, 2), (11, 3), (17, 2), (9, 1), (1, 9)]


@pytest.mark.parametrize("rows, columns", TABLES)
def test_each_tile_of_two_axes_is_computed(rows, columns):
    run(by_axes, (columns, rows), rows, columns, columns)


@pytest.mark.parametrize("rows, columns", TABLES)
def test_each_tile_of_a_quotient_and_a_remainder_is_computed(rows, columns):
    run(by_number, (rows * columns,), rows, columns, columns)


@pytest.mark.parametrize("surplus", [1, 4])
def test_programs_that_fill_no_row_stay_in_place(surplus):
    """The last row of the table has `surplus` tiles, all of them below the matrix."""
    run(by_number, (9 * 5 + surplus,), 9, 5, 5)


def test_more_columns_than_programs_is_an_order_too():
    run(by_number, (4,), 1, 4, 1000)
