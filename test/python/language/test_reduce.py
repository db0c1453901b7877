"""Reductions: sums and extrema along an axis, of all, with places, by a function of the user's."""

import numpy as np
import pytest
from harness import FLOATS, INTS, NARROW, NUMBERS, PACKED, array, close, decode, empty, encode, launch, numbers, same, type_of

import tegula as triton
import tegula.language as tl


@triton.jit
def place2(A: tl.constexpr, B: tl.constexpr):
    return tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]


@triton.jit
def reduce_by(value, OP: tl.constexpr, AXIS: tl.constexpr, KEEP: tl.constexpr):
    if OP == "sum":
        return tl.sum(value, AXIS, keep_dims=KEEP)
    elif OP == "max":
        return tl.max(value, AXIS, keep_dims=KEEP)
    elif OP == "min":
        return tl.min(value, AXIS, keep_dims=KEEP)
    elif OP == "argmax":
        return tl.argmax(value, AXIS, keep_dims=KEEP)
    elif OP == "argmin":
        return tl.argmin(value, AXIS, keep_dims=KEEP)
    elif OP == "xor_sum":
        return tl.xor_sum(value, AXIS, keep_dims=KEEP)
    return tl.reduce_or(value, AXIS, keep_dims=KEEP)


@triton.jit
def along(x, out, A: tl.constexpr, B: tl.constexpr, OP: tl.constexpr, AXIS: tl.constexpr, T: tl.constexpr):
    result = reduce_by(tl.load(x + place2(A, B)), OP, AXIS, False)
    tl.static_assert(result.dtype == T)
    tl.store(out + tl.arange(0, A if AXIS == 1 else B), result)


@triton.jit
def of_all(x, out, A: tl.constexpr, B: tl.constexpr, OP: tl.constexpr, T: tl.constexpr):
    result = reduce_by(tl.load(x + place2(A, B)), OP, None, False)
    tl.static_assert(result.dtype == T)
    tl.store(out, result)


ORACLES = {"sum": np.sum, "max": np.max, "min": np.min, "argmax": np.argmax, "argmin": np.argmin,
           "xor_sum": np.bitwise_xor.reduce, "reduce_or": np.bitwise_or.reduce}


def result_type(op, name):
    """The type in which a reduction meets: integers below 32 bits are widened, of extrema floats too."""
    if op.startswith("arg"):
        return "int32"
    bits = type_of(name).primitive_bitwidth
    if bits >= 32 or op in ("xor_sum", "reduce_or") or (op == "sum" and name in FLOATS):
        return name
    if op == "sum":
        return "int32" if name.startswith("int") else "uint32"
    return "float32" if name in FLOATS else "int32"


def loose(name):
    """A sum of halves is rounded at each step, in an order of the compiler's choice."""
    return {"float16": 4e-3, "bfloat16": 4e-2}.get(name)


_CASES = [(op, name) for op in ("sum", "max", "min") for name in NUMBERS
          ] + [(op, name) for op in ("argmax", "argmin") for name in ("int32", "uint8", "float32", "float16", "float64")
               ] + [(op, name) for op in ("xor_sum", "reduce_or") for name in INTS]


def check_along(op, name, shape, axis):
    x = numbers(name, shape, high=100 if name in INTS and name != "int8" else 4)
    result = result_type(op, name)
    out = empty(result, shape[1 - axis])
    launch(along, x, out, A=shape[0], B=shape[1], OP=op, AXIS=axis, T=type_of(result))
    values = x.values.astype(decode(result, out.stored).dtype) if op == "sum" else x.values
    close(out, ORACLES[op](values, axis=axis), loose(result), 0.3 if loose(result) else None)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("op, name", _CASES)
def test_along_an_axis(op, name, axis):
    check_along(op, name, (8, 16), axis)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(1, 32), (32, 1), (64, 64), (2, 512), (256, 4)])
@pytest.mark.parametrize("op", ["sum", "max", "argmin"])
def test_shapes(op, shape, axis):
    check_along(op, "int32", shape, axis)


@pytest.mark.parametrize("op, name", [(op, name) for op in ("sum", "max", "min", "xor_sum")
                                      for name in ("int32", "int8", "float32", "float16") if op != "xor_sum" or "int" in name])
def test_of_all(op, name):
    x = numbers(name, (8, 16))
    result = result_type(op, name)
    out = empty(result, 1)
    launch(of_all, x, out, A=8, B=16, OP=op, T=type_of(result))
    values = x.values.ravel().astype(decode(result, out.stored).dtype) if op == "sum" else x.values.ravel()
    close(out, [ORACLES[op](values)], loose(result), 0.3 if loose(result) else None)


