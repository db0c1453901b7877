"""Mathematics, element by element."""

import math

import numpy as np
import pytest
from harness import FLOATS, NUMBERS, array, close, empty, launch, numbers, reals, same, type_of

import tegula as triton
import tegula.language as tl
from tegula.language.extra import libdevice


def elementwise(function):
    """A kernel of one function of the language, which it finds in its closure."""

    @triton.jit
    def kernel(x, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i)))

    return kernel


def elementwise2(function):
    @triton.jit
    def kernel(x, y, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i), tl.load(y + i)))

    return kernel


def few(function):
    """The same of the first six elements, whatever the block."""

    @triton.jit
    def kernel(x, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i, mask=i < 6, other=0)), mask=i < 6)

    return kernel


erf = np.vectorize(math.erf)

# Function, oracle, range of arguments.
_OF_ONE = [
    ("exp", np.exp, -5, 5), ("exp2", np.exp2, -5, 5), ("log", np.log, 0.1, 10), ("log2", np.log2, 0.1, 10),
    ("sin", np.sin, -3, 3), ("cos", np.cos, -3, 3), ("sqrt", np.sqrt, 0, 10), ("rsqrt", lambda x: 1 / np.sqrt(x), 0.1, 9),
    ("erf", erf, -3, 3), ("floor", np.floor, -4, 4), ("ceil", np.ceil, -4, 4), ("abs", np.abs, -4, 4),
    ("sigmoid", lambda x: 1 / (1 + np.exp(-x)), -5, 5)]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name, oracle, low, high", _OF_ONE, ids=[case[0] for case in _OF_ONE])
def test_of_one_argument(name, oracle, low, high, dtype):
    x, out = reals(dtype, 64, low=low, high=high), empty(dtype, 64)
    launch(elementwise(getattr(tl, name)), x, out, N=64)
    close(out, oracle(x.values), 4e-6 if dtype == "float32" else 1e-13, 1e-6 if dtype == "float32" else 1e-14)


def test_of_tl_math():
    x, out = reals("float32", 64), empty("float32", 64)
    launch(elementwise(tl.math.exp2), x, out, N=64)
    close(out, np.exp2(x.values), 4e-6)


def test_exp_has_subnormal_results():
    x, out = array("float32", [-87.5, -88, -95, -103, -103.9, -104.5]), empty("float32", 6)
    launch(few(tl.exp), x, out, N=8)
    expected = np.exp(x.values.astype(np.float64)).astype(np.float32)
    # Of subnormal numbers a unit is the least there is, and the argument is rounded on its way.
    np.testing.assert_allclose(out.values, expected, rtol=2e-5, atol=3e-45)
    assert (out.values[:4] > 0).all()


def test_exp_rounded_to_bf16_has_subnormal_results():
    # Of which 16 bits are seen by another formula.
    x, out = array("float32", [-87.5, -88, -90, -92, 0.5, -300]), empty("bfloat16", 6)
    launch(few(tl.exp), x, out, N=8)
    expected = np.exp(x.values.astype(np.float64)).astype(np.float32)
    np.testing.assert_allclose(out.values, expected, rtol=2**-8, atol=2.0**-133)
    assert (out.values[:4] > 0).all() and out.values[5] == 0


def test_quotients_by_one_divisor_of_any_size():
    @triton.jit
    def kernel(x, divisor, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, tl.load(x + i) / tl.load(divisor))

    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -3, 1e-45, 1e-39, 1.1754944e-38, 2.0**-126, 2.0**-125, 2.0**125,
                        2.0**126, 8.5070597e37, -2.0**127, 3.4028235e38, 7, 0.1, 1e30, 1e-30, 12345], np.float32)
    with np.errstate(over="ignore"):
        numbers_ = np.concatenate([special, np.resize(special, 64 - len(special)) * np.float32(1.7)])
    x, out = array("float32", numbers_), empty("float32", 64)
    for divisor in special:
        launch(kernel, x, array("float32", [divisor]), out, N=64)
        with np.errstate(all="ignore"):
            expected = x.values / divisor
        # Of a subnormal quotient a unit is the least there is.
        np.testing.assert_allclose(out.values, expected, rtol=2.0**-22, atol=3e-45, err_msg=f"divided by {divisor}")
        sure = (expected == 0) & (np.abs(x.values) == 0) | np.isinf(expected) & np.isinf(out.values)
        assert (np.signbit(out.values) == np.signbit(expected))[sure].all()


TINY = 1e-39  # subnormal in fp32


@pytest.mark.parametrize("function, of, result", [("exp2", -127.0, 0), ("sqrt", TINY, 0), ("sqrt", -TINY, -0.0),
                                                  ("rsqrt", TINY, np.inf), ("rsqrt", -TINY, -np.inf)])
