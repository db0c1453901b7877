"""libdevice on bits and integers, in directions of rounding, and where mathematics has names for functions."""

import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from harness import array, close, empty, launch, reals, same

import tegula as triton
import tegula.language as tl
from tegula.language.extra import libdevice


def of(count, name):
    """A kernel that calls a function of libdevice with so many arrays."""
    function = getattr(libdevice, name)

    @triton.jit
    def one(x, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i)))

    @triton.jit
    def two(x, y, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i), tl.load(y + i)))

    @triton.jit
    def three(x, y, z, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i), tl.load(y + i), tl.load(z + i)))

    @triton.jit
    def four(x, y, z, t, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i), tl.load(y + i), tl.load(z + i), tl.load(t + i)))

    return (one, two, three, four)[count - 1]


def apply(name, *arrays, result=None):
    out = empty(result or arrays[0].name, arrays[0].stored.shape)
    launch(of(len(arrays), name), *arrays, out, N=len(out.stored))
    return out


def words(kind, seed=0, count=256):
    info = np.iinfo(kind)
    values = np.random.default_rng(seed).integers(info.min, info.max, count, kind, endpoint=True)
    values[:4] = [0, 1, info.min, info.max]
    return array(kind, values)


@pytest.mark.parametrize("name, source, result", [
    ("int_as_float", "int32", "float32"), ("uint_as_float", "uint32", "float32"), ("float_as_int", "float32", "int32"),
    ("float_as_uint", "float32", "uint32"), ("longlong_as_double", "int64", "float64"),
    ("double_as_longlong", "float64", "int64")])
def test_bits_of_another_type(name, source, result):
    x = reals(source, 256) if source.startswith("float") else words(source)
    found = apply(name, x, result=result)
    np.testing.assert_array_equal(found.stored.view(f"uint{found.stored.itemsize * 8}"),
                                  x.stored.view(f"uint{x.stored.itemsize * 8}"))


def test_halves_of_a_double():
    x = reals("float64", 256)
    high, low = apply("double2hiint", x, result="int32"), apply("double2loint", x, result="int32")
    same(high, (x.values.view(np.int64) >> 32).astype(np.int32))
    same(low, x.values.view(np.int64).astype(np.int32))
    same(apply("hiloint2double", high, low, result="float64"), x.values)


@pytest.mark.parametrize("kind", ["int32", "int64"])
def test_bits_in_reverse(kind):
    x = words(kind)
    bits = 32 if kind == "int32" else 64
    expected = [int(format(int(value) % 2**bits, f"0{bits}b")[::-1], 2) for value in x.values]
    np.testing.assert_array_equal(apply("brev", x).values.view(f"uint{bits}"), np.array(expected, f"uint{bits}"))


def test_chosen_bytes():
    x, y, z = (words("int32", seed) for seed in range(3))
    expected = []
    for a, b, c in zip(x.values, y.values, z.values):
        source = struct.pack("<ii", a, b)
        expected.append(struct.unpack("<i", bytes(source[(int(c) >> 4 * i) & 7] for i in range(4)))[0])
    same(apply("byte_perm", x, y, z), expected)


@pytest.mark.parametrize("kind", ["int32", "uint32", "int64", "uint64"])
def test_upper_halves_of_products(kind):
    x, y = words(kind), words(kind, 1)
    bits = 64 if "64" in kind else 32
    same(apply("mulhi", x, y), [(int(a) * int(b)) >> bits for a, b in zip(x.values, y.values)])


@pytest.mark.parametrize("kind", ["int32", "uint32"])
def test_integers_without_overflow(kind):
    x, y = words(kind), words(kind, 1)
    a, b = ([int(value) for value in side.values] for side in (x, y))
    same(apply("hadd", x, y), [(i + j) >> 1 for i, j in zip(a, b)])
    same(apply("rhadd", x, y), [(i + j + 1) >> 1 for i, j in zip(a, b)])
    small = array(kind, np.arange(256))
    same(apply("sad", small, array(kind, np.arange(256)[::-1]), small),
         [abs(i - (255 - i)) + i for i in range(256)])


