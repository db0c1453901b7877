"""Functions of libdevice that mathematics has names for. Those of fp32 are computed in fp64 and rounded once more.

Errors are relative unless said otherwise, in units of the last place of fp64; what fp32 loses to its last rounding is
half a unit of its own.
"""

import triton.language as tl
from triton.language.extra import libdevice


@jit
def _wide(x):
    if x.dtype != tl.float32 and x.dtype != tl.float64:
        return tl.static_assert(False, f"`libdevice`: expected fp32 or fp64, found {x.dtype}")
    return x.to(tl.float64)


@jit
def saturatef(x):
    return tl.where(x > 0, tl.minimum(x, 1.0), 0.0)


@jit
def fdim(x, y):
    return tl.where(x <= y, 0.0, x - y)


@jit
def fast_log10f(x):
    return libdevice.log10(x)


@jit
def rcbrt(x):
    return 1.0 / libdevice.cbrt(x)


@jit
def rsqrt_rn(x):
    return (1.0 / tl.sqrt(_wide(x))).to(x.dtype)


@jit
def remainder(x, y):
    # The even quotient is that of twice the divisor.
    size = tl.abs(y)
    double = libdevice.fmod(tl.abs(x), size + size)
    odd = double >= size
    rest = tl.where(odd, double - size, double)
    other = size - rest
    rest = tl.where((rest > other) | ((rest == other) & odd), rest - size, rest)
    # An infinite divisor leaves everything, and what is no number stays none.
    rest = tl.where(size == float("inf"), tl.abs(x), rest)
    rest = tl.where((size != size) | (tl.abs(x) == float("inf")), float("nan"), rest)
    return tl.where(libdevice.signbit(x), -rest, rest)


# Lengths: fp32 is wide enough in fp64, fp64 is scaled by its largest coordinate.


@jit
def _length(squares, largest):
    return tl.where((largest == 0) | (largest == float("inf")), largest, largest * tl.sqrt(squares))


@jit
def norm3d(x, y, z):
    return norm4d(x, y, z, tl.full([], 0.0, x.dtype))


@jit
def norm4d(x, y, z, t):
    a, b, c, d = tl.abs(_wide(x)), tl.abs(_wide(y)), tl.abs(_wide(z)), tl.abs(_wide(t))
    largest = tl.maximum(tl.maximum(a, b), tl.maximum(c, d))
    isnan = (a != a) | (b != b) | (c != c) | (d != d)
    scale = tl.where((largest == 0) | (largest == float("inf")), 1.0, largest)
    a, b, c, d = a / scale, b / scale, c / scale, d / scale
    result = _length(a * a + b * b + c * c + d * d, largest)
    return tl.where(isnan & (largest != float("inf")), float("nan"), result).to(x.dtype)


@jit
def rnorm3d(x, y, z):
    return (1.0 / norm4d(_wide(x), _wide(y), _wide(z), tl.full([], 0.0, tl.float64))).to(x.dtype)


@jit
def rnorm4d(x, y, z, t):
    return (1.0 / norm4d(_wide(x), _wide(y), _wide(z), _wide(t))).to(x.dtype)


@jit
def rhypot(x, y):
    zero = tl.full([], 0.0, tl.float64)
    return (1.0 / norm4d(_wide(x), _wide(y), zero, zero)).to(x.dtype)


# Trigonometry of multiples of pi: 3 units.


@jit
def _quarters(x):
    # The nearest quarter turn, and what is left: exact.
    turns = x - 2.0 * libdevice.rint(x * 0.5)
    quarter = libdevice.rint(2.0 * turns)
    angle = (turns - 0.5 * quarter) * 3.141592653589793
    return quarter.to(tl.int32) & 3, tl.sin(angle), tl.cos(angle)


@jit
def sinpi(x):
    wide = _wide(x)
    quarter, sine, cosine = _quarters(wide)
    result = tl.where((quarter & 1) == 0, sine, cosine)
    result = tl.where(quarter >= 2, -result, result)
    return tl.where(tl.abs(wide) < float("inf"), result, float("nan")).to(x.dtype)


