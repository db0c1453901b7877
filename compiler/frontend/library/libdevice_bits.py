"""Functions of libdevice on bits and on integers, and conversions and arithmetic that round in a direction."""

import triton.language as tl
from triton.language.extra import libdevice


# Bits taken for a number of another type.


@jit
def int_as_float(x):
    return x.to(tl.int32).to(tl.float32, bitcast=True)


@jit
def uint_as_float(x):
    return x.to(tl.uint32).to(tl.float32, bitcast=True)


@jit
def float_as_int(x):
    return x.to(tl.float32).to(tl.int32, bitcast=True)


@jit
def float_as_uint(x):
    return x.to(tl.float32).to(tl.uint32, bitcast=True)


@jit
def longlong_as_double(x):
    return x.to(tl.int64).to(tl.float64, bitcast=True)


@jit
def double_as_longlong(x):
    return x.to(tl.float64).to(tl.int64, bitcast=True)


@jit
def double2hiint(x):
    return (double_as_longlong(x) >> 32).to(tl.int32)


@jit
def double2loint(x):
    return double_as_longlong(x).to(tl.int32)


@jit
def hiloint2double(x, y):
    return longlong_as_double((x.to(tl.int64) << 32) | y.to(tl.uint32, bitcast=True).to(tl.int64))


# Integers.


@jit
def brev(x):
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
def byte_perm(x, y, z):
    bytes = x.to(tl.uint32, bitcast=True).to(tl.uint64) | (y.to(tl.uint32, bitcast=True).to(tl.uint64) << 32)
    chosen = (bytes >> ((z & 7) * 8).to(tl.uint64)) & 0xFF
    for i in tl.static_range(1, 4):
        chosen |= ((bytes >> (((z >> 4 * i) & 7) * 8).to(tl.uint64)) & 0xFF) << 8 * i
    return chosen.to(tl.uint32).to(x.dtype, bitcast=True)


@jit
def mulhi(x, y):
    if x.dtype == tl.int32:
        return ((x.to(tl.int64) * y.to(tl.int64)) >> 32).to(tl.int32)
    if x.dtype == tl.int64:
        # As numbers without signs; each that is negative counts 2^64 too much.
        high = tl.umulhi(x.to(tl.uint64, bitcast=True), y.to(tl.uint64, bitcast=True)).to(tl.int64, bitcast=True)
        return high - tl.where(x < 0, y, 0) - tl.where(y < 0, x, 0)
    return tl.umulhi(x, y)


@jit
def mul24(x, y):
    return ((x << 8) >> 8) * ((y << 8) >> 8)


@jit
def sad(x, y, z):
    return tl.where(x > y, x - y, y - x) + z


@jit
def hadd(x, y):
    return (x & y) + ((x ^ y) >> 1)


@jit
def rhadd(x, y):
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
def nextafter(x, y):
    x = _float(x)
    result = tl.where(x == y, y, _next(x, y > x))
    return tl.where(y != y, y, result)


@jit
def _exponent(x):
    # Of a number that is neither zero nor infinite.
    digits: tl.constexpr = 52 if x.dtype == tl.float64 else 23
    bias: tl.constexpr = 1023 if x.dtype == tl.float64 else 127
    field: tl.constexpr = 2 * bias + 1
    raw = (_bits(x) >> digits).to(tl.int32) & field
    small = (_bits(x * 2.0**digits * 2.0) >> digits).to(tl.int32) & field
    return tl.where(raw == 0, small - digits - 1, raw) - bias


@jit
def ilogb(x):
    x = _float(x)
    result = tl.where((x == 0) | (x != x), -2147483648, _exponent(x))
    return tl.where(tl.abs(x) == float("inf"), 2147483647, result)


@jit
def logb(x):
    x = _float(x)
    result = tl.where(x == 0, -float("inf"), _exponent(x).to(x.dtype))
    return tl.where(tl.abs(x) < float("inf"), result, x * x)


@jit
def _power(n):
    # 2 to the power of `n`, from -1022 to 1023.
    return ((n.to(tl.int64) + 1023) << 52).to(tl.float64, bitcast=True)


@jit
def ldexp(x, y):
    x = _float(x)
    if x.dtype == tl.float32:  # one rounding, the last
        return (x.to(tl.float64) * _power(tl.minimum(tl.maximum(y, -400), 400))).to(tl.float32)
    # The rest first: only the last product may leave the range of normal numbers.
    y = tl.minimum(tl.maximum(y, -2044), 2046)
    near = tl.minimum(tl.maximum(y, -1022), 1023)
    return x * _power(y - near) * _power(near)


