#!/usr/bin/env python3
"""Derives the polynomials of `libdevice_*.py` from the functions alone, with mpmath:

    python3 derive.py [NAME...]

Each interpolates its function, known to 40 digits or more, at Chebyshev's points of a range, with as few coefficients as
come within 2e-17 of it, relatively (1e-16 where a polynomial is the smaller part of a sum). Coefficients come lowest degree
first, rounded to doubles; with how far the rounded polynomial is from the function.
"""

import sys

import mpmath
from mpmath import mp, mpf

mp.dps = 45


def interpolated(function, low, high, degree):
    """Coefficients of powers of the argument itself, lowest first."""
    count = degree + 1
    nodes = [mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    values = [function((low + high) / 2 + (high - low) / 2 * node) for node in nodes]
    weights = [(2 if j else 1) * sum(values[k] * mp.cos(mp.pi * j * (2 * k + 1) / (2 * count)) for k in range(count)) / count
               for j in range(count)]
    # Chebyshev's polynomials of u from -1 to 1, then u = scale * x + shift.
    chebyshev = [[mpf(1)], [mpf(0), mpf(1)]]
    for _ in range(2, count):
        above = [mpf(0)] + [2 * value for value in chebyshev[-1]]
        chebyshev.append([a - b for a, b in zip(above, chebyshev[-2] + [mpf(0)] * 2)])
    inner = [sum(weights[j] * chebyshev[j][i] for j in range(i, count) if i < len(chebyshev[j])) for i in range(count)]
    scale, shift = 2 / (high - low), -(high + low) / (high - low)
    result, power = [mpf(0)] * count, [mpf(1)]
    for value in inner:
        for i, factor in enumerate(power):
            result[i] += value * factor
        power = [(power[i] * shift if i < len(power) else 0) + (power[i - 1] * scale if i else 0) for i in range(len(power) + 1)]
    return result


def distance(function, coefficients, low, high, steps=200):
    """The greatest relative difference."""
    worst = mpf(0)
    for i in range(steps + 1):
        x = low + (high - low) * i / steps
        worst = max(worst, abs(mpmath.polyval(coefficients[::-1], x) / function(x) - 1))
    return worst


def shortest(function, low, high, target=2e-17):
    for degree in range(4, 40):
        coefficients = interpolated(function, low, high, degree)
        if distance(function, coefficients, low, high) < target:
            return coefficients
    raise ValueError("40 coefficients do not do")


# The interpolated functions.


def erfcx_scaled(t, centre=2):
    """exp(x * x) * erfc(x) * (x + 2) of t = (x - 2) / (x + 2)."""
    if t >= 1:
        return 1 / mp.sqrt(mp.pi)
    x = centre * (1 + t) / (1 - t)
    return mp.erfc(x) * mp.exp(x * x) * (x + centre) if x < 1e4 else (1 - 1 / (2 * x * x)) * (1 + centre / x) / mp.sqrt(mp.pi)


def inverse_error(log):
    """erfinv(x) / x, where 1 - x * x = exp(-log)."""
    if log < mpf(10)**-20:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-log))
    rest = mp.exp(-log) / (1 + x)
    value = mp.sqrt(log) * mpf("0.95") if log > 1 else x * mp.sqrt(mp.pi) / 2
    step = value
    while abs(step) > value * mpf(10)**-40:
        slope = 2 / mp.sqrt(mp.pi) * mp.exp(-value * value)
        # Newton steps are by logarithms towards the end, where the function is nearly a parabola in them.
        step = mp.log(mp.erfc(value) / rest) * mp.erfc(value) / slope if log > 1 else (x - mp.erf(value)) / slope
        value += step
    return value / x


def about_zero(function, zero):
    """function(x) / t of t = (x - zero) / (x + zero)."""

    def quotient(t):
        if abs(t) < mpf(10)**-15:
            return mp.diff(function, zero) * 2 * zero
        return function(zero * (1 + t) / (1 - t)) / t

    return quotient


def stirling_rest(square):
    """ln(gamma(z)) less Stirling's formula, times z, of 1 / (z * z)."""
    z = 1 / mp.sqrt(square)
    with mp.workdps(60):
        return (mp.loggamma(z) - (z - mpf(1) / 2) * mp.log(z) + z - mp.log(2 * mp.pi) / 2) * z


def stirling_factor(r):
    """gamma(z) over Stirling's formula, of 1 / z."""
    return mp.gamma(1 / r) * mp.exp(1 / r) * r**(1 / r - mpf(1) / 2) / mp.sqrt(2 * mp.pi)


def second_kind_rest(order):
    """The Bessel function without logarithm and pole, over x^order, of the square."""

    def rest(square):
        with mp.workdps(60):
            x = mp.sqrt(square)
            known = mp.log(x) * mp.besselj(order, x) - (1 / x if order else 0)
            return (mp.bessely(order, x) - 2 / mp.pi * known) / x**order

    return rest


def half_line(function, centre):
    """A function of v = (s - centre) / (s + centre)."""
    return lambda v: function(centre * (1 + v) / (1 - v))


def place(s, centre):
    return (mpf(s) - centre) / (mpf(s) + centre)


