"""libdevice: NVIDIA's library of mathematics, under its own names.

Functions take one type of floats or of integers and work element by element. Names with an ending `_rn`, `_rz`, `_rd`
or `_ru` round to nearest, towards zero, down or up.
"""

from __future__ import annotations

from typing import Any, Callable

from .._stub import builtin
from .._tensor import Value, tensor

__tegula_name__ = "triton.language.extra.libdevice"

Unary = Callable[[Value], tensor]
Binary = Callable[[Value, Value], tensor]
Ternary = Callable[[Value, Value, Value], tensor]


def _function(fn: Any, name: str, meaning: str) -> Any:
    fn.__name__ = fn.__qualname__ = name
    fn.__doc__ = meaning
    return builtin(fn)


def _unary(name: str, meaning: str) -> Unary:
    def fn(x: Value) -> tensor: ...
    return _function(fn, name, meaning)


def _binary(name: str, meaning: str) -> Binary:
    def fn(x: Value, y: Value) -> tensor: ...
    return _function(fn, name, meaning)


def _ternary(name: str, meaning: str) -> Ternary:
    def fn(x: Value, y: Value, z: Value) -> tensor: ...
    return _function(fn, name, meaning)


# Of one argument.
abs = _unary("abs", "The absolute value.")
acos = _unary("acos", "The arc cosine, in radians.")
acosh = _unary("acosh", "The inverse hyperbolic cosine.")
asin = _unary("asin", "The arc sine, in radians.")
asinh = _unary("asinh", "The inverse hyperbolic sine.")
atan = _unary("atan", "The arc tangent, in radians.")
atanh = _unary("atanh", "The inverse hyperbolic tangent.")
brev = _unary("brev", "The bits of an integer in reverse order.")
cbrt = _unary("cbrt", "The cube root.")
ceil = _unary("ceil", "The least whole number that is not below `x`.")
clz = _unary("clz", "How many of the upper bits of an integer are zero.")
cos = _unary("cos", "The cosine of radians.")
cosh = _unary("cosh", "The hyperbolic cosine.")
cospi = _unary("cospi", "The cosine of `pi * x`.")
cyl_bessel_i0 = _unary("cyl_bessel_i0", "The modified cylindrical Bessel function of order 0.")
cyl_bessel_i1 = _unary("cyl_bessel_i1", "The modified cylindrical Bessel function of order 1.")
erf = _unary("erf", "The error function.")
erfc = _unary("erfc", "One minus the error function.")
erfcinv = _unary("erfcinv", "The inverse of `erfc`.")
erfcx = _unary("erfcx", "`exp(x * x) * erfc(x)`.")
erfinv = _unary("erfinv", "The inverse of the error function.")
exp = _unary("exp", "e to the power of `x`.")
exp10 = _unary("exp10", "10 to the power of `x`.")
exp2 = _unary("exp2", "2 to the power of `x`.")
expm1 = _unary("expm1", "`exp(x) - 1`, exact for small `x` too.")
fabs = _unary("fabs", "The absolute value of a float.")
fast_cosf = _unary("fast_cosf", "A quick cosine.")
fast_exp10f = _unary("fast_exp10f", "A quick power of 10.")
fast_expf = _unary("fast_expf", "A quick power of e.")
fast_log10f = _unary("fast_log10f", "A quick logarithm to base 10.")
fast_log2f = _unary("fast_log2f", "A quick logarithm to base 2.")
fast_logf = _unary("fast_logf", "A quick natural logarithm.")
fast_sinf = _unary("fast_sinf", "A quick sine.")
fast_tanf = _unary("fast_tanf", "A quick tangent.")
ffs = _unary("ffs", "The place of the lowest bit that is set, from 1; 0 where none is.")
finitef = _unary("finitef", "Whether a float32 is neither infinite nor a NaN.")
floor = _unary("floor", "The greatest whole number that is not above `x`.")
ilogb = _unary("ilogb", "The exponent of `x`, an integer.")
isfinited = _unary("isfinited", "Whether a float64 is neither infinite nor a NaN.")
isinf = _unary("isinf", "Whether `x` is infinite.")
isnan = _unary("isnan", "Whether `x` is a NaN.")
j0 = _unary("j0", "The Bessel function of the first kind of order 0.")
j1 = _unary("j1", "The Bessel function of the first kind of order 1.")
lgamma = _unary("lgamma", "The logarithm of the absolute value of the gamma function.")
llrint = _unary("llrint", "`x` rounded to the nearest integer, halves to even: int64.")
llround = _unary("llround", "`x` rounded to the nearest integer, halves away from zero: int64.")
log = _unary("log", "The natural logarithm.")
log10 = _unary("log10", "The logarithm to base 10.")
log1p = _unary("log1p", "`log(1 + x)`, exact for small `x` too.")
log2 = _unary("log2", "The logarithm to base 2.")
logb = _unary("logb", "The exponent of `x`, a float.")
nearbyint = _unary("nearbyint", "`x` rounded to a whole number, halves to even.")
normcdf = _unary("normcdf", "The distribution function of the standard normal distribution.")
normcdfinv = _unary("normcdfinv", "The inverse of `normcdf`.")
popc = _unary("popc", "How many bits of an integer are set.")
rcbrt = _unary("rcbrt", "One over the cube root.")
rcp64h = _unary("rcp64h", "About one over a float64, by the upper half of its bits.")
rint = _unary("rint", "`x` rounded to a whole number, halves to even.")
round = _unary("round", "`x` rounded to a whole number, halves away from zero.")
rsqrt = _unary("rsqrt", "One over the square root.")
rsqrt_rn = _unary("rsqrt_rn", "One over the square root of a float32, rounded to nearest.")
saturatef = _unary("saturatef", "A float32 held between 0 and 1.")
signbit = _unary("signbit", "Whether the sign bit is set.")
sin = _unary("sin", "The sine of radians.")
sinh = _unary("sinh", "The hyperbolic sine.")
sinpi = _unary("sinpi", "The sine of `pi * x`.")
sqrt = _unary("sqrt", "The square root.")
tan = _unary("tan", "The tangent of radians.")
tanh = _unary("tanh", "The hyperbolic tangent.")
tgamma = _unary("tgamma", "The gamma function.")
trunc = _unary("trunc", "`x` without its fraction.")
y0 = _unary("y0", "The Bessel function of the second kind of order 0.")
y1 = _unary("y1", "The Bessel function of the second kind of order 1.")

