"""The Bessel functions. Those of fp32 are computed in fp64 and rounded once more. First of orders 0 and 1:

They begin as polynomials of the square, those of the second kind with the logarithm and the pole that belong to them.
Up to 8 they are a polynomial about each of their zeros z in t = (x - z) / (x + z), times t. From 8 on all are waves,
their amplitude and phase polynomials of (8 / x) * (8 / x). The coefficients interpolate the functions, known to 40
digits or more, at Chebyshev's points (`coefficients/derive.py`); `LIBDEVICE.md` has the errors.
"""


# From 0 to 8.


@jit
def _about(x, later, tables):
    # A polynomial about a zero: each table begins with the zero, and what it lacks.
    zero = _coefficient(later, tables, 0)
    t = ((x - zero) - _coefficient(later, tables, 1)) / (x + zero)
    return t * _of_tables(t, later, tables, 2)


@jit
def _j0_near(x):
    begin = tl.minimum(x, _number(1.0))
    about = _about(x, (x >= 4.0, ), ((
            2.404825557695773, -1.176691651530894e-16, -2.4969183393910135, -1.6407931188992748e-15,
            8.794455947530029, 19.253524121322656, 21.09693629478324, 1.6697737161784236, -48.18128721513406,
            -126.87063137163426, -215.44835498717663, -273.994536302037, -243.44125724367964, -54.70739860625716,
            354.0335412929771, 1012.6719331538775, 1889.786908729357, 2863.7557130088344, 3699.3062852549488,
            4027.2922908467226, 3354.641318655438, 1246.7223916886085, -2446.6654693390706, -8534.260560327004,
            -20107.771461214405, -37727.78009342435, -48704.58911536017, -36839.956028388326, -12208.987246178776), (
            5.520078110286311, 8.088597146146722e-17, 3.7565766207673077, -9.710070985573766e-16,
            -75.05956227672306, -152.62350896728782, 206.35444823503192, 1493.9559710964752, 3008.0997608187795,
            1381.5492276471418, -9013.825012699152, -31240.225492464837, -55884.471328116146, -50169.448108880235,
            43472.15980956659, 284593.44877996645, 675890.4390691785, 1071770.9650536054, 1083851.8525020743,
            44582.26693129847, -2773595.6146661597, -7522225.224382056, -15214226.355472483, -28059488.413436726,
            -15848315.845238525, 48052166.795031846, 0.0, 0.0, 0.0)))
    return tl.where(x < 1.0, _polynomial(begin * begin, (
            1.0, -0.24999999999999997, 0.01562499999999924, -0.0004340277777716915, 6.7816840038577304e-06,
            -6.781678921451863e-08, 4.708898617316561e-10, -2.365537624120522e-12)), about)


@jit
def _j1_near(x):
    begin = tl.minimum(x, _number(2.0))
    about = _about(x, (x >= 5.375, ), ((
            3.8317059702075125, -1.5269184090088067e-16, -3.086511162141284, 2.88858465469893e-15,
            27.124199683956153, 60.42142169218968, 23.003636108922144, -185.6622350354675, -582.6496139291264,
            -958.8657406220418, -789.0819963492667, 687.4384157001366, 4116.376853812687, 9390.738174769553,
            14852.105629595366, 16633.91325570723, 8610.903723543604, -16520.254635555124, -64678.06146160132,
            -136212.4676171834, -218883.7139640557, -276891.3064512093, -253381.79634250622, -129465.3992704799,
            1804.265120811333, 29027.26079432557), (
            7.015586669815619, -9.414165653410389e-17, 4.210976145648037, -2.6761147086419747e-15,
            -133.96085418520244, -276.3436606616823, 839.2788600938084, 4666.721106930393, 7072.344619072605,
            -8649.054226656617, -64418.06335740227, -146249.3201205866, -133720.69468716855, 236616.22335645056,
            1243699.7148301115, 2757095.548774598, 3529702.283100479, 598390.6425217355, -9707687.270489823,
            -24789731.85689136, -24806462.909827482, 0.0, 0.0, 0.0, 0.0, 0.0)))
    return tl.where(x < 2.0, begin * _polynomial(begin * begin, (
            0.5, -0.06249999999999989, 0.002604166666665916, -5.4253472220293464e-05, 6.78168400295743e-07,
            -5.651401561409942e-09, 3.36385424511786e-11, -1.4998602826438398e-13, 4.959832941234873e-16)), about)


