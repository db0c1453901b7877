"""What functions of libdevice give at zeros of both signs, infinities, NaN, the ends of their domains and of the floats: as
C99's annex F and CUDA's descriptions of the functions say."""

import math

import numpy as np
import pytest
from libdevice_calls import of_rows

NAN, INF = math.nan, math.inf

ODD = [(0.0, 0.0), (-0.0, -0.0)]
AT_INFINITY = [(INF, NAN), (-INF, NAN)]
LOGARITHM = [(1, 0.0), (0.0, -INF), (-0.0, -INF), (-1, NAN), (-INF, NAN), (INF, INF)]
EXPONENTIAL = [(0.0, 1), (-0.0, 1), (INF, INF), (-INF, 0.0)]
SECOND_KIND = [(0.0, -INF), (-0.0, -INF), (-1, NAN), (-INF, NAN), (INF, 0.0)]
REMAINDER = [(0.0, 3, 0.0), (-0.0, 3, -0.0), (1, INF, 1), (-1, -INF, -1), (INF, 3, NAN), (INF, INF, NAN), (1, 0.0, NAN),
             (0.0, 0.0, NAN), (NAN, 1, NAN), (1, NAN, NAN), (-1, 1, -0.0), (4, 2, 0.0), (-4, -2, -0.0)]

