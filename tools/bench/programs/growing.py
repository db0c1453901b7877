"""Kernels whose size is a parameter, to see how compile time grows with it: see compile_time.cpp."""
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def chain(x, y, STEPS: tl.constexpr):
    # A linear congruential generator: each step waits for the one before, and all have an addend in common.
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    s = tl.load(x + i)
    for _ in tl.static_range(STEPS):
        s = s * 1664525 + i
    tl.store(y + i, s)


@triton.jit
def sums(x, y, STEPS: tl.constexpr):
    # Reductions through shared memory, one after another.
    i = tl.arange(0, 1024)
    s = 0.0
    for j in tl.static_range(STEPS):
        s += tl.sum(tl.load(x + j * 1024 + i))
    tl.store(y, s)


@triton.jit
def turns(x, y, STEPS: tl.constexpr):
    # Exchanges through shared memory.
    i = tl.arange(0, 32)[:, None]
    j = tl.arange(0, 32)[None, :]
    for step in tl.static_range(STEPS):
        tl.store(y + step * 1024 + j * 32 + i, tl.load(x + step * 1024 + i * 32 + j))


@triton.jit
def updates(x, STEPS: tl.constexpr):
    # Loads and stores through one parameter.
    i = tl.arange(0, 256)
    for step in tl.static_range(STEPS):
        tl.store(x + step * 128 + i, tl.load(x + step * 256 + i) + 1.0)


@triton.jit
def product(a, b, c, K, stride_am, stride_ak, stride_bk, stride_bn, STEPS: tl.constexpr):
    # A tile of a product whose addresses are all computed: no stride is known.
    m = tl.arange(0, 128)
    n = tl.arange(0, 256)
    k = tl.arange(0, STEPS)
    acc = tl.zeros((128, 256), tl.float32)
    for first in range(0, K, STEPS):
        at = a + m[:, None] * stride_am + (first + k)[None, :] * stride_ak
        bt = b + (first + k)[:, None] * stride_bk + n[None, :] * stride_bn
        acc = tl.dot(tl.load(at), tl.load(bt), acc)
    tl.store(c + m[:, None] * 256 + n[None, :], acc)


@triton.jit
def powers(x, STEPS: tl.constexpr):
    # Arithmetic of floats with bits of floats in between.
    i = tl.arange(0, 128)
    v = tl.load(x + i)
    for _ in tl.static_range(STEPS):
        v = libdevice.pow(v, v)
    tl.store(x + i, v)


@triton.jit
def divisions(x, STEPS: tl.constexpr):
    # Multiples with an addend in common, each of another number.
    i = tl.arange(0, 256)
    v = tl.load(x + i)
    for _ in tl.static_range(STEPS):
        v = (v * 12 + 5) // 3
    tl.store(x + i, v)