@jit
def scalbn(x, y):
    return ldexp(x, y)


# Rounding in a direction. `way` is "rn", "rz", "rd" or "ru".


@jit
def _moved(nearest, error, way):
    # The number that is `nearest` plus `error`, which is less than half a step, rounded as `way` says.
    if way == "rn":
        return nearest
    lower = error < 0
    upper = error > 0
    if way == "rd":
        return tl.where(lower, _next(nearest, tl.full(lower.shape, False, tl.int1)), nearest)
    if way == "ru":
        return tl.where(upper, _next(nearest, tl.full(lower.shape, True, tl.int1)), nearest)
    negative = nearest < 0
    return tl.where((lower & (nearest > 0)) | (upper & negative), _next(nearest, negative), nearest)


@jit
def _plus(x, y):
    # No product becomes one operation with this sum.
    return tl.fma(x, tl.full([], 1.0, x.dtype), y)


@jit
def _times(x, y):
    return tl.fma(x, y, tl.full([], -0.0, x.dtype))


@jit
def _sum_error(x, y, sum):
    part = _plus(sum, -x)
    return _plus(_plus(x, -_plus(sum, -part)), _plus(y, -part))


@jit
def _add(x, y, way):
    sum = _plus(_float(x), y)
    if way == "rn":
        return sum
    # What overflows has no error that could be computed: the largest number is as near.
    error = tl.where(tl.abs(sum) < float("inf"), _sum_error(x, y, sum), -sum)
    return _moved(sum, tl.where((tl.abs(x) < float("inf")) & (tl.abs(y) < float("inf")), error, 0.0), way)


@jit
def _narrowed(x, way):
    # A float64 as a float32.
    near = x.to(tl.float32)
    return _moved(near, tl.where(tl.abs(x) < float("inf"), x - near.to(tl.float64), 0.0), way)


@jit
def _residue(value, x, way):
    # `value` is a quotient or root of finite numbers, or beyond them; `x` has the sign of what is missing from it.
    return _moved(value, tl.where(tl.abs(value) < float("inf"), x, 0.0), way)


@jit
def _multiply(x, y, way):
    x = _float(x)
    if x.dtype == tl.float32:
        return _narrowed(x.to(tl.float64) * y.to(tl.float64), way)
    product = _times(x, y)
    return _residue(product, tl.fma(x, y, -product), way)


@jit
def _divide(x, y, way):
    x = _float(x)
    quotient = tl.div_rn(x, y) if x.dtype == tl.float32 else x / y
    rest = tl.fma(-quotient, y, x)
    rest = tl.where(y < 0, -rest, rest)
    return _residue(quotient, tl.where(tl.abs(y) < float("inf"), rest, 0.0), way)


@jit
def _root(x, way):
    root = libdevice.sqrt_rn(_float(x))
    return _residue(root, tl.fma(-root, root, x), way)


@jit
def _fma(x, y, z, way):
    x = _float(x)
    if x.dtype == tl.float32:  # the product is exact, and rounding twice in one direction is rounding once
        return _narrowed(_add(x.to(tl.float64) * y.to(tl.float64), z.to(tl.float64), way), way)
    result = tl.fma(x, y, z)
    # The error is a sum of two floats: Boldo and Muller, "Exact and Approximated Error of the FMA".
    product = _times(x, y)
    rest = tl.fma(x, y, -product)
    a = _plus(z, rest)
    a_error = _sum_error(z, rest, a)
    b = _plus(product, a)
    b_error = _sum_error(product, a, b)
    g = _plus(_plus(b, -result), b_error)
    return _residue(result, _plus(g, a_error), way)


@jit
def _whole(x, way):
    if way == "rn":
        return libdevice.rint(x)
    if way == "rd":
        return tl.floor(x)
    return tl.ceil(x) if way == "ru" else libdevice.trunc(x)