@triton.jit
def kept(x, out, A: tl.constexpr, B: tl.constexpr, OP: tl.constexpr, AXIS: tl.constexpr):
    value = tl.load(x + place2(A, B))
    result = reduce_by(value, OP, AXIS, True)
    tl.static_assert(len(result.shape) == 2)
    tl.store(out + place2(A, B), value - result)


@pytest.mark.parametrize("op", ["sum", "max", "min", "argmax"])
@pytest.mark.parametrize("axis", [0, 1])
def test_keep_dims(op, axis):
    x, out = numbers("int32", (8, 16)), empty("int32", (8, 16))
    launch(kept, x, out, A=8, B=16, OP=op, AXIS=axis)
    same(out, x.values - np.expand_dims(ORACLES[op](x.values, axis=axis), axis))


@triton.jit
def with_places(x, values, places, A: tl.constexpr, B: tl.constexpr, LARGEST: tl.constexpr):
    block = tl.load(x + place2(A, B))
    if LARGEST:
        value, place = tl.max(block, 1, return_indices=True)
    else:
        value, place = tl.min(block, 1, return_indices=True)
    tl.store(values + tl.arange(0, A), value)
    tl.store(places + tl.arange(0, A), place)


@pytest.mark.parametrize("name", ["int32", "float32", "float16", "int8"])
@pytest.mark.parametrize("largest", [True, False])
def test_return_indices(name, largest):
    x, values, places = numbers(name, (16, 32)), empty(name, 16), empty("int32", 16)
    launch(with_places, x, values, places, A=16, B=32, LARGEST=largest)
    # Ties are usual among so few values: the leftmost counts, as in NumPy.
    same(places, (np.argmax if largest else np.argmin)(x.values, axis=1))
    close(values, (np.max if largest else np.min)(x.values, axis=1))


@pytest.mark.parametrize("op, oracle", [("max", np.fmax.reduce), ("min", np.fmin.reduce)])
def test_a_nan_loses(op, oracle):
    values = np.random.default_rng(5).standard_normal((8, 16))
    values[:, 3] = np.nan
    values[2] = np.nan
    x, out = array("float32", values), empty("float32", 8)
    launch(along, x, out, A=8, B=16, OP=op, AXIS=1, T=tl.float32)
    same(out, oracle(x.values, axis=1))


@triton.jit
def in_a_type(x, out, N: tl.constexpr, T: tl.constexpr):
    result = tl.sum(tl.load(x + tl.arange(0, N)), dtype=T)
    tl.static_assert(result.dtype == T)
    tl.store(out, result)


@pytest.mark.parametrize("name, result", [("float16", "float32"), ("int8", "int64"), ("int8", "int8"), ("int1", "int32")])
def test_sum_in_a_type(name, result):
    x, out = numbers(name, 64), empty(result, 1)
    launch(in_a_type, x, out, N=64, T=type_of(result))
    close(out, [x.values.astype(np.float64).sum()])


@triton.jit
def product(a, b):
    return a * b


@triton.jit
def welford(mean1, m1, n1, mean2, m2, n2):
    n = n1 + n2
    delta = mean2 - mean1
    share = tl.where(n == 0, 0.0, n2 / n)
    return mean1 + delta * share, m1 + m2 + delta * delta * n1 * share, n


@triton.jit
def by_functions(x, products, means, variances, A: tl.constexpr, B: tl.constexpr):
    block = tl.load(x + place2(A, B))
    tl.store(products + tl.arange(0, A), tl.reduce(block, 1, product))
    mean, m2, count = tl.reduce((block, tl.zeros([A, B], tl.float32), tl.full([A, B], 1, tl.float32)), 1, welford)
    tl.store(means + tl.arange(0, A), mean)
    tl.store(variances + tl.arange(0, A), m2 / count)


@pytest.mark.parametrize("shape", [(8, 16), (4, 128)])
def test_by_a_function(shape):
    random = np.random.default_rng(6)
    x = array("float32", random.choice([1.0, -1.0, 2.0, 0.5], shape))
    outs = [empty("float32", shape[0]) for _ in range(3)]
    launch(by_functions, x, *outs, A=shape[0], B=shape[1])
    close(outs[0], np.prod(x.values, axis=1))
    close(outs[1], x.values.mean(axis=1), 1e-5, 1e-6)
    close(outs[2], x.values.var(axis=1), 1e-5)


