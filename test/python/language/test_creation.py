"""Ids, ranges, constants, conversions."""

import numpy as np
import pytest
from harness import (INTS, NUMBERS, Array, array, close, empty, encode, launch, numbers, same, type_of)

import tegula as triton
import tegula.language as tl


@triton.jit
def ids(out):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    width, height = tl.num_programs(0), tl.num_programs(1)
    place = (z * height + y) * width + x
    tl.store(out + place, x + 10 * y + 100 * z + 1000 * width + 10000 * height + 100000 * tl.num_programs(2))


def test_program_id_and_num_programs():
    out = empty("int32", 2 * 3 * 4)
    launch(ids, out, grid=(4, 3, 2))
    z, y, x = np.meshgrid(range(2), range(3), range(4), indexing="ij")
    same(out, (x + 10 * y + 100 * z + 4000 + 30000 + 200000).ravel())


@triton.jit
def ranges(out, START: tl.constexpr, END: tl.constexpr):
    i = tl.arange(START, END)
    tl.static_assert(i.dtype == tl.int32)
    tl.store(out + i - START, i)


@pytest.mark.parametrize("start, end", [(0, 1), (0, 64), (3, 11), (128, 256), (0, 1024)])
def test_arange(start, end):
    out = empty("int32", end - start)
    launch(ranges, out, START=start, END=end)
    same(out, np.arange(start, end))


@triton.jit
def filled(out, value, T: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.full([N], value, T)
    tl.static_assert(x.dtype == T)
    tl.store(out + i, x)
    tl.store(out + N + i, tl.full((N,), 3, T))
    tl.store(out + 2 * N + i, tl.zeros([N], T))
    tl.store(out + 3 * N + i, tl.zeros_like(x))
    tl.store(out + 4 * N, tl.full([], 3, T))


@pytest.mark.parametrize("name", NUMBERS)
def test_full_and_zeros(name):
    out = empty(name, 4 * 16 + 1)
    launch(filled, out, 2, T=type_of(name), N=16)
    close(out, [2] * 16 + [3] * 16 + [0] * 32 + [3])


@triton.jit
def convert(x, out, T: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    y = tl.load(x + i).to(T)
    tl.static_assert(y.dtype == T)
    tl.store(out + i, y)


@pytest.mark.parametrize("to", NUMBERS)
@pytest.mark.parametrize("of", NUMBERS)
def test_cast(of, to):
    # Values that both types hold: what else becomes of them is the types' own business.
    x = numbers(of, 32, low=0 if "uint" in to or "uint" in of else -4)
    out = empty(to, 32)
    launch(convert, x, out, T=type_of(to), N=32)
    close(out, np.trunc(x.values.astype(np.float64)) if to in INTS else x.values.astype(np.float64))


@pytest.mark.parametrize("name", NUMBERS)
def test_cast_to_and_from_truth(name):
    x = array(name, [0, 1, 2, 0, 3, 0, 100, 0])
    truths = empty("int1", 8)
    launch(convert, x, truths, T=tl.int1, N=8)
    same(truths, x.values != 0)
    back = empty(name, 8)
    launch(convert, truths, back, T=type_of(name), N=8)
    close(back, (x.values != 0).astype(np.float64))


@pytest.mark.parametrize("of, to", [("float32", "float16"), ("float32", "bfloat16"), ("float64", "float32"),
                                    ("float64", "float16")])
def test_cast_rounds_to_nearest_even(of, to):
    random = np.random.default_rng(1)
    x = array(of, np.concatenate([random.standard_normal(62) * 10.0**random.integers(-3, 4, 62), [np.inf, np.nan]]))
    out = empty(to, 64)
    launch(convert, x, out, T=type_of(to), N=64)
    # NumPy rounds to nearest even as well; of NaNs the bits are anybody's.
    expected = Array(to, encode(to, x.values))
    same(out, expected.values)


def rounded_once(name, value):
    """An integer as the nearest number of a type, of two the even one, by Python's integers."""
    digits = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}[name]
    drop = max(abs(value).bit_length() - digits, 0)
    kept, rest, half = abs(value) >> drop, abs(value) & (1 << drop) - 1, 1 << drop >> 1
    kept += drop > 0 and (rest > half or (rest == half and kept & 1))
    return float(kept << drop) * (-1 if value < 0 else 1)


@pytest.mark.parametrize("to", ["bfloat16", "float16", "float32", "float64"])
@pytest.mark.parametrize("of", ["int32", "uint32", "int64", "uint64"])
def test_integers_are_rounded_once(of, to):
    top = 31 if of == "int32" else 32 if of == "uint32" else 63 if of == "int64" else 64
    values = [2**24 + 2**16 + 1, 2**24 + 2**16, 2**30 + 2**22 + 1, 2**30 + 2**22 - 1, 2**top - 1, 3, 2**top - 2**(top - 10)]
    if top > 32:
        values += [2**40 + 2**32 + 1, 2**40 + 2**32, 2**62 + 2**54 + 1, 2**53 + 1, 2**60 + 2**36 + 1]
    values += [-value for value in values if of[0] == "i"]
    if to == "float16":  # beyond, infinity
        values = [value for value in values if abs(value) < 60000] + [2049, 4098, 8196, 16392]
    values += [0] * (32 - len(values))
    x, out = Array(of, np.array(values, of)), empty(to, 32)
    launch(convert, x, out, T=type_of(to), N=32)
    same(out, [rounded_once(to, value) for value in values])


@triton.jit
def cast_number(out, VALUE: tl.constexpr):
    tl.store(out, VALUE)
    tl.store(out + 1, tl.cast(VALUE, tl.bfloat16))


def test_numbers_are_rounded_once():
    value = 2**24 + 2**16 + 1
    out = empty("bfloat16", 2)
    launch(cast_number, out, VALUE=value)
    same(out, [rounded_once("bfloat16", value)] * 2)


@triton.jit
def toward_zero(x, out, T: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.cast(tl.load(x + i), T, fp_downcast_rounding="rtz"))


@pytest.mark.parametrize("to", ["float16", "bfloat16"])
def test_cast_toward_zero(to):
    x = array("float32", np.random.default_rng(2).uniform(-8, 8, 64))
    out = empty(to, 64)
    launch(toward_zero, x, out, T=type_of(to), N=64)
    found = out.values.astype(np.float64)
    step = 2.0**-7 if to == "float16" else 2.0**-5
    assert (np.abs(found) <= np.abs(x.values)).all()
    assert (np.abs(x.values) - np.abs(found) < step).all()
    assert (found == Array(to, encode(to, found)).values).all()


@triton.jit
def bits(x, out, T: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i).to(T, bitcast=True))


