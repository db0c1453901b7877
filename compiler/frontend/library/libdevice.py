"""Functions of libdevice that are compositions of others."""

import triton.language as tl
from triton.language.extra import libdevice


@jit
def isnan(x: Value) -> tensor:
    """Returns true where `x` is a NaN."""
    return x != x


@jit
def isinf(x: Value) -> tensor:
    """Returns true where `x` is infinite."""
    return tl.abs(x) == float("inf")


@jit
def finitef(x: Value) -> tensor:
    """Returns true where a float32 is neither infinite nor a NaN."""
    return tl.abs(x) < float("inf")


@jit
def isfinited(x: Value) -> tensor:
    """Returns true where a float64 is neither infinite nor a NaN."""
    return tl.abs(x) < float("inf")


@jit
def signbit(x: Value) -> tensor:
    """Returns true where the sign bit is set."""
    return libdevice.copysign(tl.full([], 1, x.dtype), x) < 0


# The hardware's approximations of fp32 take numbers below 2 to the -126 for zero; a power of two leads round them.


@jit
def exp2(x: Value) -> tensor:
    """2 to the power of `x`."""
    if x.dtype != tl.float32:
        return tl.exp2(x)
    small = x < -125.0
    return tl.exp2(tl.where(small, x + 64.0, x)) * tl.where(small, 2.0**-64, 1.0)


@jit
def rsqrt(x: Value) -> tensor:
    """One over the square root."""
    if x.dtype != tl.float32:
        return tl.rsqrt(x)
    small = tl.abs(x) < 2.0**-100
    return tl.rsqrt(tl.where(small, x * 2.0**48, x)) * tl.where(small, 2.0**24, 1.0)


@jit
def exp10(x: Value) -> tensor:
    """10 to the power of `x`."""
    return libdevice.pow(10.0, x)


@jit
def fast_exp10f(x: Value) -> tensor:
    """A quick power of 10."""
    return libdevice.pow(10.0, x)


# Beyond an int64 the next one of it.


@jit
def llrint(x: Value) -> tensor:
    """`x` rounded to the nearest integer, halves to even: int64."""
    if x.dtype == tl.float64:
        return libdevice.double2ll_rn(x)
    return libdevice.float2ll_rn(x)


@jit
def llround(x: Value) -> tensor:
    """`x` rounded to the nearest integer, halves away from zero: int64."""
    return llrint(libdevice.round(x))


@jit
def max(x: Value, y: Value) -> tensor:
    """The larger of both."""
    return tl.maximum(x, y)


@jit
def min(x: Value, y: Value) -> tensor:
    """The smaller of both."""
    return tl.minimum(x, y)


@jit
def fmaxf(x: Value, y: Value) -> tensor:
    """The larger of both."""
    return tl.maximum(x, y)


@jit
def fminf(x: Value, y: Value) -> tensor:
    """The smaller of both."""
    return tl.minimum(x, y)


@jit
def ffs(x: Value) -> tensor:
    """The place of the lowest bit that is set, from 1; 0 where none is."""
    return tl.where(x == 0, 0, libdevice._count_trailing_zeros(x) + 1)
