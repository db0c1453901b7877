"""Operators: which type two operands meet in, and what comes of them."""

import numpy as np
import pytest
from harness import FLOATS, INTS, NUMBERS, SIGNED, array, close, empty, encode, decode, launch, numbers, same, type_of

import tegula as triton
import tegula.language as tl


@triton.jit
def apply(a, b, OP: tl.constexpr):
    if OP == "+":
        return a + b
    elif OP == "-":
        return a - b
    elif OP == "*":
        return a * b
    elif OP == "/":
        return a / b
    elif OP == "//":
        return a // b
    elif OP == "%":
        return a % b
    elif OP == "&":
        return a & b
    elif OP == "|":
        return a | b
    elif OP == "^":
        return a ^ b
    elif OP == "<<":
        return a << b
    elif OP == ">>":
        return a >> b
    elif OP == "<":
        return a < b
    elif OP == "<=":
        return a <= b
    elif OP == ">":
        return a > b
    elif OP == ">=":
        return a >= b
    elif OP == "==":
        return a == b
    return a != b


@triton.jit
def binary(a, b, out, OP: tl.constexpr, T: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    result = apply(tl.load(a + i), tl.load(b + i), OP)
    tl.static_assert(result.dtype == T)
    tl.store(out + i, result)


def width(name):
    return type_of(name).primitive_bitwidth


def promoted(a, b, divides=False):
    """The rules of the language for two tensors: the float of most bits wins, half-precision floats meet in float16, a
    bfloat16 and an integer in float32; of integers the wider wins and of equals the one without a sign."""
    for wide in ("float64", "float32"):
        if wide in (a, b):
            return wide
    if "float16" in (a, b):
        return "float32" if divides else "float16"
    if "bfloat16" in (a, b):
        return "bfloat16" if a == b and not divides else "float32"
    if width(a) != width(b):
        return max(a, b, key=width)
    return a if a.startswith("u") else b


PAIRS = [(a, b) for i, a in enumerate(NUMBERS) for b in NUMBERS[i:]]


@pytest.mark.parametrize("a, b", PAIRS)
def test_types_meet(a, b):
    low = 0 if "uint" in a + b else -4
    x, y = numbers(a, 32, low=low), numbers(b, 32, seed=1, low=low)
    result = promoted(a, b)
    out = empty(result, 32)
    launch(binary, x, y, out, OP="+", T=type_of(result), N=32)
    close(out, decode(result, encode(result, x.values.astype(np.float64) + y.values.astype(np.float64))))


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("op", ["+", "-", "*"])
def test_arithmetic(op, name):
    x, y = numbers(name, 64), numbers(name, 64, seed=1)
    out = empty(name, 64)
    launch(binary, x, y, out, OP=op, T=type_of(name), N=64)
    a, b = x.values, y.values
    with np.errstate(over="ignore"):
        close(out, a + b if op == "+" else a - b if op == "-" else a * b)


@pytest.mark.parametrize("name", NUMBERS)
def test_quotient(name):
    x, y = numbers(name, 64), array(name, 1 + np.arange(64) % 7)
    result = "float64" if name == "float64" else "float32"
    out = empty(result, 64)
    launch(binary, x, y, out, OP="/", T=type_of(result), N=64)
    close(out, x.values.astype(np.float64) / y.values.astype(np.float64))


@pytest.mark.parametrize("name", INTS)
def test_division_of_integers_truncates(name):
    low = 0 if "uint" in name else -100
    x = numbers(name, 64, low=low, high=100)
    y = array(name, np.where(np.arange(64) % 2, 7, 3 if low == 0 else -3))
    quotient, rest = empty(name, 64), empty(name, 64)
    launch(binary, x, y, quotient, OP="//", T=type_of(name), N=64)
    launch(binary, x, y, rest, OP="%", T=type_of(name), N=64)
    expected = np.trunc(x.values.astype(np.float64) / y.values.astype(np.float64)).astype(np.int64)
    same(quotient, expected.astype(quotient.values.dtype))
    same(rest, (x.values.astype(np.int64) - expected * y.values.astype(np.int64)).astype(rest.values.dtype))


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_remainder_of_floats(name):
    x, y = numbers(name, 64), array(name, np.where(np.arange(64) % 2, 1.5, -0.75))
    out = empty(name, 64)
    launch(binary, x, y, out, OP="%", T=type_of(name), N=64)
    close(out, np.fmod(x.values, y.values))


@pytest.mark.parametrize("name", INTS)
@pytest.mark.parametrize("op", ["&", "|", "^"])
def test_bits(op, name):
    x, y = numbers(name, 64, high=100), numbers(name, 64, seed=1, high=100)
    out = empty(name, 64)
    launch(binary, x, y, out, OP=op, T=type_of(name), N=64)
    same(out, {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor}[op](x.values, y.values))


@pytest.mark.parametrize("name", INTS)
@pytest.mark.parametrize("op", ["<<", ">>"])
def test_shifts(op, name):
    x, by = numbers(name, 64, high=100), array(name, np.arange(64) % 7)
    out = empty(name, 64)
    launch(binary, x, by, out, OP=op, T=type_of(name), N=64)
    same(out, (np.left_shift if op == "<<" else np.right_shift)(x.values, by.values))


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "==", "!="])
def test_comparisons(op, name):
    x, y = numbers(name, 64), numbers(name, 64, seed=1)
    out = empty("int1", 64)
    launch(binary, x, y, out, OP=op, T=tl.int1, N=64)
    compare = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal,
               "!=": np.not_equal}[op]
    same(out, compare(x.values, y.values))


