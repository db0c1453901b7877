"""Functions of libdevice on bits and on integers; neighbours and exponents of floats."""

import triton.language as tl
from triton.language.extra import libdevice


# Bits taken for a number of another type.


@jit
def int_as_float(x: Value) -> tensor:
    """The bits of an int taken for a float."""
    return x.to(tl.int32).to(tl.float32, bitcast=True)


@jit
def uint_as_float(x: Value) -> tensor:
    """The bits of an uint taken for a float."""
    return x.to(tl.uint32).to(tl.float32, bitcast=True)


@jit
def float_as_int(x: Value) -> tensor:
    """The bits of a float taken for an int."""
    return x.to(tl.float32).to(tl.int32, bitcast=True)


@jit
def float_as_uint(x: Value) -> tensor:
    """The bits of a float taken for an uint."""
    return x.to(tl.float32).to(tl.uint32, bitcast=True)


@jit
def longlong_as_double(x: Value) -> tensor:
    """The bits of a longlong taken for a double."""
    return x.to(tl.int64).to(tl.float64, bitcast=True)


@jit
def double_as_longlong(x: Value) -> tensor:
    """The bits of a double taken for a longlong."""
    return x.to(tl.float64).to(tl.int64, bitcast=True)


@jit
def double2hiint(x: Value) -> tensor:
    """The upper half of the bits of a double."""
    return (double_as_longlong(x) >> 32).to(tl.int32)


@jit
def double2loint(x: Value) -> tensor:
    """The lower half of the bits of a double."""
    return double_as_longlong(x).to(tl.int32)


@jit
def hiloint2double(x: Value, y: Value) -> tensor:
    """The double whose halves are `x` and `y`."""
    return longlong_as_double((x.to(tl.int64) << 32) | y.to(tl.uint32, bitcast=True).to(tl.int64))


# Integers.