def test_products_of_24_bits():
    x, y = words("int32"), words("int32", 1)
    lower = [((x.values << 8) >> 8).astype(np.int64), ((y.values << 8) >> 8).astype(np.int64)]
    same(apply("mul24", x, y), (lower[0] * lower[1]).astype(np.int32))


_WAYS = {"rn": np.rint, "rz": np.trunc, "rd": np.floor, "ru": np.ceil}


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize("target, kind", [("int", "int32"), ("uint", "uint32"), ("ll", "int64"), ("ull", "uint64")])
@pytest.mark.parametrize("source", ["float", "double"])
def test_floats_as_integers(source, target, kind, way):
    values = np.concatenate([np.arange(0, 64) / 4, np.random.default_rng(1).uniform(0, 2e9, 64)])
    x = array("float32" if source == "float" else "float64", values if kind.startswith("u") else values - 8)
    same(apply(f"{source}2{target}_{way}", x, result=kind), _WAYS[way](x.values.astype(np.float64)).astype(kind))


def nearest(value, kind, way):
    """A fraction as a float, rounded in a direction: NumPy rounds to nearest, the rest are its neighbours."""
    if kind == "float32":
        near = np.float32(float(value)) if Fraction(float(value)) == value else None
        if near is None:  # by way of a double, rounded to odd, there is one rounding only
            wide = float(value)
            if Fraction(wide) != value and struct.unpack("<q", struct.pack("<d", wide))[0] % 2 == 0:
                wide = np.nextafter(wide, np.inf if Fraction(wide) < value else -np.inf)
            near = np.float32(wide)
    else:
        near = np.float64(value.numerator / value.denominator)
    error = value - Fraction(float(near))
    if way == "rd" or way == "rz" and value > 0:
        return np.nextafter(near, near.dtype.type(-np.inf)) if error < 0 else near
    if way == "ru" or way == "rz":
        return np.nextafter(near, near.dtype.type(np.inf)) if error > 0 else near
    return near


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize("source, kind, target", [
    ("int", "int32", "float"), ("uint", "uint32", "float"), ("ll", "int64", "float"), ("ull", "uint64", "float"),
    ("ll", "int64", "double"), ("ull", "uint64", "double")])
def test_integers_as_floats(source, kind, target, way):
    x, result = words(kind), "float32" if target == "float" else "float64"
    same(apply(f"{source}2{target}_{way}", x, result=result),
         [nearest(Fraction(int(value)), result, way) for value in x.values])


@pytest.mark.parametrize("name, kind", [("int2double_rn", "int32"), ("uint2double_rn", "uint32")])
def test_integers_that_doubles_have(name, kind):
    x = words(kind)
    same(apply(name, x, result="float64"), x.values)