@pytest.mark.parametrize("of, to", [("float32", "int32"), ("uint32", "float32"), ("float64", "int64"),
                                    ("float16", "int16"), ("bfloat16", "uint16"), ("int8", "uint8")])
def test_bitcast(of, to):
    x = numbers(of, 32)
    out = empty(to, 32)
    launch(bits, x, out, T=type_of(to), N=32)
    assert out.stored.tobytes() == x.stored.tobytes()


@triton.jit
def numbers_to_tensors(out):
    tl.static_assert(tl.to_tensor(1).dtype == tl.int32)
    tl.static_assert(tl.to_tensor(True).dtype == tl.int1)
    tl.static_assert(tl.to_tensor(2147483648).dtype == tl.uint32)
    tl.static_assert(tl.to_tensor(-2147483649).dtype == tl.int64)
    tl.static_assert(tl.to_tensor(9223372036854775808).dtype == tl.uint64)
    tl.static_assert(tl.to_tensor(1.5).dtype == tl.float32)
    tl.static_assert(tl.to_tensor(1e300).dtype == tl.float64)
    tl.store(out, tl.to_tensor(7))


def test_to_tensor():
    out = empty("int32", 1)
    launch(numbers_to_tensors, out)
    same(out, [7])


@triton.jit
def divided_up(x, out, div, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i)
    tl.store(out + i, tl.cdiv(value, div.to(value.dtype)))
    tl.store(out + N, triton.cdiv(N, 5))
    tl.store(out + N + 1, triton.next_power_of_2(N + 1))


@pytest.mark.parametrize("name", ["int32", "int64", "uint32"])
def test_cdiv(name):
    x = array(name, range(32))
    out = empty(name, 34)
    launch(divided_up, x, out, 5, N=32)
    same(out, [-(-i // 5) for i in range(33)][:32] + [7, 64])


@triton.jit
def swizzled(rows, columns, SIZE_I: tl.constexpr, SIZE_J: tl.constexpr, GROUP: tl.constexpr):
    i, j = tl.program_id(0), tl.program_id(1)
    row, column = tl.swizzle2d(i, j, SIZE_I, SIZE_J, GROUP)
    tl.store(rows + i * SIZE_J + j, row)
    tl.store(columns + i * SIZE_J + j, column)


def test_swizzle2d():
    size_i, size_j, group = 5, 4, 2
    rows, columns = empty("int32", 20), empty("int32", 20)
    launch(swizzled, rows, columns, grid=(size_i, size_j), SIZE_I=size_i, SIZE_J=size_j, GROUP=group)
    walk = [(first + within, column) for first in range(0, size_i, group) for column in range(size_j)
            for within in range(min(group, size_i - first))]
    same(rows, [row for row, _ in walk])
    same(columns, [column for _, column in walk])
