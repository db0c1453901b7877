"""Kernels that cost more than they must, and one that does not.

    tegula run explain.py -k every_second --grid=2 -D BLOCK=256 --device=interpret \\
        --arg x_ptr=randn:fp32[2048] --arg y_ptr=zeros:fp32[512] --arg stride=2
    tegula run explain.py -k plain --grid=2 -D BLOCK=512 --arg x_ptr=randn:fp32[1024] --arg y_ptr=zeros:fp32[1024]
    tegula compile explain.py -k compiled -D BLOCK=512 --sig 'x_ptr=*fp32:16' --sig n=i32 --arch=sm_80
"""

import triton
import triton.language as tl


@triton.jit
def every_second(x_ptr, y_ptr, stride, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * stride)
    tl.store(y_ptr + i, x)


@triton.jit
def plain(x_ptr, y_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i))


@triton.jit
def compiled(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 1.0, mask=i < n)


@triton.autotune(configs=[triton.Config({"BLOCK": 512}, num_warps=4), triton.Config({"BLOCK": 65536}, num_warps=8)], key=[])
@triton.jit
def sorted_rows(x_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x_ptr + i, tl.flip(tl.load(x_ptr + i)))