# Of two arguments.
atan2 = _binary("atan2", "The angle of the point (y, x), in radians: `x` is the first argument.")
copysign = _binary("copysign", "`x` with the sign of `y`.")
fast_dividef = _binary("fast_dividef", "A quick quotient.")
fast_fdividef = _binary("fast_fdividef", "A quick quotient.")
fast_powf = _binary("fast_powf", "A quick power.")
fdim = _binary("fdim", "`x - y` where that is positive, else 0.")
fmaxf = _binary("fmaxf", "The larger of both.")
fminf = _binary("fminf", "The smaller of both.")
fmod = _binary("fmod", "The remainder of `x / y` with the sign of `x`.")
hadd = _binary("hadd", "The average of two integers, rounded down.")
hypot = _binary("hypot", "`sqrt(x * x + y * y)` without overflow.")
jn = _binary("jn", "The Bessel function of the first kind of order `x`, an integer.")
ldexp = _binary("ldexp", "`x` times 2 to the power of the integer `y`.")
max = _binary("max", "The larger of both.")
min = _binary("min", "The smaller of both.")
mul24 = _binary("mul24", "The product of the lower 24 bits of two integers.")
mulhi = _binary("mulhi", "The upper half of the product of two integers.")
nextafter = _binary("nextafter", "The float next to `x` in the direction of `y`.")
pow = _binary("pow", "`x` to the power of `y`.")
remainder = _binary("remainder", "The remainder of `x / y`, whose quotient is rounded to nearest.")
rhadd = _binary("rhadd", "The average of two integers, rounded up.")
rhypot = _binary("rhypot", "One over `hypot`.")
scalbn = _binary("scalbn", "`x` times 2 to the power of the integer `y`.")
yn = _binary("yn", "The Bessel function of the second kind of order `x`, an integer.")

# Of more.
byte_perm = _ternary("byte_perm", "Four bytes chosen from the eight of `x` and `y` by the digits of `z`.")
fma = _ternary("fma", "`x * y + z`, rounded once.")
norm3d = _ternary("norm3d", "The length of a vector of three.")
rnorm3d = _ternary("rnorm3d", "One over the length of a vector of three.")
sad = _ternary("sad", "`abs(x - y) + z` of integers.")


@builtin
def norm4d(x: Value, y: Value, z: Value, t: Value) -> tensor:
    """The length of a vector of four."""


