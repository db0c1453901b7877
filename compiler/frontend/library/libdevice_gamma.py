"""The gamma function and its logarithm. Those of fp32 are computed in fp64 and rounded once more.

The polynomials interpolate the functions, known to 40 digits, at Chebyshev's points (`coefficients/derive.py`);
`LIBDEVICE.md` has the errors.
"""


@jit
def _either(first, x, a, b):
    # The polynomial of the coefficients `a`, or of `b`, as many.
    last: tl.constexpr = len(a) - 1
    result = tl.where(first, _number(a[last]), _number(b[last]))
    for i in tl.static_range(1, len(a)):
        result = tl.fma(result, x, tl.where(first, _number(a[last - i]), _number(b[last - i])))
    return result


@jit
def _stirling(x):
    # ln(gamma(x)) less Stirling's formula, from 8 on.
    r = 1.0 / x
    return r * _polynomial(r * r, (
            0.08333333333333333, -0.002777777777773988, 0.000793650789752374, -0.0005952365844987332,
            0.0008414700845084233, -0.0018903829559755586, 0.005065904614765912))


@jit
def _near_zeros(v, one):
    # ln(gamma(1 + v)) for v from -0.3 to 0.5 where `one`, else ln(gamma(2 + v)) from -0.5 to 1.
    return v * _either(one, v, (
            -0.5772156649015329, 0.8224670334241133, -0.400685634386533, 0.27058080842773163, -0.20738555102815215,
            0.16955717700589343, -0.1440498968396768, 0.1255096689394993, -0.11133426092127194, 0.1000994769223122,
            -0.09095421424102862, 0.08335357925084214, -0.07692787348927317, 0.07143116449194345,
            -0.06673211728718553, 0.06260938579386507, -0.05838317540850954, 0.05411600882214482,
            -0.05324793520091046, 0.05780057953499726, -0.05680956912029077, 0.037165184274468466,
            -0.011104720918935662), (
            0.42278433509846713, 0.3224670334241132, -0.06735230105319796, 0.020580808427787502,
            -0.007385551028687111, 0.0028905103306125996, -0.0011927539111748094, 0.0005096695270786523,
            -0.00022315476914202685, 9.945749459386184e-05, -4.4926118904862264e-05, 2.050723289467849e-05,
            -9.440199753274835e-06, 4.375472004777847e-06, -2.0371195482358996e-06, 9.511969731319312e-07,
            -4.5041997201473635e-07, 2.2102374422908605e-07, -1.0784595012220329e-07, 4.4561979632842775e-08,
            -1.2394516911278076e-08, 1.6305432352127331e-09, 0.0))


@jit
def _log_gamma(x):
    # From -1/2 on. Below 8 the recurrence leads to one of the polynomials near the two zeros, and leaves a factor.
    whole = tl.floor(tl.minimum(x, _number(8.0)))
    one = (x >= 0.7) & (x < 1.5)
    factor = tl.where(x < 0.7, tl.abs(x * (1.0 + x)), _number(1.0))
    for i in tl.static_range(1, 6):
        factor = factor * tl.where(whole >= i + 2.0, x - i, _number(1.0))
    v = tl.where(x < 0.7, x, tl.where(one, x - 1.0, x - tl.maximum(whole, _number(2.0))))
    far = x >= 8.0
    log = libdevice.log(tl.where(far, x, factor))
    near = _near_zeros(tl.where(far, _number(0.0), v), one) + tl.where(x < 0.7, -log, log)
    beyond = (x - 0.5) * (log - 1.0) + (0.4189385332046727 + _stirling(tl.maximum(x, _number(8.0))))
    return tl.where(far, beyond, near)


@jit
def lgamma(x: Value) -> tensor:
    """The logarithm of the absolute value of the gamma function."""
    # Below -1/2 gamma(-z) = -pi / (z sin(pi z) gamma(z)).
    wide = _wide(x)
    size = tl.abs(wide)
    reflects = wide < -0.5
    positive = _log_gamma(tl.where(reflects, size, wide))
    sine = tl.abs(libdevice.sinpi(size))
    result = tl.where(reflects, -libdevice.log(size * sine * 0.3183098861837907) - positive, positive)
    result = tl.where((reflects & (sine == 0.0)) | (size == float("inf")), _number(float("inf")), result)
    return tl.where(wide != wide, wide, result).to(x.dtype)


@jit
def _gamma_near(x):
    # Between -10 and 10: the recurrence leads to a polynomial from 2 to 3.
    whole = tl.floor(x)
    up = whole >= 2.0
    steps = tl.where(up, whole - 2.0, 2.0 - whole)
    product = tl.where(steps > 0.0, tl.where(up, x - 1.0, x), _number(1.0))
    for i in tl.static_range(1, 12):
        product = product * tl.where(steps > i, tl.where(up, x - (i + 1.0), x + i), _number(1.0))
    base = _polynomial(x - whole, (
            1.0, 0.422784335098474, 0.4118403304257784, 0.0815769192724158, 0.07424901024086462,
            -0.00026697574582905636, 0.011153994022749001, -0.0028523500948622023, 0.002102705918157438,
            -0.0009157847795095307, 0.0004815410738362281, -0.00022513922269105772, 9.99185944729684e-05,
            -3.7550442217114684e-05, 1.0978719006121305e-05, -2.136943845196918e-06, 2.038631996005556e-07))
    return tl.where(up, base * product, base / product)


@jit
def _gamma_far(x, size):
    # From 10 on by the exponential, a power in two halves, as one alone overflows before the product does, and what
    # Stirling's formula leaves; at -10 and below by its reciprocal.
    z = tl.minimum(tl.maximum(size, _number(10.0)), _number(186.0))
    half = libdevice.pow(z, 0.5 * z - 0.25)
    rest = 2.5066282746310002 * tl.exp(-z) * _polynomial(1.0 / z, (
            1.0, 0.083333333333292, 0.00347222222823875, -0.0026813276013871457, -0.00022945369765159403,
            0.0007835753403061184, 7.694131069967617e-05, -0.0006601181395253286, 0.0003076802097630426))
    below = -3.141592653589793 / (z * libdevice.sinpi(size) * rest) / half / half
    return tl.where(x < 0.0, below, rest * half * half)


@jit
def tgamma(x: Value) -> tensor:
    """The gamma function."""
    wide = _wide(x)
    size = tl.abs(wide)
    near = _gamma_near(tl.where(size < 10.0, wide, _number(2.0)))
    result = tl.where(size < 10.0, near, _gamma_far(wide, size))
    result = tl.where((wide < 0.0) & (wide == tl.floor(wide)), float("nan"), result)
    return tl.where(wide != wide, wide, result).to(x.dtype)