@pytest.mark.parametrize("way", _WAYS)
def test_doubles_as_floats(way):
    x = reals("float64", 256, low=-100, high=100)
    same(apply(f"double2float_{way}", x, result="float32"),
         [nearest(Fraction(float(value)), "float32", way) for value in x.values])
    edges = apply(f"double2float_{way}", array("float64", [1e300, -1e300, np.inf, np.nan]), result="float32").values
    most = np.finfo(np.float32).max
    assert edges[0] == (most if way in ("rz", "rd") else np.inf) and edges[1] == (-most if way in ("rz", "ru") else -np.inf)
    assert edges[2] == np.inf and np.isnan(edges[3])


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("way", _WAYS)
def test_arithmetic_in_directions(way, kind):
    x, y, z = (reals(kind, 128, seed, low=-9, high=9) for seed in range(3))
    a, b, c = ([Fraction(float(value)) for value in side.values] for side in (x, y, z))

    def check(name, arrays, exact):
        same(apply(f"{name}_{way}", *arrays), [nearest(value, kind, way) for value in exact])

    check("add", (x, y), [i + j for i, j in zip(a, b)])
    check("sub", (x, y), [i - j for i, j in zip(a, b)])
    check("mul", (x, y), [i * j for i, j in zip(a, b)])
    check("rcp", (x,), [1 / i for i in a])
    if kind == "float32" or way != "rn":
        check("div", (x, y), [i / j for i, j in zip(a, b)])
    if way != "rn":
        check("fma", (x, y, z), [i * j + k for i, j, k in zip(a, b, c)])


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("way", ["rz", "rd", "ru"])
def test_roots_in_directions(way, kind):
    x = reals(kind, 128, low=0.1, high=9)
    found = apply(f"sqrt_{way}", x).values
    for root, value in zip(found, x.values):
        square, exact = Fraction(float(root))**2, Fraction(float(value))
        beside = Fraction(float(np.nextafter(root, root.dtype.type(0 if way == "ru" else np.inf))))**2
        assert square >= exact > beside if way == "ru" else square <= exact < beside


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_neighbours(kind):
    info = np.finfo(kind)
    values = np.array([0, -0.0, 1, -1, info.tiny, -info.tiny, info.max, np.inf, -np.inf, np.nan, 3, 3, 2, 1e-30, 5, 5])
    towards = np.array([1, -1, 2, 0, 0, 0, np.inf, 0, 0, 1, 3, np.nan, -np.inf, 1, np.inf, 4])
    x, y = array(kind, values), array(kind, towards)
    with np.errstate(over="ignore"):
        same(apply("nextafter", x, y), np.nextafter(x.values, y.values))


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_exponents(kind):
    info = np.finfo(kind)
    values = np.array([1, -1, 0.75, 3, 1e30, 1e-30, info.tiny, info.tiny / 8, info.smallest_subnormal, info.max, 2.0**20,
                       -7, 0, np.inf, -np.inf, np.nan])
    x = array(kind, values)
    expected = [math.frexp(value)[1] - 1 for value in x.values[:12].astype(float)]
    same(apply("ilogb", x, result="int32"), [*expected, -2**31, 2**31 - 1, 2**31 - 1, -2**31])
    same(apply("logb", x), np.array([*expected, -np.inf, np.inf, np.inf, np.nan]))


@pytest.mark.parametrize("name", ["ldexp", "scalbn"])
@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_powers_of_two(name, kind):
    random = np.random.default_rng(7)
    x = array(kind, random.uniform(-2, 2, 512) * 2.0**random.integers(-120, 120, 512))
    n = array("int32", random.integers(-300 if kind == "float32" else -1200, 1100, 512))
    with np.errstate(over="ignore", under="ignore"):
        exact = [math.ldexp(value, int(by)) if by < 800 else np.inf * value if abs(value) * 2.0**100 * 2.0**by > 0
                 and math.frexp(value)[1] + by > 1024 else math.ldexp(value, int(by))
                 for value, by in zip(x.values.astype(float), n.values)]
        same(apply(name, x, n), np.array(exact).astype(kind))


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_remainders(kind):
    x, y = reals(kind, 256, low=-50, high=50), reals(kind, 256, seed=1, low=-7, high=7)
    x.stored[:6], y.stored[:6] = [3, 5, -3, -5, 2, 6], [2, 2, 2, 2, 4, 4]  # ties go to even quotients
    same(apply("remainder", x, y), [math.remainder(a, b) for a, b in zip(x.values.astype(float), y.values.astype(float))])
    edges = apply("remainder", array(kind, [1, np.inf, np.nan, 1]), array(kind, [np.inf, 1, 1, np.nan])).values
    assert edges[0] == 1 and np.isnan(edges[1:]).all()


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_parts_of_lines(kind):
    x, y = reals(kind, 64), reals(kind, 64, seed=1)
    same(apply("fdim", x, y), np.where(x.values > y.values, x.values - y.values, 0))
    if kind == "float32":
        same(apply("saturatef", x), np.clip(x.values, 0, 1))
        assert apply("saturatef", array(kind, [np.nan, -np.inf, np.inf, 0.5])).values.tolist() == [0, 0, 1, 0.5]


