# Random numbers and wide products next to data from memory.
import triton
import triton.language as tl


@triton.jit
def dropout(x, o, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m)
    keep = tl.rand(seed, i) > p
    tl.store(o + i, tl.where(keep, v / (1 - p), 0.0), mask=m)


@triton.jit
def high_halves(o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.umulhi(i, 0x7FFFFFFF))


@triton.jit
def high_halves_of_data(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.umulhi(i, tl.load(x + i)))


@triton.jit
def turned(x, o, seed, stride, B: tl.constexpr):
    r = tl.arange(0, B)[:, None]
    c = tl.arange(0, B)[None, :]
    v = tl.load(x + r * stride + c)
    t = tl.rand(seed, r * B + c)
    tl.store(o + c * stride + r, v * t)
