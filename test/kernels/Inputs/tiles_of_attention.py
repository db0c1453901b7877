"""Attention with a loop over tiles of its own around a loop of whole blocks of keys and one of the rest."""

import triton
import triton.language as tl


@triton.jit
def attend(q, tops, sums, values, k_ptr, v_ptr, m, first, last, N, stride, D: tl.constexpr, BLOCK: tl.constexpr,
           CAUSAL: tl.constexpr, MASKED: tl.constexpr):
    d = tl.arange(0, D)
    for start in range(first, last, BLOCK):
        n = start + tl.arange(0, BLOCK)
        if MASKED:
            kT = tl.load(k_ptr + d[:, None] + n[None, :] * stride, mask=n[None, :] < N, other=0.0)
        else:
            kT = tl.load(k_ptr + d[:, None] + n[None, :] * stride)
        scores = tl.dot(q, kT) * 0.125
        if MASKED:
            seen = (m[:, None] >= n[None, :]) | (not CAUSAL)
            scores = tl.where(seen & (n[None, :] < N), scores, -float("inf"))
        higher = tl.maximum(tops, tl.max(scores, 1))
        weights = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(tops - higher)
        sums = sums * shrink + tl.sum(weights, 1)
        if MASKED:
            v = tl.load(v_ptr + n[:, None] * stride + d[None, :], mask=n[:, None] < N, other=0.0)
        else:
            v = tl.load(v_ptr + n[:, None] * stride + d[None, :])
        values = tl.dot(weights.to(v.dtype), v, values * shrink[:, None])
        tops = higher
    return tops, sums, values


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, o_ptr, N, head_stride, stride, D: tl.constexpr, BLOCK: tl.constexpr,
              CAUSAL: tl.constexpr):
    at = tl.program_id(1).to(tl.int64) * head_stride
    for block in range(tl.program_id(0), tl.cdiv(N, BLOCK), tl.num_programs(0)):
        m = block * BLOCK + tl.arange(0, BLOCK)
        d = tl.arange(0, D)
        q = tl.load(q_ptr + at + m[:, None] * stride + d[None, :], mask=m[:, None] < N, other=0.0)
        tops = tl.full((BLOCK,), -float("inf"), tl.float32)
        sums = tl.zeros((BLOCK,), tl.float32)
        values = tl.zeros((BLOCK, D), tl.float32)
        whole = block * BLOCK if CAUSAL else N // BLOCK * BLOCK
        last = min((block + 1) * BLOCK, N) if CAUSAL else N
        tops, sums, values = attend(q, tops, sums, values, k_ptr + at, v_ptr + at, m, 0, whole, N, stride, D, BLOCK,
                                    CAUSAL, False)
        tops, sums, values = attend(q, tops, sums, values, k_ptr + at, v_ptr + at, m, whole, last, N, stride, D, BLOCK,
                                    CAUSAL, True)
        o = (values / sums[:, None]).to(o_ptr.dtype.element_ty)
        tl.store(o_ptr + at + m[:, None] * stride + d[None, :], o, mask=m[:, None] < N)
