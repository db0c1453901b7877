"""Blocks of arrays: block pointers and tensor descriptors, at the edges too; tensors joined and split."""

import numpy as np
import pytest
from harness import array, empty, launch, same

import tegula as triton
import tegula.language as tl


def block_of(values, row, column, rows, columns, outside):
    """The block of a matrix that begins at a place, with `outside` beyond the edges."""
    block = np.full((rows, columns), outside, values.dtype)
    for i in range(rows):
        for j in range(columns):
            if 0 <= row + i < values.shape[0] and 0 <= column + j < values.shape[1]:
                block[i, j] = values[row + i, column + j]
    return block


@triton.jit
def reads_block(x, out, m, n, row, column, A: tl.constexpr, B: tl.constexpr, PADDING: tl.constexpr):
    block = tl.make_block_ptr(x, (m, n), (n, 1), (row, column), (A, B), (1, 0))
    whole = tl.make_block_ptr(out, (A, B), (B, 1), (0, 0), (A, B), (1, 0))
    tl.store(whole, tl.load(block, boundary_check=(0, 1), padding_option=PADDING))


@pytest.mark.parametrize("place", [(0, 0), (3, 40), (-5, -7), (30, 100), (1000, 0)])
@pytest.mark.parametrize("padding", ["zero", "nan"])
def test_a_block_pointer_at_the_edges(place, padding):
    values = np.arange(37 * 101, dtype=np.float32).reshape(37, 101)
    out = empty("float32", (16, 32))
    launch(reads_block, array("float32", values), out, 37, 101, *place, 16, 32, padding)
    same(out, block_of(values, *place, 16, 32, 0 if padding == "zero" else np.nan))


@triton.jit
def transposes(x, out, m, n, BLOCK: tl.constexpr):
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    source = tl.make_block_ptr(x, (n, m), (1, n), (column, row), (BLOCK, BLOCK), (0, 1))
    target = tl.make_block_ptr(out, (n, m), (m, 1), (column, row), (BLOCK, BLOCK), (1, 0))
    tl.store(target, tl.load(source, boundary_check=(0, 1)), boundary_check=(0, 1))


def test_a_block_pointer_with_swapped_strides():
    values = np.arange(50 * 70, dtype=np.int32).reshape(50, 70)
    out = empty("int32", (70, 50))
    launch(transposes, array("int32", values), out, 50, 70, 16, grid=(4, 5))
    same(out, values.T)


@triton.jit
def row_sums(x, out, m, n, A: tl.constexpr, B: tl.constexpr):
    block = tl.make_block_ptr(x, (m, n), (n, 1), (tl.program_id(0) * A, 0), (A, B), (1, 0))
    total = tl.zeros((A,), tl.float32)
    for _ in range(0, n, B):
        total += tl.sum(tl.load(block, boundary_check=(0, 1), padding_option="zero"), 1)
        block = tl.advance(block, (0, B))
    rows = tl.make_block_ptr(out, (m,), (1,), (tl.program_id(0) * A,), (A,), (0,))
    tl.store(rows, total, boundary_check=(0,))


@pytest.mark.parametrize("shape", [(64, 128), (37, 101), (3, 5)])
def test_a_loop_advances_a_block_pointer(shape):
    values = np.random.default_rng(1).integers(-8, 9, shape).astype(np.float32)
    out = empty("float32", shape[:1])
    launch(row_sums, array("float32", values), out, *shape, 16, 32, grid=(triton.cdiv(shape[0], 16),))
    same(out, values.sum(1))


@triton.jit
def doubles(x, out, m, n, A: tl.constexpr, B: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [m, n], [n, 1], [A, B])
    target = tl.make_tensor_descriptor(out, shape=[m, n], strides=[n, 1], block_shape=[A, B])
    tl.static_assert(isinstance(source, tl.tensor_descriptor) and source.block_shape[1] == B)
    tl.static_assert(source.dtype == target.dtype)
    start = [tl.program_id(0) * A, tl.program_id(1) * B]
    tl.store_tensor_descriptor(target, start, source.load(start) * 2)
    rest = tl.load_tensor_descriptor(source, [source.shape[0], 0])
    target.store(start, target.load(start) + rest)


def test_tensor_descriptors_made_by_the_kernel():
    values = np.arange(36 * 100, dtype=np.float32).reshape(36, 100)
    out = empty("float32", (36, 100))
    launch(doubles, array("float32", values), out, 36, 100, 16, 32, grid=(3, 4))
    same(out, values * 2)


@triton.jit
def joins(x, y, out, N: tl.constexpr):
    i, j = tl.arange(0, N), tl.arange(0, 2 * N)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(out + j, tl.interleave(a, b))
    tl.store(out + 2 * N + j, tl.cat(a, b, can_reorder=True))
    tl.store(out + 4 * N + j, tl.ravel(tl.trans(tl.join(a, b))))
    first, second = tl.split(tl.join(b, a))
    tl.store(out + 6 * N + i, first - second)
    low, high = tl.split(tl.join(tl.load(x), tl.load(y)))
    tl.store(out + 7 * N + i, low + 10 * high)


@pytest.mark.parametrize("size", [1, 32, 512])
def test_join_split_interleave_and_cat(size):
    x, y = np.arange(3, 3 + size, dtype=np.int32), np.arange(size, dtype=np.int32) * 7
    out = empty("int32", 8 * size)
    launch(joins, array("int32", x), array("int32", y), out, size)
    both = np.stack([x, y])
    same(out, np.concatenate([both.T.ravel(), both.ravel(), both.ravel(), y - x,
                                       np.full(size, x[0] + 10 * y[0], np.int32)]))
