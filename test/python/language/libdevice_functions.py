"""Every function of libdevice with a result that is rounded: what it is exactly, arguments worth a look, and how far from
the correctly rounded result CUDA says that its own may be (CUDA C++ Programming Guide, "Mathematical Functions").
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Callable

import mpmath
from libdevice_exact import (
    bounded_exp, cosine_of_pi, cube_root, erfcinv, erfcx, erfinv, expm1, first_kind, gamma, inverse_tanh, length,
    log1p, log_gamma, log_of, normcdf, odd_beyond, positive, power, reciprocal_cube_root, reciprocal_length,
    remainder, second_kind, sine_of_pi, tanh, trigonometric, truncated_remainder, within)
from mpmath import mp, mpf

#: Bits of the significand, least exponent of its last place, format of `struct`, bits.
FORMATS = {"float32": (24, -149, "f", 32), "float64": (53, -1074, "d", 64)}

NAN, INF = math.nan, math.inf


@dataclass
class Function:
    name: str
    exact: Callable
    #: Errors in units of the last place that CUDA states, for fp32 and fp64; None where it has no such function.
    bounds: tuple[float | None, float | None]
    #: Where arguments are drawn, a list of intervals for each argument.
    ranges: list[list[tuple[float, float]]]
    #: Arguments next to which more are drawn.
    points: list[float] = field(default_factory=list)
    #: For such arguments, a float and a type, the absolute error counts instead, which is the second of the pair.
    absolute: Callable | None = None
    #: Arguments, as those of `exact`, of which CUDA states nothing.
    unstated: Callable | None = None
    integer_first: bool = False  #: the first argument is an int32
    integer_second: bool = False  #: the second one is

    @property
    def arity(self) -> int:
        return len(self.ranges)


def bits_of(kind: str, value: float) -> int:
    letter, size = FORMATS[kind][2:]
    return int.from_bytes(struct.pack("<" + letter, value), "little") & (1 << size) - 1


def from_bits(kind: str, bits: int) -> float:
    letter, size = FORMATS[kind][2:]
    return struct.unpack("<" + letter, bits.to_bytes(size // 8, "little"))[0]


def rounded_to(kind: str, value: float) -> float:
    """A double as a number of the type, with overflow to infinity."""
    try:
        return struct.unpack("<" + FORMATS[kind][2], struct.pack("<" + FORMATS[kind][2], value))[0]
    except OverflowError:
        return math.copysign(INF, value)


def place(kind: str, value: float) -> int:
    """How many floats lie between zero and a float: differences are units in the last place."""
    bits = bits_of(kind, value)
    sign = 1 << FORMATS[kind][3] - 1
    return -(bits - sign) if bits >= sign else bits


def place_of_exact(kind: str, value: mpf) -> int:
    """The place of the float that is next to an exact value, ties to even."""
    digits, least = FORMATS[kind][:2]
    if mpmath.isinf(value):
        return place(kind, float(value))
    size = abs(value)
    if size == 0:
        return 0
    exponent = max(int(mpmath.frexp(size)[1]) - digits, least)
    count = int(mpmath.nint(mpmath.ldexp(size, -exponent)))  # even where it is a tie
    # Counted on from the last place of the smallest number of this exponent.
    result = count if exponent == least else count + (exponent - least) * 2**(digits - 1)
    result = min(result, place(kind, INF))
    return -result if value < 0 else result


def error(kind: str, found: float, exact) -> float:
    """In units of the last place, from the correctly rounded result. Signs of poles and zeros are those of special values,
    which have a test of their own."""
    if mpmath.isinf(exact) and math.isinf(found):
        return 0
    if mpmath.isnan(exact) or math.isnan(found):
        return 0 if mpmath.isnan(exact) and math.isnan(found) else INF
    return abs(place(kind, found) - place_of_exact(kind, exact))


#: A type's own limits, from the smallest to the largest power of ten.
TINY_TO_HUGE = [(1e-310, 1e308), (1e-40, 1e38)]


def far_waves(kind: str, *arguments: float):
    """CUDA states absolute errors of Bessel functions from 8 on."""
    return (2.2e-6 if kind == "float32" else 5e-12) if abs(arguments[-1]) >= 8 else None


def any_waves(kind: str, *arguments: float):
    return 2.2e-6 if kind == "float32" else 5e-12


def second_waves(kind: str, n: int, x: float):
    """Below the order CUDA states units for fp32; for fp64 nothing up to 1.5 times the order."""
    if kind == "float32":
        return None if abs(x) < n else 2.2e-6
    return 5e-12 if abs(x) > 1.5 * n else None


def between_zeros_of_log_gamma(kind: str, x: float):
    return -10.001 <= x <= -2.264 if kind == "float32" else -23.0001 <= x <= -2.2637


FUNCTIONS = [
    Function("acos", within(-1, 1, mp.acos), (2, 2), [[(-1, 1), (-1e-9, 1e-9)]], [1, -1, 0.5, 0]),
    Function("acosh", lambda x: mp.acosh(x) if x >= 1 else mpf("nan"), (4, 3), [[(1, 4), (1, 1e6), *TINY_TO_HUGE]], [1, 2]),
    Function("asin", within(-1, 1, mp.asin), (2, 2), [[(-1, 1), (-1e-9, 1e-9)]], [1, -1, 0.5, 0]),
    Function("asinh", mp.asinh, (3, 3), [[(-4, 4), (-1e6, 1e6), *TINY_TO_HUGE]], [1]),
    Function("atan", mp.atan, (2, 2), [[(-4, 4), (-1e6, 1e6), *TINY_TO_HUGE]], [1]),
    Function("atan2", mp.atan2, (3, 2), [[(-4, 4), (-1e6, 1e6)], [(-4, 4), (-1e6, 1e6)]], [1]),
    Function("atanh", inverse_tanh, (3, 2), [[(-1, 1), (-1e-9, 1e-9)]], [1, -1]),
    Function("cbrt", cube_root, (1, 1), [[(-10, 10), (-1e9, 1e9), *TINY_TO_HUGE]], [1, 8]),
    Function("cos", trigonometric(mp.cos), (2, 2), [[(-10, 10), (-1e5, 1e5), *TINY_TO_HUGE]],
             [k * math.pi / 2 for k in (1, 2, 3, 5, 1001)]),
    Function("cosh", odd_beyond(mp.cosh, 1000, False), (2, 1), [[(-10, 10), (-710.5, 710.5), (-89.5, 89.5)]], [0]),
    Function("cospi", cosine_of_pi, (1, 2), [[(-10, 10), (-1e5, 1e5), *TINY_TO_HUGE]], [0.25, 0.5, 1, 1.5]),
    Function("cyl_bessel_i0", odd_beyond(lambda x: mp.besseli(0, x), 1000, False), (6, 6),
             [[(-20, 20), (-714, 714), (-91, 91), (0, 1e-9)]], [0, 16, 8]),
    Function("cyl_bessel_i1", odd_beyond(lambda x: mp.besseli(1, x), 1000, True), (6, 6),
             [[(-20, 20), (-714, 714), (-91, 91), (0, 1e-9)]], [0, 16, 8]),
    Function("erf", mp.erf, (2, 2), [[(-6, 6), (-1, 1), (-1e-9, 1e-9)]], [1, 0.5]),
    Function("erfc", lambda x: mp.erfc(x) if abs(x) < 100 else mpf(2 * (x < 0)), (4, 5), [[(-6, 6), (0, 27.3), (0, 10.1)]], [0.5, 1]),
    Function("erfcinv", erfcinv, (4, 6), [[(0, 2), (0, 1e-3), (5e-324, 1e-300), (1e-45, 1e-30), (5e-324, 1e-9)]],
             [1, 2, 0.5, 1.5, 0]),
    Function("erfcx", erfcx, (4, 4), [[(-27, 10), (-3, 3), (-9.4, 30), (3, 100), (10, 1e300), (1, 1e38)]], [0, 25, 27.5]),
    Function("erfinv", erfinv, (2, 5), [[(-1, 1), (0.99, 1), (-1e-9, 1e-9)]], [1, -1, 0.5]),
    Function("exp", bounded_exp(mp.exp, 1000), (2, 1), [[(-745, 710), (-104, 89), (-1, 1)]], [0, 1]),
    Function("exp10", bounded_exp(lambda x: mp.power(10, x), 400), (2, 1), [[(-324, 309), (-45, 39), (-1, 1)]], [0, 1, 2]),
    Function("exp2", bounded_exp(lambda x: mp.power(2, x), 1200), (2, 1), [[(-1075, 1025), (-150, 129), (-1, 1)]], [0, 1]),
    Function("expm1", expm1, (1, 1), [[(-40, 710), (-18, 89), (-1, 1), (-1e-9, 1e-9)]], [0.34657359, -0.34657359, 1.0397]),
    Function("fmod", truncated_remainder, (0, 0), [[(-1e6, 1e6), *TINY_TO_HUGE], [(-10, 10), *TINY_TO_HUGE]], [1, 2, 3]),
    Function("hypot", length, (3, 2), [[(-10, 10), *TINY_TO_HUGE]] * 2, [1, 3, 4]),
    Function("j0", lambda x: first_kind(0, x), (9, 7), [[(-8, 8), (8, 60), (0, 1e-9), (8, 1e5)]],
             [2.404825557695773, 5.520078110286311, 8], far_waves),
    Function("j1", lambda x: first_kind(1, x), (9, 7), [[(-8, 8), (8, 60), (0, 1e-9), (8, 1e5)]],
             [3.8317059702075125, 7.015586669815619, 8], far_waves),
    Function("jn", first_kind, (None, None), [[(128, 128), (0, 20)], [(-8, 8), (8, 300), (100, 160)]], [], any_waves,
             integer_first=True),
    Function("ldexp", lambda x, n: mp.ldexp(x, n), (0, 0), [[(-10, 10), *TINY_TO_HUGE], [(-300, 300), (-2200, 2200)]], [1],
             integer_second=True),
    Function("lgamma", log_gamma, (6, 4), [[(0, 10), (-2.2, 3), (-60, -23.01), (3, 200), (1e3, 1e305), (1e3, 1e36)]],
             [1, 2, 0.7, 1.5, 3, 8, -0.5, -2, -30], unstated=between_zeros_of_log_gamma),
    Function("log", positive(mp.log), (1, 1), [[(0, 4), (0, 1e6), *TINY_TO_HUGE]], [1]),
    Function("log10", positive(log_of(10)), (2, 1), [[(0, 4), (0, 1e6), *TINY_TO_HUGE]], [1, 10, 100]),
    Function("log1p", log1p, (1, 1), [[(-1, 4), (-1, 1e6), (-1e-9, 1e-9), *TINY_TO_HUGE]], [0, 0.41421356, -0.29289322]),
    Function("log2", positive(log_of(2)), (1, 1), [[(0, 4), (0, 1e6), *TINY_TO_HUGE]], [1, 2]),
    Function("norm3d", length, (3, 2), [[(-10, 10), *TINY_TO_HUGE]] * 3, [1]),
    Function("norm4d", length, (3, 2), [[(-10, 10), *TINY_TO_HUGE]] * 4, [1]),
    Function("normcdf", normcdf, (5, 5), [[(-6, 6), (-38.5, 0), (-14.2, 0), (-1e-9, 1e-9)]], [0, -1]),
    Function("normcdfinv", lambda p: -mp.sqrt(2) * erfcinv(2 * p), (5, 8),
             [[(0, 1), (0, 1e-3), (5e-324, 1e-300), (1e-45, 1e-30), (5e-324, 1e-9)]], [0.5, 1, 0.25, 0.75, 0]),
    Function("pow", power, (4, 2), [[(0, 4), (0.9, 1.1), (-4, 4), *TINY_TO_HUGE], [(-10, 10), (-300, 300)]], [1, 2]),
    Function("rcbrt", reciprocal_cube_root, (1, 1), [[(-10, 10), (-1e9, 1e9), *TINY_TO_HUGE]], [1, 8]),
    Function("remainder", remainder, (0, 0), [[(-1e6, 1e6), *TINY_TO_HUGE], [(-10, 10), *TINY_TO_HUGE]], [1, 2, 3]),
    Function("rhypot", reciprocal_length, (2, 1), [[(-10, 10), *TINY_TO_HUGE]] * 2, [1, 3, 4]),
    Function("rnorm3d", reciprocal_length, (2, 1), [[(-10, 10), *TINY_TO_HUGE]] * 3, [1]),
    Function("rnorm4d", reciprocal_length, (2, 1), [[(-10, 10), *TINY_TO_HUGE]] * 4, [1]),
    Function("rsqrt", lambda x: mpf("nan") if x < 0 else mpf("inf") if x == 0 else 1 / mp.sqrt(x), (2, 1),
             [[(0, 4), (0, 1e6), *TINY_TO_HUGE]], [1, 4]),
    Function("sin", trigonometric(mp.sin), (2, 2), [[(-10, 10), (-1e5, 1e5), *TINY_TO_HUGE]],
             [k * math.pi / 2 for k in (1, 2, 3, 5, 1001)]),
    Function("sinh", odd_beyond(mp.sinh, 1000, True), (3, 2), [[(-10, 10), (-710.5, 710.5), (-89.5, 89.5), (-1e-9, 1e-9)]], [1]),
    Function("sinpi", sine_of_pi, (1, 2), [[(-10, 10), (-1e5, 1e5), *TINY_TO_HUGE]], [0.25, 0.5, 1, 1.5]),
    Function("sqrt", lambda x: mp.sqrt(x) if x >= 0 else mpf("nan"), (0, 0), [[(0, 4), (0, 1e6), *TINY_TO_HUGE]], [1, 4]),
    Function("tan", trigonometric(mp.tan), (4, 2), [[(-10, 10), (-1e5, 1e5), *TINY_TO_HUGE]],
             [k * math.pi / 4 for k in (1, 2, 3, 4, 5, 1001)]),
    Function("tanh", tanh, (2, 1), [[(-10, 10), (-1, 1), (-1e-9, 1e-9)]], [0.75, 1]),
    Function("tgamma", gamma, (5, 10), [[(-10, 36), (0, 172), (-185, 0), (-3, 3), (-41, 0), (-1e-9, 1e-9)]],
             [1, 2, 3, 10, -1, -2, -10, -11, -34, -171]),
    Function("y0", lambda x: second_kind(0, x), (9, 7), [[(0, 8), (8, 60), (0, 1e-9), (8, 1e5), (5e-324, 1e-300)]],
             [0.8935769662791675, 3.957678419314858, 7.086051060301773, 0.5, 2.375, 5.5, 8], far_waves),
    Function("y1", lambda x: second_kind(1, x), (9, 7), [[(0, 8), (8, 60), (0, 1e-9), (8, 1e5), (5e-324, 1e-300)]],
             [2.197141326031017, 5.429681040794135, 1, 3.75, 8], far_waves),
    Function("yn", second_kind, (5, None), [[(128, 128), (0, 12)], [(0.5, 8), (8, 300), (100, 240)]], [], second_waves,
             integer_first=True),
]


def edges(kind: str) -> list[float]:
    digits, least = FORMATS[kind][:2]
    smallest, normal = 2.0**least, 2.0**(least + digits - 1)
    most = from_bits(kind, bits_of(kind, INF) - 1)
    sizes = [0.0, smallest, 3 * smallest, normal - smallest, normal, normal * 1.5, most, most / 2, 1.0, 0.5, 2.0, 3.0, 10.0]
    return [sign * size for size in sizes for sign in (1.0, -1.0)]


class Arguments:
    """Drawn from edges, all bit patterns, the function's ranges and next to its points, the same ones in each run."""

    def __init__(self, function: Function, kind: str):
        self.function, self.kind = function, kind
        self.random = Random(f"{function.name} {kind}")

    def beside(self, point: float) -> float:
        digits = FORMATS[self.kind][0]
        return point * (1 + self.random.choice((-1, 1)) * 2.0**-self.random.randrange(2, digits + 1)) if point else \
            self.random.choice((-1, 1)) * 2.0**-self.random.randrange(1, 60)

    def inside(self, low: float, high: float) -> float:
        if low > 0 and high / low > 1e6 or low == 0 and self.random.randrange(2):  # by its exponent
            least = math.log2(low) if low > 0 else math.log2(high) - 40
            value = 2.0**self.random.uniform(max(least, -1074), math.log2(high))
            return min(max(value, low), high)
        return self.random.uniform(low, high)

    def one(self, place: int) -> float:
        function, choice = self.function, self.random.randrange(8)
        if (place == 0 and function.integer_first) or (place == 1 and function.integer_second):
            low, high = self.random.choice(function.ranges[place])
            return self.random.randint(int(low), int(high))
        if choice == 0:
            value = from_bits(self.kind, self.random.getrandbits(FORMATS[self.kind][3]))
        elif choice <= 2 and function.points:
            value = self.beside(self.random.choice(function.points))
        else:
            value = self.inside(*self.random.choice(function.ranges[place]))
        return rounded_to(self.kind, value)

    def draw(self, count: int) -> list[tuple]:
        """Finite ones; the tests of special values have the others."""
        function = self.function
        some = edges(self.kind) + [rounded_to(self.kind, point) for point in function.points]
        if function.arity == 1:
            found = [(value, ) for value in some]
        else:
            found = [tuple(self.one(place) if place != turn % function.arity or isinstance(self.one(place), int) else value
                           for place in range(function.arity)) for turn, value in enumerate(some)]
        while len(found) < count:
            found.append(tuple(self.one(place) for place in range(function.arity)))
        return [arguments for arguments in found if all(map(math.isfinite, arguments))][:count]


@lru_cache(maxsize=None)
def by_name() -> dict[str, Function]:
    return {function.name: function for function in FUNCTIONS}
