"""Kernels with dots that meet other things than their own loads and stores."""

import triton
import triton.language as tl


@triton.jit
def tile(ptr, stride, R: tl.constexpr, C: tl.constexpr):
    return ptr + tl.arange(0, R)[:, None] * stride + tl.arange(0, C)[None, :]


@triton.jit
def dequantized(a_ptr, b_ptr, scale_ptr, c_ptr, stride, K):
    scale = tl.load(scale_ptr + tl.arange(0, 64))
    sums = tl.zeros((64, 64), tl.float32)
    for k in range(0, K, 32):
        a = tl.load(tile(a_ptr + k, stride, 64, 32))
        b = tl.load(tile(b_ptr + k * stride, stride, 32, 64)).to(tl.float16) * scale[None, :]
        sums = tl.dot(a, b, sums)
    tl.store(tile(c_ptr, stride, 64, 64), sums.to(tl.float16))


@triton.jit
def combined(a_ptr, b_ptr, c_ptr, stride):
    sums = tl.dot(tl.load(tile(a_ptr, stride, 64, 32)), tl.load(tile(b_ptr, stride, 32, 64)))
    before = tl.load(tile(c_ptr, stride, 64, 64))
    tl.store(tile(c_ptr, stride, 64, 64), tl.maximum(before.to(tl.float32), sums).to(tl.float16))


@triton.jit
def transposed(a_ptr, b_ptr, c_ptr, stride):
    a = tl.load(tile(a_ptr, stride, 32, 64))
    b = tl.load(tile(b_ptr, stride, 64, 32))
    tl.store(tile(c_ptr, stride, 64, 64), tl.dot(tl.trans(a), tl.trans(b)))


@triton.jit
def backward(q_ptr, k_ptr, g_ptr, dk_ptr, dq_ptr, stride, N):
    """Two products of which the first one's result is operand a of one dot and, transposed, of another."""
    k = tl.load(tile(k_ptr, stride, 64, 64))
    dk = tl.zeros((64, 64), tl.float32)
    for n in range(0, N, 64):
        q = tl.load(tile(q_ptr + n * stride, stride, 64, 64))
        g = tl.load(tile(g_ptr + n * stride, stride, 64, 64))
        s = tl.dot(q, tl.trans(k))
        p = tl.exp2(s - tl.max(s, axis=1)[:, None]).to(tl.float16)
        dk = tl.dot(tl.trans(p), g, dk)
        tl.store(tile(dq_ptr + n * stride, stride, 64, 64), tl.dot(p, k).to(tl.float16))
    tl.store(tile(dk_ptr, stride, 64, 64), dk.to(tl.float16))


@triton.jit
def persistent(a_ptr, b_ptr, c_ptr, stride, steps, K):
    """One loop for tiles and steps along K: the sum is stored inside it, and begins anew."""
    sums = tl.zeros((64, 64), tl.float32)
    for i in range(steps):
        k = i % K
        a = tl.load(tile(a_ptr + k * 32, stride, 64, 32))
        b = tl.load(tile(b_ptr + k * 32 * stride, stride, 32, 64))
        sums = tl.dot(a, b, sums)
        if k == K - 1:
            tl.store(tile(c_ptr + i, stride, 64, 64), sums.to(tl.float16))
            sums = tl.zeros((64, 64), tl.float32)


@triton.jit
def ahead(a_ptr, b_ptr, c_ptr, stride, K):
    """Operands that the author loads an iteration ahead."""
    a = tl.load(tile(a_ptr, stride, 64, 32))
    b = tl.load(tile(b_ptr, stride, 32, 64))
    sums = tl.zeros((64, 64), tl.float32)
    for k in range(32, K, 32):
        sums = tl.dot(a, b, sums)
        a = tl.load(tile(a_ptr + k, stride, 64, 32))
        b = tl.load(tile(b_ptr + k * stride, stride, 32, 64))
    tl.store(tile(c_ptr, stride, 64, 64), tl.dot(a, b, sums).to(tl.float16))


@triton.jit
def rowwise(a_ptr, b_ptr, s_ptr, c_ptr, stride):
    """Statistics of rows and columns of a product."""
    c = tl.dot(tl.load(tile(a_ptr, stride, 64, 32)), tl.load(tile(b_ptr, stride, 32, 64)))
    top = tl.max(c, axis=1)
    c = c - top[:, None]
    tl.store(s_ptr + tl.arange(0, 64), top)
    tl.store(tile(c_ptr, stride, 64, 64), (c * tl.sum(c, axis=0)[None, :]).to(tl.float16))


@triton.jit
def eight_bits(a_ptr, b_ptr, c_ptr, stride):
    """No unit adds up products of f8 in f16."""
    a = tl.load(tile(a_ptr, stride, 64, 32))
    b = tl.load(tile(b_ptr, stride, 32, 64))
    tl.store(tile(c_ptr, stride, 64, 64), tl.dot(a, b, out_dtype=tl.float16))
