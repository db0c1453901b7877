"""Random numbers: the bits of Philox against the algorithm written in NumPy, and what is made of them."""

import numpy as np
import pytest
from harness import array, close, empty, launch, same

import tegula as triton
import tegula.language as tl

MASK = {32: 2**32 - 1, 64: 2**64 - 1}
KEYS = {32: (0x9E3779B9, 0xBB67AE85), 64: (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)}
FACTORS = {32: (0xD2511F53, 0xCD9E8D57), 64: (0xD2E7470EE14C6C93, 0xCA5A826395121157)}


def philox(counters, key, bits=32, rounds=10):
    """Philox 4x32 or 4x64 (Salmon et al., SC 2011) of one counter, with Python's integers."""
    c0, c1, c2, c3 = counters
    k0, k1 = key
    (ka, kb), (fa, fb), mask = KEYS[bits], FACTORS[bits], MASK[bits]
    for _ in range(rounds):
        low, high = fa * c0, fb * c2
        c0, c1, c2, c3 = (high >> bits) ^ c1 ^ k0, high & mask, (low >> bits) ^ c3 ^ k1, low & mask
        k0, k1 = (k0 + ka) & mask, (k1 + kb) & mask
    return c0, c1, c2, c3


def words(seed, offsets, rounds=10):
    """Four words for each offset of 32 bits, as `tl.randint4x` counts."""
    key = seed & MASK[32], seed >> 32
    rows = [philox((offset, 0, 0, 0), key, rounds=rounds) for offset in offsets]
    return np.array(rows, np.uint64).T.astype(np.uint32)


