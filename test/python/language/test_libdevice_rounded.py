"""Arithmetic and conversions of libdevice that say how they round, on numbers of every kind: zeros of both signs, subnormals,
what overflows and what vanishes."""

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from libdevice_calls import of_rows
from libdevice_functions import FORMATS, bits_of, edges, from_bits, rounded_to

NAN, INF = math.nan, math.inf
WAYS = ("rn", "rz", "rd", "ru")
KINDS = ("float32", "float64")


def upwards(way: str, negative: bool) -> bool:
    """Whether magnitudes are rounded up."""
    return way == "ru" and not negative or way == "rd" and negative


def rounded(value: Fraction, kind: str, way: str, zero: float = 0.0) -> float:
    """An exact value as a float of the type; `zero` is what becomes of none."""
    if value == 0:
        return zero
    digits, least = FORMATS[kind][:2]
    size, negative = abs(value), value < 0
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2)**exponent
    unit = Fraction(2)**max(exponent - digits + 1, least)
    count = round(size / unit) if way == "rn" else math.ceil(size / unit) if upwards(way, negative) else size // unit
    most = from_bits(kind, bits_of(kind, INF) - 1)
    beyond = INF if way == "rn" or upwards(way, negative) else most
    return math.copysign(float(count * unit) if count * unit <= Fraction(most) else beyond, -1 if negative else 1)


def zero_of_sum(a: float, b: float, way: str) -> float:
    if a == b == 0 and math.copysign(1, a) == math.copysign(1, b):
        return a
    return -0.0 if way == "rd" else 0.0


def total(a: float, b: float, kind: str, way: str) -> float:
    if math.isnan(a) or math.isnan(b) or math.isinf(a) and math.isinf(b) and a != b:
        return NAN
    if math.isinf(a) or math.isinf(b):
        return a if math.isinf(a) else b
    return rounded(Fraction(a) + Fraction(b), kind, way, zero_of_sum(a, b, way))


def product(a: float, b: float, kind: str, way: str) -> float:
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b
    return rounded(Fraction(a) * Fraction(b), kind, way, math.copysign(0.0, a) * math.copysign(1, b))


def quotient(a: float, b: float, kind: str, way: str) -> float:
    if math.isnan(a) or math.isnan(b) or a == b == 0 or math.isinf(a) and math.isinf(b):
        return NAN
    sign = math.copysign(1, a) * math.copysign(1, b)
    if math.isinf(a) or b == 0:
        return sign * INF
    return math.copysign(0.0, sign) if math.isinf(b) else rounded(Fraction(a) / Fraction(b), kind, way, math.copysign(0.0, sign))


def fused(a: float, b: float, c: float, kind: str, way: str) -> float:
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c if not (math.isfinite(a) and math.isfinite(b)) else c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if a == 0 or b == 0:
        return rounded(exact, kind, way, zero_of_sum(math.copysign(0.0, a) * math.copysign(1, b), c, way))
    return rounded(exact, kind, way, -0.0 if way == "rd" else 0.0)


