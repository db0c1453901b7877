"""What one kernel computes under several versions of Triton, and what later versions have brought."""

import numpy as np
import pytest
from harness import INTERPRETED, ON_GPU, array, empty, launch, numbers, reals, same, type_of

import tegula as triton
import tegula.language as tl
from tegula.tools.tensor_descriptor import TensorDescriptor


@pytest.fixture
def imitate(monkeypatch):
    return lambda version: monkeypatch.setenv("TEGULA_TRITON_VERSION", version)


@triton.jit
def half():
    return 0.5


@triton.jit
def tenth():
    return 0.1


@triton.jit
def sign(n):
    if n < 0:
        return -1
    return 1


@pytest.mark.parametrize("version, bits", [("3.6", 0), ("3.7", 0), ("3.8", 1), ("3.9", 1)])
@pytest.mark.parametrize("name", ["float16", "float32", "float64"])
def test_minus_zero(imitate, name, version, bits):
    @triton.jit
    def negates(x, out):
        i = tl.arange(0, 4)
        tl.store(out + i, -tl.load(x + i))

    imitate(version)
    x, out = array(name, [0.0, -0.0, 1.5, -2.0]), empty(name, 4)
    launch(negates, x, out)
    assert np.signbit(out.values).tolist() == [bool(bits), False, True, False]
    np.testing.assert_array_equal(out.values, -x.values)


@pytest.mark.parametrize("version", ["3.6", "3.7"])
def test_a_returned_number_beside_fp64(imitate, version):
    @triton.jit
    def scales(x, out):
        tl.store(out, tl.load(x) * tenth())

    imitate(version)
    out = empty("float64", 1)
    launch(scales, array("float64", [3.0]), out)
    assert out.values[0] == 3.0 * (float(np.float32(0.1)) if version == "3.6" else 0.1)


@pytest.mark.parametrize("version", ["3.6", "3.9"])
def test_returned_numbers_that_differ(imitate, version):
    @triton.jit
    def signs(out, n):
        tl.store(out, sign(n))

    imitate(version)
    for n in (-5, 7):
        out = empty("int32", 1)
        launch(signs, out, n)
        assert out.values[0] == (1 if n > 0 else -1)


@pytest.mark.parametrize("version", ["3.8", "3.9"])
def test_quotients_of_eight_bits(imitate, version):
    @triton.jit
    def divides(x, y, out):
        i = tl.arange(0, 16)
        tl.store(out + i, (tl.load(x + i) / tl.load(y + i)).to(tl.float32))

    imitate(version)
    x, y, out = array("float8e5", np.ones(16)), array("float8e5", np.full(16, 3.0)), empty("float32", 16)
    launch(divides, x, y, out)
    # A third has two bits of fraction in fp8e5.
    same(out, np.full(16, np.float32(1) / np.float32(3) if version == "3.9" else 0.3125, np.float32))


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_methods_of_short_floats(imitate, name):
    @triton.jit
    def exponentials(x, out):
        i = tl.arange(0, 8)
        tl.store(out + i, tl.load(x + i).exp())

    imitate("3.8")
    x, out = numbers(name, 8), empty(name, 8)
    launch(exponentials, x, out)
    np.testing.assert_allclose(out.values.astype(float), np.exp(x.values.astype(float)), rtol=1e-2)


#--- what later versions have brought: under every version ---


@triton.jit
def sums_all(out, n, *xs):
    i = tl.arange(0, 8)
    total = tl.zeros((8,), tl.float32)
    for k in tl.static_range(len(xs)):
        total += tl.load(xs[k] + i)
    tl.store(out + i, total * n)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_kernel_takes_any_number_of_arguments(count):
    xs, out = [numbers("float32", 8, seed=k) for k in range(count)], empty("float32", 8)
    launch(sums_all, out, 3, *xs, num_warps=1)
    same(out, sum((x.values for x in xs), np.zeros(8, np.float32)) * 3)


def test_what_is_gathered_has_no_name():
    with pytest.raises(TypeError, match="multiple values for argument 'xs'"):
        sums_all[(1,)](empty("float32", 8).argument(), 3, xs=())


@triton.jit
def adds_scaled(x, out, *, scale, BLOCK: tl.constexpr = 8):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) * scale)


def test_parameters_by_name_alone():
    x, out = numbers("float32", 8), empty("float32", 8)
    launch(adds_scaled, x, out, scale=2)
    same(out, x.values * 2)
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
        adds_scaled[(1,)](x.stored, out.stored, 2)


