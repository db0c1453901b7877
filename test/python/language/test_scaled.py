"""`tl.dot_scaled`: every format on both sides, scales and none."""

import numpy as np
import pytest
from harness import Array, array, decode, empty, encode, launch, same

import tegula as triton
import tegula.language as tl

_STORED = {"e2m1": "uint8", "e4m3": "float8e4nv", "e5m2": "float8e5", "bf16": "bfloat16", "fp16": "float16"}
_E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)


def elements(format, shape, packed_axis, seed):
    """Numbers that each format has, and the array that holds them."""
    values = np.random.default_rng(seed).choice([-4.0, -1.5, -1, -0.5, 0, 0.5, 1, 2, 3], shape).astype(np.float32)
    if format != "e2m1":
        return values, Array(_STORED[format], encode(_STORED[format], values))
    codes = np.searchsorted(_E2M1, np.abs(values)) | np.where(values < 0, 8, 0)
    low, high = (np.take(codes, range(start, shape[packed_axis], 2), packed_axis) for start in (0, 1))
    return values, Array("uint8", (low | high << 4).astype(np.uint8))


@triton.jit
def multiplies(a, a_scale, b, b_scale, c, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, AF: tl.constexpr,
               BF: tl.constexpr, A_SHAPE: tl.constexpr, B_SHAPE: tl.constexpr, A_K: tl.constexpr, B_K: tl.constexpr,
               FAST: tl.constexpr):
    x = tl.load(a + tl.arange(0, A_SHAPE[0])[:, None] * A_SHAPE[1] + tl.arange(0, A_SHAPE[1])[None, :])
    y = tl.load(b + tl.arange(0, B_SHAPE[0])[:, None] * B_SHAPE[1] + tl.arange(0, B_SHAPE[1])[None, :])
    groups = tl.arange(0, K // 32)[None, :]
    m, n = tl.arange(0, M)[:, None], tl.arange(0, N)
    left = None if a_scale is None else tl.load(a_scale + m * (K // 32) + groups)
    right = None if b_scale is None else tl.load(b_scale + n[:, None] * (K // 32) + groups)
    place = m * N + n[None, :]
    if c is None:
        product = tl.dot_scaled(x, left, AF, y, right, BF, fast_math=FAST, lhs_k_pack=A_K, rhs_k_pack=B_K)
    else:
        product = tl.dot_scaled(x, left, AF, y, right, BF, tl.load(c + place), lhs_k_pack=A_K, rhs_k_pack=B_K)
    tl.store(out + place, product)


def check(left, right, scales=(True, True), packs=(True, True), acc=False, nan=None, fast=False, shape=(32, 16, 64)):
    m, n, k = shape
    a, x = elements(left, (m, k), 1 if packs[0] else 0, 1)
    b, y = elements(right, (k, n), 0 if packs[1] else 1, 2)
    exponents = [np.random.default_rng(seed).integers(124, 131, (rows, k // 32)).astype(np.uint8)
                 for seed, rows in ((3, m), (4, n))]
    if nan is not None:
        exponents[0][nan] = 0xFF
    factors = [np.where(e == 0xFF, np.nan, 2.0**(e.astype(int) - 127)).repeat(32, 1) for e in exponents]
    c = np.random.default_rng(5).integers(-8, 9, (m, n)).astype(np.float32)
    out = empty("float32", (m, n))
    given = [array("uint8", e) if wanted else None for e, wanted in zip(exponents, scales)]
    launch(multiplies, x, given[0], y, given[1], array("float32", c) if acc else None, out, M=m, N=n, K=k, AF=left,
           BF=right, A_SHAPE=x.stored.shape, B_SHAPE=y.stored.shape, A_K=packs[0], B_K=packs[1], FAST=fast)
    a = a * factors[0] if scales[0] else a
    b = b * factors[1].T if scales[1] else b
    same(out, (a.astype(np.float64) @ b + (c if acc else 0)).astype(np.float32))


@pytest.mark.parametrize("right", _STORED)
@pytest.mark.parametrize("left", _STORED)
def test_formats(left, right):
    check(left, right)


@pytest.mark.parametrize("scales", [(True, False), (False, True), (False, False)])
@pytest.mark.parametrize("left, right", [("e2m1", "bf16"), ("e4m3", "e5m2"), ("fp16", "e2m1")])
def test_without_scales(left, right, scales):
    check(left, right, scales)


@pytest.mark.parametrize("packs", [(True, False), (False, True), (False, False)])
def test_packs_along_the_other_dimension(packs):
    check("e2m1", "e2m1", packs=packs)


def test_an_accumulator():
    check("e4m3", "e2m1", acc=True)


def test_a_scale_that_is_no_number():
    check("e4m3", "e2m1", nan=(3, 1))


def test_quick_products_do_not_look_for_nans():
    check("e4m3", "e4m3", fast=True)


@pytest.mark.parametrize("shape", [(16, 32, 32), (64, 64, 128)])
def test_shapes(shape):
    check("e5m2", "e2m1", shape=shape)


@triton.jit
def bytes_of(a, b, out, N: tl.constexpr, FORMAT: tl.constexpr):
    i, j = tl.arange(0, N)[:, None], tl.arange(0, N)[None, :]
    tl.store(out + i * N + j, tl.dot_scaled(tl.load(a + i * N + j), None, FORMAT, tl.load(b + i * N + j), None, FORMAT))


@pytest.mark.parametrize("format", ["e4m3", "e5m2"])
def test_floats_that_are_given_as_bytes(format):
    name = _STORED[format]
    a, b = (np.random.default_rng(seed).choice([-1.0, 0, 0.5, 2], (32, 32)) for seed in (1, 2))
    out = empty("float32", (32, 32))
    launch(bytes_of, array("uint8", encode(name, a)), array("uint8", encode(name, b)), out, N=32, FORMAT=format)
    same(out, a @ b)
    assert (decode(name, encode(name, a)) == a).all()


@triton.jit
def wrong(a, out, WHAT: tl.constexpr):
    i = tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
    x = tl.load(a + i)
    if WHAT == 0:
        tl.dot_scaled(x, None, "e3m4", x, None, "e4m3")
    elif WHAT == 1:
        tl.dot_scaled(x, None, "bf16", x, None, "e4m3")
    elif WHAT == 2:
        tl.dot_scaled(x, x, "e4m3", x, None, "e4m3")
    elif WHAT == 3:
        tl.dot_scaled(x, None, "e4m3", x, tl.zeros((32, 1), tl.float32), "e4m3")
    else:
        tl.dot_scaled(x, None, "e4m3", tl.zeros((32,), tl.uint8), None, "e4m3")


_WRONG = ["one of the formats e2m1, e4m3", "expected elements of type bf16 in the format bf16, found uint8",
          r"lhs_scale must be a tensor of shape \[32, 1\]. Got", "scales of rhs as uint8, found fp32", "two matrices, or two batches"]


@pytest.mark.parametrize("what", range(5))
def test_products_that_are_wrong(what):
    with pytest.raises(triton.CompilationError, match=_WRONG[what]):
        launch(wrong, array("uint8", np.zeros((32, 32))), empty("float32", 4), WHAT=what)