@builtin
def rnorm4d(x: Value, y: Value, z: Value, t: Value) -> tensor:
    """One over the length of a vector of four."""


# Bits taken for a number of another type.
int_as_float = _unary("int_as_float", "The bits of an int taken for a float.")
float_as_int = _unary("float_as_int", "The bits of a float taken for an int.")
uint_as_float = _unary("uint_as_float", "The bits of an uint taken for a float.")
float_as_uint = _unary("float_as_uint", "The bits of a float taken for an uint.")
longlong_as_double = _unary("longlong_as_double", "The bits of a longlong taken for a double.")
double_as_longlong = _unary("double_as_longlong", "The bits of a double taken for a longlong.")
double2hiint = _unary("double2hiint", "The upper half of the bits of a double.")
double2loint = _unary("double2loint", "The lower half of the bits of a double.")
hiloint2double = _binary("hiloint2double", "The double whose halves are `x` and `y`.")


def _ways(make: Any, name: str, meaning: str) -> list[Any]:
    """The function `name` for each way to round, in the order rn, rz, rd, ru."""
    return [make(f"{name}_{way}", f"{meaning}, rounded {says}.")
            for way, says in (("rn", "to nearest"), ("rz", "towards zero"), ("rd", "down"), ("ru", "up"))]


add_rn, add_rz, add_rd, add_ru = _ways(_binary, "add", "`x + y`")
sub_rn, sub_rz, sub_rd, sub_ru = _ways(_binary, "sub", "`x - y`")
mul_rn, mul_rz, mul_rd, mul_ru = _ways(_binary, "mul", "`x * y`")
div_rn, div_rz, div_rd, div_ru = _ways(_binary, "div", "`x / y`")
fma_rn, fma_rz, fma_rd, fma_ru = _ways(_ternary, "fma", "`x * y + z`")
rcp_rn, rcp_rz, rcp_rd, rcp_ru = _ways(_unary, "rcp", "`1 / x`")
sqrt_rn, sqrt_rz, sqrt_rd, sqrt_ru = _ways(_unary, "sqrt", "The square root")
float2int_rn, float2int_rz, float2int_rd, float2int_ru = _ways(_unary, "float2int", "A float32 as an int32")
float2uint_rn, float2uint_rz, float2uint_rd, float2uint_ru = _ways(_unary, "float2uint", "A float32 as a uint32")
float2ll_rn, float2ll_rz, float2ll_rd, float2ll_ru = _ways(_unary, "float2ll", "A float32 as an int64")
float2ull_rn, float2ull_rz, float2ull_rd, float2ull_ru = _ways(_unary, "float2ull", "A float32 as a uint64")
double2int_rn, double2int_rz, double2int_rd, double2int_ru = _ways(_unary, "double2int", "A float64 as an int32")
double2uint_rn, double2uint_rz, double2uint_rd, double2uint_ru = _ways(_unary, "double2uint", "A float64 as a uint32")
double2ll_rn, double2ll_rz, double2ll_rd, double2ll_ru = _ways(_unary, "double2ll", "A float64 as an int64")
double2ull_rn, double2ull_rz, double2ull_rd, double2ull_ru = _ways(_unary, "double2ull", "A float64 as a uint64")
int2float_rn, int2float_rz, int2float_rd, int2float_ru = _ways(_unary, "int2float", "An int32 as a float32")
uint2float_rn, uint2float_rz, uint2float_rd, uint2float_ru = _ways(_unary, "uint2float", "A uint32 as a float32")
ll2float_rn, ll2float_rz, ll2float_rd, ll2float_ru = _ways(_unary, "ll2float", "An int64 as a float32")
ull2float_rn, ull2float_rz, ull2float_rd, ull2float_ru = _ways(_unary, "ull2float", "A uint64 as a float32")
ll2double_rn, ll2double_rz, ll2double_rd, ll2double_ru = _ways(_unary, "ll2double", "An int64 as a float64")
ull2double_rn, ull2double_rz, ull2double_rd, ull2double_ru = _ways(_unary, "ull2double", "A uint64 as a float64")
double2float_rn, double2float_rz, double2float_rd, double2float_ru = _ways(
    _unary, "double2float", "A float64 as a float32")
int2double_rn = _unary("int2double_rn", "An int32 as a float64, which is exact.")
uint2double_rn = _unary("uint2double_rn", "A uint32 as a float64, which is exact.")