@jit
def _from_integer(x, kind, way):
    # Of the magnitude what the float holds is exact; the rest moves it by one step at most.
    digits: tl.constexpr = 53 if kind == tl.float64 else 24
    bits: tl.constexpr = x.dtype.primitive_bitwidth
    if way == "rn" or bits <= digits:
        return x.to(kind)
    unsigned: tl.constexpr = tl.uint64 if bits == 64 else tl.uint32
    negative = x < 0 if x.dtype.is_int_signed() else x != x
    magnitude = tl.where(negative, -x, x).to(unsigned, bitcast=True)
    dropped = tl.maximum(bits - digits - libdevice.clz(magnitude.to(tl.int64 if bits == 64 else tl.int32, bitcast=True)), 0)
    kept = (magnitude >> dropped.to(unsigned)) << dropped.to(unsigned)
    low = kept.to(kind)
    unit = (tl.full(x.shape, 1, unsigned) << dropped.to(unsigned)).to(kind)
    away = negative if way == "rd" else ~negative
    if way == "rz":
        away = negative & ~negative
    result = tl.where(away & (kept != magnitude), low + unit, low)
    return tl.where(negative, -result, result)


@jit
def add_rn(x, y):
    return _add(x, y, "rn")


@jit
def sub_rn(x, y):
    return _add(x, -y, "rn")


@jit
def mul_rn(x, y):
    return _multiply(x, y, "rn")


@jit
def rcp_rn(x):
    return _divide(tl.full([], 1.0, x.dtype), x, "rn")


@jit
def float2int_rn(x):
    return _whole(x, "rn").to(tl.int32)


@jit
def float2uint_rn(x):
    return _whole(x, "rn").to(tl.uint32)


@jit
def float2ll_rn(x):
    return _whole(x, "rn").to(tl.int64)


@jit
def float2ull_rn(x):
    return _whole(x, "rn").to(tl.uint64)


@jit
def double2int_rn(x):
    return _whole(x, "rn").to(tl.int32)


@jit
def double2uint_rn(x):
    return _whole(x, "rn").to(tl.uint32)


@jit
def double2ll_rn(x):
    return _whole(x, "rn").to(tl.int64)


@jit
def double2ull_rn(x):
    return _whole(x, "rn").to(tl.uint64)


@jit
def int2float_rn(x):
    return _from_integer(x, tl.float32, "rn")


@jit
def uint2float_rn(x):
    return _from_integer(x, tl.float32, "rn")


@jit
def ll2float_rn(x):
    return _from_integer(x, tl.float32, "rn")


@jit
def ull2float_rn(x):
    return _from_integer(x, tl.float32, "rn")


@jit
def ll2double_rn(x):
    return _from_integer(x, tl.float64, "rn")


@jit
def ull2double_rn(x):
    return _from_integer(x, tl.float64, "rn")


@jit
def double2float_rn(x):
    return _narrowed(x, "rn")


@jit
def add_rz(x, y):
    return _add(x, y, "rz")


@jit
def sub_rz(x, y):
    return _add(x, -y, "rz")


@jit
def mul_rz(x, y):
    return _multiply(x, y, "rz")


@jit
def div_rz(x, y):
    return _divide(x, y, "rz")


@jit
def fma_rz(x, y, z):
    return _fma(x, y, z, "rz")


@jit
def sqrt_rz(x):
    return _root(x, "rz")


@jit
def rcp_rz(x):
    return _divide(tl.full([], 1.0, x.dtype), x, "rz")


@jit
def float2int_rz(x):
    return _whole(x, "rz").to(tl.int32)


@jit
def float2uint_rz(x):
    return _whole(x, "rz").to(tl.uint32)


@jit
def float2ll_rz(x):
    return _whole(x, "rz").to(tl.int64)


@jit
def float2ull_rz(x):
    return _whole(x, "rz").to(tl.uint64)


@jit
def double2int_rz(x):
    return _whole(x, "rz").to(tl.int32)


@jit
def double2uint_rz(x):
    return _whole(x, "rz").to(tl.uint32)


@jit
def double2ll_rz(x):
    return _whole(x, "rz").to(tl.int64)


@jit
def double2ull_rz(x):
    return _whole(x, "rz").to(tl.uint64)


@jit
def int2float_rz(x):
    return _from_integer(x, tl.float32, "rz")


@jit
def uint2float_rz(x):
    return _from_integer(x, tl.float32, "rz")


@jit
def ll2float_rz(x):
    return _from_integer(x, tl.float32, "rz")


@jit
def ull2float_rz(x):
    return _from_integer(x, tl.float32, "rz")


@jit
def ll2double_rz(x):
    return _from_integer(x, tl.float64, "rz")


@jit
def ull2double_rz(x):
    return _from_integer(x, tl.float64, "rz")


@jit
def double2float_rz(x):
    return _narrowed(x, "rz")


@jit
def add_rd(x, y):
    return _add(x, y, "rd")


@jit
def sub_rd(x, y):
    return _add(x, -y, "rd")


@jit
def mul_rd(x, y):
    return _multiply(x, y, "rd")