@triton.jit
def four_integers(out, seed, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b, c, d = tl.randint4x(seed, i)
    tl.store(out + i, a)
    tl.store(out + N + i, b)
    tl.store(out + 2 * N + i, c)
    tl.store(out + 3 * N + i, d)


@pytest.mark.parametrize("seed", [0, 1, 42, 2**31 + 5, 2**40 + 7])
def test_randint4x(seed):
    out = empty("uint32", (4, 32))
    launch(four_integers, out, seed, N=32)
    same(out, words(seed, range(32)))


@triton.jit
def offset_by(offsets, seeds, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.randint(tl.load(seeds), tl.load(offsets + i)))


@pytest.mark.parametrize("name", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_offsets_and_seeds_of_few_bits(name):
    offsets = array(name, np.array([0, 1, 2, 100, 127, 3, -1, -128]).astype(name))
    out = empty("uint32", 8)
    launch(offset_by, offsets, array("int8", [7]), out, N=8)
    same(out, words(7, [int(offset) & MASK[32] for offset in offsets.stored])[0])
    launch(offset_by, array("int32", np.arange(8)), array(name, np.array([-3]).astype(name)), out, N=8)
    seed = int(np.array([-3]).astype(name)[0]) & MASK[64]
    same(out, words(seed, range(8))[0])


@triton.jit
def float_seed(out):
    tl.store(out, tl.rand(1.5, 0))


def test_a_seed_is_an_integer():
    with pytest.raises(Exception, match="expected an integer as the seed, found fp32"):
        launch(float_seed, empty("float32", 1))


@triton.jit
def integers(out, seed, first, N: tl.constexpr, ROUNDS: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.randint(seed, first + i, ROUNDS))


@pytest.mark.parametrize("rounds", [10, 6])
def test_randint(rounds):
    out = empty("uint32", 32)
    launch(integers, out, 7, 100, N=32, ROUNDS=rounds)
    same(out, words(7, range(100, 132), rounds)[0])


@triton.jit
def counters(out, seed, N: tl.constexpr, T: tl.constexpr):
    i = tl.arange(0, N).to(T)
    a, b, c, d = tl.philox(seed, i, i * 0 + 1, i * 0 + 2, i * 0 + 3)
    tl.store(out + i, a)
    tl.store(out + N + i, b)
    tl.store(out + 2 * N + i, c)
    tl.store(out + 3 * N + i, d)


@pytest.mark.parametrize("bits", [32, 64])
def test_philox(bits):
    out = empty(f"uint{bits}", (4, 16))
    launch(counters, out, 2**33 + 9, N=16, T=tl.uint32 if bits == 32 else tl.uint64)
    seed = 2**33 + 9
    key = (seed & MASK[32], seed >> 32) if bits == 32 else (seed, 0)
    expected = [philox((i, 1, 2, 3), key, bits) for i in range(16)]
    same(out, np.array(expected, np.uint64).T.astype(f"uint{bits}"))


@triton.jit
def rounds(out, N: tl.constexpr, ROUNDS: tl.constexpr):
    i = tl.arange(0, N).to(tl.uint32)
    a, b, c, d = tl.philox_impl(i, i * 0, i * 0, i * 0, i * 0 + 7, i * 0 + 9, ROUNDS)
    tl.store(out + i, a)
    tl.store(out + N + i, b)
    tl.store(out + 2 * N + i, c)
    tl.store(out + 3 * N + i, d)


def test_philox_impl():
    out = empty("uint32", (4, 16))
    launch(rounds, out, N=16, ROUNDS=3)
    expected = [philox((i, 0, 0, 0), (7, 9), 32, 3) for i in range(16)]
    same(out, np.array(expected, np.uint64).T.astype(np.uint32))


def uniform(bits):
    """As floats in [0, 1): the magnitude of the number taken with a sign."""
    signed = bits.view(np.int32)
    return np.where(signed < 0, -signed - 1, signed).astype(np.float32) * np.float32(4.6566127342e-10)


@triton.jit
def uniforms(out, seed, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.rand(seed, i))


def test_rand():
    out = empty("float32", 1024)
    launch(uniforms, out, 3, N=1024)
    close(out, uniform(words(3, range(1024))[0]))
    assert (0 <= out.values).all() and (out.values < 1).all() and abs(out.values.mean() - 0.5) < 0.05


@triton.jit
def four_uniforms(out, seed, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b, c, d = tl.rand4x(seed, i)
    tl.store(out + i, a)
    tl.store(out + N + i, b)
    tl.store(out + 2 * N + i, c)
    tl.store(out + 3 * N + i, d)


def test_rand4x():
    out = empty("float32", (4, 32))
    launch(four_uniforms, out, 3, N=32)
    close(out, uniform(words(3, range(32))))


@triton.jit
def normals(out, seed, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.randn(seed, i))
    a, b, c, d = tl.randn4x(seed, i)
    tl.store(out + N + i, a)
    tl.store(out + 2 * N + i, b)
    tl.store(out + 3 * N + i, c)
    tl.store(out + 4 * N + i, d)


def test_randn():
    out = empty("float32", (5, 256))
    launch(normals, out, 11, N=256)
    u = np.maximum(uniform(words(11, range(256))), 1e-7).astype(np.float64)
    radius1, radius2 = np.sqrt(-2 * np.log(u[0])), np.sqrt(-2 * np.log(u[2]))
    expected = [radius1 * np.cos(2 * np.pi * u[1]), radius1 * np.sin(2 * np.pi * u[1]),
                radius2 * np.cos(2 * np.pi * u[3]), radius2 * np.sin(2 * np.pi * u[3])]
    close(out, [expected[0], *expected], 1e-4, 1e-4)


@triton.jit
def pieces(out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.uint_to_uniform_float(i.to(tl.uint32) * 134217728))
    n1, n2 = tl.pair_uniform_to_normal(i.to(tl.float32) / N, i.to(tl.float32) / N)
    tl.store(out + N + i, n1)
    tl.store(out + 2 * N + i, n2)


def test_pieces():
    out = empty("float32", (3, 32))
    launch(pieces, out, N=32)
    u = np.arange(32) / 32
    radius = np.sqrt(-2 * np.log(np.maximum(u, 1e-7)))
    bits = (np.arange(32, dtype=np.uint64) * 134217728).astype(np.uint32)
    close(out, [uniform(bits), radius * np.cos(2 * np.pi * u), radius * np.sin(2 * np.pi * u)], 1e-4, 1e-5)


@triton.jit
def dropped(x, out, p, seed, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    keep = tl.rand(seed, i) > p
    tl.store(out + i, tl.where(keep, tl.load(x + i) / (1 - p), 0.0))


def test_dropout():
    x, out = array("float32", np.ones(256)), empty("float32", 256)
    launch(dropped, x, out, 0.25, 5, grid=(4,), N=64)
    close(out, np.where(uniform(words(5, range(256))[0]) > 0.25, 1 / 0.75, 0), 1e-5)


@triton.jit
def seeded_by(out, seed):
    tl.store(out + tl.arange(0, 4), tl.rand(seed, tl.arange(0, 4)))


@pytest.mark.parametrize("seed", [2.5, "pointer"])
def test_a_seed_is_an_integer(seed):
    out = empty("float32", 4)
    with pytest.raises(triton.CompilationError, match="expected an integer as the seed"):
        launch(seeded_by, out, empty("int32", 1) if seed == "pointer" else seed)
