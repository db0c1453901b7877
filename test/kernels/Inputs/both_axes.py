"""A tile that one product reads along K and the next, transposed, across."""
import triton
import triton.language as tl


@triton.jit
def gradient(k_ptr, q_ptr, out_ptr, steps, M: tl.constexpr, D: tl.constexpr):
    d = tl.arange(0, D)
    m = tl.arange(0, M)
    k = tl.load(k_ptr + d[:, None] * D + d[None, :])
    acc = tl.zeros([D, D], tl.float32)
    for step in range(steps):
        qt = tl.load(q_ptr + step * M * D + d[:, None] + m[None, :] * D)
        p = tl.dot(k, qt)
        acc += tl.dot(p.to(tl.bfloat16), tl.trans(qt))
    tl.store(out_ptr + d[:, None] * D + d[None, :], acc)
