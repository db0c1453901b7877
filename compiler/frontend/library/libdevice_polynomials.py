# Evaluates polynomials for the files of libdevice that begin with this text (builtins/LibrarySources.h.in): names that
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