@pytest.mark.parametrize("scale", [1, 1e-30, 1e30])
@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_lengths(kind, scale):
    sides = [array(kind, np.random.default_rng(seed).uniform(-2, 2, 64) * scale) for seed in range(4)]
    wide = np.array([side.values.astype(np.longdouble) for side in sides])
    bound = 2e-7 if kind == "float32" else 1e-15
    with np.errstate(over="ignore"):
        for name, count in (("norm3d", 3), ("norm4d", 4)):
            exact = np.sqrt((wide[:count]**2).sum(0))
            close(apply(name, *sides[:count]), exact, bound, 0)
            close(apply("r" + name, *sides[:count]), 1 / exact, 2 * bound, 0)
        close(apply("rhypot", *sides[:2]), 1 / np.sqrt((wide[:2]**2).sum(0)), 2 * bound, 0)


#: Name, oracle, from, to, the bound of the relative error in fp64, and of the absolute one.
_SPECIAL = [
    ("sinpi", lambda x: math.sin(math.pi * math.remainder(x, 2)), -3.9, 3.9, 1e-14, 1e-15),
    ("cospi", lambda x: math.cos(math.pi * math.remainder(x, 2)), -3.9, 3.9, 1e-14, 1e-15),
    ("rcbrt", lambda x: 1 / np.cbrt(x), 0.01, 1000, 1e-15, 0),
    ("normcdf", lambda x: 0.5 * math.erfc(-x / math.sqrt(2)), -20, 8, 4e-13, 0),
    ("erfcx", lambda x: math.exp(x * x) * math.erfc(x), -3, 3, 1e-13, 0),
    ("lgamma", math.lgamma, -20.3, 40, 1e-15, 3e-14),
    ("tgamma", math.gamma, -5.3, 30, 2e-13, 0),
    ("cyl_bessel_i0", np.i0, -40, 40, 1e-13, 0),
    ("fast_log10f", math.log10, 0.1, 1000, 1e-15, 1e-15),
    ("rsqrt_rn", lambda x: 1 / math.sqrt(x), 0.1, 1000, 1e-15, 0)]


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("name, oracle, low, high, bound, absolute", _SPECIAL, ids=[case[0] for case in _SPECIAL])
def test_special_functions(name, oracle, low, high, bound, absolute, kind):
    x = array(kind, np.linspace(low, high, 1024))
    exact = np.array([oracle(float(value)) for value in x.values])
    # Of fp32 one rounding remains; its function is that of the rounded argument, computed in fp64.
    close(apply(name, x), exact, 6e-8 * 1.01 if kind == "float32" and name != "rcbrt" else max(bound, 2e-7)
          if kind == "float32" else bound, 1e-7 if kind == "float32" and name == "fast_log10f" else max(absolute, 1.5e-45))


def bessel_j(order, x):
    """By the integral that defines it: the trapezoidal rule of a periodic function."""
    angles = 2 * np.pi * np.arange(256) / 256
    return np.cos(order * angles - x[:, None] * np.sin(angles)).mean(1)


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("order", [0, 1])
def test_waves_of_the_first_kind(kind, order):
    x = array(kind, np.linspace(-60, 60, 1024))
    found, exact = apply(f"j{order}", x), bessel_j(order, x.values.astype(np.float64))
    close(found, exact, 6.1e-8 if kind == "float32" else 1e-15, 6e-8 if kind == "float32" else 4e-15)


def test_the_logarithm_of_gamma_near_its_zeros():
    steps = np.ldexp(1.0, -np.arange(2, 34))
    x = array("float64", np.concatenate([1 + steps, 1 - steps, 2 + steps, 2 - steps]))
    # Its series there: zeta(k) / k, from the second on.
    euler, zeta = 0.5772156649015329, (1.6449340668482264, 1.2020569031595942, 1.0823232337111382, 1.03692775514337,
                                       1.0173430619844491, 1.0083492773819228, 1.0040773561979443, 1.0020083928260822)
    near = np.concatenate([steps, -steps])
    series = -euler * near + sum(value / k * (-near)**k for k, value in enumerate(zeta, 2))
    few = np.abs(near) < 2**-8
    found = apply("lgamma", x).values
    np.testing.assert_allclose(found[:64][few], series[few], rtol=4e-15)
    # A step to the right adds the logarithm.
    np.testing.assert_allclose(found[64:][few], (series + np.log1p(near))[few], rtol=1e-14)