def root(x: float, kind: str, way: str) -> float:
    if not x > 0 or math.isinf(x):
        return x if x == 0 or x == INF else NAN
    # As a whole number of units, far more than there are places.
    value, shift = Fraction(x), 2 * 2300
    count = math.isqrt(value.numerator * 2**shift // value.denominator)
    exact = count * count * value.denominator == value.numerator * 2**shift
    return rounded(Fraction(2 * count + (not exact), 2 * 2**(shift // 2)), kind, way)


OPERATIONS = {
    "add": (2, total), "sub": (2, lambda a, b, kind, way: total(a, -b, kind, way)), "mul": (2, product), "div": (2, quotient),
    "fma": (3, fused), "rcp": (1, lambda x, kind, way: quotient(1.0, x, kind, way)), "sqrt": (1, root)}


def arguments(kind: str, count: int):
    """Edges with each other, and random bits; half of those not far from each other, so that sums cancel and round."""
    random = Random(f"{kind} {count}")
    some = edges(kind) + [INF, -INF, NAN]

    def drawn(like):
        if random.randrange(2) or not math.isfinite(like) or like == 0:
            return from_bits(kind, random.getrandbits(FORMATS[kind][3]))
        return rounded_to(kind, like * random.choice((-1, 1)) * 2.0**random.randrange(-3, 4) * random.uniform(0.5, 1))

    rows = [tuple(random.choice(some) for _ in range(count)) for _ in range(700 if count > 1 else 0)]
    rows += [(value, ) * count for value in some]
    while len(rows) < 1024:
        first = drawn(NAN)
        rows.append((first, *(drawn(first) for _ in range(count - 1))))
    return rows


def describe(value: float) -> str:
    return "nan" if math.isnan(value) else repr(float(value))


def check(name: str, kind: str, rows, wanted, result: str | None = None):
    found = of_rows(name, kind, rows, result=result)
    wrong = [f"{name}{row} = {describe(value)}, not {describe(right)}" for row, value, right in zip(rows, found, wanted)
             if describe(value) != describe(right)]
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_arithmetic_rounds_as_it_says(name, way, kind):
    count, exact = OPERATIONS[name]
    rows = arguments(kind, count)
    check(f"{name}_{way}", kind, rows, [exact(*row, kind, way) for row in rows])


@pytest.mark.parametrize("way", WAYS)
def test_doubles_become_floats_as_they_say(way):
    rows = arguments("float64", 1) + [(x * scale, ) for x, in arguments("float32", 1)
                                      for scale in (1 + 2.0**-30, 1 - 2.0**-30, 1 + 2.0**-24)]
    wanted = [x if x == 0 or not math.isfinite(x) else rounded(Fraction(x), "float32", way) for x, in rows]
    check(f"double2float_{way}", "float64", rows, wanted, result="float32")


_WHOLE = {"rn": lambda x: round(Fraction(x)), "rz": math.trunc, "rd": math.floor, "ru": math.ceil}
_TARGETS = {"int": "int32", "uint": "uint32", "ll": "int64", "ull": "uint64"}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("target", _TARGETS)
@pytest.mark.parametrize("source", ["float", "double"])
def test_numbers_beyond_an_integer_become_its_ends(source, target, way):
    kind, result = "float32" if source == "float" else "float64", _TARGETS[target]
    info = np.iinfo(result)
    some = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.75, -0.25, 2.0**31, 2.0**31 - 1, 2.0**31 - 0.5, -2.0**31, -2.0**31 - 0.5, 2.0**32,
            2.0**32 - 0.5, 2.0**63, 2.0**63 - 1024, -2.0**63, 2.0**64, 2.0**64 - 2048, 1e30, -1e30, INF, -INF, NAN]
    rows = [(rounded_to(kind, x), ) for x in some]

    def exact(x):
        if math.isnan(x):  # as PTX has it: the highest bit alone where 64 bits are on either side
            return (info.min or 2**63 if result == "uint64" else info.min or 2**31) if "64" in kind + result else 0
        return (info.min if x < 0 else info.max) if math.isinf(x) else min(max(_WHOLE[way](x), info.min), info.max)

    assert of_rows(f"{source}2{target}_{way}", kind, rows, result=result).tolist() == [exact(x) for x, in rows]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("target", _TARGETS)
@pytest.mark.parametrize("source", ["float", "double"])
def test_floats_become_whole_as_they_say(source, target, way):
    random = Random(f"{source} {target}")
    kind, result = "float32" if source == "float" else "float64", _TARGETS[target]
    least = -2.0**9 if result.startswith("int") else 0.0
    rows = [(rounded_to(kind, random.uniform(least, 2.0**random.randrange(10, 31))), ) for _ in range(192)]
    rows += [(count / 4, ) for count in range(0 if least == 0 else -32, 32)]
    assert of_rows(f"{source}2{target}_{way}", kind, rows, result=result).tolist() == [_WHOLE[way](x) for x, in rows]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("source, kind, target", [
    ("int", "int32", "float"), ("uint", "uint32", "float"), ("ll", "int64", "float"), ("ull", "uint64", "float"),
    ("ll", "int64", "double"), ("ull", "uint64", "double"), ("int", "int32", "double"), ("uint", "uint32", "double")])
def test_whole_numbers_become_floats_as_they_say(source, kind, target, way):
    if target == "double" and "32" in kind and way != "rn":
        return  # which all directions have exactly
    info, random = np.iinfo(kind), Random(f"{kind} {target}")
    values = [0, 1, info.min, info.max, info.max - 1, info.min + 1]
    values += [random.randint(info.min, info.max) >> random.randrange(info.bits) for _ in range(250)]
    result = "float32" if target == "float" else "float64"
    check(f"{source}2{target}_{way}", kind, [(value, ) for value in values],
          [rounded(Fraction(value), result, way) for value in values], result=result)


def test_other_types_are_refused():
    with pytest.raises(Exception, match="`libdevice.float2int_rz`: expected fp32, found fp64"):
        of_rows("float2int_rz", "float64", [(1.0, )], result="int32")
    with pytest.raises(Exception, match="`libdevice.uint2float_rd`: expected uint32, found int32"):
        of_rows("uint2float_rd", "int32", [(1, )], result="float32")
    with pytest.raises(Exception, match="`libdevice.add_rd`: expected fp32 or fp64, found int32"):
        of_rows("add_rd", "int32", [(1, 1)])