@triton.jit
def chained(out, n):
    i = tl.arange(0, 16)
    tl.store(out + i, (2 <= i < n).to(tl.int32))


def test_chains_of_comparisons():
    out = empty("int32", 16)
    launch(chained, out, 7)
    same(out, [2 <= i < 7 for i in range(16)])


@triton.jit
def declared(out, WIDE: tl.constexpr):
    SIZE: tl.constexpr
    if WIDE:
        SIZE = 16
    else:
        SIZE = 4
    tl.store(out + tl.arange(0, SIZE), 1)


@pytest.mark.parametrize("wide", [False, True])
def test_an_annotation_alone_declares_a_constant(wide):
    out = array("int32", np.zeros(16))
    launch(declared, out, WIDE=wide)
    assert out.values.sum() == (16 if wide else 4)


@triton.aggregate
class Dual:
    value: tl.tensor
    slope: tl.tensor

    @triton.jit
    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)

    @triton.jit
    def __mul__(self, other):
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    @triton.jit
    def __rmul__(self, number):
        return Dual(number * self.value, number * self.slope)

    @triton.jit
    def __neg__(self):
        return Dual(-self.value, -self.slope)

    @triton.jit
    def __lt__(self, other):
        return self.value < other.value


@triton.jit
def derives(x, out):
    i = tl.arange(0, 8)
    d = Dual(tl.load(x + i), tl.full((8,), 1.0, tl.float32))
    y = 3 * d * d + -d
    y = tl.aggregate_replace(y, value=tl.where(d < y, y.value, 0.0))
    tl.store(out + i, y.value)
    tl.store(out + 8 + i, y.slope)


def test_operators_of_aggregates():
    x, out = numbers("float32", 8), empty("float32", 16)
    launch(derives, x, out)
    value = 3 * x.values**2 - x.values
    same(out, np.concatenate([np.where(x.values < value, value, 0), 6 * x.values - 1]))


@triton.jit
def publishes(data, out, flag):
    i = tl.arange(0, 8)
    if tl.program_id(0) == 0:
        tl.store(data + i, i.to(tl.float32))
        tl.atomic_store(flag, 1)
    else:
        seen = tl.atomic_load(flag)
        while seen == 0:
            seen = tl.atomic_load(flag)
        tl.store(out + i, tl.load(data + i) + 1)


@pytest.mark.skipif(INTERPRETED, reason="the interpreter runs programs one after the other")
def test_an_atomic_store_hands_on_to_an_atomic_load():
    data, out, flag = empty("float32", 8), empty("float32", 8), array("int32", [0])
    launch(publishes, data, out, flag, grid=(2,))
    same(out, np.arange(8) + 1)


@triton.jit
def moves_atomically(x, out, n):
    i = tl.arange(0, 8)
    tl.atomic_store(out + i, tl.atomic_load(x + i, mask=i < n, sem="relaxed"), mask=i < n)


@pytest.mark.parametrize("name", ["int8", "uint16", "int32", "uint64", "float16", "float32", "float64"])
def test_atomic_loads_and_stores_of_blocks(name):
    x, out = numbers(name, 8), array(name, np.full(8, 9))
    launch(moves_atomically, x, out, 5)
    same(out, np.where(np.arange(8) < 5, x.values, 9))


