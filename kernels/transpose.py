"""y = x transposed: reads along rows, writes along rows, turns in between.

A thread that loads neighbouring columns of x would store neighbouring rows of y, a whole row apart.
The kernel says only what goes where; the compiler gives the load and the store a layout each that is
contiguous for its own side and moves the tile between the two through shared memory, once.

    tegula run kernels/transpose.py --grid=4,4 -D BLOCK_M=64 -D BLOCK_N=64 --report \\
        --arg x_ptr=randn:fp32[256,256] --arg y_ptr=zeros:fp32[256,256] \\
        --arg M=256 --arg N=256 --arg x_stride=256 --arg y_stride=256
"""

import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, y_ptr, M, N, x_stride, y_stride, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (m[:, None] < M) & (n[None, :] < N)
    x = tl.load(x_ptr + m[:, None] * x_stride + n[None, :], mask=mask)
    tl.store(y_ptr + n[:, None] * y_stride + m[None, :], tl.trans(x), mask=tl.trans(mask))


def transpose(x, block_m=64, block_n=64):
    """The host side: one program for each tile of a row-major matrix."""
    import torch

    M, N = x.shape
    y = torch.empty((N, M), dtype=x.dtype, device=x.device)
    grid = (triton.cdiv(M, block_m), triton.cdiv(N, block_n))
    transpose_kernel[grid](x, y, M, N, x.stride(0), y.stride(0), BLOCK_M=block_m, BLOCK_N=block_n)
    return y


def reference(x):
    return x.T.contiguous()


if __name__ == "__main__":
    import torch

    v = torch.randn(1000, 777, device="cuda")
    torch.testing.assert_close(transpose(v), reference(v))
    print("transpose agrees with the reference")