@pytest.mark.parametrize("op, holds", [("<", False), (">=", False), ("==", False), ("!=", True)])
def test_a_nan_is_unequal_to_all(op, holds):
    x, y = array("float32", [np.nan] * 16), array("float32", [0.0] * 8 + [np.nan] * 8)
    out = empty("int1", 16)
    launch(binary, x, y, out, OP=op, T=tl.int1, N=16)
    same(out, [holds] * 16)


@triton.jit
def with_numbers(x, out, T: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i)
    result = 2 * value + 1
    tl.static_assert(result.dtype == T)
    result = 3 - result
    result *= 2
    tl.store(out + i, result)


@pytest.mark.parametrize("name", SIGNED + FLOATS)
def test_numbers_take_the_type_of_tensors(name):
    x, out = numbers(name, 32), empty(name, 32)
    launch(with_numbers, x, out, T=type_of(name), N=32)
    close(out, (3 - (2 * x.values.astype(np.float64) + 1)) * 2)


@triton.jit
def a_float_beside_integers(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    result = tl.load(x + i) + 0.5
    tl.static_assert(result.dtype == tl.float32)
    tl.store(out + i, result)


@pytest.mark.parametrize("name", ["int8", "int32", "int64", "uint16"])
def test_a_float_beside_integers(name):
    x, out = numbers(name, 32), empty("float32", 32)
    launch(a_float_beside_integers, x, out, N=32)
    same(out, x.values + 0.5)


@triton.jit
def unary(x, out, N: tl.constexpr, OP: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i)
    if OP == "-":
        tl.store(out + i, -value)
    elif OP == "+":
        tl.store(out + i, +value)
    elif OP == "~":
        tl.store(out + i, ~value)
    else:
        tl.store(out + i, not value)


@pytest.mark.parametrize("op, name", [("-", name) for name in SIGNED + FLOATS] + [("+", "int32"), ("+", "float32")]
                         + [("~", name) for name in INTS])
def test_unary(op, name):
    x, out = numbers(name, 32), empty(name, 32)
    launch(unary, x, out, N=32, OP=op)
    close(out, {"-": np.negative, "+": np.positive, "~": np.invert}[op](x.values))


@triton.jit
def truths(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i) > 0, tl.load(y + i) > 0
    tl.store(out + i, a & ~b)
    tl.store(out + N + i, a.logical_and(b))
    tl.store(out + 2 * N + i, a.logical_or(b))
    tl.store(out + 3 * N + i, a ^ b)


def test_truths():
    x, y, out = numbers("int32", 32), numbers("int32", 32, seed=1), empty("int1", 128)
    launch(truths, x, y, out, N=32)
    a, b = x.values > 0, y.values > 0
    same(out, np.concatenate([a & ~b, a & b, a | b, a ^ b]))


@triton.jit
def functions_of_operators(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(out + i, tl.add(a, b))
    tl.store(out + N + i, tl.sub(a, b))
    tl.store(out + 2 * N + i, tl.mul(a, b, sanitize_overflow=False))


@pytest.mark.parametrize("name", ["int32", "float32", "uint8"])
def test_functions_of_operators(name):
    x, y, out = numbers(name, 32), numbers(name, 32, seed=1), empty(name, 96)
    launch(functions_of_operators, x, y, out, N=32)
    same(out, np.concatenate([x.values + y.values, x.values - y.values, x.values * y.values]))


@triton.jit
def broadcasting(x, y, out, R: tl.constexpr, C: tl.constexpr):
    i, j = tl.arange(0, R), tl.arange(0, C)
    result = tl.load(x + i)[:, None] * tl.load(y + j) + tl.load(x)
    tl.static_assert(result.shape[0] == R and result.shape[1] == C)
    tl.store(out + i[:, None] * C + j[None, :], result)


def test_broadcasting():
    x, y, out = numbers("float32", 8), numbers("float32", 16, seed=1), empty("float32", (8, 16))
    launch(broadcasting, x, y, out, R=8, C=16)
    same(out, x.values[:, None] * y.values + x.values[0])


@triton.jit
def wraps(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i) + 100)


@pytest.mark.parametrize("name", ["int8", "uint8"])
def test_integers_wrap(name):
    x, out = array(name, np.arange(100, 116)), empty(name, 16)
    launch(wraps, x, out, N=16)
    same(out, np.arange(200, 216).astype(name))
