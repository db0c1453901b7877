import triton
import triton.language as tl


@triton.jit
def counter(x, n):
    # All threads load what one of them stores.
    for _ in range(n):
        tl.store(x, tl.load(x) + 1)


@triton.jit
def branched(x, o, n):
    a = tl.load(x)
    if n > 0:
        tl.store(x, a + 1)
    tl.store(o, a)


@triton.jit
def swap(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(x + B - 1 - i)
    tl.store(x + i, b)
    tl.store(o + i, a)


@triton.jit
def turn(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, i * 2)
    tl.store(o + i, tl.load(x + B - 1 - i))


@triton.jit
def shift(x, n, B: tl.constexpr):
    # Each iteration loads what the one before stored one place further on.
    i = tl.arange(0, B)
    for k in range(n):
        v = tl.load(x + k + i)
        tl.store(x + k + 1 + i, v + 1)


@triton.jit
def count(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.atomic_add(x + i % 32, 1, sem="relaxed")
    tl.store(o + i, tl.load(x + (i + 1) % 32))


@triton.jit
def aliased(x, y, B: tl.constexpr):
    # Different parameters are different arrays: where they are not, this is a race.
    i = tl.arange(0, B)
    tl.store(x + i, i)
    tl.store(y + B + i, tl.load(y + B - 1 - i))
