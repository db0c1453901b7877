"""Functions of libdevice that are short, of multiples of pi, and modified Bessel functions. Where fp32 is computed in
fp64 it is rounded once more; `LIBDEVICE.md` has the errors.
"""


@jit
def saturatef(x: Value) -> tensor:
    """A float32 held between 0 and 1."""
    return tl.where(x > 0, tl.minimum(x, 1.0), 0.0)


@jit
def fdim(x: Value, y: Value) -> tensor:
    """`x - y` where that is positive, else 0."""
    return tl.where(x <= y, 0.0, x - y)


@jit
def rcbrt(x: Value) -> tensor:
    """One over the cube root."""
    # A step of Newton's makes good what root and quotient lose; of small numbers where nothing of it vanishes.
    double: tl.constexpr = x.dtype == tl.float64
    small = tl.abs(x) < tl.full([], 2.0**-900 if double else 2.0**-90, x.dtype)
    value = tl.where(small, x * (2.0**540 if double else 2.0**60), x)
    root = libdevice.cbrt(value)
    square = libdevice.mul_rn(root, root)
    rest = tl.fma(-square, root, value) - root * tl.fma(root, root, -square)
    guess = libdevice.rcp_rn(root)
    step = tl.fma(-root, guess, tl.full([], 1.0, x.dtype)) - rest / (3.0 * value)
    exact = tl.where(tl.abs(step) < 1.0, tl.fma(guess, step, guess), guess)
    return tl.where(small, exact * (2.0**180 if double else 2.0**20), exact)


@jit
def rsqrt_rn(x: Value) -> tensor:
    """One over the square root of a float32, rounded to nearest."""
    return (1.0 / tl.sqrt(_wide(x))).to(x.dtype)


# Sines of multiples of pi: what the nearest quarter turn leaves is exact.


@jit
def _quarters(x):
    turns = x - 2.0 * libdevice.rint(x * 0.5)
    quarter = libdevice.rint(2.0 * turns)
    rest = turns - 0.5 * quarter
    square = rest * rest
    sine = rest * tl.fma(square, _polynomial(square, (
            -5.16771278004997, 2.550164039877345, -0.5992645293206478, 0.08214588659727676, -0.0073704303122948235,
            0.0004662879326147475, -2.174206734247524e-05)), _number(1.2246467991473532e-16))
    sine = tl.fma(rest, _number(3.141592653589793), sine)
    cosine = tl.fma(square * square, _polynomial(square, (
            4.0587121264167685, -1.335262768854446, 0.2353306303321202, -0.025806889561762966,
            0.0019295178624638828, -0.00010383432135634779)), 1.0 - square * 4.934802200544679)
    return quarter.to(tl.int32) & 3, sine, cosine


@jit
def sinpi(x: Value) -> tensor:
    """The sine of `pi * x`."""
    wide = _wide(x)
    quarter, sine, cosine = _quarters(wide)
    result = tl.where((quarter & 1) == 0, sine, cosine)
    result = tl.where(quarter >= 2, -result, result)
    result = tl.where(result == 0.0, libdevice.copysign(result, wide), result)
    return tl.where(tl.abs(wide) < float("inf"), result, float("nan")).to(x.dtype)


@jit
def cospi(x: Value) -> tensor:
    """The cosine of `pi * x`."""
    wide = _wide(x)
    quarter, sine, cosine = _quarters(wide)
    result = tl.where((quarter & 1) == 0, cosine, sine)
    result = tl.where((quarter == 1) | (quarter == 2), -result, result)
    result = tl.where(result == 0.0, tl.abs(result), result)
    return tl.where(tl.abs(wide) < float("inf"), result, float("nan")).to(x.dtype)


# Modified Bessel functions: up to 16 polynomials of the square, beyond of the reciprocal, which interpolate the
# functions, known to 50 digits, at Chebyshev's points (`coefficients/derive.py`).


@jit
def _of_square(square, lost, value):
    # The error of the square counts x / 2 times; the slope of the logarithm need not be known well.
    return tl.fma(value * lost, 0.5 / (1.0 + tl.sqrt(1.0 + square)), value)


@jit
def _bessel_i(x, order: tl.constexpr):
    # From 0 on.
    near = tl.minimum(x, _number(16.0))
    square = near * near
    lost = tl.fma(near, near, -square)
    far = tl.minimum(tl.maximum(x, _number(16.0)), _number(720.0))
    r = 1.0 / far
    if order == 0:
        value = _of_square(square, lost, _polynomial(square * 0.25, (
            1.0, 1.0, 0.24999999999999992, 0.027777777777777866, 0.0017361111111110549, 6.94444444444663e-05,
            1.9290123456733182e-06, 3.936759889246195e-08, 6.151187325340686e-10, 7.594058443155248e-12,
            7.594058306254179e-14, 6.27608212666242e-16, 4.358385821771996e-18, 2.5789454001069693e-20,
            1.31572493953211e-22, 5.849400885037068e-25, 2.2810861670269522e-27, 7.96141528287724e-30,
            2.3598701161124313e-32, 7.627671693592106e-35, 9.674390304215471e-38, 8.195194289589269e-40,
            -9.832101833561051e-43, 5.575991745721734e-45)))
        tail = _polynomial(r, (
            0.39894228040143276, 0.04986778505009039, 0.02805062913585977, 0.029219393788883927,
            0.04474391195360466, 0.0904460681816816, 0.2379403730255667, 0.2969608800187015, 13.402194501667067,
            -197.0624599257179, 2564.1235701233645, -17895.51884959435, 60961.2389062945))
    else:
        value = 0.5 * near * _of_square(square, lost, _polynomial(square * 0.25, (
            1.0, 0.49999999999999994, 0.08333333333333343, 0.006944444444444341, 0.0003472222222222821,
            1.1574074074052786e-05, 2.755731922449283e-07, 4.920949860570035e-09, 6.834652595980294e-11,
            7.594058327209236e-13, 6.9036902203122595e-15, 5.230063515758528e-17, 3.352627161898201e-19,
            1.8420200651098047e-21, 8.773988913430995e-24, 3.6499295689930154e-26, 1.3531891374228692e-28,
            4.250236874285303e-31, 1.4475215879350809e-33, 1.942850127981492e-36, 1.7191028926759345e-38,
            -2.163225199095602e-41, 1.2833046589580917e-43)))
        tail = _polynomial(r, (
            0.3989422804014326, -0.1496033551504435, -0.04675104853224233, -0.04090715525563748,
            -0.05752749824396867, -0.11057114784809449, -0.28000920888819675, -0.3806982777713601,
            -14.350017917417032, 207.70616173679517, -2712.9096865877723, 18917.987997171193, -64563.66445341845))
    # The exponential would overflow before the result does.
    return tl.where(x <= 16.0, value, tl.exp(far - 8.0) * (tail / tl.sqrt(far) * 2980.9579870417283))


@jit
def cyl_bessel_i0(x: Value) -> tensor:
    """The modified cylindrical Bessel function of order 0."""
    wide = _wide(x)
    return tl.where(wide != wide, wide, _bessel_i(tl.abs(wide), 0)).to(x.dtype)


@jit
def cyl_bessel_i1(x: Value) -> tensor:
    """The modified cylindrical Bessel function of order 1."""
    wide = _wide(x)
    result = libdevice.copysign(_bessel_i(tl.abs(wide), 1), wide)
    return tl.where(wide != wide, wide, result).to(x.dtype)
