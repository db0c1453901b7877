"""Tensor descriptors that the host makes; what they do besides loads and stores of blocks."""

import numpy as np
import pytest
from harness import ON_GPU, array, empty, launch, same

import tegula as triton
import tegula.language as tl
from tegula.tools.tensor_descriptor import TensorDescriptor


class Described:
    """An array that a launch is given as a descriptor."""

    def __init__(self, whole, block, padding="zero"):
        self.whole, self.block, self.padding = whole, block, padding


def run(kernel, *args, grid=(1,), **meta):
    """As `launch`, with descriptors of arrays and tuples of such among the arguments."""
    moved = []

    def move(arg):
        if isinstance(arg, tuple):
            return tuple(move(item) for item in arg)
        if not isinstance(arg, Described):
            return arg.argument() if hasattr(arg, "argument") else arg
        there = arg.whole.argument()
        moved.append((arg.whole, there))
        return TensorDescriptor.from_tensor(there, arg.block, arg.padding)

    plain = [arg for arg in args if hasattr(arg, "take_back")]
    given = [move(arg) for arg in args]
    compiled = kernel[grid](*given, **meta)
    for whole, there in moved:
        whole.take_back(there)
    for whole, there in zip(plain, [there for arg, there in zip(args, given) if hasattr(arg, "take_back")]):
        whole.take_back(there)
    return compiled


def padded(values, starts, sides, outside):
    block = np.full(sides, outside, values.dtype)
    for place in np.ndindex(*sides):
        at = tuple(start + i for start, i in zip(starts, place))
        if all(0 <= i < side for i, side in zip(at, values.shape)):
            block[place] = values[at]
    return block


@triton.jit
def copies(source: tl.tensor_descriptor, target, row, column):
    tl.static_assert(isinstance(source, tl.tensor_descriptor) and source.dtype == target.dtype)
    tl.static_assert(source.block_shape == target.block_shape)
    target.store([0, 0], tl.load_tensor_descriptor(source, [row, column]))


@pytest.mark.parametrize("padding, outside", [("zero", 0), ("nan", np.nan)])
@pytest.mark.parametrize("place", [(0, 0), (8, 32), (-3, 90), (35, -8), (500, 0)])
def test_a_descriptor_of_the_host(place, padding, outside):
    values = np.arange(37 * 104, dtype=np.float32).reshape(37, 104)
    out = empty("float32", (16, 32))
    run(copies, Described(array("float32", values), [16, 32], padding), Described(out, [16, 32]), *place)
    same(out, padded(values, place, (16, 32), outside))


@triton.jit
def copies_any(source, target, starts, RANK: tl.constexpr):
    tl.static_assert(len(source.shape) == RANK and len(source.strides) == RANK)
    tl.store_tensor_descriptor(target, [0] * RANK, source.load(starts))


@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5])
def test_descriptors_of_every_rank(rank):
    shape, block = ([3, 5, 2, 6, 12])[-rank:], ([2, 4, 1, 2, 8])[-rank:]
    values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    out, starts = empty("float32", block), ([1, 2, 1, 5, 8])[-rank:]
    run(copies_any, Described(array("float32", values), block), Described(out, block), tuple(starts), RANK=rank)
    same(out, padded(values, starts, block, 0))


@triton.jit
def sums_rows(pair, out, A: tl.constexpr, B: tl.constexpr):
    source, scale = pair
    total = tl.zeros((A,), tl.float32)
    for column in range(0, source.shape[1], B):
        total += tl.sum(source.load([tl.program_id(0) * A, column]), 1)
    rows = tl.program_id(0) * A + tl.arange(0, A)
    tl.store(out + rows, total * scale, rows < source.shape[0])


def test_a_descriptor_in_a_tuple_and_in_a_loop():
    values = np.random.default_rng(1).integers(-8, 9, (37, 104)).astype(np.float32)
    out = empty("float32", 37)
    run(sums_rows, (Described(array("float32", values), [16, 32]), 0.5), out, A=16, B=32, grid=(3,))
    same(out, values.sum(1) * 0.5)


def test_one_kernel_for_all_arrays_of_a_kind():
    first, second = (Described(array("float32", np.ones((side, 64))), [16, 32]) for side in (48, 80))
    out = Described(empty("float32", (16, 32)), [16, 32])
    made = run(copies, first, out, 0, 0)
    assert run(copies, second, out, 0, 0) is made
    other = Described(array("float32", np.ones((48, 64))), [16, 32], "nan")
    assert run(copies, other, out, 0, 0) is not made


def test_blocks_that_are_changed_before_a_launch():
    """As hooks of tuners do it."""
    values = array("float32", np.arange(64 * 64).reshape(64, 64))
    source = TensorDescriptor.from_tensor(values.argument(), [16, 32])
    out = empty("float32", (8, 64))
    there = out.argument()
    source.block_shape = [8, 64]
    copies[(1,)](source, TensorDescriptor.from_tensor(there, [8, 64]), 3, 0)
    out.take_back(there)
    same(out, values.values[3:11])


@pytest.mark.parametrize("block, message", [([16, 2], "at least 16 bytes"), ([3, 32], "must be a power of 2")])
def test_blocks_that_no_descriptor_has(block, message):
    with pytest.raises((triton.CompilationError, ValueError), match=message):
        source = Described(array("float32", np.ones((64, 64))), block)
        run(copies, source, Described(empty("float32", (16, 32)), [16, 32]), 0, 0)


@triton.jit
def takes_rows(source, target, rows, column, N: tl.constexpr):
    numbers = tl.load(rows + tl.arange(0, N))
    target.scatter(source.gather(numbers, column), tl.arange(0, N) * 2, 4)


