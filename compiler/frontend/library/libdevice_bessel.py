"""The Bessel functions. Those of fp32 are computed in fp64 and rounded once more. First of orders 0 and 1:

Up to 8 a polynomial of the square, for the first kind beside its two zeros there, for the second beside the logarithm
that belongs to it; from 8 on the amplitude and the phase of the wave, as polynomials of (8 / x) * (8 / x). The
coefficients interpolate the functions, known to 60 digits, at Chebyshev's points; what they multiply goes from -1 to 1. Errors are 1e-15 of the amplitude, and relative for the first kind below 8.
"""

import triton.language as tl
from triton.language.extra import libdevice


@jit
def _wide(x):
    if x.dtype != tl.float32 and x.dtype != tl.float64:
        return tl.static_assert(False, f"`libdevice`: expected fp32 or fp64, found {x.dtype}")
    return x.to(tl.float64)


@jit
def _polynomial(x, coefficients):
    result = tl.full(x.shape, coefficients[len(coefficients) - 1], tl.float64)
    for i in tl.static_range(1, len(coefficients)):
        result = result * x + coefficients[len(coefficients) - 1 - i]
    return result


@jit
def _about_zero(x, zero, rest):
    # The difference of two squares; a zero is a number and the rest of it.
    return ((x - zero) - rest) * (x + zero)


# x is not negative, and the square is that of something below 8, from -1 to 1.


@jit
def _j0_near(x, square):
    zeros = _about_zero(x, 2.404825557695773, -1.176691651530894e-16) * \
        _about_zero(x, 5.520078110286311, 8.088597146146722e-17)
    return zeros * _polynomial(
        square, (0.0011434937743762545, -0.002119794289479692, 0.0015636431645931661, -0.0006415390646406123,
            0.00016977200713997844, -3.157342540223544e-05, 4.366932324640601e-06, -4.677128021300755e-07,
            3.9988393454959875e-08, -2.7948629678312687e-09, 1.627648945732473e-10, -8.023472603248695e-12,
            3.3923324014926297e-13, -1.2482966637990574e-14, 4.006178286297737e-16))


@jit
def _j1_near(x, square):
    zeros = _about_zero(x, 3.8317059702075125, -1.5269184090088067e-16) * \
        _about_zero(x, 7.015586669815619, -9.414165653410389e-17)
    return x * zeros * _polynomial(
        square, (0.00019498936985895625, -0.0002697522746716368, 0.00015860016799369858, -5.4080032390855064e-05,
            1.224217365301787e-05, -1.9890935159142006e-06, 2.442522260616403e-07, -2.352192254597121e-08,
            1.8268548082869076e-09, -1.169693248966763e-10, 6.2846769866729685e-12, -2.8755334378568987e-13,
            1.1384465070771561e-14, -3.9096323215705757e-16))


@jit
def _y0_near(x, square):
    return 0.6366197723675814 * libdevice.log(x) * _j0_near(x, square) + _polynomial(
        square, (-0.382250654459425, -0.8284358903604587, 1.6470964788745466, 0.14412632369302442,
            -1.0775477338215995, 0.6721770783431723, -0.21895747096171628, 0.046367047681347105,
            -0.0070257410572709695, 0.0008061586060550506, -7.279541882454126e-05, 5.321318633761208e-06,
            -3.218507844592323e-07, 1.6391065240160875e-08, -7.130461466149226e-10, 2.6818237435502344e-11,
            -8.840111900737966e-13, 2.5576616218907466e-14))


@jit
def _y1_near(x, square):
    pole = 0.6366197723675814 * (libdevice.log(x) * _j1_near(x, square) - 1.0 / x)
    return pole + x * _polynomial(
        square, (0.07075985882118005, -0.24337743079193114, 0.023367571720993584, 0.23507209206669755,
            -0.19639839859930425, 0.07854786922242532, -0.019628756833099427, 0.0034224907399188495,
            -0.00044381734351148726, 4.4674330126463756e-05, -3.6009998743823114e-06, 2.3804930420500538e-07,
            -1.3153322522176987e-08, 6.169688029976363e-10, -2.4887527719058385e-11, 8.760000901470383e-13,
            -2.6946935633741497e-14))


@jit
def _wave0(x):
    # The wave's parts along the phase and across, and the amplitude's scale; x is at least 8.
    r = 8.0 / x
    along = _polynomial(
        2.0 * r * r - 1.0, (0.9994572757882519, -0.0005363673192129684, 6.137416080147722e-06, -2.0527448258799454e-07,
            1.2803760990761632e-08, -1.2121099519052884e-09, 1.5500758850965851e-10, -2.4911156906092825e-11,
            4.7832464504070676e-12, -1.0160586409351026e-12, 2.486651879170221e-13, -1.0240462527458219e-13,
            3.2274659236696375e-14))
    across = r * _polynomial(
        2.0 * r * r - 1.0, (-0.015555113879513503, 6.833149099343349e-05, -1.4771388337607956e-06, 7.106214898484435e-08,
            -5.6687032442267705e-09, 6.432736726927442e-10, -9.475742351179434e-11, 1.7051726884410257e-11,
            -3.4904977440952908e-12, 8.259713596314508e-13, -3.119994376116503e-13, 9.575735875005847e-14))
    return along, across, 0.5641895835477563 / tl.sqrt(x)