@jit
def brev(x: Value) -> tensor:
    """The bits of an integer in reverse order."""
    bits: tl.constexpr = x.dtype.primitive_bitwidth
    kind: tl.constexpr = tl.uint64 if bits == 64 else tl.uint32
    word = x.to(kind, bitcast=True)
    word = ((word >> 1) & 0x5555555555555555 % 2**bits) | ((word & 0x5555555555555555 % 2**bits) << 1)
    word = ((word >> 2) & 0x3333333333333333 % 2**bits) | ((word & 0x3333333333333333 % 2**bits) << 2)
    word = ((word >> 4) & 0x0F0F0F0F0F0F0F0F % 2**bits) | ((word & 0x0F0F0F0F0F0F0F0F % 2**bits) << 4)
    word = ((word >> 8) & 0x00FF00FF00FF00FF % 2**bits) | ((word & 0x00FF00FF00FF00FF % 2**bits) << 8)
    if bits == 64:
        word = ((word >> 16) & 0x0000FFFF0000FFFF) | ((word & 0x0000FFFF0000FFFF) << 16)
    return ((word >> bits // 2) | (word << bits // 2)).to(x.dtype, bitcast=True)


@jit
def byte_perm(x: Value, y: Value, z: Value) -> tensor:
    """Four bytes chosen from the eight of `x` and `y` by the digits of `z`."""
    bytes = x.to(tl.uint32, bitcast=True).to(tl.uint64) | (y.to(tl.uint32, bitcast=True).to(tl.uint64) << 32)
    chosen = (bytes >> ((z & 7) * 8).to(tl.uint64)) & 0xFF
    for i in tl.static_range(1, 4):
        chosen |= ((bytes >> (((z >> 4 * i) & 7) * 8).to(tl.uint64)) & 0xFF) << 8 * i
    return chosen.to(tl.uint32).to(x.dtype, bitcast=True)


@jit
def mulhi(x: Value, y: Value) -> tensor:
    """The upper half of the product of two integers."""
    if x.dtype == tl.int32:
        return ((x.to(tl.int64) * y.to(tl.int64)) >> 32).to(tl.int32)
    if x.dtype == tl.int64:
        # As numbers without signs; each that is negative counts 2^64 too much.
        high = tl.umulhi(x.to(tl.uint64, bitcast=True), y.to(tl.uint64, bitcast=True)).to(tl.int64, bitcast=True)
        return high - tl.where(x < 0, y, 0) - tl.where(y < 0, x, 0)
    return tl.umulhi(x, y)


@jit
def mul24(x: Value, y: Value) -> tensor:
    """The product of the lower 24 bits of two integers."""
    return ((x << 8) >> 8) * ((y << 8) >> 8)


@jit
def sad(x: Value, y: Value, z: Value) -> tensor:
    """`abs(x - y) + z` of integers."""
    return tl.where(x > y, x - y, y - x) + z


@jit
def hadd(x: Value, y: Value) -> tensor:
    """The average of two integers, rounded down."""
    return (x & y) + ((x ^ y) >> 1)


@jit
def rhadd(x: Value, y: Value) -> tensor:
    """The average of two integers, rounded up."""
    return (x | y) - ((x ^ y) >> 1)


# Neighbours of floats, exponents.


@jit
def _float(x):
    if x.dtype != tl.float32 and x.dtype != tl.float64:
        return tl.static_assert(False, f"`libdevice`: expected fp32 or fp64, found {x.dtype}")
    return x


@jit
def _bits(x):
    return x.to(tl.int64 if x.dtype == tl.float64 else tl.int32, bitcast=True)


@jit
def _next(x, upwards):
    # The float above or below `x`; NaNs stay NaNs.
    bits = _bits(x)
    sign = bits >> (x.dtype.primitive_bitwidth - 1)
    moved = tl.where((bits >= 0) == upwards, bits + 1, bits - 1)
    least: tl.constexpr = 1 - 2**(x.dtype.primitive_bitwidth - 1)  # the bits of the one below zero
    moved = tl.where(x == 0, tl.where(upwards, 1, least), moved)
    return tl.where(x != x, x, moved.to(x.dtype, bitcast=True))


@jit
def nextafter(x: Value, y: Value) -> tensor:
    """The float next to `x` in the direction of `y`."""
    x = _float(x)
    result = tl.where(x == y, y, _next(x, y > x))
    return tl.where(y != y, y, result)


@jit
def _exponent(x):
    # For a number that is neither zero nor infinite.
    digits: tl.constexpr = 52 if x.dtype == tl.float64 else 23
    bias: tl.constexpr = 1023 if x.dtype == tl.float64 else 127
    field: tl.constexpr = 2 * bias + 1
    raw = (_bits(x) >> digits).to(tl.int32) & field
    small = (_bits(x * 2.0**digits * 2.0) >> digits).to(tl.int32) & field
    return tl.where(raw == 0, small - digits - 1, raw) - bias


@jit
def ilogb(x: Value) -> tensor:
    """The exponent of `x`, an integer."""
    x = _float(x)
    result = tl.where((x == 0) | (x != x), -2147483648, _exponent(x))
    return tl.where(tl.abs(x) == float("inf"), 2147483647, result)


@jit
def logb(x: Value) -> tensor:
    """The exponent of `x`, a float."""
    x = _float(x)
    result = tl.where(x == 0, -float("inf"), _exponent(x).to(x.dtype))
    return tl.where(tl.abs(x) < float("inf"), result, x * x)


@jit
def _between(n, low: tl.constexpr, high: tl.constexpr):
    return tl.minimum(tl.maximum(n, low), high)


@jit
def _power(n):
    # 2 to the power of `n`, from -1022 to 1023.
    return ((n.to(tl.int64) + 1023) << 52).to(tl.float64, bitcast=True)


@jit
def ldexp(x: Value, y: Value) -> tensor:
    """`x` times 2 to the power of the integer `y`."""
    # The rest first: only the last product may leave the range of normal numbers.
    x = _float(x)
    if x.dtype == tl.float32:  # one rounding, the last
        return (x.to(tl.float64) * _power(_between(y, -400, 400))).to(tl.float32)
    y = _between(y, -2200, 2200)
    near = _between(y, -1022, 1023)
    rest = y - near
    middle = _between(rest, -1022, 1023)
    return x * _power(rest - middle) * _power(middle) * _power(near)


@jit
def scalbn(x: Value, y: Value) -> tensor:
    """`x` times 2 to the power of the integer `y`."""
    return ldexp(x, y)


# A first guess at one over a double, from the upper half of its bits to the upper half of the result's. Numbers too small
# for a full mantissa are zeros.


@jit
def _upper_half(x):
    bits = x.to(tl.int64, bitcast=True) & -4294967296
    return tl.where((bits & 0x7ff0000000000000) == 0, bits & (-9223372036854775807 - 1), bits).to(tl.float64, bitcast=True)


@jit
def rcp64h(x: Value) -> tensor:
    """About one over a float64, by the upper half of its bits."""
    if x.dtype != tl.float64:
        return tl.static_assert(False, f"`libdevice.rcp64h`: expected fp64, found {x.dtype}")
    return _upper_half(1.0 / _upper_half(x))
