"""Functions with globals of their own, for kernels of another module."""

import tegula as triton
import tegula.language as tl

DIVISOR = tl.constexpr(2)


@triton.jit
def halved(x):
    return x / DIVISOR


@triton.jit
def doubled(x):
    return x * DIVISOR
