"""Errors of libdevice's functions, compared with the bounds that CUDA states, and the page that lists them.

On the emulator the test makes `compiler/frontend/LIBDEVICE.md`; TEGULA_WRITE_PAGE=1 writes it anew where it is stale. On other
devices the same arguments meet the same bounds.
"""

import math
import os
import re
from pathlib import Path

import mpmath
import pytest
from harness import INTERPRETED, ON_GPU
from libdevice_calls import of_rows
from libdevice_functions import FUNCTIONS, Arguments, by_name, error

_FOLDER = Path(__file__).parents[3] / "compiler" / "frontend"
KINDS = ("float32", "float64")

#: mpmath takes its time for these.
_SLOW = {"y0", "y1", "yn", "jn", "erfinv", "erfcinv", "normcdfinv"}

#: Bits, integers, signs, classes, neighbours, conversions and arithmetic rounded in a given direction: exact, as other
#: tests say element by element.
EXACT = set("""
    abs brev byte_perm ceil clz copysign div_rn double2hiint double2loint double_as_longlong fabs fdim ffs finitef
    float_as_int float_as_uint floor fma fma_rn fmaxf fminf hadd hiloint2double ilogb int2double_rn int_as_float isfinited isinf
    isnan llrint llround logb longlong_as_double max min mul24 mulhi nearbyint nextafter popc rhadd rint round sad saturatef
    scalbn signbit sqrt_rn trunc uint2double_rn uint_as_float""".split())
_ROUNDED = re.compile("(add|sub|mul|div|fma|rcp|sqrt|float2u?(int|ll)|float2ull|double2u?(int|ll)|double2ull|u?int2float|u?ll2float|"
                      "u?ll2double|double2float)_r[nzdu]")

#: Those that are another function's code.
SAME = {"fast_cosf": "cos", "fast_exp10f": "exp10", "fast_log10f": "log10", "fast_log2f": "log2", "fast_logf": "log",
        "fast_powf": "pow", "fast_sinf": "sin", "fast_tanf": "tan"}
#: Approximations, and a first guess.
LOOSE = {"fast_dividef": "`div.full.f32`, off by 2", "fast_fdividef": "`div.full.f32`, off by 2",
         "fast_expf": "`ex2.approx` of a product that is rounded, off by 2 + 1.2 |x|", "rcp64h": "20 bits of 1 / x",
         "rsqrt_rn": "1 / sqrt(x) in fp64, rounded to nearest once more"}


class Worst:
    """The greatest of some errors, and where."""

    def __init__(self):
        self.size, self.place = 0.0, None

    def consider(self, size, place):
        if self.place is None or not size <= self.size:
            self.size, self.place = size, place


def measured(name: str, kind: str):
    """The greatest error in units of the last place, the greatest absolute one with its bound, and what CUDA does not state."""
    function = by_name()[name]
    rows = Arguments(function, kind).draw(256 if name in _SLOW else 1024)
    integers = {place: "int32" for place, is_one in ((0, function.integer_first), (1, function.integer_second)) if is_one}
    found = of_rows(name, kind, rows, kinds=integers)
    units, absolute, unstated = Worst(), Worst(), Worst()
    for row, value in zip(rows, found):
        exact = function.exact(*[one if isinstance(one, int) else mpmath.mpf(one) for one in row])
        bound = function.absolute and function.absolute(kind, *row)
        off = error(kind, float(value), exact)
        if bound:
            absolute.consider(float(abs(mpmath.mpf(float(value)) - exact)) / bound if 0 < off < math.inf else off, row)
            continue
        free = function.unstated and function.unstated(kind, *row)
        (unstated if free or function.bounds[kind == "float64"] is None else units).consider(off, row)
    return units, absolute, unstated


_CACHE: dict = {}


def result(name: str, kind: str):
    if (name, kind) not in _CACHE:
        _CACHE[name, kind] = measured(name, kind)
    return _CACHE[name, kind]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", by_name())
def test_within_the_error_that_cuda_states(name, kind):
    units, absolute, _ = result(name, kind)
    bound = by_name()[name].bounds[kind == "float64"]
    assert units.place is None or units.size <= bound, f"{name}{units.place} is off by {units.size} units, over {bound}"
    assert absolute.size <= 1, f"{name}{absolute.place} is off by {absolute.size} times what is stated"


def test_every_function_is_exact_or_measured():
    page = (_FOLDER / "LANGUAGE.md").read_text()
    names = set(re.findall(r"^\| (\w+) \| [a-z ]+ \|", page.split("## tl.extra.libdevice")[1], re.MULTILINE))
    known = EXACT | set(SAME) | set(LOOSE) | set(by_name())
    assert {name for name in names if name not in known and not _ROUNDED.fullmatch(name)} == set()
    assert known <= names


def cells(worst, bound) -> str:
    if worst.place is None:
        return " | | |"
    place = ", ".join(f"{value:.9g}" if isinstance(value, float) else str(value) for value in worst.place)
    return f" {'' if bound is None else bound} | {worst.size:g} | {place if worst.size else ''} |"


def page() -> str:
    lines = []
    for function in FUNCTIONS:
        both = [result(function.name, kind) for kind in KINDS]
        rows = [("", [(units, bound) for (units, _, _), bound in zip(both, function.bounds)])]
        if function.absolute:
            rows.append((", absolute", [(far, 1) for _, far, _ in both]))
        if any(unstated.place for _, _, unstated in both):
            rows.append((", not stated", [(unstated, None) for _, _, unstated in both]))
        for what, sides in rows:
            if any(worst.place for worst, _ in sides):
                lines.append(f"| {function.name}{what} |" + "".join(cells(*side) for side in sides))
    same = ", ".join(f"`{name}` is `{other}`" for name, other in sorted(SAME.items()))
    loose = "; ".join(f"`{name}`: {what}" for name, what in sorted(LOOSE.items()))
    return f"""# How exact the functions of libdevice are

Made by a test (`test/python/language/test_libdevice_accuracy.py`) on the emulator, of PTX as a GPU gets it: the greatest
difference from the correctly rounded result, in units of the last place, over edges, random bits, ranges and the
neighbourhood of zeros and seams, the same arguments each time, and an argument where it is found. *CUDA* is what the CUDA C++
Programming Guide states for its own functions. Where it states an absolute error, of Bessel functions from 8 on (2.2e-6 in
fp32, 5e-12 in fp64), the error is given in parts of that. Nothing is stated of `lgamma` around its zeros below -2, and of
`yn` below 1.5 times the order. The emulator rounds `ex2.approx` and its kin once; a GPU is off by up to 2 more units where a
function of fp32 is one of these.

All other functions are exact: they work on bits, integers, signs, classes and neighbours, convert, or round in the
direction that they name, by one instruction. By other names: {same}. Approximations: {loose}.

| function | fp32: CUDA | here | at | fp64: CUDA | here | at |
|---|---|---|---|---|---|---|
""" + "\n".join(lines) + "\n"


@pytest.mark.skipif(INTERPRETED or ON_GPU, reason="the page is about compiled code, and made where everybody can make it")
def test_the_page_says_what_is_measured():
    path, text = _FOLDER / "LIBDEVICE.md", page()
    if os.environ.get("TEGULA_WRITE_PAGE"):
        path.write_text(text)
    assert path.read_text() == text, "the page is stale: run this test with TEGULA_WRITE_PAGE=1"
