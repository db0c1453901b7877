# Evaluates polynomials for the files of libdevice that begin with this text (`language.py`): names that
# begin with `_` are known in their own text alone.

import triton.language as tl
from triton.language.extra import libdevice


@jit
def _wide(x):
    if x.dtype != tl.float32 and x.dtype != tl.float64:
        return tl.static_assert(False, f"`libdevice`: expected fp32 or fp64, found {x.dtype}")
    return x.to(tl.float64)


@jit
def _number(value):
    # A number of fp64 whatever the other operand is.
    return tl.full([], value, tl.float64)


@jit
def _polynomial(x, coefficients):
    result = tl.full(x.shape, coefficients[len(coefficients) - 1], x.dtype)
    for i in tl.static_range(1, len(coefficients)):
        result = tl.fma(result, x, tl.full([], coefficients[len(coefficients) - 1 - i], x.dtype))
    return result


@jit
def _coefficient(later, tables, k: tl.constexpr):
    # The coefficient of the last table whose condition holds.
    result = _number(tables[0][k])
    for i in tl.static_range(1, len(tables)):
        result = tl.where(later[i - 1], _number(tables[i][k]), result)
    return result


@jit
def _of_tables(x, later, tables, first: tl.constexpr):
    # The polynomial of what each table has from `first` on.
    last: tl.constexpr = len(tables[0]) - 1
    result = _coefficient(later, tables, last)
    for i in tl.static_range(1, last + 1 - first):
        result = tl.fma(result, x, _coefficient(later, tables, last - i))
    return result


