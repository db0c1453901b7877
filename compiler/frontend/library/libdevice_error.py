"""The error function's kin: scaled, of the normal distribution, and inverse. Those of fp32 are computed in fp64 and
rounded once more, but for `erfinv`.

The polynomials interpolate the functions, known to 40 digits, at Chebyshev's points (`coefficients/derive.py`);
`LIBDEVICE.md` has the errors.
"""


@jit
def _scaled_tail(x):
    # exp(x * x) * erfc(x) from 0 on: a polynomial of (x - 2) / (x + 2) over x + 2, as Shepherd and Laframboise have it
    # in "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x". What sum, difference and quotient lose is made good.
    sum = x + 2.0
    difference = x - 2.0
    inverse = 1.0 / sum
    t = difference * inverse
    lost = tl.fma(-t, sum, difference) - t * (x - (sum - 2.0)) + (x - (difference + 2.0))
    return _polynomial(tl.fma(lost, inverse, t), (
            1.021582705242023, -0.6871606844138102, 0.2794720925560547, -0.036442231506922836,
            -0.021510661889486426, 0.006479185069310028, 0.003090612059312434, -0.0008372960886356153,
            -0.000663073509073882, 3.4371680319347264e-05, 0.00014447079620046643, 3.414748054725252e-05,
            -2.1696532340109436e-05, -1.611548837469618e-05, -1.1244034778588728e-06, 3.629500461679375e-06,
            1.999362119581824e-06, 2.8346296513609118e-08, -5.676806673916438e-07, -3.581655803025121e-07,
            -6.5759272455207115e-09, 1.3983198251622205e-07, 5.99915938182997e-08, -2.661965682341084e-08,
            -2.0155627393974865e-08, 2.1479412981215555e-09, 2.5131744537192395e-09)) / sum


@jit
def erfcx(x: Value) -> tensor:
    """`exp(x * x) * erfc(x)`."""
    wide = _wide(x)
    size = tl.abs(wide)
    square = size * size
    tail = _scaled_tail(tl.minimum(size, _number(1e300)))
    growth = 2.0 * tl.exp(square)
    growth = tl.where(growth < float("inf"), tl.fma(growth, tl.fma(size, size, -square), growth), growth)
    result = tl.where(wide < 0.0, growth - tail, tl.where(size < 1e300, tail, 0.5641895835477563 / size))
    return tl.where(wide != wide, wide, result).to(x.dtype)


@jit
def normcdf(x: Value) -> tensor:
    """The distribution function of the standard normal distribution."""
    # An error of erfc's argument counts 700 times in fp64 where it is large: erfc has the slope of a Gaussian.
    wide = tl.minimum(tl.maximum(_wide(x), _number(-40.0)), _number(40.0))
    z = wide * -0.7071067811865476
    result = 0.5 * libdevice.erfc(z)
    if x.dtype == tl.float64:
        lost = tl.fma(wide, _number(-0.7071067811865476), -z) + wide * 4.833646656726457e-17
        result = tl.fma(tl.exp(-z * z) * -0.5641895835477563, lost, result)
    return tl.where(x != x, float("nan"), result).to(x.dtype)


# Inverses: of ln(1 - x * x) functions of which x times a polynomial takes the form from the middle to the ends. Giles,
# "Approximating the erfinv function".


@jit
def _short_erfinv(x):
    # To 2e-8 before anything is rounded. The first coefficients are sums: what they lack counts relative to their size.
    log = -libdevice.log(tl.fma(-x, x, tl.full([], 1.0, tl.float32)))
    near = _polynomial(log - 2.5, (
            -5.09800301e-08, 0.246640279, -0.00417739288, -0.00125272639, 0.000218349386, -4.97241969e-06,
            -3.46398527e-06, 4.68131348e-07, 2.33359672e-08, -8.93192597e-09))
    far = _polynomial(tl.sqrt(tl.maximum(log, 5.0)) - 3.25, (
            -8.18813403e-08, 1.00525926, 0.00537226345, -0.00375674822, 0.00247790112, -0.00166000817, 0.00100312651,
            -0.000410547148, -5.45632444e-05, 0.000111538581))
    first = tl.where(log < 5.0, tl.full([], 1.50140941, tl.float32), tl.full([], 3.08388567, tl.float32))
    result = libdevice.copysign(tl.fma(x, first, x * tl.where(log < 5.0, near, far)), x)
    result = tl.where(tl.abs(x) == 1.0, x * float("inf"), result)
    return tl.where(tl.abs(x) <= 1.0, result, float("nan"))