TINY = mpf(10)**-20
ZEROS = {"y0": (0.89, 3.96, 7.09), "y1": (2.2, 5.43), "j0": (2.4, 5.52), "j1": (3.83, 7.0156)}
SEAMS = {"y0": (0.5, 2.375, 5.5, 8), "y1": (1, 3.75, 8), "j0": (1, 4, 8), "j1": (2, 5.375, 8)}
BESSEL = {"y": mp.bessely, "j": mp.besselj}

#: Function, range and target.
POLYNOMIALS = {
    "error: erfcx": (erfcx_scaled, -1, 1),
    "error: erfinv, first": (lambda v: inverse_error(v + mpf("2.625")), mpf("-2.625"), mpf("2.625")),
    "error: erfinv, second": (lambda v: inverse_error((v + 3)**2), mp.sqrt(mpf("5.25")) - 3, mpf("0.75")),
    "error: erfinv, third": (lambda v: inverse_error((v + mpf("4.875"))**2), mpf("-1.125"), mpf("1.25")),
    "error: erfcinv": (half_line(lambda s: inverse_error(s * s) / s, 12), place(6, 12), place(mp.sqrt(mpf("745.2")), 12)),
    "error: erfinv of fp32, near": (lambda v: inverse_error(v + mpf("2.5")), mpf("-2.5"), mpf("2.5"), 1e-8),
    "error: erfinv of fp32, far": (lambda v: inverse_error((v + mpf("3.25"))**2), mp.sqrt(5) - mpf("3.25"), mpf("0.85"), 2e-8),
    "gamma: stirling": (stirling_rest, mpf(10)**-8, mpf(1) / 64, 1e-16),
    "gamma: lgamma from 1": (lambda z: mp.loggamma(1 + z) / z if abs(z) > 1e-12 else -mp.euler, mpf("-0.3"), mpf("0.5")),
    "gamma: lgamma from 2": (lambda z: mp.loggamma(2 + z) / z if abs(z) > 1e-12 else 1 - mp.euler, mpf("-0.5"), mpf(1)),
    "gamma: tgamma from 2": (lambda z: mp.gamma(2 + z), mpf(0), mpf(1)),
    "gamma: tgamma from 10": (stirling_factor, mpf(1) / 185, mpf(1) / 10),
    "special: sinpi": (lambda s: (mp.sin(mp.pi * mp.sqrt(s)) / mp.sqrt(s) - mp.pi) / s, mpf(10)**-12, mpf(1) / 16),
    "special: cospi": (lambda s: (mp.cos(mp.pi * mp.sqrt(s)) - 1 + mp.pi**2 / 2 * s) / s**2, mpf(10)**-8, mpf(1) / 16, 2e-16),
    "special: i0 to 16": (lambda s: mp.besseli(0, 2 * mp.sqrt(s)), mpf(0), mpf(64), 3e-17),
    "special: i1 to 16": (lambda s: mp.besseli(1, 2 * mp.sqrt(s)) / mp.sqrt(s), TINY, mpf(64), 3e-17),
    "special: i0 from 16": (lambda r: mp.besseli(0, 1 / r) * mp.exp(-1 / r) / mp.sqrt(r), mpf(1) / 720, mpf(1) / 16, 3e-17),
    "special: i1 from 16": (lambda r: mp.besseli(1, 1 / r) * mp.exp(-1 / r) / mp.sqrt(r), mpf(1) / 720, mpf(1) / 16, 3e-17),
    "bessel: j0 begins": (lambda s: mp.besselj(0, mp.sqrt(s)), TINY, mpf(1)),
    "bessel: j1 begins": (lambda s: mp.besselj(1, mp.sqrt(s)) / mp.sqrt(s), TINY, mpf(4)),
    "bessel: y0 begins, logarithm": (lambda s: mp.besselj(0, mp.sqrt(s)), TINY, mpf("0.25")),
    "bessel: y0 begins, rest": (second_kind_rest(0), TINY, mpf("0.25")),
    "bessel: y1 begins, logarithm": (lambda s: mp.besselj(1, mp.sqrt(s)) / mp.sqrt(s), TINY, mpf(1)),
    "bessel: y1 begins, rest": (second_kind_rest(1), TINY, mpf(1), 1e-16),
}


def add_zeros():
    """Polynomials about zeros: the table's first two numbers are the zero and what it lacks."""
    for name, zeros in ZEROS.items():
        for i, guess in enumerate(zeros):
            function = lambda x, name=name: BESSEL[name[0]](int(name[1]), x)
            zero = mp.findroot(function, mpf(guess))
            low, high = (mpf(seam) for seam in SEAMS[name][i:i + 2])
            POLYNOMIALS[f"bessel: {name} about {float(zero)!r}, {float(zero - float(zero))!r}"] = (
                about_zero(function, zero), place(low, zero), place(high, zero), 3e-17)


def main():
    add_zeros()
    for name, (function, low, high, *target) in POLYNOMIALS.items():
        if sys.argv[1:] and not any(wanted in name for wanted in sys.argv[1:]):
            continue
        coefficients = [float(value) for value in shortest(function, mpf(low), mpf(high), *target)]
        off = distance(function, [mpf(value) for value in coefficients], mpf(low), mpf(high))
        print(f"{name}: {len(coefficients)} coefficients, off by {mpmath.nstr(off, 2)}\n    {coefficients}", flush=True)


if __name__ == "__main__":
    main()