@pytest.mark.parametrize("statement, words", [
    ("tl.atomic_load(1)", "expected a pointer or a tensor of pointers"),
    ("tl.atomic_load(p, sem='release')", "expected 'acquire' or 'relaxed' as `sem`, found 'release'"),
    ("tl.atomic_store(p, 1, sem='acquire')", "expected 'release' or 'relaxed' as `sem`, found 'acquire'"),
    ("tl.atomic_store(p, 1, scope='block')", "expected 'gpu', 'cta' or 'sys' as `scope`, found 'block'"),
])
def test_atomic_loads_and_stores_refused(statement, words, tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(f"import tegula as triton\nimport tegula.language as tl\n\n\n@triton.jit\ndef k(p):\n    {statement}\n")
    space = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    with pytest.raises(triton.CompilationError, match=words.replace("(", r"\(")):
        space["k"][(1,)](empty("int32", 8).argument())


@triton.jit
def clamps(x, out, low, high):
    i = tl.arange(0, 16)
    tl.store(out + i, tl.clamp(tl.load(x + i), low, high))


def test_integers_are_clamped():
    x, out = numbers("int32", 16, low=-50, high=50), empty("int32", 16)
    launch(clamps, x, out, -7, 21)
    same(out, np.clip(x.values, -7, 21))


@triton.jit
def sums_in_its_type(a, b, c, out, T: tl.constexpr):
    i, k = tl.arange(0, 16), tl.arange(0, 32)
    added = tl.load(c + i[:, None] * 16 + i[None, :])
    result = tl.dot(tl.load(a + i[:, None] * 32 + k[None, :]), tl.load(b + k[:, None] * 16 + i[None, :]), added)
    tl.static_assert(result.dtype == T)
    tl.store(out + i[:, None] * 16 + i[None, :], result)


@pytest.mark.parametrize("name", ["float16", "float32"])
def test_the_accumulator_says_what_a_product_is_summed_in(name):
    a, b, c = numbers("float16", (16, 32)), numbers("float16", (32, 16), seed=1), numbers(name, (16, 16), seed=2)
    out = empty(name, (16, 16))
    launch(sums_in_its_type, a, b, c, out, T=type_of(name))
    np.testing.assert_allclose(out.values.astype(float), a.values.astype(float) @ b.values + c.values, rtol=5e-3, atol=0.1)


@triton.jit
def multiplies(a, b, out, N: tl.constexpr, K: tl.constexpr, PRECISION: tl.constexpr):
    i, k = tl.arange(0, N), tl.arange(0, K)
    x = tl.load(a + i[:, None] * K + k[None, :])
    y = tl.load(b + k[:, None] * N + i[None, :])
    tl.store(out + i[:, None] * N + i[None, :], tl.dot(x, y, input_precision=PRECISION))


@pytest.mark.parametrize("name, k, precision", [("float32", 8, "tf32"), ("float32", 8, "ieee"), ("float32", 8, "tf32x3"),
                                                ("float64", 4, None), ("float64", 8, None)])
@pytest.mark.parametrize("n", [16, 64])
def test_products_of_few_columns(name, k, precision, n):
    a, b, out = numbers(name, (n, k)), numbers(name, (k, n), seed=1), empty(name, (n, n))
    launch(multiplies, a, b, out, N=n, K=k, PRECISION=precision)
    same(out, a.values @ b.values)


@triton.jit
def multiplies_scaled(a, sa, b, sb, out, G: tl.constexpr):
    i, k, g = tl.arange(0, 16), tl.arange(0, 64), tl.arange(0, 64 // G)
    x = tl.load(a + i[:, None] * 64 + k[None, :])
    y = tl.load(b + k[:, None] * 16 + i[None, :])
    left, right = tl.load(sa + i[:, None] * (64 // G) + g[None, :]), tl.load(sb + i[:, None] * (64 // G) + g[None, :])
    result = tl.dot_scaled(x, left, "e5m2", y, right, "e5m2")
    tl.store(out + i[:, None] * 16 + i[None, :], result)


@pytest.mark.parametrize("group", [16, 32])
def test_scales_for_groups_of_16(group):
    a, b = numbers("float8e5", (16, 64)), numbers("float8e5", (64, 16), seed=1)
    scales = [array("uint8", np.random.default_rng(seed).integers(125, 131, (16, 64 // group))) for seed in (2, 3)]
    out = empty("float32", (16, 16))
    launch(multiplies_scaled, a, scales[0], b, scales[1], out, G=group)
    left, right = (2.0**(scale.values.astype(int) - 127).repeat(group, 1) for scale in scales)
    same(out, (a.values * left) @ (b.values * right.T))


@triton.jit
def gathers(x, rows, out):
    i = tl.arange(0, 8)
    desc = tl.make_tensor_descriptor(x, [32, 16], [16, 1], [1, 16])
    found = desc.gather(tl.load(rows + i), 0)
    tl.store(out + i[:, None] * 16 + tl.arange(0, 16)[None, :], found)
    desc.scatter(found * 2, tl.load(rows + i), 0)


@pytest.mark.parametrize("name", ["int16", "int32"])
def test_rows_are_numbered_by_int16_too(name):
    x, rows, out = numbers("float32", (32, 16)), array(name, [3, 1, 30, 7, 8, 31, 0, 12]), empty("float32", (8, 16))
    before = x.values.copy()
    launch(gathers, x, rows, out)
    same(out, before[rows.values])
    before[rows.values] *= 2
    same(x, before)


@triton.jit
def reads_by_descriptor(desc, rows, out, GATHERS: tl.constexpr):
    i = tl.arange(0, 8)
    if GATHERS:
        found = desc.gather(tl.load(rows + i), 0)
    else:
        found = desc.load([0, 0])
    tl.store(out + i[:, None] * 16 + tl.arange(0, 16)[None, :], found)


def as_tf32(values):
    bits = values.view(np.int32)
    rounded = ((bits + 0x1000) & ~0x1FFF).view(np.float32)
    return np.where(np.isfinite(values), rounded, values)


@pytest.mark.skipif(ON_GPU, reason="needs arrays of the host")
@pytest.mark.parametrize("gathers_rows", [False, True])
@pytest.mark.parametrize("rounds", [False, True])
def test_descriptors_round_to_tf32(rounds, gathers_rows):
    x, rows, out = reals("float32", (8, 16)), array("int32", np.arange(8)), empty("float32", (8, 16))
    x.stored[0, :4] = [np.inf, -np.inf, np.nan, np.float32(1) + np.float32(2.0**-11)]
    block = [1, 16] if gathers_rows else [8, 16]
    desc = TensorDescriptor.from_tensor(x.stored, block, round_f32_to_tf32=rounds)
    launch(reads_by_descriptor, desc, rows, out, GATHERS=gathers_rows)
    same(out, as_tf32(x.values) if rounds else x.values)


@pytest.mark.skipif(ON_GPU, reason="needs arrays of the host")
def test_only_float32_is_rounded_to_tf32():
    with pytest.raises(ValueError, match="expected float32 to round to tf32, found float16"):
        TensorDescriptor.from_tensor(np.zeros((8, 16), np.float16), [8, 16], round_f32_to_tf32=True)


def anew(kernel):
    """Returns the kernel as it was before anything asked for a version."""
    return triton.jit(kernel.fn)


@triton.jit
def prints_in_hex(x, d):
    tl.device_print("x", tl.load(x), hex=True)
    tl.device_print("d", tl.load(d + tl.arange(0, 1)), hex=True)
    tl.device_print("n", -2, hex=True)


@pytest.mark.skipif(ON_GPU, reason="the driver prints by itself")
@pytest.mark.parametrize("version, x, d", [("3.6", "0x3e00", "0xbfe0000000000000"), ("3.9", "0x1.8p+0", "-0x1p-1")])
def test_floats_are_printed_in_hex(imitate, capsys, version, x, d):
    imitate(version)
    launch(anew(prints_in_hex), array("float16", [1.5]), array("float64", [-0.5]), num_warps=1)
    assert set(capsys.readouterr().out.splitlines()) == {
        f"pid (0, 0, 0) idx () x: {x}", f"pid (0, 0, 0) idx (0) d: {d}", "pid (0, 0, 0) idx () n: 0xfffffffe"}


@triton.jit
def unpacks_more(out):
    a, b = (1, 2, 3)
    tl.store(out, a * 10 + b)


@triton.jit
def top_of_three(x, out):
    top = tl.topk(tl.load(x + tl.arange(0, 8)), 3)
    tl.store(out + tl.arange(0, 2), top)


@triton.jit
def top_of_sixteen(x, out):
    tl.store(out + tl.arange(0, 16), tl.topk(tl.load(x + tl.arange(0, 8)), 16))


@triton.jit
def counts_bytes(x, out):
    tl.store(out + tl.arange(0, 4), tl.histogram(tl.load(x + tl.arange(0, 8)), 4))


@pytest.mark.parametrize("version", ["3.6", "3.8"])
def test_what_only_later_versions_refuse(imitate, version):
    imitate(version)
    out = empty("int32", 1)
    launch(anew(unpacks_more), out)
    assert out.values[0] == 12
    out = empty("int32", 2)
    launch(anew(top_of_three), array("int32", [5, 1, 7, 3, 0, 2, 6, 4]), out)
    same(out, [7, 6])  # of the next lower power of two
    out = empty("int32", 4)
    launch(anew(counts_bytes), array("uint8", [0, 1, 1, 3, 3, 3, 200, 9]), out)
    same(out, [1, 2, 0, 3])


@pytest.mark.parametrize("kernel, type, words", [
    (top_of_three, "int32", "expected a power of two from 1 to 8, found 3"),
    (counts_bytes, "uint8", "expected integers of 32 bits, found uint8"),
    (unpacks_more, None, "expected 2 values to unpack, found 3")])
def test_what_3_9_refuses(imitate, kernel, type, words):
    imitate("3.9")
    with pytest.raises(triton.CompilationError, match=words):
        launch(anew(kernel), *([array(type, np.arange(8))] if type else []), empty("int32", 4))


def test_more_than_there_is_has_no_top():
    with pytest.raises(triton.CompilationError, match="expected a power of two from 1 to 8, found 16"):
        launch(top_of_sixteen, array("int32", np.arange(8)), empty("int32", 16))