@jit
def _wave1(x):
    r = 8.0 / x
    along = _polynomial(
        2.0 * r * r - 1.0, (1.0009070262780821, 0.0008988049416705195, -7.959694698478657e-06, 2.45367663311693e-07,
            -1.470851251614582e-08, 1.360297066536911e-09, -1.713127898085761e-10, 2.7234187811287063e-11,
            -5.1871998149145174e-12, 1.0958092927251801e-12, -2.668914316041983e-13, 1.0911783467601572e-13,
            -3.4273425511664546e-14))
    across = r * _polynomial(
        2.0 * r * r - 1.0, (0.04677687402744896, -9.621458822053857e-05, 1.821201852408518e-06, -8.291960750207848e-08,
            6.420118927317563e-09, -7.151057862334875e-10, 1.0400745817311543e-10, -1.8544350761823707e-11,
            3.771644965774865e-12, -8.87712379064879e-13, 3.3289005448364253e-13, -1.0179381589087164e-13))
    return along, across, 0.5641895835477563 / tl.sqrt(x)


@jit
def _split(x):
    # Each side's argument, kept where its side is good; and what the near side takes.
    near, far = tl.minimum(x, 8.0), tl.minimum(tl.maximum(x, 8.0), 1e300)
    return near, near * near * 0.03125 - 1.0, far, tl.sin(far), tl.cos(far)


@jit
def j0(x):
    size = tl.abs(_wide(x))
    near, square, far, sine, cosine = _split(size)
    along, across, scale = _wave0(far)
    wave = scale * (along * (cosine + sine) - across * (sine - cosine))
    result = tl.where(size < 8.0, _j0_near(near, square), tl.where(size < float("inf"), wave, 0.0))
    return tl.where(size != size, size, result).to(x.dtype)


@jit
def j1(x):
    wide = _wide(x)
    size = tl.abs(wide)
    near, square, far, sine, cosine = _split(size)
    along, across, scale = _wave1(far)
    wave = scale * (along * (sine - cosine) + across * (sine + cosine))
    result = tl.where(size < 8.0, _j1_near(near, square), tl.where(size < float("inf"), wave, 0.0))
    return tl.where(wide != wide, wide, tl.where(wide < 0, -result, result)).to(x.dtype)


@jit
def _of_second_kind(x, near, wave):
    result = tl.where(x < 8.0, near, tl.where(x < float("inf"), wave, 0.0))
    return tl.where(x == 0, -float("inf"), tl.where(x >= 0, result, float("nan")))


@jit
def y0(x):
    wide = _wide(x)
    near, square, far, sine, cosine = _split(wide)
    along, across, scale = _wave0(far)
    wave = scale * (along * (sine - cosine) + across * (sine + cosine))
    return _of_second_kind(wide, _y0_near(near, square), wave).to(x.dtype)


@jit
def y1(x):
    wide = _wide(x)
    near, square, far, sine, cosine = _split(wide)
    along, across, scale = _wave1(far)
    wave = scale * (across * (sine - cosine) - along * (sine + cosine))
    return _of_second_kind(wide, _y1_near(near, square), wave).to(x.dtype)


# Of any order, element by element, as each takes steps of its own: from the orders below where that is stable; of the
# first kind with more order than argument down from an order so high that nothing is left there, scaled by what the
# sum of all even orders is. Below order 0 there is none, as in CUDA.


@jit
def _first_kind(n, x, order0, order1):
    result = tl.where(n == 0, order0, order1)
    order = n.to(tl.float64)
    if n >= 2:
        result = order0 * 0.0
        if x > order:
            before, result = order0, order1
            for k in range(1, n):
                before, result = result, 2.0 * k / x * result - before
        elif order * tl.log(order / tl.maximum(x, 1e-300) * 0.7357588823428847) < 760.0:
            top = (n + tl.sqrt(160.0 * order).to(tl.int32)) // 2
            above, here, even, wanted = result, result + 1.0, result, result
            for step in range(0, 2 * top):
                k = 2 * top - step
                above, here = here, 2.0 * k / x * here - above
                even = tl.where(k % 2 == 1, even + here, even)
                wanted = tl.where(k == n, above, wanted)
                if tl.abs(here) > 1e100:
                    shrink = 1.0 / tl.abs(here)
                    above, here, even, wanted = above * shrink, here * shrink, even * shrink, wanted * shrink
            result = wanted / (2.0 * even - here)
    return tl.where(n < 0, float("nan"), result)


@jit
def _second_kind(n, x, order0, order1):
    before, result, k = order0, tl.where(n == 0, order0, order1), 1
    while (k < n) & (result > -float("inf")):
        before, result, k = result, 2.0 * k / x * result - before, k + 1
    return tl.where(n < 0, float("nan"), result)


@jit
def _order(n, x):
    # A number of the launch is one of 32 bits.
    number = n + tl.full(x.shape, 0, tl.int32)
    if number.dtype != tl.int32:
        return tl.static_assert(False, f"`libdevice`: expected an order of int32, found {number.dtype}")
    return number


@jit
def jn(x, y):
    wide = _wide(y)
    order, size = _order(x, y), tl.abs(wide)
    result = tl.map_elementwise(_first_kind, order, size, libdevice.j0(size), libdevice.j1(size))
    return tl.where(wide != wide, wide, tl.where((wide < 0) & (order % 2 == 1), -result, result)).to(y.dtype)


@jit
def yn(x, y):
    wide = _wide(y)
    order = _order(x, y)
    result = tl.map_elementwise(_second_kind, order, wide, libdevice.y0(wide), libdevice.y1(wide))
    return tl.where(wide == 0, tl.where(order < 0, float("nan"), -float("inf")), result).to(y.dtype)
