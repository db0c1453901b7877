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


# The hardware's approximations of fp32 take numbers below 2 to the -126 for zero; a power of two leads round them.


@jit
def exp2(x):
    if x.dtype != tl.float32:
        return tl.exp2(x)
    small = x < -125.0
    return tl.exp2(tl.where(small, x + 64.0, x)) * tl.where(small, 2.0**-64, 1.0)


@jit
def rsqrt(x):
    if x.dtype != tl.float32:
        return tl.rsqrt(x)
    small = tl.abs(x) < 2.0**-100
    return tl.rsqrt(tl.where(small, x * 2.0**48, x)) * tl.where(small, 2.0**24, 1.0)


@jit
def exp10(x):
    return libdevice.pow(10.0, x)


@jit
def fast_exp10f(x):
    return libdevice.pow(10.0, x)


@jit
def fast_tanf(x):
    return libdevice.tan(x)


# Beyond an int64 the next one of it.


@jit
def llrint(x):
    if x.dtype == tl.float64:
        return libdevice.double2ll_rn(x)
    return libdevice.float2ll_rn(x)


@jit
def llround(x):
    return llrint(libdevice.round(x))


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
