"""Scans along an axis: sums and products up to each place, and functions of the user's whose order matters."""

import numpy as np
import pytest
from harness import NARROW, NUMBERS, PACKED, array, close, empty, launch, same, type_of

import tegula as triton
import tegula.language as tl

SHAPES = [(1, 64), (64, 1), (16, 32), (4, 256), (256, 4), (2, 1024)]


@triton.jit
def place2(A: tl.constexpr, B: tl.constexpr):
    return tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]


@triton.jit
def sums(x, out, A: tl.constexpr, B: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr, T: tl.constexpr):
    result = tl.cumsum(tl.load(x + place2(A, B)), AXIS, reverse=REVERSE)
    tl.static_assert(result.dtype == T)
    tl.store(out + place2(A, B), result)


@triton.jit
def products(x, out, A: tl.constexpr, B: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr, T: tl.constexpr):
    result = tl.cumprod(tl.load(x + place2(A, B)), AXIS, reverse=REVERSE)
    tl.static_assert(result.dtype == T)
    tl.store(out + place2(A, B), result)


def along(function, values, axis, reverse):
    values = np.flip(values, axis) if reverse else values
    values = function(values, axis=axis, dtype=values.dtype)
    return np.flip(values, axis) if reverse else values


def sum_type(name):
    if name == "bfloat16":
        return "float32"
    if name in ("int8", "int16"):
        return "int32"
    return "uint32" if name in ("uint8", "uint16") else name


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("reverse", [False, True])
def test_cumsum_of_each_type(name, reverse):
    # Small numbers, whose sums every type holds.
    values = np.random.default_rng(1).integers(0, 4, (8, 64))
    x = array(name, values)
    for axis in (0, 1):
        result = sum_type(name)
        out = empty(result, (8, 64))
        launch(sums, x, out, 8, 64, axis, reverse, type_of(result))
        same(out, along(np.cumsum, values, axis, reverse))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("warps", [1, 4, 8])
def test_cumsum_of_each_shape(shape, warps):
    values = np.random.default_rng(2).integers(-9, 9, shape).astype(np.int32)
    for axis in (0, 1):
        for reverse in (False, True):
            out = empty("int32", shape)
            launch(sums, array("int32", values), out, *shape, axis, reverse, tl.int32, num_warps=warps)
            same(out, along(np.cumsum, values, axis, reverse))


def test_cumprod():
    values = np.random.default_rng(3).choice([0.5, 1.0, 2.0], (4, 32)).astype(np.float32)
    for axis in (0, 1):
        for reverse in (False, True):
            out = empty("float32", (4, 32))
            launch(products, array("float32", values), out, 4, 32, axis, reverse, tl.float32)
            close(out, along(np.cumprod, values, axis, reverse))


@triton.jit
def step(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def recurrence(a, b, out, N: tl.constexpr, REVERSE: tl.constexpr):
    i = tl.arange(0, N)
    factors, terms = tl.associative_scan((tl.load(a + i), tl.load(b + i)), 0, step, reverse=REVERSE)
    tl.store(out + i, terms)


@pytest.mark.parametrize("size", [1, 2, 32, 512, 2048])
def test_a_recurrence_keeps_the_order_of_its_steps(size):
    random = np.random.default_rng(4)
    a, b = (random.integers(-3, 4, size).astype(np.int32) for _ in range(2))
    for reverse in (False, True):
        out = empty("int32", size)
        launch(recurrence, array("int32", a), array("int32", b), out, size, reverse)
        expected, last = np.zeros(size, np.int32), np.int32(0)
        for i in range(size - 1, -1, -1) if reverse else range(size):
            with np.errstate(over="ignore"):
                last = last * a[i] + b[i]
            expected[i] = last
        same(out, expected)


@triton.jit
def compose(p, q):
    # Permutations of eight, four bits for each image: first p, then q. So many steps that copies would be most of the kernel.
    both = p & 0
    for i in tl.static_range(8):
        image = (p >> (4 * i)) & 7
        both |= ((q >> (4 * image)) & 7) << (4 * i)
    return both


@triton.jit
def composed(x, out, A: tl.constexpr, B: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    result = tl.associative_scan(tl.load(x + place2(A, B)), AXIS, compose, reverse=REVERSE)
    tl.store(out + place2(A, B), result)


@pytest.mark.parametrize("shape", [*SHAPES, (1, 4096), (128, 32)])
@pytest.mark.parametrize("warps", [1, 4, 16])
def test_a_long_function_keeps_the_order_of_its_elements(shape, warps):
    permutations = np.random.default_rng(5).permuted(np.tile(np.arange(8), (*shape, 1)), axis=-1)
    digits = 16 ** np.arange(8)
    x = array("int32", permutations @ digits)
    for axis in (0, 1):
        for reverse in (False, True):
            expected = np.moveaxis(np.flip(permutations, axis) if reverse else permutations, axis, 0).copy()
            for i in range(1, len(expected)):
                expected[i] = np.take_along_axis(expected[i], expected[i - 1], -1)
            expected = np.moveaxis(expected, 0, axis)
            out = empty("int32", shape)
            launch(composed, x, out, *shape, axis, reverse, num_warps=warps)
            same(out, (np.flip(expected, axis) if reverse else expected) @ digits)


@triton.jit
def narrow_scans(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    sums, products = tl.cumsum(tl.load(x + i)), tl.cumprod(tl.load(y + i), reverse=True)
    tl.static_assert(sums.dtype == x.dtype.element_ty and products.dtype == y.dtype.element_ty)
    tl.store(out + i, sums.to(tl.float32))
    tl.store(out + N + i, products.to(tl.float32))


@pytest.mark.parametrize("name", NARROW + list(PACKED))
def test_scans_of_floats_of_eight_bits(name):
    # Every partial result, in whichever order, is a number of the type.
    terms, factors = np.zeros(32), np.ones(32)
    terms[[2, 9, 10, 31]] = [0.5, 0.5, -0.25, 0.75]
    factors[[0, 5, 20, 30]] = [0.5, 0.5, -1, 1.5]
    out = empty("float32", 64)
    launch(narrow_scans, array(name, terms), array(name, factors), out, N=32)
    same(out, np.concatenate([np.cumsum(terms), np.cumprod(factors[::-1])[::-1]]))