def test_quick_functions_take_subnormal_numbers_for_zero(function, of, result):
    x, out = array("float32", [of] * 6), empty("float32", 6)
    launch(few(getattr(tl, function)), x, out, N=8)
    np.testing.assert_array_equal(out.values, np.full(6, result, np.float32))
    np.testing.assert_array_equal(np.signbit(out.values), np.signbit(np.float32(result)))


@triton.jit
def members(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i)
    tl.store(out + i, value.exp() + value.abs().sqrt() + value.floor() + value.sin().cos() + value.sigmoid())


def test_members():
    x, out = reals("float32", 64), empty("float32", 64)
    launch(members, x, out, N=64)
    v = x.values
    close(out, np.exp(v) + np.sqrt(np.abs(v)) + np.floor(v) + np.cos(np.sin(v)) + 1 / (1 + np.exp(-v)), 1e-5)


def test_sqrt_rn_rounds_as_ieee():
    x, out = reals("float32", 256, low=0, high=100), empty("float32", 256)
    launch(elementwise(tl.sqrt_rn), x, out, N=256)
    same(out, np.sqrt(x.values))


@pytest.mark.parametrize("name", NUMBERS)
def test_abs(name):
    x, out = numbers(name, 64), empty(name, 64)
    launch(elementwise(tl.abs), x, out, N=64)
    same(out, np.abs(x.values))


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("which", ["maximum", "minimum"])
def test_extrema(which, name):
    x, y, out = numbers(name, 64), numbers(name, 64, seed=1), empty(name, 64)
    launch(elementwise2(getattr(tl, which)), x, y, out, N=64)
    same(out, getattr(np, which)(x.values, y.values))


@triton.jit
def extremum_with_nan(x, y, out, N: tl.constexpr, ALL: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i), tl.load(y + i)
    policy: tl.constexpr = tl.PropagateNan.ALL if ALL else tl.PropagateNan.NONE
    tl.store(out + i, tl.maximum(a, b, propagate_nan=policy))
    tl.store(out + N + i, tl.minimum(a, b, propagate_nan=policy))
    tl.store(out + 2 * N + i, tl.clamp(a, b, 8.0, propagate_nan=policy))


@pytest.mark.parametrize("name", ["float32", "float64", "float16"])
@pytest.mark.parametrize("propagates", [False, True])
def test_nan_beside_a_number(name, propagates):
    x = array(name, [1, np.nan, 3, np.nan, 5, 6, 7, 8])
    y = array(name, [4, 2, np.nan, np.nan, 1, 1, 9, 1])
    out = empty(name, 24)
    launch(extremum_with_nan, x, y, out, N=8, ALL=propagates)
    larger, smaller = (np.maximum, np.minimum) if propagates else (np.fmax, np.fmin)
    same(part_of(out, 0, 16), np.concatenate([larger(x.values, y.values), smaller(x.values, y.values)]))
    if propagates:
        assert np.isnan(out.values[16:20]).tolist() == [False, True, True, True]


def part_of(whole, begin, end):
    part = empty(whole.name, end - begin)
    part.stored[...] = whole.stored[begin:end]
    return part


@triton.jit
def clamped(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i)
    tl.store(out + i, tl.clamp(value, -1.5, 2.0))


@pytest.mark.parametrize("name", FLOATS)
def test_clamp(name):
    x, out = numbers(name, 64), empty(name, 64)
    launch(clamped, x, out, N=64)
    same(out, np.clip(x.values, -1.5, 2.0))