@jit
def _y0_begin(x):
    square = x * x
    return tl.fma(0.6366197723675814 * libdevice.log(x), _polynomial(square, (
            1.0, -0.25, 0.015624999999999552, -0.00043402777776703364, 6.781683904965335e-06,
            -6.781611954445998e-08, 4.688521804703206e-10)), _polynomial(square, (
            -0.07380429510868723, 0.17760601686906713, -0.016073968025937652, 0.0005386026668431298,
            -9.495004993465437e-06, 1.0358351761228441e-07, -7.656902305666093e-10)))


@jit
def _y1_begin(x):
    # The pole by itself, whose reciprocal alone may overflow.
    square = x * x
    rest = tl.fma(0.6366197723675814 * libdevice.log(x), _polynomial(square, (
            0.5, -0.0625, 0.0026041666666666245, -5.425347222188369e-05, 6.781684014473481e-07,
            -5.651400516539017e-09, 3.363594587073431e-11, -1.4810340425735234e-13)), _polynomial(square, (
            -0.19605709064623894, 0.05434868816051024, -0.0029553053360797557, 7.164268749911717e-05,
            -9.926740594962023e-07, 8.931874399263736e-09, -5.647406738997055e-11, 2.611376786177299e-13)))
    return tl.fma(x, rest, -0.6366197723675814 / x)