@jit
def cospi(x):
    wide = _wide(x)
    quarter, sine, cosine = _quarters(wide)
    result = tl.where((quarter & 1) == 0, cosine, sine)
    result = tl.where((quarter == 1) | (quarter == 2), -result, result)
    return tl.where(tl.abs(wide) < float("inf"), result, float("nan")).to(x.dtype)


# The error function and its kin.


@jit
def _erfcx(x):
    # From 0 on. Beyond 25 the asymptotic series; before that, exp(x * x) with the error of the square.
    square = x * x
    error = tl.fma(x, x, -square)
    near = tl.exp(tl.minimum(square, 700.0)) * (1.0 + error) * libdevice.erfc(x)
    r = 1.0 / (2.0 * square)
    far = 0.5641895835477563 / x * (1.0 - r * (1.0 - 3.0 * r * (1.0 - 5.0 * r * (1.0 - 7.0 * r * (1.0 - 9.0 * r)))))
    return tl.where(x < 25.0, near, far)


@jit
def erfcx(x):
    """30 units from 0 on, 1e-13 below."""
    wide = _wide(x)
    size = tl.abs(wide)
    square = size * size
    positive = _erfcx(tl.maximum(size, 1e-300))
    growth = tl.exp(square) * (1.0 + tl.where(square < 1000.0, tl.fma(size, size, -square), 0.0))
    result = tl.where(wide < 0, 2.0 * growth - positive, positive)
    result = tl.where(wide < -27.0, float("inf"), result)
    return tl.where(wide != wide, wide, result).to(x.dtype)


@jit
def normcdf(x):
    """4e-13 where the result is a normal number."""
    return (0.5 * libdevice.erfc(_wide(x) * -0.7071067811865476)).to(x.dtype)


@jit
def _inverse_guess(log):
    # Of erf at x, where `log` is ln(1 - x * x): Winitzki, "A handy approximation for the error function".
    half = 4.330746750799873 + 0.5 * log
    return tl.sqrt(tl.maximum(tl.sqrt(half * half - log * 6.802721088435375) - half, 0.0))


@jit
def _inverse_tail(rest):
    # The t with erfc(t) = rest, for rest from 0 to 1, by Halley's steps.
    t = _inverse_guess(libdevice.log(rest) + libdevice.log(2.0 - rest))
    for _ in tl.static_range(3):
        step = (libdevice.erfc(t) - rest) / (-1.1283791670955126 * tl.exp(-t * t))
        t = t - step / (1.0 + t * step)
    return t


@jit
def _inverse_core(x):
    t = _inverse_guess(libdevice.log1p(-x * x))
    for _ in tl.static_range(2):
        step = (libdevice.erf(t) - x) / (1.1283791670955126 * tl.exp(-t * t))
        t = t - step / (1.0 + t * step)
    return t


@jit
def _polynomial_of_floats(x, coefficients):
    result = tl.full(x.shape, coefficients[len(coefficients) - 1], tl.float32)
    for i in tl.static_range(1, len(coefficients)):
        result = tl.fma(result, x, coefficients[len(coefficients) - 1 - i])
    return result


@jit
def _short_erfinv(x):
    # x times a function of ln(1 - x * x), which polynomials interpolate at Chebyshev's points: to 2e-8 before they are
    # rounded. Giles, "Approximating the erfinv function".
    log = -libdevice.log(tl.fma(-x, x, 1.0))
    near = _polynomial_of_floats(log - 2.5, (
            1.50140941, 0.24664028, -0.00417739293, -0.00125272642, 0.000218349393, -4.9724199e-06, -3.46398519e-06,
            4.68131361e-07, 2.33359678e-08, -8.93192631e-09))
    far = _polynomial_of_floats(tl.sqrt(tl.maximum(log, 5.0)) - 3.25, (
            3.08388567, 1.00525916, 0.00537381181, -0.00375453546, 0.00246687629, -0.00167262077, 0.00102780003,
            -0.000384715036, -7.16176728e-05, 9.43182749e-05))
    result = x * tl.where(log < 5.0, near, far)
    result = tl.where(tl.abs(x) == 1.0, x * float("inf"), result)
    return tl.where(tl.abs(x) <= 1.0, result, float("nan"))


