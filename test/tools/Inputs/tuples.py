import triton
import triton.language as tl


@triton.jit
def add(t, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(t[0] + i, mask=i < n)
    y = tl.load(t[1][0] + i * t[1][1], mask=i < n)
    tl.store(out + i, x + y, mask=i < n)


@triton.jit
def named(p, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(p.x + i * p.step, mask=i < p.n, other=0.0)
    for k in tl.static_range(len(p.more)):
        x += tl.load(p.more[k] + i)
    tl.store(out + i, x)


@triton.jit
def blocks(p, out):
    a = p[0].load([0, 0])
    tl.store(out + tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :], a + p[1])
