"""y[i * y_stride] = x[i * x_stride]: what a stride costs.

With both strides 1 a thread moves 16 bytes at a time. With a stride of s elements, s times as many
32-byte sectors travel for the same data, and each element needs its own access: `--report` shows both.
A stride of 1 is known when the kernel is compiled, so the fast case needs no second kernel.

    tegula run kernels/strided_copy.py --grid=4 -D BLOCK_SIZE=1024 --report \\
        --arg x_ptr=randn:fp32[8192] --arg y_ptr=zeros:fp32[4096] --arg n=4096 --arg x_stride=2 --arg y_stride=1
"""

import triton
import triton.language as tl


@triton.jit
def strided_copy_kernel(x_ptr, y_ptr, n, x_stride, y_stride, BLOCK_SIZE: tl.constexpr):
    i = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = i < n
    x = tl.load(x_ptr + i * x_stride, mask=mask)
    tl.store(y_ptr + i * y_stride, x, mask=mask)


def strided_copy(x, stride, block_size=1024):
    """The host side: every `stride`-th element of a vector, packed."""
    import torch

    n = triton.cdiv(x.numel(), stride)
    y = torch.empty(n, dtype=x.dtype, device=x.device)
    strided_copy_kernel[(triton.cdiv(n, block_size),)](x, y, n, stride, 1, BLOCK_SIZE=block_size)
    return y


def reference(x, stride):
    return x[::stride]


if __name__ == "__main__":
    import torch

    v = torch.randn(98432, device="cuda")
    torch.testing.assert_close(strided_copy(v, 3), reference(v, 3))
    print("strided_copy agrees with the reference")
