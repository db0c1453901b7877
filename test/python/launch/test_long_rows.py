"""Rows that the blocks of a cluster share: the same results as on one block, in every form that kernels have."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from arrays import KIND, array, numbers, zeros
from tegula import knobs

on_blocks = pytest.mark.skipif(KIND == "interpret", reason="it has no blocks")


@triton.jit
def softmax(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * n
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + i, mask=i < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row + i, e / tl.sum(e, axis=0), mask=i < n)


@triton.jit
def places(x_ptr, most_ptr, place_ptr, n_rows, BLOCK: tl.constexpr):
    """The largest element of each row and where it is first, the rows a grid apart."""
    i = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), n_rows, tl.num_programs(0), num_stages=2):
        x = tl.load(x_ptr + row * BLOCK + i)
        most, place = tl.max(x, axis=0, return_indices=True)
        tl.store(most_ptr + row, most)
        tl.store(place_ptr + row, place)


@triton.jit
def centre(x_ptr, n, BLOCK: tl.constexpr):
    """In place, each row by what the one before left: blocks wait for each other's stores."""
    i = tl.arange(0, BLOCK)
    for row in range(1, n):
        x = tl.load(x_ptr + row * BLOCK + i)
        before = tl.load(x_ptr + (row - 1) * BLOCK + (BLOCK - 1 - i))
        tl.store(x_ptr + row * BLOCK + i, x - tl.sum(before, axis=0) + before)


def blocks_of(compiled):
    line = next((line for line in compiled.asm["ptx"].splitlines() if line.startswith("// programs ")), "")
    return int(line.rpartition(" in a cluster of ")[2]) if " in a cluster of " in line else 1


def soft(rows, n, **options):
    x = np.random.default_rng(n).standard_normal((rows, n)).astype(np.float32)
    y = zeros(rows * n)
    compiled = softmax[(rows,)](array(x.reshape(-1)), y, n, BLOCK=triton.next_power_of_2(n), **options)
    e = np.exp(x - x.max(1, keepdims=True), dtype=np.float64)
    np.testing.assert_allclose(numbers(y).reshape(rows, n), e / e.sum(1, keepdims=True), rtol=2e-6)
    return compiled


@on_blocks
@pytest.mark.parametrize("n, blocks", [(32768, 1), (32769, 4), (50257, 4), (65536, 4), (100000, 8)])
def test_as_many_blocks_share_a_row_as_it_needs(n, blocks):
    compiled = soft(2, n, num_warps=16)
    if "sm_90" in compiled.asm["ptx"] or "sm_1" in compiled.asm["ptx"]:
        assert blocks_of(compiled) == blocks


@on_blocks
@pytest.mark.parametrize("ctas", [2, 4, 8])
def test_num_ctas_says_how_many_blocks_share_a_row(ctas):
    compiled = soft(5, 3000, num_warps=4, num_ctas=ctas)
    assert blocks_of(compiled) == ctas


@on_blocks
def test_without_spread_a_block_has_a_row_by_itself(monkeypatch):
    monkeypatch.setattr(knobs.compilation, "without", "spread")
    assert blocks_of(soft(1, 60000, num_warps=32)) == 1


@on_blocks
def test_code_that_others_launch_has_a_block_for_each_program():
    spec = triton.compiler.ASTSource(softmax, {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}, {"BLOCK": 65536})
    assert blocks_of(triton.compile(spec)) == 1


@pytest.mark.parametrize("ctas", [1, 2, 8])
def test_rows_a_grid_apart(ctas):
    rows, n = 7, 2048
    x = np.random.default_rng(1).integers(0, 50, (rows, n)).astype(np.float32)
    most, place = zeros(rows), zeros(rows, "int32")
    places[(3,)](array(x.reshape(-1)), most, place, rows, BLOCK=n, num_warps=4, num_ctas=ctas)
    np.testing.assert_array_equal(numbers(most), x.max(1))
    np.testing.assert_array_equal(numbers(place), x.argmax(1))


@pytest.mark.parametrize("ctas", [1, 4])
def test_rows_in_place_by_the_row_before(ctas):
    rows, n = 4, 1024
    x = np.random.default_rng(2).integers(-1, 2, (rows, n)).astype(np.int32)
    expected = x.copy()
    for row in range(1, rows):
        before = expected[row - 1, ::-1]
        expected[row] += before - before.sum()
    found = array(x.reshape(-1), "int32")
    centre[(1,)](found, rows, BLOCK=n, num_warps=4, num_ctas=ctas)
    np.testing.assert_array_equal(numbers(found).reshape(rows, n), expected)