#: Bessel functions of the second kind at these places, to the last digit.
_PLACES = [0.001, 0.5, 2, 5, 7.9, 8.1, 20, 100.5, 1e6]
_SECOND = [[-4.471416611375923, -0.44451873350670656, 0.5103756726497451, -0.30851762524903376, 0.20652094814437577,
            0.23809132870223482, 0.06264059680938383, -0.05806122757035575, -0.0007259685223351791],
           [-636.6221672311394, -1.471472392670243, -0.10703243154093754, 0.14786314339122683, -0.18172107728057313,
            -0.13314879595249593, -0.1655116143625213, -0.05472610209468349, -0.00033104337672417626]]


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_waves_of_the_second_kind(kind):
    for order, exact in enumerate(_SECOND):
        x = array("float64", np.array(_PLACES + [3.0] * 7))
        if kind == "float64":
            np.testing.assert_allclose(apply(f"y{order}", x).values[:9], exact, 4e-16, 6e-16)
    # What both kinds make together is known everywhere.
    x = array(kind, np.linspace(0.05, 70, 1024))
    j0, j1, y0, y1 = (apply(name, x).values.astype(np.float64) for name in ("j0", "j1", "y0", "y1"))
    wide = x.values.astype(np.float64)
    np.testing.assert_allclose((j1 * y0 - j0 * y1) * np.pi * wide / 2, 1, atol=1e-6 if kind == "float32" else 1e-14)


def test_waves_at_the_ends():
    def at(name, *values):
        return list(apply(name, array("float64", np.array(values + (1.0,) * (16 - len(values))))).values[:len(values)])

    assert at("j0", 0, np.inf, -np.inf) == [1, 0, 0] and at("j1", 0, np.inf) == [0, 0]
    assert at("y0", 0, np.inf) == [-np.inf, 0] and at("y1", 0, np.inf) == [-np.inf, 0]
    assert at("j1", -2.5)[0] == -at("j1", 2.5)[0] and at("j0", -2.5) == at("j0", 2.5)
    assert np.isnan([at(name, np.nan)[0] for name in ("j0", "j1", "y0", "y1")] + at("y0", -1) + at("y1", -1)).all()


def bessel_i1(x):
    """By the integral that defines it: the trapezoidal rule of a periodic function."""
    angles = (np.arange(400) + 0.5) * (math.pi / 400)
    return float((np.exp(x * np.cos(angles) - abs(x)) * np.cos(angles)).mean() * math.exp(abs(x)))


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_a_bessel_function(kind):
    x = array(kind, np.linspace(-40, 40, 512))
    close(apply("cyl_bessel_i1", x), [bessel_i1(float(value)) for value in x.values],
          6.1e-8 if kind == "float32" else 2e-13, 0)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_inverse_error_functions(kind):
    x = array(kind, np.concatenate([np.linspace(-0.999, 0.999, 511), [1e-20]]))
    t = apply("erfinv", x).values.astype(float)
    # What they undo gives the argument again; the slope says what an error of the argument is.
    slope = 2 / math.sqrt(math.pi) * np.exp(-t * t)
    error = np.abs(np.array([math.erf(value) for value in t]) - x.values.astype(float)) / slope
    assert (error <= np.abs(t) * (2.4e-7 if kind == "float32" else 1e-14) + 1e-300).all()
    y = array(kind, np.concatenate([np.linspace(0.001, 1.999, 511), [1e-30]]))
    t = apply("erfcinv", y).values.astype(float)
    slope = 2 / math.sqrt(math.pi) * np.exp(-t * t)
    error = np.abs(np.array([math.erfc(value) for value in t]) - y.values.astype(float)) / slope
    assert (error <= np.abs(t) * (6.1e-8 if kind == "float32" else 1e-13) + 3e-16).all()
    p = array(kind, np.linspace(0.001, 0.999, 512))
    found = apply("normcdfinv", p).values.astype(float)
    again = np.array([0.5 * math.erfc(-value / math.sqrt(2)) for value in found])
    slope = np.exp(-found * found / 2) / math.sqrt(2 * math.pi)
    assert (np.abs(again - p.values.astype(float)) / slope
            <= np.abs(found) * (6.1e-8 if kind == "float32" else 1e-13) + 1e-15).all()