@triton.jit
def builtin_extrema(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(out + i, max(a, b, 1))
    tl.store(out + N + i, min(a, b))
    tl.store(out + 2 * N + i, abs(a))


def test_python_s_own_extrema():
    x, y, out = numbers("int32", 32), numbers("int32", 32, seed=1), empty("int32", 96)
    launch(builtin_extrema, x, y, out, N=32)
    a, b = x.values, y.values
    same(out, np.concatenate([np.maximum(np.maximum(a, b), 1), np.minimum(a, b), np.abs(a)]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_fdiv(dtype):
    x, y, out = reals(dtype, 64), reals(dtype, 64, seed=1, low=1), empty(dtype, 64)
    launch(elementwise2(tl.fdiv), x, y, out, N=64)
    close(out, x.values / y.values)


def test_div_rn_rounds_as_ieee():
    x, y, out = reals("float32", 256), reals("float32", 256, seed=1, low=0.1), empty("float32", 256)
    launch(elementwise2(tl.div_rn), x, y, out, N=256)
    same(out, x.values / y.values)


@triton.jit
def fused(x, y, z, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.fma(tl.load(x + i), tl.load(y + i), tl.load(z + i)))


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_fma_rounds_once(name):
    # (1 + e)(1 - e) - 1 is -e * e exactly, and 0 where the product is rounded first.
    e = 2.0**-13 if name == "float32" else 2.0**-28
    x, y, z = array(name, [1 + e] * 16), array(name, [1 - e] * 16), array(name, [-1.0] * 16)
    out = empty(name, 16)
    launch(fused, x, y, z, out, N=16)
    same(out, [-e * e] * 16)


@pytest.mark.parametrize("name", ["int32", "uint32", "int64", "uint64"])
def test_umulhi(name):
    bits = 64 if "64" in name else 32
    random = np.random.default_rng(4)
    a, b = (random.integers(0, 2**63, 64, dtype=np.uint64) * np.uint64(2) >> np.uint64(64 - bits) for _ in range(2))
    x, y, out = array(name, a.astype(name)), array(name, b.astype(name)), empty(name, 64)
    launch(elementwise2(tl.umulhi), x, y, out, N=64)
    expected = [(int(p) * int(q)) >> bits for p, q in zip(a, b)]
    same(out, np.array(expected, np.uint64).astype(name))


@triton.jit
def chosen(c, x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.where(tl.load(c + i), tl.load(x + i), tl.load(y + i)))
    tl.store(out + N + i, tl.where(i < 5, tl.load(x + i), 1))


@pytest.mark.parametrize("name", NUMBERS)
def test_where(name):
    c, x, y, out = numbers("int1", 32), numbers(name, 32), numbers(name, 32, seed=1), empty(name, 64)
    launch(chosen, c, x, y, out, N=32)
    same(out, np.concatenate([np.where(c.values, x.values, y.values), np.where(np.arange(32) < 5, x.values, 1)]))


@triton.jit
def chosen_types(x, y, out, T: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    result = tl.where(i % 2 == 0, tl.load(x + i), tl.load(y + i))
    tl.static_assert(result.dtype == T)
    tl.store(out + i, result)


@pytest.mark.parametrize("a, b, result", [("int32", "float32", "float32"), ("float16", "float32", "float32"),
                                          ("int8", "int32", "int32"), ("int32", "uint32", "uint32")])
def test_where_promotes(a, b, result):
    x, y, out = numbers(a, 16, low=0), numbers(b, 16, seed=1, low=0), empty(result, 16)
    launch(chosen_types, x, y, out, T=type_of(result), N=16)
    same(out, np.where(np.arange(16) % 2 == 0, x.values, y.values))


# libdevice.

_LIBDEVICE = [
    ("acos", np.arccos, -1, 1), ("acosh", np.arccosh, 1.1, 5), ("asin", np.arcsin, -1, 1), ("asinh", np.arcsinh, -4, 4),
    ("atan", np.arctan, -4, 4), ("atanh", np.arctanh, -0.9, 0.9), ("cbrt", np.cbrt, -8, 8), ("ceil", np.ceil, -4, 4),
    ("cos", np.cos, -3, 3), ("cosh", np.cosh, -3, 3), ("erf", erf, -3, 3), ("erfc", lambda x: 1 - erf(x), -2, 2),
    ("exp", np.exp, -4, 4), ("exp10", lambda x: 10.0**x, -2, 2), ("exp2", np.exp2, -4, 4), ("expm1", np.expm1, -1, 1),
    ("fabs", np.abs, -4, 4), ("floor", np.floor, -4, 4), ("log", np.log, 0.1, 9), ("log10", np.log10, 0.1, 9),
    ("log1p", np.log1p, -0.5, 4), ("log2", np.log2, 0.1, 9), ("nearbyint", np.rint, -4, 4), ("rint", np.rint, -4, 4),
    ("rsqrt", lambda x: 1 / np.sqrt(x), 0.1, 9), ("sin", np.sin, -3, 3), ("sinh", np.sinh, -3, 3),
    ("sqrt", np.sqrt, 0, 9), ("tan", np.tan, -1, 1), ("tanh", np.tanh, -3, 3), ("trunc", np.trunc, -4, 4)]
_QUICK = [("fast_expf", np.exp, -4, 4), ("fast_logf", np.log, 0.2, 9), ("fast_log2f", np.log2, 0.2, 9),
          ("fast_sinf", np.sin, -3, 3), ("fast_cosf", np.cos, -3, 3), ("fast_tanf", np.tan, -1, 1),
          ("fast_exp10f", lambda x: 10.0**x, -2, 2), ("sqrt_rn", np.sqrt, 0, 9)]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name, oracle, low, high", _LIBDEVICE, ids=[case[0] for case in _LIBDEVICE])
def test_libdevice(name, oracle, low, high, dtype):
    x, out = reals(dtype, 64, low=low, high=high), empty(dtype, 64)
    launch(elementwise(getattr(libdevice, name)), x, out, N=64)
    close(out, oracle(x.values.astype(np.float64)), 4e-6 if dtype == "float32" else 1e-12, 1e-6)


@pytest.mark.parametrize("name, oracle, low, high", _QUICK, ids=[case[0] for case in _QUICK])
def test_quick_libdevice(name, oracle, low, high):
    x, out = reals("float32", 64, low=low, high=high), empty("float32", 64)
    launch(elementwise(getattr(libdevice, name)), x, out, N=64)
    close(out, oracle(x.values.astype(np.float64)), 4e-6, 2e-6)


def round_half_away(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rounding_of_halves(dtype):
    x = array(dtype, np.arange(-32, 32) / 4)
    whole, away, even = (empty(kind, 64) for kind in (dtype, "int64", "int64"))
    launch(elementwise(libdevice.round), x, whole, N=64)
    same(whole, round_half_away(x.values))
    launch(elementwise(libdevice.llround), x, away, N=64)
    same(away, round_half_away(x.values).astype(np.int64))
    launch(elementwise(libdevice.llrint), x, even, N=64)
    same(even, np.rint(x.values).astype(np.int64))


_OF_TWO = [("atan2", np.arctan2, -4), ("pow", np.power, 0.2), ("copysign", np.copysign, -4), ("fmod", np.fmod, 0.5),
           ("hypot", np.hypot, -4), ("max", np.maximum, -4), ("min", np.minimum, -4), ("div_rn", np.divide, 0.5),
           ("fast_dividef", np.divide, 0.5), ("fast_fdividef", np.divide, 0.5), ("fast_powf", np.power, 0.2),
           ("fmaxf", np.maximum, -4), ("fminf", np.minimum, -4)]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name, oracle, low", _OF_TWO, ids=[case[0] for case in _OF_TWO])
def test_libdevice_of_two(name, oracle, low, dtype):
    if dtype == "float64" and (name.startswith("fast_") or name.endswith("f") or name == "div_rn"):
        pytest.skip("a function of float32")
    x, y, out = reals(dtype, 64, low=low), reals(dtype, 64, seed=1, low=low), empty(dtype, 64)
    launch(elementwise2(getattr(libdevice, name)), x, y, out, N=64)
    close(out, oracle(x.values.astype(np.float64), y.values.astype(np.float64)), 1e-5 if dtype == "float32" else 1e-12)


@pytest.mark.parametrize("name, oracle", [("isnan", np.isnan), ("isinf", np.isinf), ("finitef", np.isfinite),
                                          ("signbit", np.signbit)])
def test_classes_of_floats(name, oracle):
    x = array("float32", [0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, 1e-40])
    out = empty("int1", 8)
    launch(elementwise(getattr(libdevice, name)), x, out, N=8)
    same(out, oracle(x.values))


def test_isfinited():
    x, out = array("float64", [0.0, np.inf, np.nan, 1e300]), empty("int1", 4)
    launch(elementwise(libdevice.isfinited), x, out, N=4)
    same(out, [True, False, False, True])


@pytest.mark.parametrize("name", ["int32", "int64"])
def test_counting_bits(name):
    values = [0, 1, 2, 3, 255, 256, 12345, -1]
    bits = 64 if "64" in name else 32
    texts = [format(value % 2**bits, f"0{bits}b") for value in values]
    x = array(name, values)
    expected = {"popc": [text.count("1") for text in texts],
                "clz": [len(text) - len(text.lstrip("0")) for text in texts],
                "ffs": [len(text) - text.rindex("1") if "1" in text else 0 for text in texts]}
    for function, counts in expected.items():
        out = empty("int32", 8)
        launch(elementwise(getattr(libdevice, function)), x, out, N=8)
        same(out, counts)


@pytest.mark.parametrize("name", ["int32", "int64", "float32", "float64"])
def test_libdevice_abs(name):
    x, out = numbers(name, 32), empty(name, 32)
    launch(elementwise(libdevice.abs), x, out, N=32)
    same(out, np.abs(x.values))


@pytest.mark.parametrize("function", ["fma", "fma_rn"])
def test_libdevice_fma(function):
    called = getattr(libdevice, function)

    @triton.jit
    def kernel(x, y, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, called(tl.load(x + i), tl.load(y + i), 1.0))

    x, y, out = numbers("float32", 32), numbers("float32", 32, seed=1), empty("float32", 32)
    launch(kernel, x, y, out, N=32)
    same(out, x.values * y.values + 1)
