"""Kernels that cost more than the least by their nature."""

import triton
import triton.language as tl


@triton.jit
def factors_of_halves(x, factors, y):
    """A thread has 16 bytes of x and so 32 of the factors, which two accesses take that use half of each sector.

    tegula run good.py -k factors_of_halves --grid=16 --arg x=randn:fp16[16,16,64] --arg factors=randn:fp32[16,64] \\
        --arg y=zeros:fp16[16,16,64]
    """
    d = tl.arange(0, 64)
    at = tl.program_id(0) * 1024 + tl.arange(0, 16)[:, None] * 64 + d[None, :]
    factor = tl.load(factors + tl.program_id(0) * 64 + d)
    tl.store(y + at, (tl.load(x + at) * factor[None, :]).to(tl.float16))
