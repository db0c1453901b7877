"""libdevice on bits and integers, on neighbours and exponents of floats, and what its functions have to do with each other."""

import math
import struct

import numpy as np
import pytest
from harness import array, empty, launch, reals, same
from libdevice_calls import apply

import tegula as triton
import tegula.language as tl
from tegula.language.extra import libdevice


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


def test_an_exponential_is_exact_far_from_zero():
    # Where the product with log2 e alone is off by 64 units.
    x = array("float32", np.concatenate([np.linspace(-87, 88.7, 510), [-103.0, 89.0]]))
    with np.errstate(over="ignore"):
        exact = np.exp(x.values.astype(float))
    found = apply("exp", x).values
    assert (np.abs(found[:510] / exact[:510] - 1) < 1.2e-7).all()
    assert abs(found[510] - exact[510]) < 1.5e-45 and found[511] == np.inf


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
