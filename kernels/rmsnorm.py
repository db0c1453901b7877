"""y[r, :] = x[r, :] / sqrt(mean of x[r, :]^2 + eps) * weight: layernorm without mean and bias.

One reduction a row, so one exchange between its threads. The row lies in one block, is read once and
computed with in fp32.

    tegula run kernels/rmsnorm.py --grid=64 -D BLOCK=1024 --report \\
        --arg x_ptr=randn:fp32[64,1000] --arg y_ptr=zeros:fp32[64,1000] --arg weight_ptr=randn:fp32[1000] \\
        --arg stride=1000 --arg n=1000 --arg eps=1e-6
"""

import triton
import triton.language as tl


@triton.jit
def rmsnorm_kernel(x_ptr, y_ptr, weight_ptr, stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * stride
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    x = tl.load(x_ptr + row + columns, mask=mask, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + columns, mask=mask).to(tl.float32)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / n + eps)
    y = x * scale * weight
    tl.store(y_ptr + row + columns, y.to(y_ptr.dtype.element_ty), mask=mask)


def rmsnorm(x, weight, eps=1e-6, num_warps=4):
    """The host side: a program for each row of a matrix."""
    import torch

    rows, n = x.shape
    y = torch.empty_like(x)
    rmsnorm_kernel[(rows,)](x, y, weight, x.stride(0), n, eps, BLOCK=triton.next_power_of_2(n), num_warps=num_warps)
    return y


def reference(x, weight, eps=1e-6):
    d = x.double()
    return (d * (d.square().mean(dim=1, keepdim=True) + eps).rsqrt() * weight.double()).to(x.dtype)


if __name__ == "__main__":
    import torch

    v, w = torch.randn(1151, 4096, device="cuda"), torch.randn(4096, device="cuda")
    torch.testing.assert_close(rmsnorm(v, w), reference(v, w), rtol=1e-5, atol=1e-6)
    print("rmsnorm agrees with the reference")