@pytest.mark.skipif(ON_GPU, reason="one array is given by two names")
@pytest.mark.parametrize("column", [0, 8, -4, 30])
def test_gather_and_scatter(column):
    values = np.arange(10 * 40, dtype=np.float32).reshape(10, 40)
    rows = np.array([3, 0, 9, -1, 10, 3, 7, 100], np.int32)
    out = array("float32", np.full((14, 20), -1))
    run(takes_rows, Described(array("float32", values), [1, 16]), Described(out, [1, 16]), array("int32", rows), column,
        N=8)
    expected = np.full((14, 20), -1, np.float32)
    for i, row in enumerate(rows):
        if 2 * i < 14:
            expected[2 * i, 4:20] = padded(values, (row, column), (1, 16), 0)
    same(out, expected)


@triton.jit
def updates(desc, values, row, A: tl.constexpr, B: tl.constexpr, OP: tl.constexpr):
    block = tl.load(values + tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :])
    if OP == "add":
        desc.atomic_add([row, 4], block)
    elif OP == "min":
        desc.atomic_min([row, 4], block)
    elif OP == "max":
        desc.atomic_max([row, 4], block)
    elif OP == "and":
        desc.atomic_and([row, 4], block)
    elif OP == "or":
        desc.atomic_or([row, 4], block)
    else:
        desc.atomic_xor([row, 4], block)


_UPDATES = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or,
            "xor": np.bitwise_xor}


@pytest.mark.parametrize("op", _UPDATES)
@pytest.mark.parametrize("row", [0, -3, 9])
def test_atomic_updates_of_blocks(op, row):
    random = np.random.default_rng(5)
    before, block = random.integers(-99, 99, (12, 16)).astype(np.int32), random.integers(-99, 99, (8, 8)).astype(np.int32)
    out = array("int32", before)
    run(updates, Described(out, [8, 8]), array("int32", block), row, A=8, B=8, OP=op)
    expected = before.copy()
    for i in range(8):
        if 0 <= row + i < 12:
            expected[row + i, 4:12] = _UPDATES[op](expected[row + i, 4:12], block[i])
    same(out, expected)


@pytest.mark.parametrize("name", ["int16", "uint16", "float32", "float64"])
@pytest.mark.parametrize("op", ["min", "max"])
def test_extrema_of_other_types_are_refused(name, op):
    out = empty(name, (8, 16))
    with pytest.raises(triton.CompilationError, match="expected a descriptor of int32, .* found one of "):
        run(updates, Described(out, [8, 8]), empty(name, (8, 8)), 0, A=8, B=8, OP=op)


def test_updates_of_floats_add():
    out = array("float32", np.ones((8, 16)))
    run(updates, Described(out, [8, 8]), array("float32", np.full((8, 8), 0.5)), 0, A=8, B=8, OP="add", grid=(3,))
    expected = np.ones((8, 16), np.float32)
    expected[:, 4:12] += 1.5
    same(out, expected)


@triton.jit
def wrong_rows(source, out, WHAT: tl.constexpr):
    if WHAT == 0:
        source.gather(tl.arange(0, 8)[:, None], 0)
    elif WHAT == 1:
        source.gather(tl.arange(0, 8).to(tl.int64), 0)
    elif WHAT == 2:
        source.scatter(tl.zeros((8, 8), tl.float32), tl.arange(0, 8), 0)
    elif WHAT == 3:
        source.atomic_add([0], tl.zeros((1, 16), tl.float32))
    elif WHAT == 4:
        source.atomic_add([0, 0], tl.zeros((8, 16), tl.float32))
    else:
        source.atomic_xor([0, 0], tl.zeros((1, 16), tl.float32))


_WRONG = ["numbers of rows in one dimension, found 2", "numbers of rows as int32 or int16, found int64", "value of shape",
          "expected 2 offsets, one for each dimension, found 1", "expected a value of the block's shape", "atomic_xor"]


@pytest.mark.parametrize("what", range(6))
def test_rows_and_updates_that_are_wrong(what):
    source = Described(array("float32", np.ones((64, 64))), [1, 16])
    with pytest.raises(triton.CompilationError, match=_WRONG[what]):
        run(wrong_rows, source, empty("float32", 4), WHAT=what)


def test_gather_wants_blocks_of_one_row():
    source = Described(array("float32", np.ones((64, 64))), [2, 16])
    with pytest.raises(triton.CompilationError, match="blocks are one row"):
        run(wrong_rows, source, empty("float32", 4), WHAT=0)


@triton.jit
def half_extrema(desc, values, row, M: tl.constexpr, N: tl.constexpr, LARGEST: tl.constexpr):
    block = tl.load(values + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    if LARGEST:
        desc.atomic_max([row, 0], block)
    else:
        desc.atomic_min([row, 0], block)


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("largest", [False, True])
def test_extrema_of_sixteen_bits(name, largest):
    # Four programs at the same rows, of which the last two lie outside.
    random = np.random.default_rng(3)
    held, given = array(name, random.integers(-8, 8, (10, 16)) / 2), array(name, random.integers(-8, 8, (4, 16)) / 2)
    expected = held.values.copy()
    pick = np.maximum if largest else np.minimum
    expected[8:10] = pick(expected[8:10], given.values[:2])
    run(half_extrema, Described(held, [4, 16]), given, 8, grid=(4,), M=4, N=16, LARGEST=largest)
    same(held, expected)


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_extrema_of_wider_floats_are_refused(name):
    held, given = array(name, np.zeros((4, 16))), array(name, np.ones((4, 16)))
    with pytest.raises(triton.CompilationError, match="expected a descriptor of int32, uint32, int64, uint64, fp16 or bf16"):
        run(half_extrema, Described(held, [4, 16]), given, 0, M=4, N=16, LARGEST=True)
