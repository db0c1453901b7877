"""Products of matrices."""

import numpy as np
import pytest
from harness import array, close, empty, launch, numbers, reals, type_of

import tegula as triton
import tegula.language as tl


@triton.jit
def multiply(a, b, c, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, ACC: tl.constexpr, T: tl.constexpr,
             PRECISION: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x = tl.load(a + m[:, None] * K + k[None, :])
    y = tl.load(b + k[:, None] * N + n[None, :])
    places = m[:, None] * N + n[None, :]
    if ACC:
        result = tl.dot(x, y, tl.load(c + places), input_precision=PRECISION, out_dtype=T)
    else:
        result = tl.dot(x, y, input_precision=PRECISION, out_dtype=T)
    tl.static_assert(result.dtype == T)
    tl.store(out + places, result)


def check(name, shape, result="float32", acc=False, precision=None, make=numbers, tolerance=None, warps=4,
          absolute=None):
    m, n, k = shape
    a, b, c = make(name, (m, k)), make(name, (k, n), seed=1), numbers(result, (m, n), seed=2)
    out = empty(result, (m, n))
    launch(multiply, a, b, c, out, M=m, N=n, K=k, ACC=acc, T=type_of(result), PRECISION=precision, num_warps=warps)
    wide = np.int64 if "int" in result else np.float64
    expected = a.values.astype(wide) @ b.values.astype(wide)
    close(out, expected + c.values if acc else expected, tolerance, absolute)


_TYPES = [("float16", "float32"), ("bfloat16", "float32"), ("float32", "float32"), ("float64", "float64"),
          ("int8", "int32"), ("float8e4nv", "float32"), ("float8e5", "float32")]


@pytest.mark.parametrize("acc", [False, True])
@pytest.mark.parametrize("name, result", _TYPES)
def test_types(name, result, acc):
    # The operands are exact in every precision, and so are their sums.
    check(name, (16, 16, 32), result, acc)


@pytest.mark.parametrize("shape", [(16, 16, 16), (32, 16, 64), (64, 64, 32), (16, 128, 16)])
@pytest.mark.parametrize("warps", [1, 4])
def test_shapes(shape, warps):
    check("float16", shape, warps=warps)


def test_sums_of_halves():
    check("float16", (16, 16, 16), "float16", tolerance=5e-3)


@pytest.mark.parametrize("precision, tolerance", [("ieee", 1e-5), ("tf32", 0.1), ("tf32x3", 1e-5),
                                                 ("bf16x3", 1e-3), ("bf16x6", 1e-5)])
def test_precision_of_float32(precision, tolerance):
    # Sums of 32 products of up to 16, each off by up to 2^-10 of itself in tf32.
    check("float32", (32, 32, 32), precision=precision, make=reals, tolerance=1e-5, absolute=tolerance)


@triton.jit
def without_tf32(a, b, out, N: tl.constexpr):
    i = tl.arange(0, N)
    places = i[:, None] * N + i[None, :]
    tl.store(out + places, tl.dot(tl.load(a + places), tl.load(b + places), allow_tf32=False))


def test_allow_tf32():
    a, b, out = reals("float32", (16, 16)), reals("float32", (16, 16), seed=1), empty("float32", (16, 16))
    launch(without_tf32, a, b, out, N=16)
    close(out, a.values.astype(np.float64) @ b.values.astype(np.float64), 1e-5)


@triton.jit
def in_steps(a, b, out, k, M: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr):
    m, n, i = tl.arange(0, M), tl.arange(0, N), tl.arange(0, BLOCK)
    acc = tl.zeros([M, N], tl.float32)
    for start in range(0, k, BLOCK):
        inside = start + i < k
        x = tl.load(a + m[:, None] * k + start + i[None, :], mask=inside[None, :], other=0)
        y = tl.load(b + (start + i)[:, None] * N + n[None, :], mask=inside[:, None], other=0)
        acc = tl.dot(x, y, acc)
    tl.store(out + m[:, None] * N + n[None, :], acc.to(tl.float16))


@pytest.mark.parametrize("k", [16, 50, 64, 100])
def test_a_loop_over_k(k):
    a, b, out = numbers("float16", (32, k)), numbers("float16", (k, 16), seed=1), empty("float16", (32, 16))
    launch(in_steps, a, b, out, k, M=32, N=16, BLOCK=16)
    close(out, a.values.astype(np.float64) @ b.values.astype(np.float64))


@triton.jit
def transposed_operand(a, b, out, N: tl.constexpr):
    i = tl.arange(0, N)
    places = i[:, None] * N + i[None, :]
    tl.store(out + places, tl.dot(tl.load(a + places), tl.load(b + places).T))


def test_a_transposed_operand():
    a, b, out = numbers("float16", (32, 32)), numbers("float16", (32, 32), seed=1), empty("float32", (32, 32))
    launch(transposed_operand, a, b, out, N=32)
    close(out, a.values.astype(np.float64) @ b.values.T.astype(np.float64))


@triton.jit
def batched(a, b, out, B: tl.constexpr, N: tl.constexpr):
    i, j, k = tl.arange(0, B)[:, None, None], tl.arange(0, N)[None, :, None], tl.arange(0, N)[None, None, :]
    places = (i * N + j) * N + k
    tl.store(out + places, tl.dot(tl.load(a + places), tl.load(b + places)))


@pytest.mark.parametrize("name", ["float16", "float32"])
def test_stacks_of_matrices(name):
    shape = (4, 16, 16)
    a, b, out = numbers(name, shape), numbers(name, shape, seed=1), empty("float32", shape)
    launch(batched, a, b, out, B=4, N=16)
    close(out, a.values.astype(np.float64) @ b.values.astype(np.float64))


@triton.jit
def two_products(q, k, v, out, N: tl.constexpr, D: tl.constexpr):
    n, d = tl.arange(0, N), tl.arange(0, D)
    places = n[:, None] * D + d[None, :]
    scores = tl.dot(tl.load(q + places), tl.load(k + places).T)
    weights = tl.exp(scores - tl.max(scores, 1)[:, None])
    weights /= tl.sum(weights, 1)[:, None]
    tl.store(out + places, tl.dot(weights.to(tl.float16), tl.load(v + places)))


def test_a_product_of_a_product():
    shape = (32, 16)
    q, k, v = (numbers("float16", shape, seed=i, low=-1, high=1) for i in range(3))
    out = empty("float32", shape)
    launch(two_products, q, k, v, out, N=32, D=16)
    scores = q.values.astype(np.float64) @ k.values.T.astype(np.float64)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    close(out, weights / weights.sum(axis=1, keepdims=True) @ v.values.astype(np.float64), 5e-3)


def test_close_would_notice():
    # The oracle: an element that is off by more than a rounding is found.
    wrong = array("float32", [1.0, 2.001])
    with pytest.raises(AssertionError):
        close(wrong, [1.0, 2.0])


@triton.jit
def batches_of_batches(a, b, out, A: tl.constexpr, B: tl.constexpr, M: tl.constexpr, PRECISION: tl.constexpr):
    matrix = tl.arange(0, M)[:, None] * M + tl.arange(0, M)[None, :]
    batch = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    places = batch[:, :, None, None] * M * M + matrix[None, None, :, :]
    tl.store(out + places, tl.dot(tl.load(a + places), tl.load(b + places), input_precision=PRECISION))


@pytest.mark.parametrize("name, precision", [("float16", None), ("float32", "bf16x3")])
def test_batches_of_batches(name, precision):
    a, b, out = numbers(name, (2, 4, 16, 16)), numbers(name, (2, 4, 16, 16), seed=1), empty("float32", (2, 4, 16, 16))
    launch(batches_of_batches, a, b, out, A=2, B=4, M=16, PRECISION=precision)
    close(out, a.values.astype(np.float64) @ b.values.astype(np.float64))