@jit
def div_rd(x, y):
    return _divide(x, y, "rd")


@jit
def fma_rd(x, y, z):
    return _fma(x, y, z, "rd")


@jit
def sqrt_rd(x):
    return _root(x, "rd")


@jit
def rcp_rd(x):
    return _divide(tl.full([], 1.0, x.dtype), x, "rd")


@jit
def float2int_rd(x):
    return _whole(x, "rd").to(tl.int32)


@jit
def float2uint_rd(x):
    return _whole(x, "rd").to(tl.uint32)


@jit
def float2ll_rd(x):
    return _whole(x, "rd").to(tl.int64)


@jit
def float2ull_rd(x):
    return _whole(x, "rd").to(tl.uint64)


@jit
def double2int_rd(x):
    return _whole(x, "rd").to(tl.int32)


@jit
def double2uint_rd(x):
    return _whole(x, "rd").to(tl.uint32)


@jit
def double2ll_rd(x):
    return _whole(x, "rd").to(tl.int64)


@jit
def double2ull_rd(x):
    return _whole(x, "rd").to(tl.uint64)


@jit
def int2float_rd(x):
    return _from_integer(x, tl.float32, "rd")


@jit
def uint2float_rd(x):
    return _from_integer(x, tl.float32, "rd")


@jit
def ll2float_rd(x):
    return _from_integer(x, tl.float32, "rd")


@jit
def ull2float_rd(x):
    return _from_integer(x, tl.float32, "rd")


@jit
def ll2double_rd(x):
    return _from_integer(x, tl.float64, "rd")


@jit
def ull2double_rd(x):
    return _from_integer(x, tl.float64, "rd")


@jit
def double2float_rd(x):
    return _narrowed(x, "rd")


@jit
def add_ru(x, y):
    return _add(x, y, "ru")


@jit
def sub_ru(x, y):
    return _add(x, -y, "ru")


@jit
def mul_ru(x, y):
    return _multiply(x, y, "ru")


@jit
def div_ru(x, y):
    return _divide(x, y, "ru")


@jit
def fma_ru(x, y, z):
    return _fma(x, y, z, "ru")


@jit
def sqrt_ru(x):
    return _root(x, "ru")


@jit
def rcp_ru(x):
    return _divide(tl.full([], 1.0, x.dtype), x, "ru")


@jit
def float2int_ru(x):
    return _whole(x, "ru").to(tl.int32)


@jit
def float2uint_ru(x):
    return _whole(x, "ru").to(tl.uint32)


@jit
def float2ll_ru(x):
    return _whole(x, "ru").to(tl.int64)


@jit
def float2ull_ru(x):
    return _whole(x, "ru").to(tl.uint64)


@jit
def double2int_ru(x):
    return _whole(x, "ru").to(tl.int32)


@jit
def double2uint_ru(x):
    return _whole(x, "ru").to(tl.uint32)


@jit
def double2ll_ru(x):
    return _whole(x, "ru").to(tl.int64)


@jit
def double2ull_ru(x):
    return _whole(x, "ru").to(tl.uint64)


@jit
def int2float_ru(x):
    return _from_integer(x, tl.float32, "ru")


@jit
def uint2float_ru(x):
    return _from_integer(x, tl.float32, "ru")


@jit
def ll2float_ru(x):
    return _from_integer(x, tl.float32, "ru")


@jit
def ull2float_ru(x):
    return _from_integer(x, tl.float32, "ru")


@jit
def ll2double_ru(x):
    return _from_integer(x, tl.float64, "ru")


@jit
def ull2double_ru(x):
    return _from_integer(x, tl.float64, "ru")


@jit
def double2float_ru(x):
    return _narrowed(x, "ru")


@jit
def int2double_rn(x):
    return x.to(tl.float64)


@jit
def uint2double_rn(x):
    return x.to(tl.float64)


# A first guess at one over a double, from the upper half of its bits to the upper half of the result's. Numbers too small
# for a full mantissa are zeros.


@jit
def _upper_half(x):
    bits = x.to(tl.int64, bitcast=True) & -4294967296
    return tl.where((bits & 0x7ff0000000000000) == 0, bits & (-9223372036854775807 - 1), bits).to(tl.float64, bitcast=True)


@jit
def rcp64h(x):
    if x.dtype != tl.float64:
        return tl.static_assert(False, f"`libdevice.rcp64h`: expected fp64, found {x.dtype}")
    return _upper_half(1.0 / _upper_half(x))
