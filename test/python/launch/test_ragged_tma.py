"""Parts of unequal length, one behind the other, by descriptors."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from arrays import array, numbers, zeros
from tegula.tools.ragged_tma import atomic_add_ragged, create_ragged_descriptor, load_ragged, store_ragged

LENGTHS = [5, 0, 16, 1, 30]
ROWS = sum(LENGTHS)


@triton.jit
def move(source, target, offsets, lengths, ADDS: tl.constexpr, ROWS: tl.constexpr):
    part = tl.program_id(0)
    first, length = tl.load(offsets + part), tl.load(lengths + part)
    for row in range(0, length + 1, ROWS):
        block = load_ragged(source, first, length, [row, 0])
        if ADDS:
            atomic_add_ragged(target, first, length, [row, 0], block + 1)
        else:
            store_ragged(target, first, length, [row, 0], block + 1)


@triton.jit
def look(source, out, offset, length, row, AXIS: tl.constexpr):
    if AXIS == 0:
        block = load_ragged(source, offset, length, [row, 0, 0])
    else:
        block = load_ragged(source, offset, length, [0, row, 0], ragged_dim=AXIS)
    tl.store(out + tl.arange(0, block.numel), tl.ravel(block))


def parts():
    return (array(np.cumsum([0] + LENGTHS[:-1]), "int32"), array(LENGTHS, "int32"))


@pytest.mark.parametrize("adds", [False, True])
def test_each_part_moves_its_own_rows(adds):
    values = np.random.default_rng(0).integers(0, 100, (ROWS + 4, 8)).astype(np.float32)
    source, target = array(values), array(np.full((ROWS + 4, 8), 1000.0))
    offsets, lengths = parts()
    described = [create_ragged_descriptor(each, [8, 8]) for each in (source, target)]
    move[(len(LENGTHS),)](*described, offsets, lengths, ADDS=adds, ROWS=8)
    moved = numbers(target)
    # A block that began beyond its part, or ran over its end, would have put its rows into the next one's.
    np.testing.assert_array_equal(moved[:ROWS], values[:ROWS] + 1 + (1000 if adds else 0))
    np.testing.assert_array_equal(moved[ROWS:], 1000)


@pytest.mark.parametrize("axis, ragged_dim", [(0, 0), (1, 1), (1, -2)])
def test_rows_beyond_a_part_are_zero(axis, ragged_dim):
    values = np.random.default_rng(1).uniform(1, 2, (12, 12, 8)).astype(np.float32)
    out = zeros(2 * 4 * 8 if axis else 4 * 2 * 8)
    block = [2, 4, 8] if axis else [4, 2, 8]
    look[(1,)](create_ragged_descriptor(array(values), block, ragged_dim), out, 3, 5, 3, AXIS=axis)
    expected = np.zeros(block, np.float32)
    if axis:
        expected[:, :2] = values[:2, 6:8]
    else:
        expected[:2] = values[6:8, :2]
    np.testing.assert_array_equal(numbers(out).reshape(block), expected)


@pytest.mark.parametrize("shape, block, ragged, message", [
    ((4, 8), [4, 8], 1, "dimension 1 cannot be ragged: of 2 only the first 1 can"),
    ((4, 8), [4], 0, "a block of 1 dimensions for a tensor of 2"),
    ((2, 2, 4, 8), [2, 2, 4, 8], 0, "at most 3 dimensions, this tensor 4"),
])
def test_what_cannot_be_ragged(shape, block, ragged, message):
    with pytest.raises(AssertionError, match=message):
        create_ragged_descriptor(array(np.zeros(shape)), block, ragged)


def test_a_plain_descriptor_is_refused():
    plain = triton.tools.tensor_descriptor.TensorDescriptor.from_tensor(array(np.zeros((4, 8))), [4, 8])
    with pytest.raises(triton.CompilationError, match="not one of create_ragged_descriptor"):
        look[(1,)](plain, zeros(32), 0, 4, 0, AXIS=0)
