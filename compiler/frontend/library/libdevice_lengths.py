"""Lengths, and what is left by a division, each in its own type: what roundings lose is made good where it shows."""

import triton.language as tl
from triton.language.extra import libdevice


@jit
def _like(x, value):
    # A number of the type of `x`.
    return tl.full([], value, x.dtype)


@jit
def _scale(sides):
    # The largest, and the power of two that brings its square, and what that loses, among the normal numbers.
    double: tl.constexpr = sides[0].dtype == tl.float64
    largest = sides[0]
    for i in tl.static_range(1, len(sides)):
        largest = tl.maximum(largest, sides[i])
    up = _like(largest, 2.0**700 if double else 2.0**100)
    down = _like(largest, 2.0**-600 if double else 2.0**-80)
    scale = tl.where(largest < _like(largest, 2.0**-450 if double else 2.0**-40), up, _like(largest, 1.0))
    return largest, tl.where(largest > _like(largest, 2.0**500 if double else 2.0**60), down, scale)


@jit
def _sum_of_squares(sides, scale):
    # And what it lost.
    total, lost = sides[0] * _like(scale, 0.0), sides[0] * _like(scale, 0.0)
    for i in tl.static_range(0, len(sides)):
        side = sides[i] * scale
        square = libdevice.mul_rn(side, side)
        before = total
        total = libdevice.add_rn(before, square)
        part = libdevice.sub_rn(total, before)
        lost += tl.fma(side, side, -square)
        missing = libdevice.sub_rn(before, libdevice.sub_rn(total, part))
        lost += libdevice.add_rn(missing, libdevice.sub_rn(square, part))
    return total, lost


@jit
def _length(sides):
    largest, scale = _scale(sides)
    if sides[0].dtype == tl.float32 or len(sides) == 2:
        last = sides[0] * scale
        total = last * last
        for i in tl.static_range(1, len(sides)):
            side = sides[i] * scale
            total = tl.fma(side, side, total)
    else:  # where each square's own rounding is too many
        high, lost = _sum_of_squares(sides, scale)
        total = high + lost
    # The scale is a power of two, and so is what undoes it.
    return tl.where(largest == float("inf"), largest, libdevice.sqrt_rn(total) / scale)


@jit
def _reciprocal_length(sides):
    largest, scale = _scale(sides)
    total, lost = _sum_of_squares(sides, scale)
    guess = libdevice.rcp_rn(libdevice.sqrt_rn(total))
    # A step of Newton's, with what the product of sum and guess loses.
    product = libdevice.mul_rn(total, guess)
    rest = tl.fma(-product, guess, _like(total, 1.0)) - guess * tl.fma(lost, guess, tl.fma(total, guess, -product))
    result = tl.fma(guess * rest, _like(total, 0.5), guess) * scale
    result = tl.where(total == 0.0, _like(total, float("inf")), result)
    return tl.where(largest == float("inf"), _like(total, 0.0), result)


@jit
def _magnitude(x, other):
    # Without its sign, in the type and shape that both have together.
    return tl.abs(libdevice.copysign(x, other))


@jit
def hypot(x: Value, y: Value) -> tensor:
    """`sqrt(x * x + y * y)` without overflow."""
    return _length((_magnitude(x, y), _magnitude(y, x)))


@jit
def rhypot(x: Value, y: Value) -> tensor:
    """One over `hypot`."""
    return _reciprocal_length((_magnitude(x, y), _magnitude(y, x)))


@jit
def norm3d(x: Value, y: Value, z: Value) -> tensor:
    """The length of a vector of three."""
    return _length((_magnitude(x, y), _magnitude(y, x), _magnitude(z, x)))


@jit
def norm4d(x: Value, y: Value, z: Value, t: Value) -> tensor:
    """The length of a vector of four."""
    return _length((_magnitude(x, y), _magnitude(y, x), _magnitude(z, x), _magnitude(t, x)))


@jit
def rnorm3d(x: Value, y: Value, z: Value) -> tensor:
    """One over the length of a vector of three."""
    return _reciprocal_length((_magnitude(x, y), _magnitude(y, x), _magnitude(z, x)))


@jit
def rnorm4d(x: Value, y: Value, z: Value, t: Value) -> tensor:
    """One over the length of a vector of four."""
    return _reciprocal_length((_magnitude(x, y), _magnitude(y, x), _magnitude(z, x), _magnitude(t, x)))


# The exact remainder of a division. The divisor times a power of two goes into the remainder so often that the quotient
# has few enough digits: cut off, it is a whole number, and its product with the divisor is taken off without a
# rounding. One step does for quotients below 2 to the 52 (of fp32, 23), and 42 for any.


@jit
def _exponent(x):
    # For a positive number.
    digits: tl.constexpr = 52 if x.dtype == tl.float64 else 23
    kind: tl.constexpr = tl.int64 if x.dtype == tl.float64 else tl.int32
    usual = (x.to(kind, bitcast=True) >> digits).to(tl.int32)
    small = ((x * 2.0**digits).to(kind, bitcast=True) >> digits).to(tl.int32) - digits
    return tl.where(usual == 0, small, usual)


@jit
def _power(x, n):
    # 2 to the power of `n`, in the type of `x`.
    digits: tl.constexpr = 52 if x.dtype == tl.float64 else 23
    bias: tl.constexpr = 1023 if x.dtype == tl.float64 else 127
    kind: tl.constexpr = tl.int64 if x.dtype == tl.float64 else tl.int32
    return ((n + bias).to(kind) << digits).to(x.dtype, bitcast=True)


@jit
def _rest(x, y):
    # For finite numbers above zero.
    limit: tl.constexpr = 51 if x.dtype == tl.float64 else 22
    exponent = _exponent(y)
    while x >= y:
        n = tl.maximum(_exponent(x) - exponent - limit, 0)
        half = n >> 1
        divisor = y * _power(y, half) * _power(y, n - half)
        quotient = libdevice.trunc(libdevice.div_rz(x, divisor))
        x = tl.fma(-quotient, divisor, x)
    return x


@jit
def _remainder_of_magnitudes(x, y):
    # NaN unless `x` is finite and `y` above zero.
    infinity = _like(x, float("inf"))
    sound = (x < infinity) & (y > _like(x, 0.0))
    one = _like(x, 1.0)
    rest = tl.map_elementwise(_rest, tl.where(sound, x, one), tl.where(sound, y, one))
    return tl.where(sound, rest, _like(x, float("nan")))


@jit
def fmod(x: Value, y: Value) -> tensor:
    """The remainder of `x / y` with the sign of `x`."""
    return libdevice.copysign(_remainder_of_magnitudes(_magnitude(x, y), _magnitude(y, x)), x)


@jit
def remainder(x: Value, y: Value) -> tensor:
    """The remainder of `x / y`, whose quotient is rounded to nearest."""
    # The even quotient is that of twice the divisor, which is not less than `x` where it is infinite.
    value, size = _magnitude(x, y), _magnitude(y, x)
    double = _remainder_of_magnitudes(value, tl.where(size < _like(size, float("inf")), size + size, size))
    odd = double >= size
    rest = tl.where(odd, double - size, double)
    twice = rest + rest
    rest = tl.where((twice > size) | ((twice == size) & odd), rest - size, rest)
    return rest * libdevice.copysign(_like(rest, 1.0), x)