def test_short_erfinv_to_its_ends():
    x = array("float32", np.concatenate([1 - np.arange(1, 257) * 2.0**-24, 10.0 ** np.linspace(-37, -1, 256)]))
    t = apply("erfinv", x).values.astype(float)
    wide = x.values.astype(float)
    # By what is left of 1, where that is little.
    error = np.array([(1 - a) - math.erfc(b) if a > 0.5 else math.erf(b) - a for a, b in zip(wide, t)])
    assert (np.abs(error) <= 2 / math.sqrt(math.pi) * np.exp(-t * t) * t * 2.4e-7).all()


def test_an_exponential_is_exact_far_from_zero():
    # Where the product with log2 e alone is off by 64 units.
    x = array("float32", np.concatenate([np.linspace(-87, 88.7, 510), [-103.0, 89.0]]))
    with np.errstate(over="ignore"):
        exact = np.exp(x.values.astype(float))
    found = apply("exp", x).values
    assert (np.abs(found[:510] / exact[:510] - 1) < 1.2e-7).all()
    assert abs(found[510] - exact[510]) < 1.5e-45 and found[511] == np.inf


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_ends_of_special_functions(kind):
    def at(name, *values):
        return apply(name, array(kind, values)).values.tolist()

    assert at("erfinv", 1, -1)[:2] == [np.inf, -np.inf] and np.isnan(at("erfinv", 1.5, np.nan)).all()
    assert at("erfcinv", 0, 2) == [np.inf, -np.inf] and np.isnan(at("erfcinv", -1, np.nan)).all()
    assert at("lgamma", 0, -2, np.inf, -np.inf) == [np.inf] * 4 and at("lgamma", 1, 2) == pytest.approx([0, 0], abs=1e-14)
    assert at("tgamma", 0, np.inf) == [np.inf, np.inf] and np.isnan(at("tgamma", -1, np.nan)).all()
    assert at("erfcx", np.inf, -30) == [0, np.inf] and at("cyl_bessel_i0", 0, np.inf) == [1, np.inf]
    assert np.isnan(at("sinpi", np.inf, np.nan)).all() and at("sinpi", 1e15, 0.5) == [0, 1]


#: The names that the tests above put together of parts.
_COMPOSED = """
    add_rd add_rn add_ru add_rz div_rd div_ru div_rz double2float_rd double2float_rn double2float_ru
    double2float_rz double2int_rd double2int_rn double2int_ru double2int_rz double2ll_rd double2ll_rn
    double2ll_ru double2ll_rz double2uint_rd double2uint_rn double2uint_ru double2uint_rz double2ull_rd
    double2ull_rn double2ull_ru double2ull_rz float2int_rd float2int_rn float2int_ru float2int_rz float2ll_rd
    float2ll_rn float2ll_ru float2ll_rz float2uint_rd float2uint_rn float2uint_ru float2uint_rz float2ull_rd
    float2ull_rn float2ull_ru float2ull_rz fma_rd fma_ru fma_rz int2float_rd int2float_rn int2float_ru
    int2float_rz ll2double_rd ll2double_rn ll2double_ru ll2double_rz ll2float_rd ll2float_rn ll2float_ru
    ll2float_rz mul_rd mul_rn mul_ru mul_rz rcp_rd rcp_rn rcp_ru rcp_rz rnorm3d rnorm4d sqrt_rd sqrt_ru sqrt_rz
    sub_rd sub_rn sub_ru sub_rz uint2float_rd uint2float_rn uint2float_ru uint2float_rz ull2double_rd
    ull2double_rn ull2double_ru ull2double_rz ull2float_rd ull2float_rn ull2float_ru ull2float_rz
"""


