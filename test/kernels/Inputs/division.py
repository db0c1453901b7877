"""Kernels that divide indices: with signs that are known, unknown, and wrongly trusted."""

import triton
import triton.language as tl


@triton.jit
def rows_and_columns(x, y, w, s, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + (i // w) * s + i % w))


@triton.jit
def blocks_of_64(x, y, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + (i // 64) * 128 + i % 64))


@triton.jit
def repeated(x, y, w, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i // w))


@triton.jit
def wrapped_mask(x, y, w, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i % w < n
    tl.store(y + i, tl.load(x + i, mask=m, other=0))


@triton.jit
def shifted(x, y, w, off, B: tl.constexpr):
    i = tl.arange(0, B) - off
    tl.store(y + tl.arange(0, B), tl.load(x + 1024 + i % w))


@triton.jit
def masked_remainder(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    e = (i - 64) % 64  # C semantics: 0, -63, -62, ...
    tl.store(y + i, tl.load(x + e, mask=e >= 0, other=-1))


@triton.jit
def roll(x, y, shift, n, B: tl.constexpr):
    i = tl.arange(0, B)
    j = (i - shift) % n
    j = tl.where(j < 0, j + n, j)
    tl.store(y + i, tl.load(x + j))


@triton.jit
def rows_beside_halves(x, y, z, w, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    sums = tl.zeros([B], tl.float32)
    for k in range(n):
        sums += tl.load(x + i % w + k * B)
        sums += tl.load(z + (i - 2) // 2 * 2 + k, mask=i >= 2, other=0)
    tl.store(y + i, sums)


@triton.jit
def shifted_narrow(x, y, w: tl.int16, off: tl.int16, B: tl.constexpr):
    i = tl.arange(0, B).to(off.dtype) - off
    tl.store(y + tl.arange(0, B), tl.load(x + 1024 + i % w))
