"""Kernels in the shapes that repositories give them: decorators on top, helpers next to them, a host class around."""
from __future__ import annotations

import functools
import math
from typing import Optional, Tuple

import torch
import triton
import triton.language as tl
from triton import language as lang
from triton.language import math as tmath

LOG2E: tl.constexpr = 1.4426950408889634
SLOPE = tl.constexpr(0.01)
CONFIGS = [triton.Config({"BLOCK": b}, num_warps=w) for b in (64, 128) for w in (2, 4)]


@triton.jit
def _offsets(pid, n, BLOCK: tl.constexpr):
    """Offsets of a block, and which of them lie inside."""
    o = pid * BLOCK + tl.arange(0, BLOCK)
    return o, o < n


@triton.jit
def _silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def _act(x, KIND: tl.constexpr):
    if KIND == "relu":
        return tl.maximum(x, 0.0)
    elif KIND == "silu":
        return _silu(x)
    elif KIND == "leaky":
        return tl.where(x >= 0, x, SLOPE * x)
    else:
        tl.static_assert(KIND == "none", "unknown activation")
        return x


@triton.autotune(configs=CONFIGS, key=["n"], reset_to_zero=["y"])
@triton.heuristics({"EVEN": lambda a: a["n"] % a["BLOCK"] == 0})
@triton.jit
def activation(x, y, n, KIND: tl.constexpr, EVEN: tl.constexpr, BLOCK: tl.constexpr):
    o, m = _offsets(tl.program_id(axis=0), n, BLOCK)
    if EVEN:
        v = tl.load(x + o).to(tl.float32)
    else:
        v = tl.load(x + o, mask=m, other=0.0).to(tl.float32)
    tl.store(y + o, _act(v, KIND).to(y.dtype.element_ty), mask=m)


@triton.jit(do_not_specialize=["n"])
def swiglu(gate, up, out, n, BLOCK: tl.constexpr = 64):
    pid = tl.program_id(0).to(tl.int64)
    o = pid * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    g = tl.load(gate + o, m, 0.0).to(tl.float32)
    u = tl.load(up + o, m, 0.0)
    out += 0
    tl.store(out + o, _silu(g).cast(u.dtype) * u, mask=m)


@triton.jit
def bias_add(x, bias, y, M, N, sm, sn: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, HAS_BIAS: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (rm[:, None] < M) & (rn[None, :] < N)
    p = x + (rm[:, None] * sm + rn[None, :] * sn)
    acc = tl.load(p, mask=mask, other=0.0)
    if HAS_BIAS:
        acc += tl.load(bias + rn, mask=rn < N, other=0.0)[None, :]
    tl.store(y + rm[:, None] * N + rn[None, :], acc, mask=mask)


@triton.jit
def rotary(q, cos, sin, half: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, half)
    base = q + row * 2 * half
    a, b = tl.load(base + i), tl.load(base + half + i)
    c, s = tl.load(cos + i), tl.load(sin + i)
    tl.store(base + i, a * c - b * s)
    tl.store(base + half + i, b * c + a * s)


@triton.jit
def dequantize(q, scale, zero, out, n, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    o, m = _offsets(tl.program_id(0), n, BLOCK)
    packed = tl.load(q + o // 8, mask=m, other=0)
    nibble = (packed >> ((o % 8) * 4)) & 0xF
    s = tl.load(scale + o // GROUP, mask=m, other=1.0)
    z = tl.load(zero + o // GROUP, mask=m, other=0).to(tl.int32)
    tl.store(out + o, (nibble - z).to(tl.float32) * s, mask=m)


@triton.jit
def adamw(p_ptr, g_ptr, m_ptr, v_ptr, lr, n, B1: tl.constexpr, B2: tl.constexpr, EPS: tl.constexpr, BLOCK: tl.constexpr):
    o, mask = _offsets(tl.program_id(0), n, BLOCK)
    g = tl.load(g_ptr + o, mask=mask)
    m = B1 * tl.load(m_ptr + o, mask=mask) + (1 - B1) * g
    v = B2 * tl.load(v_ptr + o, mask=mask) + (1 - B2) * g * g
    p = tl.load(p_ptr + o, mask=mask)
    tl.store(p_ptr + o, p - lr * m / (tl.sqrt(v) + EPS), mask=mask)
    tl.store(m_ptr + o, m, mask=mask, cache_modifier=".cg")
    tl.store(v_ptr + o, v, mask=mask, eviction_policy="evict_first")


@triton.jit
def masked_fill(x, mask_ptr, value, y, n, BLOCK: tl.constexpr):
    o, m = _offsets(tl.program_id(0), n, BLOCK)
    keep = tl.load(mask_ptr + o, mask=m, other=0).to(tl.int1)
    tl.store(y + o, tl.where(keep, value, tl.load(x + o, mask=m, other=0)), mask=m & (o >= 0))


@triton.jit
def gather_rows(table, index, out, stride, D: tl.constexpr):
    row = tl.load(index + tl.program_id(0))
    if row < 0:
        return
    d = tl.arange(0, D)
    tl.store(out + tl.program_id(0) * D + d, tl.load(table + row * stride + d))


@triton.jit
def optional(x, w: Optional[torch.Tensor], y, n, BLOCK: "tl.constexpr"):
    o, m = _offsets(tl.program_id(0), n, BLOCK)
    v = tl.load(x + o, mask=m)
    if w is not None:
        v = v * tl.load(w + o, mask=m)
    tl.store(y + o, v, mask=m)


@triton.jit
def pow_mix(x, y, n, P: tl.constexpr, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK >= 32 and (BLOCK & (BLOCK - 1)) == 0)
    tl.static_print("power", P)
    o, m = _offsets(tl.program_id(0), n, BLOCK)
    v = tl.load(x + o, mask=m).to(tl.float32)
    r = v
    for _ in tl.static_range(P - 1):
        r = r * v
    tl.store(y + o, tmath.exp2(tmath.log2(r)) if P > 2 else r, mask=m)


@triton.jit
def grid_stride(x, y, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        o = start + lang.arange(0, BLOCK)
        lang.store(y + o, lang.load(x + o, mask=o < n) * 2, mask=o < n)


@triton.jit
def clip_cast(x, y, lo: tl.float32, hi: tl.float32, n, DTYPE: tl.constexpr, BLOCK: tl.constexpr):
    o, m = _offsets(tl.program_id(0), n, BLOCK)
    tl.store(y + o, tl.clamp(tl.load(x + o, mask=m, other=0.0), lo, hi).to(DTYPE), mask=m)


@triton.jit
def report(x, n):
    v = tl.load(x + n)
    if tl.program_id(0) == 0:
        tl.device_print("value", v)
    tl.device_assert(v == v, "not a number")


class Activation(torch.autograd.Function):
    """The host side: parsed, never run."""

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def forward(ctx, x: torch.Tensor, *, kind: str = "silu", **kw) -> Tuple[torch.Tensor, ...]:
        y, n = torch.empty_like(x), x.numel()
        grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
        with torch.cuda.device(x.device), torch.no_grad():
            activation[grid](x, y, n, KIND=kind, **{k: v for k, v in kw.items() if v is not None})
        if (size := math.prod(x.shape)) != n:
            raise ValueError(f"{size=} {n!r:>8} {'differs' if size < n else 'grew'}")
        return (y,)

    backward = staticmethod(lambda ctx, *g: tuple(None for _ in g))