def test_every_composed_name_is_there():
    ways = [f"{name}_{way}" for name in ("add", "sub", "mul", "rcp", "div", "fma", "sqrt") for way in _WAYS]
    whole = [f"{source}2{target}_{way}" for source in ("float", "double") for target in ("int", "uint", "ll", "ull")
             for way in _WAYS]
    back = [f"{source}2{target}_{way}" for source in ("int", "uint", "ll", "ull", "double") for target in ("float", "double")
            for way in _WAYS]
    composed = {"rnorm3d", "rnorm4d", *ways, *whole, *back}
    assert set(_COMPOSED.split()) <= composed
    assert all(hasattr(libdevice, name) for name in _COMPOSED.split())


@triton.jit
def orders(n, x, first, second, N: tl.constexpr):
    i = tl.arange(0, N)
    order, value = tl.load(n + i), tl.load(x + i)
    tl.store(first + i, libdevice.jn(order, value))
    tl.store(second + i, libdevice.yn(order, value))


def of_orders(kind, order, values):
    values = np.asarray(values, kind)
    orders_of = array("int32", np.broadcast_to(np.asarray(order, np.int32), values.shape))
    first, second = empty(kind, values.shape), empty(kind, values.shape)
    launch(orders, orders_of, array(kind, values), first, second, N=len(values))
    return first.values.astype(np.float64), second.values.astype(np.float64)


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("order", [0, 1, 2, 3, 7, 20, 101])
def test_bessel_functions_of_any_order_fit_their_neighbours(kind, order):
    """Their cross product is known; of the first kind the definition by an integral is as well."""
    x = np.concatenate([np.geomspace(0.5, 150, 63), [float(order + 1)]]).astype(kind).astype(np.float64)
    here, of_second = of_orders(kind, order, x)
    above, of_second_above = of_orders(kind, order + 1, x)
    angles = (np.arange(4000) + 0.5) * np.pi / 4000
    integral = np.cos(order * angles - x[:, None] * np.sin(angles)).mean(1)
    np.testing.assert_allclose(here, integral, atol=1e-7 if kind == "float32" else 1e-13)
    # Beyond what a float of this kind holds nothing is left to compare.
    fine = np.isfinite(of_second_above) & (np.abs(above) > np.finfo(kind).tiny)
    x, here, above, of_second, of_second_above = (v[fine] for v in (x, here, above, of_second, of_second_above))
    product = (above * of_second - here * of_second_above) * np.pi * x / 2
    np.testing.assert_allclose(product, 1, atol=1e-5 if kind == "float32" else 1e-11)


def test_bessel_functions_of_any_order_at_their_ends():
    nan, inf = np.nan, np.inf
    first, second = of_orders("float64", [2, 2, 2, 2, -1, 3, 2, 0], [0, nan, inf, -2.5, 2.5, -2.5, 1e-160, -1.0])
    assert first[:4].tolist() == [0, pytest.approx(nan, nan_ok=True), 0, pytest.approx(0.4460590584396172)]
    assert np.isnan(first[4]) and first[5] == pytest.approx(-0.2166003910391135)
    assert first[6] == pytest.approx(1.25e-321, rel=0.01)
    assert second[0] == -inf and np.isnan(second[1]) and second[2] == 0
    assert np.isnan(second[[3, 4, 5, 7]]).all() and second[6] == -inf


def test_a_first_guess_at_one_over_a_double():
    x = np.concatenate([np.random.default_rng(0).normal(size=250), [1.0, -2.0, 0.0, np.inf, -np.inf, 1e-310]])
    out = apply("rcp64h", array("float64", x), result="float64").values
    plain = slice(0, 252)
    np.testing.assert_allclose(out[plain] * x[plain], 1, atol=2.0**-18)
    assert not (out.view(np.int64) & 0xFFFFFFFF).any()
    assert out[252:].tolist() == [np.inf, 0, 0, np.inf] and np.signbit(out[254])