#: Arguments and the result, for each function. NaN to NaN goes without saying where there is one argument.
VALUES = {
    "abs": [(-0.0, 0.0), (-INF, INF)],
    "acos": [(1, 0.0), (1.5, NAN), (-1.5, NAN), (INF, NAN)],
    "acosh": [(1, 0.0), (0.5, NAN), (-INF, NAN), (INF, INF)],
    "asin": [*ODD, (1.5, NAN), (-INF, NAN)],
    "asinh": [*ODD, (INF, INF), (-INF, -INF)],
    "atan": ODD,
    "atan2": [(0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, 1, 0.0), (-0.0, 1, -0.0), (1, INF, 0.0), (-1, INF, -0.0),
              (NAN, 1, NAN), (1, NAN, NAN)],
    "atanh": [*ODD, (1, INF), (-1, -INF), (2, NAN), (-INF, NAN)],
    "cbrt": [*ODD, (INF, INF), (-INF, -INF), (27, 3), (-8, -2)],
    "ceil": [*ODD, (-0.5, -0.0), (INF, INF), (-INF, -INF), (0.25, 1)],
    "copysign": [(1, -0.0, -1), (-2, 0.0, 2), (INF, -1, -INF)],
    "cos": [(0.0, 1), (-0.0, 1), *AT_INFINITY],
    "cosh": [(0.0, 1), (-0.0, 1), (INF, INF), (-INF, INF)],
    "cospi": [(0.0, 1), (-0.0, 1), (0.5, 0.0), (-0.5, 0.0), (1.5, 0.0), (1, -1), (2, 1), *AT_INFINITY],
    "cyl_bessel_i0": [(0.0, 1), (-0.0, 1), (INF, INF), (-INF, INF)],
    "cyl_bessel_i1": [*ODD, (INF, INF), (-INF, -INF)],
    "erf": [*ODD, (INF, 1), (-INF, -1)],
    "erfc": [(INF, 0.0), (-INF, 2), (0.0, 1)],
    "erfcinv": [(0.0, INF), (-0.0, INF), (2, -INF), (-1, NAN), (2.5, NAN), (INF, NAN), (-INF, NAN), (1, 0.0)],
    "erfcx": [(INF, 0.0), (-INF, INF), (0.0, 1)],
    "erfinv": [*ODD, (1, INF), (-1, -INF), (1.5, NAN), (-INF, NAN)],
    "exp": EXPONENTIAL,
    "exp10": [*EXPONENTIAL, (1, 10), (2, 100)],
    "exp2": [*EXPONENTIAL, (1, 2), (-3, 0.125)],
    "expm1": [*ODD, (INF, INF), (-INF, -1)],
    "fabs": [(-0.0, 0.0), (-INF, INF)],
    "fdim": [(1, 1, 0.0), (1, NAN, NAN), (NAN, 1, NAN), (INF, INF, 0.0), (INF, -INF, INF), (-INF, INF, 0.0), (3, 1, 2)],
    "floor": [*ODD, (-0.25, -1), (INF, INF), (-INF, -INF)],
    "fma": [(INF, 0.0, NAN, NAN), (INF, 0.0, 1, NAN), (1, INF, -INF, NAN), (-0.0, 1, -0.0, -0.0), (1, 1, -1, 0.0)],
    "fmod": [*REMAINDER, (5, 3, 2), (-5, 3, -2), (5, -3, 2)],
    "hypot": [(NAN, 0.0, NAN), (NAN, 3, NAN), (3, NAN, NAN), (INF, NAN, INF), (NAN, -INF, INF), (INF, INF, INF),
              (-INF, INF, INF), (-0.0, -0.0, 0.0), (3, -4, 5), (-0.0, -2, 2)],
    "j0": [(0.0, 1), (-0.0, 1), (INF, 0.0), (-INF, 0.0)],
    "j1": [*ODD, (INF, 0.0), (-INF, -0.0)],
    "lgamma": [(1, 0.0), (2, 0.0), (0.0, INF), (-0.0, INF), (-1, INF), (-50, INF), (-1e30, INF), (INF, INF), (-INF, INF)],
    "log": LOGARITHM,
    "log10": LOGARITHM,
    "log1p": [*ODD, (-1, -INF), (-2, NAN), (INF, INF), (-INF, NAN)],
    "log2": [*LOGARITHM, (8, 3), (0.25, -2)],
    "logb": [(0.0, -INF), (-0.0, -INF), (INF, INF), (-INF, INF), (1, 0.0), (-12, 3)],
    "max": [(NAN, 1, 1), (1, NAN, 1), (-INF, 1, 1), (NAN, NAN, NAN), (-0.0, 0.0, 0.0)],
    "min": [(NAN, 1, 1), (1, NAN, 1), (-INF, 1, -INF), (NAN, NAN, NAN), (0.0, -0.0, -0.0)],
    "nearbyint": [*ODD, (0.5, 0.0), (-0.5, -0.0), (1.5, 2), (2.5, 2), (INF, INF)],
    "nextafter": [(-0.0, 0.0, 0.0), (0.0, -0.0, -0.0), (INF, INF, INF), (NAN, 1, NAN), (1, NAN, NAN)],
    "norm3d": [(0.0, -0.0, 0.0, 0.0), (INF, NAN, 0.0, INF), (0.0, NAN, -INF, INF), (NAN, 0.0, 0.0, NAN),
               (0.0, 0.0, NAN, NAN), (2, -3, 6, 7)],
    "norm4d": [(0.0, -0.0, 0.0, -0.0, 0.0), (NAN, NAN, NAN, -INF, INF), (0.0, NAN, 0.0, 0.0, NAN), (1, 1, -1, 1, 2)],
    "normcdf": [(INF, 1), (-INF, 0.0), (0.0, 0.5), (-0.0, 0.5)],
    "normcdfinv": [(0.0, -INF), (-0.0, -INF), (1, INF), (-0.5, NAN), (1.5, NAN), (INF, NAN), (0.5, 0.0)],
    "pow": [(0.0, -1, INF), (-0.0, -1, -INF), (-0.0, -3, -INF), (0.0, -2, INF), (-0.0, -2, INF), (-0.0, 3, -0.0), (-0.0, 2, 0.0),
            (0.0, -INF, INF), (-1, INF, 1), (-1, -INF, 1), (1, NAN, 1), (1, INF, 1), (NAN, 0.0, 1), (INF, -0.0, 1), (-2, 0.5, NAN),
            (0.5, -INF, INF), (2, -INF, 0.0), (0.5, INF, 0.0), (-2, INF, INF), (-INF, -3, -0.0), (-INF, -2, 0.0), (-INF, 3, -INF),
            (-INF, 2, INF), (INF, -1, 0.0), (INF, 2, INF), (NAN, 1, NAN), (2, NAN, NAN), (-INF, 0.5, INF), (-INF, -0.5, 0.0)],
    "rcbrt": [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-INF, -0.0), (8, 0.5), (-27.0 / 8, -2.0 / 3)],
    "rcp_rn": [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-INF, -0.0)],
    "remainder": [*REMAINDER, (5, 3, -1), (-5, 3, 1), (3, 2, -1), (5, 2, 1)],
    "rhypot": [(0.0, -0.0, INF), (INF, NAN, 0.0), (NAN, -INF, 0.0), (NAN, 0.0, NAN), (0.0, NAN, NAN), (0.0, 2, 0.5)],
    "rint": [*ODD, (0.5, 0.0), (-0.5, -0.0), (1.5, 2), (2.5, 2), (INF, INF)],
    "rnorm3d": [(0.0, -0.0, 0.0, INF), (INF, NAN, 0.0, 0.0), (NAN, 0.0, 0.0, NAN), (2, -4, 4, 1 / 6)],
    "rnorm4d": [(0.0, -0.0, 0.0, 0.0, INF), (INF, NAN, 0.0, 1, 0.0), (NAN, 0.0, 0.0, 0.0, NAN), (1, 1, 1, -1, 0.5)],
    "round": [*ODD, (0.5, 1), (-0.5, -1), (2.5, 3), (-0.25, -0.0), (INF, INF)],
    "rsqrt": [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1, NAN), (-INF, NAN), (4, 0.5)],
    "rsqrt_rn": [(0.0, INF), (INF, 0.0), (-1, NAN), (4, 0.5)],
    "sin": [*ODD, *AT_INFINITY],
    "sinh": [*ODD, (INF, INF), (-INF, -INF)],
    "sinpi": [*ODD, *AT_INFINITY, (1, 0.0), (-1, -0.0), (2, 0.0), (0.5, 1), (-0.5, -1), (1.5, -1), (1e30, 0.0)],
    "sqrt": [*ODD, (-1, NAN), (INF, INF), (-INF, NAN), (4, 2)],
    "tan": [*ODD, *AT_INFINITY],
    "tanh": [*ODD, (INF, 1), (-INF, -1)],
    "tgamma": [(0.0, INF), (-0.0, -INF), (-1, NAN), (-40, NAN), (-INF, NAN), (INF, INF), (1, 1), (5, 24), (-1e30, NAN)],
    "trunc": [*ODD, (-0.5, -0.0), (INF, INF), (-INF, -INF), (1.75, 1)],
    "y0": SECOND_KIND,
    "y1": SECOND_KIND,
}