@jit
def erfinv(x):
    """1e-15 to the middle, 1e-13 at the ends; of fp32 3 units."""
    if x.dtype == tl.float32:
        return _short_erfinv(x)
    wide = _wide(x)
    size = tl.abs(wide)
    core = _inverse_core(tl.minimum(size, 0.5))
    core = tl.where(size < 1e-9, size * 0.886226925452758, core)
    result = tl.where(size <= 0.5, core, _inverse_tail(tl.maximum(1.0 - size, 1e-300)))
    result = tl.where(size == 1.0, float("inf"), result)
    result = tl.where(size <= 1.0, result, float("nan"))
    return tl.where(wide < 0, -result, result).to(x.dtype)


@jit
def _erfcinv(x):
    rest = tl.minimum(x, 2.0 - x)
    tail = _inverse_tail(tl.maximum(tl.minimum(rest, 0.5), 1e-300))
    # From 1/2 to 3/2 it is the other function at 1 - x, which is exact there.
    core = tl.abs(1.0 - x)
    core = tl.where(core < 1e-9, core * 0.886226925452758, _inverse_core(tl.minimum(core, 0.5)))
    result = tl.where(rest < 0.5, tail, core)
    result = tl.where(rest == 0.0, float("inf"), result)
    result = tl.where(rest >= 0.0, result, float("nan"))
    return tl.where(x > 1.0, -result, result)


@jit
def erfcinv(x):
    """1e-13 from 1e-300 on."""
    return _erfcinv(_wide(x)).to(x.dtype)


@jit
def normcdfinv(x):
    """1e-13 from 1e-300 on."""
    return (-1.4142135623730951 * _erfcinv(2.0 * _wide(x))).to(x.dtype)


# The gamma function: Stirling's series from 10 on, where the product of ten steps leads to it.


@jit
def _steps(x):
    product = x
    for i in tl.static_range(1, 10):
        product = product * (x + i)
    return product


@jit
def _stirling(x):
    r = 1.0 / x
    s = r * r
    return r * (0.08333333333333333 - s * (0.002777777777777778 - s * (0.0007936507936507937 - s * (
        0.0005952380952380953 - s * (0.0008417508417508417 - s * (0.0019175269175269176 - s * 0.00641025641025641))))))


@jit
def _polynomial(x, coefficients):
    result = tl.full(x.shape, coefficients[len(coefficients) - 1], tl.float64)
    for i in tl.static_range(1, len(coefficients)):
        result = result * x + coefficients[len(coefficients) - 1 - i]
    return result


@jit
def _log_gamma_near(x):
    # From 0.7 to 2.3: its two zeros, and a polynomial that interpolates the rest, known to 50 digits, at Chebyshev's points.
    return (x - 1.0) * (x - 2.0) * _polynomial(
        (x - 1.5) * 1.25, (0.4831289505409809, -0.11676791673144486, 0.04026329668772076, -0.016029945600517216,
            0.006880091599393873, -0.0030885879639456068, 0.0014277562434516168, -0.0006736207566047181,
            0.00032261182113587695, -0.00015628507907086537, 7.639887480570715e-05, -3.762336670877871e-05,
            1.8643488162480275e-05, -9.28582591056151e-06, 4.639400125563657e-06, -2.3300971570159552e-06,
            1.1929975701135582e-06, -6.033372902230188e-07, 2.666161383951447e-07, -1.3510377650488582e-07,
            1.2825744196163255e-07, -6.590026346645029e-08, -3.06273950114752e-08, 1.6041756568576693e-08,
            4.0235100697825726e-08, -2.0856668684330004e-08, -1.3423402322451528e-08, 6.971994116446922e-09,
            3.5596631083938796e-09, -1.8457202970231745e-09))


@jit
def _log_gamma(x):
    # Above 0.
    z = tl.where(x < 10.0, x + 10.0, x)
    result = (z - 0.5) * libdevice.log(z) - z + 0.9189385332046727 + _stirling(z)
    result = tl.where(x < 10.0, result - libdevice.log(_steps(tl.minimum(x, 10.0))), result)
    return tl.where((x > 0.7) & (x < 2.3), _log_gamma_near(tl.minimum(x, 2.3)), result)


