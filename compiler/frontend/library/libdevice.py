"""Functions of libdevice that are compositions of others."""

import triton.language as tl
from triton.language.extra import libdevice


@jit
def isnan(x):
    return x != x


@jit
def isinf(x):
    return tl.abs(x) == float("inf")


@jit
def finitef(x):
    return tl.abs(x) < float("inf")


@jit
def isfinited(x):
    return tl.abs(x) < float("inf")


@jit
def signbit(x):
    return libdevice.copysign(tl.full([], 1, x.dtype), x) < 0


@jit
def fast_dividef(x, y):
    return tl.fdiv(x, y)


@jit
def fast_fdividef(x, y):
    return tl.fdiv(x, y)


@jit
def div_rn(x, y):
    return tl.div_rn(x, y)


@jit
def fma(x, y, z):
    return tl.fma(x, y, z)


@jit
def fma_rn(x, y, z):
    return tl.fma(x, y, z)


@jit
def exp10(x):
    return libdevice.pow(10.0, x)


@jit
def fast_exp10f(x):
    return libdevice.pow(10.0, x)


@jit
def fast_tanf(x):
    return libdevice.tan(x)


@jit
def llrint(x):
    return libdevice.rint(x).to(tl.int64)


@jit
def llround(x):
    return libdevice.round(x).to(tl.int64)


@jit
def max(x, y):
    return tl.maximum(x, y)


@jit
def min(x, y):
    return tl.minimum(x, y)


@jit
def fmaxf(x, y):
    return tl.maximum(x, y)


@jit
def fminf(x, y):
    return tl.minimum(x, y)


@jit
def ffs(x):
    return tl.where(x == 0, 0, libdevice._count_trailing_zeros(x) + 1)


@jit
def hypot(x, y):
    # Scaled by the larger, so that squares neither overflow nor vanish.
    x = tl.abs(x)
    y = tl.abs(y)
    large = tl.maximum(x, y)
    small = tl.minimum(x, y)
    ratio = tl.where(large == 0, 0.0, small / large)
    return large * tl.sqrt(1.0 + ratio * ratio)
