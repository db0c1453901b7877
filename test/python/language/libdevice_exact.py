"""Exact values of functions of libdevice that mpmath has not, or not everywhere: with so many digits that their rounding is
that of the exact value."""

from __future__ import annotations

import math
from typing import Callable

from mpmath import isinf, mp, mpf

#: Digits beyond those of fp64; functions that cancel ask for more themselves.
mp.prec = 130


def _log_newton(residual: Callable, slope: Callable, guess: mpf) -> mpf:
    value = guess
    for _ in range(100):
        step = residual(value) / slope(value)
        value -= step
        if abs(step) < abs(value) * mpf(2)**-(mp.prec // 2 + 10):
            break
    return value


def erfcinv(y):
    if not 0 <= y <= 2:
        return mpf("nan")
    if y in (0, 2):
        return mpf("inf") if y == 0 else mpf("-inf")
    if y > 1:
        return -erfcinv(2 - y)
    if y > mpf("0.5"):
        return _erfinv_core(1 - y)
    # By logarithms, which are nearly a parabola.
    log = mp.log(y)
    return _log_newton(lambda t: mp.log(mp.erfc(t)) - log,
                       lambda t: -2 / mp.sqrt(mp.pi) * mp.exp(-t * t) / mp.erfc(t), mp.sqrt(-log) * mpf("0.95"))


def _erfinv_core(x):
    if abs(x) < mpf(2)**-90:
        return x * mp.sqrt(mp.pi) / 2
    return _log_newton(lambda t: mp.erf(t) - x, lambda t: 2 / mp.sqrt(mp.pi) * mp.exp(-t * t), x * mp.sqrt(mp.pi) / 2)


def erfinv(x):
    if not -1 <= x <= 1:
        return mpf("nan")
    return _erfinv_core(x) if abs(x) < mpf("0.5") else (erfcinv(1 - x) if x > 0 else -erfcinv(1 + x))


def erfcx(x):
    if x < -40:
        return mpf("inf")
    if x > 2**20:  # the asymptotic series
        return (1 - 1 / (2 * x * x) + 3 / (4 * x**4) - 15 / (8 * x**6)) / (x * mp.sqrt(mp.pi))
    return mp.exp(x * x) * mp.erfc(x)


def normcdf(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2 if abs(x) < 100 else mpf(x > 0)


def expm1(x):
    if x > 1000:
        return mpf("inf")
    return mpf(-1) if x < -200 else mp.expm1(x)


def bounded_exp(function: Callable, limit: float):
    """An exponential where it neither overflows nor vanishes for certain."""
    return lambda x: mpf("inf") if x > limit else mpf(0) if x < -limit else function(x)


def odd_beyond(function: Callable, limit: float, odd: bool):
    def exact(x):
        if abs(x) <= limit:
            return function(x)
        return mpf("-inf") if odd and x < 0 else mpf("inf")
    return exact


def tanh(x):
    return mp.tanh(x) if abs(x) < 200 else mpf(1 if x > 0 else -1)


def log_gamma(x):
    if x <= 0 and x == mp.floor(x) or isinf(x):
        return mpf("inf")
    if abs(x) < mpf(2)**-200:
        return -mp.log(abs(x))
    if x < -2**53:
        return mpf("inf")
    if x > 2**60:
        return (x - mpf(1) / 2) * mp.log(x) - x + mp.log(2 * mp.pi) / 2
    if x > 0:
        return mp.loggamma(x)
    size = -x
    return mp.log(mp.pi / (size * abs(mp.sinpi(size)))) - mp.loggamma(size)


def gamma(x):
    if x < 0 and x == mp.floor(x):
        return mpf("nan")
    if x > 200:
        return mpf("inf")
    if x < -200 or x == 0:
        return mpf(0) if x else mpf("inf")
    return mp.gamma(x)


def first_kind(n, x):
    return mp.besselj(n, x)


def second_kind(n, x):
    if x < 0 or n < 0:
        return mpf("nan")
    if x == 0:
        return mpf("-inf")
    if n == 0 and x < mpf(2)**-60:
        return (mp.log(x / 2) + mp.euler) * 2 / mp.pi
    if n == 1 and x < mpf(2)**-60:
        return -2 / (mp.pi * x)
    return mp.bessely(n, x)


def power(x, y):
    if y == 0 or x == 1:
        return mpf(1)
    if x < 0 and y != mp.floor(y):
        return mpf("nan")
    odd = y == mp.floor(y) and mp.fmod(y, 2) != 0
    if x == 0:
        return mpf("inf") if y < 0 else mpf(0)
    log = y * mp.log(abs(x))
    size = mpf("inf") if log > 1000 else mpf(0) if log < -1000 else mp.exp(log)
    return -size if x < 0 and odd else size


def remainder(x, y):
    if y == 0:
        return mpf("nan")
    with mp.workprec(4500):
        quotient = mp.nint(mpf(x) / y)
        return +(x - quotient * y)


def truncated_remainder(x, y):
    if y == 0:
        return mpf("nan")
    with mp.workprec(4500):
        quotient = mp.floor(abs(mpf(x) / y))
        return +math.copysign(1, x) * (abs(x) - quotient * abs(y))


def length(*sides):
    return mp.sqrt(sum(side * side for side in sides))


def reciprocal_length(*sides):
    value = length(*sides)
    return 1 / value if value else mpf("inf")


def trigonometric(function: Callable):
    def exact(x):
        with mp.workprec(1300 if abs(x) > 1e6 else 200):
            return +function(x)
    return exact


def sine_of_pi(x):
    with mp.workprec(2200):
        rest = x - 2 * mp.nint(x / 2)
    return mp.sinpi(rest)


def cosine_of_pi(x):
    with mp.workprec(2200):
        rest = x - 2 * mp.nint(x / 2)
    return mp.cospi(rest)


def positive(function: Callable):
    """NaN below zero, and the pole at zero."""
    return lambda x: mpf("nan") if x < 0 else mpf("-inf") if x == 0 else function(x)


def within(low: float, high: float, function: Callable):
    return lambda x: function(x) if low <= x <= high else mpf("nan")


def inverse_tanh(x):
    if abs(x) == 1:
        return mpf("inf") if x > 0 else mpf("-inf")
    return mp.atanh(x) if abs(x) < 1 else mpf("nan")


def log1p(x):
    return mpf("nan") if x < -1 else mpf("-inf") if x == -1 else mp.log1p(x)


def cube_root(x):
    return mp.cbrt(x) if x >= 0 else -mp.cbrt(-x)


def reciprocal_cube_root(x):
    return mpf("inf") if x == 0 else 1 / cube_root(x)


def log_of(base: int):
    return lambda x: mp.log(x) / mp.log(base)
