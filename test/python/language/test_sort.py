"""Elements of the last dimension in another order: sorted, merged, turned round; the largest ones; picked ones."""

import numpy as np
import pytest
from harness import NUMBERS, array, empty, launch, numbers, reals, same, type_of

import tegula as triton
import tegula.language as tl


@triton.jit
def place2(A: tl.constexpr, B: tl.constexpr):
    return tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]


@triton.jit
def sorts(x, out, A: tl.constexpr, B: tl.constexpr, DOWN: tl.constexpr):
    tl.store(out + place2(A, B), tl.sort(tl.load(x + place2(A, B)), descending=DOWN))


@pytest.mark.parametrize("name", NUMBERS)
def test_sort_of_each_type(name):
    values = np.random.default_rng(1).integers(0, 100, (4, 64))
    for down in (False, True):
        out = empty(name, (4, 64))
        launch(sorts, array(name, values), out, 4, 64, down)
        expected = np.sort(values, axis=1)
        same(out, expected[:, ::-1] if down else expected)


@pytest.mark.parametrize("shape", [(1, 1), (64, 1), (1, 2048), (16, 16), (2, 512)])
@pytest.mark.parametrize("warps", [1, 4])
def test_sort_of_each_shape(shape, warps):
    values = np.random.default_rng(2).standard_normal(shape).astype(np.float32)
    out = empty("float32", shape)
    launch(sorts, array("float32", values), out, *shape, False, num_warps=warps)
    same(out, np.sort(values, axis=1))


@triton.jit
def merges(x, out, A: tl.constexpr, B: tl.constexpr, DOWN: tl.constexpr):
    tl.store(out + place2(A, B), tl.bitonic_merge(tl.load(x + place2(A, B)), descending=DOWN))


def test_bitonic_merge():
    values = np.sort(np.random.default_rng(3).integers(0, 50, (4, 32)), axis=1).astype(np.int32)
    values[:, 16:] = values[:, :15:-1]
    for down in (False, True):
        out = empty("int32", (4, 32))
        launch(merges, array("int32", values), out, 4, 32, down)
        expected = np.sort(values, axis=1)
        same(out, expected[:, ::-1] if down else expected)


@triton.jit
def tops(x, out, A: tl.constexpr, B: tl.constexpr, K: tl.constexpr, DOWN: tl.constexpr):
    tl.store(out + place2(A, K), tl.topk(tl.load(x + place2(A, B)), K, descending=DOWN))


@pytest.mark.parametrize("k", [1, 4, 64])
def test_topk(k):
    values = np.random.default_rng(4).standard_normal((8, 64)).astype(np.float32)
    for down in (False, True):
        out = empty("float32", (8, k))
        launch(tops, array("float32", values), out, 8, 64, k, down)
        expected = np.sort(values, axis=1)
        same(out, (expected[:, ::-1] if down else expected)[:, :k])


@triton.jit
def topmost(x, out, N: tl.constexpr, K: tl.constexpr, T: tl.constexpr):
    top = tl.topk(tl.load(x + tl.arange(0, N)), K)
    tl.static_assert(top.dtype == T)
    tl.store(out + tl.arange(0, K), top)


@pytest.mark.parametrize("of, to", [("int8", "int32"), ("uint8", "int32"), ("int32", "int32"), ("uint64", "uint64"),
                                    ("float16", "float32"), ("bfloat16", "float32"), ("float64", "float64"),
                                    ("float8e5", "float32"), ("float8e4nv", "float32")])
def test_topk_has_the_type_of_max(of, to):
    x, out = numbers(of, 32, seed=3), empty(to, 4)
    launch(topmost, x, out, N=32, K=4, T=type_of(to))
    same(out, np.sort(x.values.astype(np.float64))[::-1][:4])
    whole = empty(of, 32)
    launch(topmost, x, whole, N=32, K=32, T=type_of(of))
    same(whole, np.sort(x.values)[::-1])


@triton.jit
def flips(x, out, A: tl.constexpr, B: tl.constexpr, DIM: tl.constexpr):
    tl.store(out + place2(A, B), tl.flip(tl.load(x + place2(A, B)), DIM))


@pytest.mark.parametrize("shape", [(4, 64), (512, 2), (1, 1)])
@pytest.mark.parametrize("dim", [0, 1, -1, None])
def test_flip(shape, dim):
    values = np.arange(shape[0] * shape[1], dtype=np.int16).reshape(shape)
    out = empty("int16", shape)
    launch(flips, array("int16", values), out, *shape, dim)
    same(out, np.flip(values, 1 if dim is None else dim))


@triton.jit
def gathers(x, i, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr, AXIS: tl.constexpr):
    picked = tl.gather(tl.load(x + place2(A, B)), tl.load(i + place2(C, D)), AXIS)
    tl.store(out + place2(C, D), picked)


@pytest.mark.parametrize("name", ["int8", "float16", "float32", "int64"])
@pytest.mark.parametrize("shapes", [((8, 64), (8, 16), 1), ((8, 64), (32, 64), 0), ((1, 1024), (1, 1024), 1)])
def test_gather(name, shapes):
    (a, b), (c, d), axis = shapes
    random = np.random.default_rng(5)
    values, places = random.integers(0, 100, (a, b)), random.integers(0, (a, b)[axis], (c, d)).astype(np.int32)
    out = empty(name, (c, d))
    launch(gathers, array(name, values), array("int32", places), out, a, b, c, d, axis)
    same(out, np.take_along_axis(values, places, axis))


@triton.jit
def counts(x, out, N: tl.constexpr, BINS: tl.constexpr):
    values = tl.load(x + tl.arange(0, N))
    tl.store(out + tl.arange(0, BINS), tl.histogram(values, BINS))
    tl.store(out + BINS + tl.arange(0, BINS), values.histogram(BINS, mask=values > 3))


@pytest.mark.parametrize("name", ["int32", "uint32"])
@pytest.mark.parametrize("warps", [1, 4])
def test_histogram(name, warps):
    values = np.random.default_rng(6).integers(0, 100, 1024)
    out = empty("int32", 128)
    launch(counts, array(name, values), out, 1024, 64, num_warps=warps)
    expected = np.bincount(values, minlength=100)[:64]  # what has no bin is not counted
    same(out, np.concatenate([expected, np.where(np.arange(64) > 3, expected, 0)]))


@triton.jit
def one_long_row(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.sort(tl.load(x + i)))


def test_a_row_of_many_numbers_by_few_warps():
    # 36352 values a thread, of which each is an instruction or less.
    x, out = reals("float32", 8192), empty("float32", 8192)
    launch(one_long_row, x, out, N=8192, num_warps=4)
    same(out, np.sort(x.values))


@pytest.mark.parametrize("name", ["int8", "uint8", "int16", "uint16", "int64", "uint64"])
def test_histogram_of_other_integers(name):
    values = np.random.default_rng(7).integers(-20 if name[0] == "i" else 0, 100, 64)
    if "64" in name:
        values[::8] += 2**40  # whose low words are bins
    out = empty("int32", 128)
    launch(counts, array(name, values), out, 64, 64)
    expected = np.array([np.count_nonzero(values == place) for place in range(64)])
    same(out, np.concatenate([expected, np.where(np.arange(64) > 3, expected, 0)]))