@jit
def _inverse(x, log):
    # erfinv(x), where `log` is -ln(1 - x * x) up to 37.
    root = tl.sqrt(log)
    later = (root >= 2.2912878474779204, root >= 3.75)
    v = tl.where(later[1], root - 4.875, tl.where(later[0], root - 3.0, log - 2.625))
    tables: tl.constexpr = ((
            1.5321717215377202, 0.24553892499857974, -0.004626732011195445, -0.0011444927646084232,
            0.00021435985800545367, -7.400322050540795e-06, -2.993598993504174e-06, 4.862541520073757e-07,
            1.870763102313228e-09, -9.637423094666538e-09, 1.0403229209050404e-09, 7.441719481682503e-11,
            -2.8929173012354642e-11, 1.7225376648488108e-12, 3.9013440188379655e-13, -7.82288022399327e-14,
            7.290761067559744e-16, 1.5461336409985824e-15, -1.7904858135779183e-16, -1.550575446113642e-17,
            4.634973699572067e-18, 2.2469111606604405e-20, -5.3865722832452986e-20), (
            2.8329767987282706, 1.0016752766933996, 0.00944552201198241, -0.007643805570024835, 0.0056851824183381,
            -0.0035587940175855638, 0.0014837373336726476, -0.00014889806844782533, -0.00028312430552529164,
            0.00020551621066637303, -4.646113666592869e-05, -2.287061487821958e-05, 2.1937150696269598e-05,
            -5.957559791845125e-06, -1.658127755066089e-06, 2.024451709549792e-06, -6.375806575221974e-07,
            -1.1677837917898877e-07, 1.6625291112918139e-07, -3.2657427644890314e-08, -7.526329660895806e-09, 0.0,
            0.0), (
            4.7236171149637975, 1.0103244465623906, -5.0556819531072984e-05, -0.0002562887347726919,
            8.942926144158422e-05, -2.342953159471133e-05, 5.50797977423808e-06, -1.268329684974324e-06,
            3.3147796418765605e-07, -1.2098444095943618e-07, 6.033885684899954e-08, -3.232833508343468e-08,
            1.579624340487358e-08, -6.516258777971841e-09, 2.1264359267210885e-09, -4.5656145211411056e-10,
            -2.2164823488206728e-11, 7.865934702298398e-11, -3.4541600767408726e-11, 5.6324342362384495e-12, 0.0,
            0.0, 0.0))
    return x * _of_tables(v, later, tables, 0)


@jit
def erfinv(x: Value) -> tensor:
    """The inverse of the error function."""
    if x.dtype == tl.float32:
        return _short_erfinv(x)
    wide = _wide(x)
    size = tl.abs(wide)
    bounded = tl.where(size < 1.0, size, _number(0.0))
    result = libdevice.copysign(_inverse(bounded, -libdevice.log((1.0 - bounded) * (1.0 + bounded))), wide)
    result = tl.where(size == 1.0, wide * float("inf"), result)
    return tl.where(size <= 1.0, result, float("nan"))


@jit
def _erfcinv(x):
    # Near 0 there is more to come than for erfinv.
    near = tl.minimum(x, 2.0 - x)
    rest = tl.where(near > 0.0, near, _number(1.0))
    log = -libdevice.log(rest * (2.0 - rest))
    root = tl.sqrt(tl.maximum(log, _number(36.0)))
    far = root * _polynomial((root - 12.0) / (root + 12.0), (
            0.991773930619396, 0.025996146298539184, -0.038206715351325915, 0.04128417900621825,
            -0.03986231650224791, 0.034919234179925186, -0.027484170176742723, 0.018099167462807597,
            -0.007338880458805557, -0.004375839445717042, 0.016612739402873153, -0.029024881081404406,
            0.04125193129903199, -0.052858040800226935, 0.06375320956951325, -0.07545090351366149,
            0.08610591319618856, -0.08243575311825223, 0.07435828685557354, -0.12340757489111176,
            0.19121345725949193, -0.11929468479155342))
    result = tl.where(log < 36.5, _inverse(1.0 - rest, tl.minimum(log, _number(37.0))), far)
    result = tl.where(near == 0.0, float("inf"), result)
    result = tl.where(near >= 0.0, result, float("nan"))
    return tl.where(x > 1.0, -result, result)


@jit
def erfcinv(x: Value) -> tensor:
    """The inverse of `erfc`."""
    return _erfcinv(_wide(x)).to(x.dtype)


@jit
def normcdfinv(x: Value) -> tensor:
    """The inverse of `normcdf`."""
    return (0.0 - 1.4142135623730951 * _erfcinv(2.0 * _wide(x))).to(x.dtype)
