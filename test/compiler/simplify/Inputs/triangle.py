import triton
import triton.language as tl


@triton.jit
def triangle_kernel(x_ptr, N: tl.constexpr, STEPS: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    for c in tl.static_range(STEPS):
        for p in tl.static_range(c):
            x = tl.where(i == p, x * 3 + c, x ^ p)
        x = x + c
    tl.store(x_ptr + i, x)