@jit
def lgamma(x):
    """An error of 1e-14, or of 1e-15 of the result where that is more; of 3e-15 of the result from 0.7 to 2.3."""
    wide = _wide(x)
    sine = tl.abs(sinpi(wide))
    positive = _log_gamma(tl.where(wide > 0.5, wide, 1.0 - wide))
    result = tl.where(wide > 0.5, positive, 1.1447298858494002 - libdevice.log(sine) - positive)
    result = tl.where((wide <= 0.0) & (wide == tl.floor(wide)), float("inf"), result)
    result = tl.where(tl.abs(wide) == float("inf"), float("inf"), result)
    return tl.where(wide != wide, wide, result).to(x.dtype)


@jit
def _gamma(x):
    # Above 0. The power is two halves: one alone overflows before the product does.
    z = tl.where(x < 10.0, x + 10.0, tl.minimum(x, 180.0))
    half = libdevice.pow(z, 0.5 * z - 0.25)
    result = 2.5066282746310002 * half * tl.exp(-z + _stirling(z)) * half
    return tl.where(x < 10.0, result / _steps(tl.minimum(x, 10.0)), result)


@jit
def tgamma(x):
    """2e-13 where neither the result nor a factor of it leaves the normal numbers."""
    wide = _wide(x)
    sine = sinpi(wide)
    positive = _gamma(tl.where(wide > 0.5, wide, 1.0 - wide))
    result = tl.where(wide > 0.5, positive, 3.141592653589793 / (sine * positive))
    result = tl.where((wide < 0.0) & (wide == tl.floor(wide)), float("nan"), result)
    result = tl.where(wide == 0.0, 1.0 / wide, result)
    return tl.where(wide != wide, wide, result).to(x.dtype)


# Modified Bessel functions: the power series of the square, all of whose terms are positive, up to a limit; beyond, the
# asymptotic one of the reciprocal. What is rounded to fp32 takes the terms that reach 1e-9.


@jit
def _series(x, terms: tl.constexpr, coefficients):
    result = tl.full(x.shape, coefficients[terms - 1], tl.float64)
    for i in tl.static_range(1, terms):
        result = result * x + coefficients[terms - 1 - i]
    return result


@jit
def _i0_near(square, terms: tl.constexpr):
    return _series(square, terms, (
            1.0, 1.0, 0.25, 0.027777777777777776, 0.001736111111111111, 6.944444444444444e-05, 1.9290123456790124e-06,
            3.936759889140842e-08, 6.151187326782565e-10, 7.594058428126624e-12, 7.594058428126623e-14,
            6.276081345559193e-16, 4.358389823304995e-18, 2.5789288895295828e-20, 1.3157800456783586e-22,
            5.8479113141260385e-25, 2.2843403570804838e-27, 7.904291893012054e-30, 2.4395962632753253e-32,
            6.757884385804225e-35, 1.6894710964510564e-37, 3.8310002187098785e-40, 7.915289708078262e-43,
            1.4962740468957016e-45, 2.5976979980828152e-48, 4.156316796932504e-51, 6.14839762859838e-54,
            8.434015951438106e-57, 1.0757673407446564e-59, 1.2791526049282477e-62, 1.4212806721424974e-65,
            1.4789601166935458e-68, 1.4442969889585408e-71, 1.3262598613026087e-74, 1.147283617043779e-77,
            9.365580547296156e-81, 7.226528200074194e-84, 5.278691161485898e-87, 3.6556032974279072e-90,
            2.4034209713529963e-93, 1.5021381070956227e-96, 8.935979221270807e-100, 5.065747857863269e-103,
            2.739723016691871e-106, 1.4151461863077845e-109, 6.988376228680417e-113, 3.3026352687525603e-116,
            1.4950816064973112e-119))