def describe(value):
    return "nan" if math.isnan(value) else repr(float(value))


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("name", VALUES)
def test_special_values(name, kind):
    rows = [row if isinstance(row, tuple) else (row, ) for row in VALUES[name]]
    arguments, expected = [row[:-1] for row in rows], [row[-1] for row in rows]
    if len(arguments[0]) == 1:
        arguments, expected = [*arguments, (NAN, )], [*expected, NAN]
    found = of_rows(name, kind, arguments)
    with np.errstate(over="ignore"):
        wanted = np.array(expected).astype(kind)
    wrong = [f"{name}{given} = {describe(is_now)}, not {describe(value)}"
             for given, is_now, value in zip(arguments, found, wanted) if describe(is_now) != describe(value)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_neighbours_at_the_ends(kind):
    info = np.finfo(kind)
    least, most, tiny = float(info.smallest_subnormal), float(info.max), float(info.tiny)
    rows = [(0.0, 1, least), (-0.0, -1, -least), (least, 0, 0.0), (-least, 1, -0.0), (most, INF, INF), (-most, -INF, -INF),
            (INF, 0, most), (-INF, 0, -most), (tiny, 0, float(np.nextafter(info.tiny, info.dtype.type(0))))]
    found = of_rows("nextafter", kind, [row[:2] for row in rows])
    assert [describe(value) for value in found] == [describe(row[2]) for row in rows]


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("name", ["ldexp", "scalbn"])
def test_powers_of_two_at_the_ends(name, kind):
    info = np.finfo(kind)
    least, most = float(info.smallest_subnormal), float(info.max)
    big, small = math.frexp(most)[1], math.frexp(least)[1]
    rows = [(0.0, 5), (-0.0, -5), (INF, -3000), (-INF, 2**31 - 1), (1.0, 2**31 - 1), (-1.0, -2**31), (least, big - small),
            (least, big - small + 1), (most, small - big), (most, small - big - 1), (most, small - big - 2), (1.5, small - 1),
            (1.0, small - 2), (least, 2**31 - 1), (3 * least, -1), (-5 * least, -1), (2.2071271227289836e-308, 2418)]
    rows = [(float(np.array(x).astype(kind)), n) for x, n in rows]

    def exact(x, n):
        try:
            return math.ldexp(x, max(min(n, 5000), -5000))
        except OverflowError:
            return math.copysign(INF, x)

    with np.errstate(over="ignore"):
        wanted = [np.array(exact(x, n)).astype(kind) for x, n in rows]
    found = of_rows(name, kind, rows, kinds={1: "int32"})
    assert [describe(value) for value in found] == [describe(value) for value in wanted]


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_signs_and_classes(kind):
    values = [(0.0, ), (-0.0, ), (1.0, ), (-1.0, ), (INF, ), (-INF, ), (NAN, )]
    tables = {"signbit": [0, 1, 0, 1, 0, 1], "isnan": [0, 0, 0, 0, 0, 0, 1], "isinf": [0, 0, 0, 0, 1, 1, 0],
              "isfinited": [1, 1, 1, 1, 0, 0, 0], "finitef": [1, 1, 1, 1, 0, 0, 0]}
    for name, expected in tables.items():
        assert of_rows(name, kind, values, result="int32").tolist()[:len(expected)] == expected, name


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_bessel_functions_of_other_orders(kind):
    first = [(2, 0.0, 0.0), (2, INF, 0.0), (3, -INF, -0.0), (-1, 1.0, NAN), (2, NAN, NAN), (0, 0.0, 1), (1, -0.0, -0.0)]
    second = [(2, 0.0, -INF), (5, -1.0, NAN), (3, INF, 0.0), (-1, 1.0, NAN), (2, NAN, NAN)]
    for name, rows in (("jn", first), ("yn", second)):
        found = of_rows(name, kind, [row[:2] for row in rows], kinds={0: "int32"})
        assert [describe(value) for value in found] == [describe(row[2]) for row in rows], name


def test_saturation():
    rows = [(NAN, ), (-INF, ), (INF, ), (-0.0, ), (0.25, ), (1.5, )]
    assert of_rows("saturatef", "float32", rows).tolist() == [0, 0, 1, 0, 0.25, 1]