@triton.jit
def three_dimensions(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, AXIS: tl.constexpr):
    places = (tl.arange(0, A)[:, None, None] * B + tl.arange(0, B)[None, :, None]) * C + tl.arange(0, C)[None, None, :]
    result = tl.sum(tl.load(x + places), AXIS)
    tl.store(out + place2(result.shape[0], result.shape[1]), result)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_three_dimensions(axis):
    x = numbers("int32", (4, 8, 16))
    expected = x.values.sum(axis=axis)
    out = empty("int32", expected.shape)
    launch(three_dimensions, x, out, A=4, B=8, C=16, AXIS=axis)
    same(out, expected)


@triton.jit
def softened(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.softmax(tl.load(x + i)))


@triton.jit
def softened_rows(x, out, A: tl.constexpr, B: tl.constexpr):
    tl.store(out + place2(A, B), tl.softmax(tl.load(x + place2(A, B)), dim=1))


def softmax(values):
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def test_softmax():
    x, out = numbers("float32", 64), empty("float32", 64)
    launch(softened, x, out, N=64)
    close(out, softmax(x.values), 1e-5)
    x, out = numbers("float32", (8, 32)), empty("float32", (8, 32))
    launch(softened_rows, x, out, A=8, B=32)
    close(out, softmax(x.values), 1e-5)


@triton.jit
def by_members(x, out, N: tl.constexpr):
    value = tl.load(x + tl.arange(0, N))
    tl.store(out, value.sum())
    tl.store(out + 1, value.max(0))
    tl.store(out + 2, value.min(axis=0))
    tl.store(out + 3, value.argmax(0))
    tl.store(out + 4, value.argmin(axis=0))
    tl.store(out + 5, value.xor_sum())
    tl.store(out + 6, value.reduce_or(0))
    tl.store(out + 7, value.reduce(0, product))


def test_members():
    x, out = numbers("int32", 32), empty("int32", 8)
    launch(by_members, x, out, N=32)
    v = x.values
    same(out, [v.sum(), v.max(), v.min(), v.argmax(), v.argmin(), np.bitwise_xor.reduce(v), np.bitwise_or.reduce(v),
               np.multiply.reduce(v)])


def test_encode_keeps_what_is_exact():
    # The harness itself: every value of the narrow types comes back.
    for name in ("float8e5", "float8e4nv", "bfloat16"):
        values = np.array([0.0, 0.5, -1.5, 2.0, -4.0])
        assert (decode(name, encode(name, values)) == values).all()


@triton.jit
def checked_sum(a, b):
    tl.static_assert(a.dtype == b.dtype)
    total = a.to(tl.int64) + b.to(tl.int64)
    tl.device_assert((total >= -2**31) & (total <= 2**31 - 1))
    assert total == total
    return total.to(tl.int32)


@triton.jit(debug=True)
def sums_checked(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out, tl.reduce(tl.load(x + i), 0, checked_sum))
    tl.store(out + 1 + i, tl.associative_scan(tl.load(x + i), 0, checked_sum))


def test_a_function_that_combines_may_assert():
    x, out = numbers("int32", 64), empty("int32", 65)
    launch(sums_checked, x, out, N=64)
    same(out, np.concatenate([[x.values.sum()], np.cumsum(x.values)]))


@triton.jit
def narrow_sums(x, out, places, N: tl.constexpr):
    value = tl.load(x + tl.arange(0, N))
    total = tl.sum(value, 0)
    tl.static_assert(total.dtype == value.dtype)
    tl.store(out, total.to(tl.float32))
    tl.store(out + 1, tl.max(value, 0))
    tl.store(places, tl.argmax(value, 0))
    tl.store(places + 1, tl.argmin(value, 0))
    rows = tl.sum(tl.reshape(value, [4, N // 4]), 1, keep_dims=True)
    tl.store(out + 2 + tl.arange(0, 4)[:, None], rows.to(tl.float32))


@pytest.mark.parametrize("name", NARROW + list(PACKED))
def test_floats_of_eight_bits(name):
    # Every partial sum, in whichever order, is a number of the type.
    values = np.zeros(64)
    values[[3, 17, 40, 41, 63]] = [0.5, 1, -0.5, 0.25, 0.5]
    out, places = empty("float32", 6), empty("int32", 2)
    launch(narrow_sums, array(name, values), out, places, N=64)
    same(out, [values.sum(), values.max(), *values.reshape(4, 16).sum(axis=1)])
    same(places, [values.argmax(), values.argmin()])