@jit
def _i1_near(square, terms: tl.constexpr):
    return _series(square, terms, (
            0.5, 0.25, 0.041666666666666664, 0.003472222222222222, 0.00017361111111111112, 5.787037037037037e-06,
            1.3778659611992944e-07, 2.460474930713026e-09, 3.417326292656981e-11, 3.7970292140633116e-13,
            3.451844740057556e-15, 2.615033893982997e-17, 1.676303778194229e-19, 9.21046031974851e-22,
            4.385933485594529e-24, 1.827472285664387e-26, 6.718648109060246e-29, 2.195636636947793e-31,
            6.419990166514014e-34, 1.6894710964510563e-36, 4.022550229645372e-39, 8.706818678886087e-42,
            1.7207151539300568e-44, 3.1172375976993783e-47, 5.195395996165631e-50, 7.992916917177893e-53,
            1.1385921534441443e-55, 1.5060742770425188e-58, 1.8547712771459592e-61, 2.1319210082137464e-64,
            2.2923881808749958e-67, 2.3108751823336653e-70, 2.188328771149304e-73, 1.9503821489744245e-76,
            1.6389765957768272e-79, 1.300775076013355e-82, 9.765578648748911e-86, 6.945646265113023e-89,
            4.686670894138342e-92, 3.004276214191245e-95, 1.8318757403605153e-98, 1.0638070501512865e-101,
            5.890404485887522e-105, 3.1133216098771257e-108, 1.5723846514530938e-111, 7.596061118130888e-115,
            3.513441775268681e-118, 1.557376673434699e-121))


@jit
def _i0_far(r, terms: tl.constexpr):
    return _series(r, terms, (
            1.0, 0.125, 0.0703125, 0.0732421875, 0.112152099609375, 0.22710800170898438, 0.5725014209747314,
            1.7277275025844574, 6.074042001273483, 24.380529699556064, 110.01714026924674, 551.3358961220206,
            3038.090510922384, 18257.755474293175, 118838.42625678325, 832859.3040162893, 6252951.493434797,
            50069589.531988926, 425939216.5047669, 3836255180.2304335, 36468400807.06556, 364901081884.98334,
            3833534661393.9443, 42189715702840.97))


@jit
def _i1_far(r, terms: tl.constexpr):
    return _series(r, terms, (
            1.0, -0.375, -0.1171875, -0.1025390625, -0.144195556640625, -0.2775764465332031, -0.6765925884246826,
            -1.993531733751297, -6.883914268109947, -27.248827311268542, -121.59789187653587, -603.8440767050702,
            -3302.2722944808525, -19718.37591223663, -127641.2726461746, -890297.8767070678, -6656367.718817688,
            -53104110.10968523, -450278600.3050393, -4043620325.107754, -38338575207.427895, -382701134659.8606,
            -4011838599133.1978, -44064814178522.79))


@jit
def _bessel_i(x, order: tl.constexpr, short: tl.constexpr):
    # From 0 on. Beyond 1400, for fp32 beyond 100, the result is infinite.
    limit: tl.constexpr = 12.0 if short else 30.0
    near = tl.minimum(x, limit)
    square = near * near * 0.25
    terms: tl.constexpr = 20 if short else 48
    total = _i0_near(square, terms) if order == 0 else near * _i1_near(square, terms)
    far = tl.minimum(tl.maximum(x, limit), 100.0 if short else 1400.0)
    r = 1.0 / far
    tail_terms: tl.constexpr = 12 if short else 24
    tail = _i0_far(r, tail_terms) if order == 0 else _i1_far(r, tail_terms)
    tail = 0.3989422804014327 * tl.sqrt(r) * tail
    if short:
        return tl.where(x <= limit, total, tl.exp(far) * tail)
    half = tl.exp(0.5 * far)
    return tl.where(x <= limit, total, half * tail * half)


@jit
def cyl_bessel_i0(x):
    """1e-13."""
    wide = _wide(x)
    return tl.where(wide != wide, wide, _bessel_i(tl.abs(wide), 0, x.dtype == tl.float32)).to(x.dtype)


@jit
def cyl_bessel_i1(x):
    """1e-13."""
    wide = _wide(x)
    result = _bessel_i(tl.abs(wide), 1, x.dtype == tl.float32)
    result = tl.where(wide < 0, -result, result)
    return tl.where(wide != wide, wide, result).to(x.dtype)