@jit
def _y0_near(x):
    begin = _y0_begin(tl.minimum(x, _number(0.5)))
    about = _about(x, (x >= 2.375, x >= 5.5), ((
            0.8935769662791675, 2.6596231539720385e-17, 1.5716603455564686, 1.1501421289788545e-15,
            -0.3127392381495165, -1.6732520400046562, -2.3965906043764567, -3.4813817174635147, -3.794533393748864,
            -3.9484291043857884, -3.090215882103818, -1.6927960126602988, 0.8661632389458281, 4.1167292290686195,
            8.446549797419456, 13.313056809921958, 18.815973286847093, 24.03927590937615, 30.115391346616672,
            38.596483030425034, 26.47841405967083, -4.715128165333937, 196.03025994257322, 228.81661186161,
            -1334.2263040124026, 348.4061654137314, 6054.585553201128, -7990.224915181369, -8646.03889962464,
            25621.55473324005, -16458.342061063136), (
            3.957678419314858, -1.0764340697562706e-16, -3.1862688898747153, 3.3643674954089034e-16,
            32.209394189065925, 66.54296763804766, 8.258087226145031, -257.2076935904302, -717.0823892835815,
            -1060.3750757699204, -594.4564673384249, 1582.8077284553935, 6053.932953501076, 12207.910939577301,
            17263.72711035121, 15657.55116231085, -535.1453501080031, -39465.60116495263, -105444.76378742572,
            -193446.8576172189, -278931.9028169776, -295606.6188587418, -151520.31947166484, 93756.43189114159,
            146263.1487238404, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (
            7.086051060301773, -8.835285723085408e-17, 4.253014044660811, 2.169799239587937e-15,
            -140.95089531524027, -284.73713332693166, 946.5229762969942, 5035.532880593528, 7154.208112989152,
            -11132.349931421726, -72386.80459245606, -156257.71056342148, -122931.16754666208, 317328.17835551966,
            1441163.8186516524, 3013868.742890187, 3511431.735637272, -109757.60007367098, -8837898.999635156,
            -12350103.693772154, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    return tl.where(x < 0.5, begin, about)


@jit
def _y1_near(x):
    begin = _y1_begin(tl.minimum(x, _number(1.0)))
    about = _about(x, (x >= 3.75, ), ((
            2.197141326031017, -4.8259835876454966e-17, 2.288482697448908, 9.057090989698906e-17,
            -5.076510664646377, -14.729986724190704, -18.587694087685456, -12.800770864340834, 15.023860217942556,
            63.79609419844848, 133.0708406331044, 201.3892231172662, 243.33257060741806, 212.8812252385763,
            67.56153444658223, -240.03907022712332, -729.8573988072088, -1396.3239882807563, -2174.5113316920865,
            -2943.571831518113, -3470.286594265652, -3418.2377306068875, -2658.455607823874, -1542.7048106810562,
            1313.975304202015, 11073.829308156863, 26533.544292911505, 29851.00781170509, 13309.946197290763), (
            5.429681040794135, 4.162514026670377e-16, -3.695636879237481, 7.052021022564039e-16, 68.9394850482262,
            145.27024385492524, -155.95971622080933, -1306.3534878679623, -2796.352116517787, -1793.8996363553224,
            6768.990750280508, 26414.428976171243, 50776.385682322056, 53552.364497894414, -14980.401545359424,
            -212430.4990342175, -558308.1780395063, -957032.2556501074, -1110927.2974835692, -468208.64400873723,
            1691521.3513856872, 5760089.166496647, 11570932.710009795, 21180125.47290808, 29875467.00490387,
            -7590789.612137674, -72695964.25198106, 0.0, 0.0)))
    return tl.where(x < 1.0, begin, about)


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
    # Each side's argument, kept where its side is good.
    near, far = tl.minimum(x, _number(8.0)), tl.maximum(x, _number(8.0))
    return near, far, tl.sin(far), tl.cos(far)


@jit
def j0(x: Value) -> tensor:
    """The Bessel function of the first kind of order 0."""
    size = tl.abs(_wide(x))
    near, far, sine, cosine = _split(size)
    along, across, scale = _wave0(far)
    wave = scale * (along * (cosine + sine) - across * (sine - cosine))
    result = tl.where(size < 8.0, _j0_near(near), tl.where(size < float("inf"), wave, _number(0.0)))
    return tl.where(size != size, size, result).to(x.dtype)


@jit
def j1(x: Value) -> tensor:
    """The Bessel function of the first kind of order 1."""
    wide = _wide(x)
    size = tl.abs(wide)
    near, far, sine, cosine = _split(size)
    along, across, scale = _wave1(far)
    wave = scale * (along * (sine - cosine) + across * (sine + cosine))
    result = tl.where(size < 8.0, _j1_near(near), tl.where(size < float("inf"), wave, _number(0.0)))
    return tl.where(wide != wide, wide, result * libdevice.copysign(_number(1.0), wide)).to(x.dtype)


@jit
def _of_second_kind(x, near, wave):
    result = tl.where(x < 8.0, near, tl.where(x < float("inf"), wave, _number(0.0)))
    return tl.where(x == 0, -float("inf"), tl.where(x >= 0, result, float("nan")))


@jit
def y0(x: Value) -> tensor:
    """The Bessel function of the second kind of order 0."""
    wide = _wide(x)
    near, far, sine, cosine = _split(wide)
    along, across, scale = _wave0(far)
    wave = scale * (along * (sine - cosine) + across * (sine + cosine))
    return _of_second_kind(wide, _y0_near(near), wave).to(x.dtype)


@jit
def y1(x: Value) -> tensor:
    """The Bessel function of the second kind of order 1."""
    wide = _wide(x)
    near, far, sine, cosine = _split(wide)
    along, across, scale = _wave1(far)
    wave = scale * (across * (sine - cosine) - along * (sine + cosine))
    return _of_second_kind(wide, _y1_near(near), wave).to(x.dtype)


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
        elif order * tl.log(order / tl.maximum(x, _number(1e-300)) * 0.7357588823428847) < 760.0:
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
def jn(x: Value, y: Value) -> tensor:
    """The Bessel function of the first kind of order `x`, an integer."""
    wide = _wide(y)
    order, size = _order(x, y), tl.abs(wide)
    result = tl.map_elementwise(_first_kind, order, size, libdevice.j0(size), libdevice.j1(size))
    sign = tl.where(order % 2 == 1, libdevice.copysign(_number(1.0), wide), _number(1.0))
    return tl.where(wide != wide, wide, result * sign).to(y.dtype)


@jit
def yn(x: Value, y: Value) -> tensor:
    """The Bessel function of the second kind of order `x`, an integer."""
    wide = _wide(y)
    order = _order(x, y)
    result = tl.map_elementwise(_second_kind, order, wide, libdevice.y0(wide), libdevice.y1(wide))
    return tl.where(wide == 0, tl.where(order < 0, float("nan"), -float("inf")), result).to(y.dtype)
