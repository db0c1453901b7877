"""8-bit floats that no GPU computes with: every number, both ways, in each way to round."""

import numpy as np
import pytest
from harness import PACKED, Array, array, decode, empty, launch, numbers, same, type_of

import tegula as triton
import tegula.language as tl

#: What everything larger becomes.
_LARGEST = {"float8e4b15": 0x7E, "float8e4b8": 0x7F, "float8e5b16": 0x7F}


@triton.jit
def casts(x, out, N: tl.constexpr, T: tl.constexpr, HOW: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(out + i, tl.load(x + i).to(T, fp_downcast_rounding=HOW))


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("name", PACKED)
def test_every_number_as_a_wider_one(name, kind):
    x, out = Array(name, np.arange(256, dtype=np.uint8)), empty(kind, 256)
    launch(casts, x, out, N=256, T=type_of(kind), HOW=None)
    same(out, x.values)
    assert (np.signbit(out.values) == np.signbit(x.values))[~np.isnan(x.values)].all()


def rounded(name, values, towards_zero):
    """The codes of these numbers: found among all numbers of the format, without any arithmetic on bits."""
    codes = np.arange(_LARGEST[name] + 1, dtype=np.uint8)
    known = decode(name, codes).astype(np.float64)
    with np.errstate(invalid="ignore"):
        size = np.abs(np.nan_to_num(values.astype(np.float64), posinf=np.inf, neginf=-np.inf))
    clipped = np.minimum(size, known[-1])
    below = np.searchsorted(known, clipped, side="right") - 1
    above = np.minimum(below + 1, len(known) - 1)
    down, up = clipped - known[below], known[above] - clipped
    tie_goes_up = np.ones_like(below, bool) if name == "float8e4b15" else below % 2 == 1
    goes_up = np.zeros_like(below, bool) if towards_zero else (up < down) | ((up == down) & tie_goes_up)
    code = np.where(goes_up, above, below)
    has_nan = PACKED[name][2]
    negative = np.signbit(values) & ((code != 0) | (not has_nan))
    code = np.where(negative, code | 0x80, code)
    return np.where(np.isnan(values), 0x80 if has_nan else _LARGEST[name], code).astype(np.uint8)


@pytest.mark.parametrize("how", [None, "rtne", "rtz"])
@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", PACKED)
def test_every_number_of_16_bits(name, kind, how):
    x, out = Array(kind, np.arange(65536, dtype=np.uint16).view("float16" if kind == "float16" else "uint16")), \
        empty(name, 65536)
    launch(casts, x, out, N=1024, T=type_of(name), HOW=how, grid=(64,))
    np.testing.assert_array_equal(out.stored, rounded(name, x.values, how == "rtz"))


@pytest.mark.parametrize("how", [None, "rtz"])
@pytest.mark.parametrize("name", PACKED)
def test_floats_of_32_bits(name, how):
    bits = np.random.default_rng(3).integers(0, 2**32, 16384, np.uint32)
    # Half of them near the numbers of the format, and between them.
    codes = np.random.default_rng(4).integers(0, 256, 8192).astype(np.uint8)
    near = decode(name, codes).view(np.uint32) + np.random.default_rng(5).integers(-2, 3, 8192).astype(np.uint32)
    between = decode(name, codes).view(np.uint32) ^ (1 << (22 - PACKED[name][0]))
    bits[:8192], bits[8192:12288] = near, between[:4096]
    x, out = Array("float32", bits.view(np.float32)), empty(name, 16384)
    launch(casts, x, out, N=1024, T=type_of(name), HOW=how, grid=(16,))
    np.testing.assert_array_equal(out.stored, rounded(name, x.values, how == "rtz"))


@triton.jit
def computes(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(out + i, tl.where(a < b, tl.abs(a), -b))
    tl.store(out + N + i, (a + b).to(out.dtype.element_ty))


@pytest.mark.parametrize("name", PACKED)
def test_computing_with_them(name):
    x = array(name, np.random.default_rng(1).integers(-4, 5, 64) / 8)
    y = array(name, np.random.default_rng(2).integers(-4, 5, 64) / 8)
    out = empty(name, 128)
    launch(computes, x, y, out, N=64)
    same(out, np.concatenate([np.where(x.values < y.values, np.abs(x.values), -y.values), x.values + y.values]))


@triton.jit
def multiplies(a, b, out, N: tl.constexpr):
    i, j = tl.arange(0, N)[:, None], tl.arange(0, N)[None, :]
    tl.store(out + i * N + j, tl.dot(tl.load(a + i * N + j), tl.load(b + i * N + j)))


@pytest.mark.parametrize("name", PACKED)
def test_products_of_matrices(name):
    a = array(name, np.random.default_rng(1).integers(-4, 5, (32, 32)) / 4)
    b = array(name, np.random.default_rng(2).integers(-4, 5, (32, 32)) / 4)
    out = empty("float32", (32, 32))
    launch(multiplies, a, b, out, N=32)
    same(out, a.values @ b.values)


@triton.jit
def constants(out, T: tl.constexpr):
    tl.store(out + tl.arange(0, 4), tl.full((4,), 0.3, T))
    tl.store(out + 4 + tl.arange(0, 4), tl.full((4,), -1e9, T))


@pytest.mark.parametrize("name", PACKED)
def test_constants(name):
    out = empty(name, 8)
    launch(constants, out, T=type_of(name))
    expected = rounded(name, np.repeat([np.float32(0.3), np.float32(-1e9)], 4), False)
    np.testing.assert_array_equal(out.stored, expected)
