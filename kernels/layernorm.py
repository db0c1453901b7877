"""y[r, :] = (x[r, :] - mean) * rstd * weight + bias, with mean and rstd = 1 / sqrt(variance + eps) of the row.

Both are also written, one number a row each, for a backward pass. The arithmetic is fp32.

- `layernorm_kernel`: the row lies in one block. The variance is the mean of squared distances, taken after
  the mean is known: the distance to a mean far from 0 does not cancel as in mean(x^2) - mean^2.
- `layernorm_any_kernel`: rows of any length in two passes, without a second pass for the variance. Each
  position of the block follows Welford's recurrence over its own elements, and `tl.reduce` joins three values
  at a time, (mean, sum of squared distances, count), by Chan's formula.

    tegula run kernels/layernorm.py -k layernorm_kernel --grid=64 -D BLOCK=1024 --report \\
        --arg x_ptr=randn:fp32[64,1000] --arg y_ptr=zeros:fp32[64,1000] --arg weight_ptr=randn:fp32[1000] \\
        --arg bias_ptr=randn:fp32[1000] --arg mean_ptr=zeros:fp32[64] --arg rstd_ptr=zeros:fp32[64] \\
        --arg stride=1000 --arg n=1000 --arg eps=1e-5
"""

import triton
import triton.language as tl


@triton.jit
def layernorm_kernel(x_ptr, y_ptr, weight_ptr, bias_ptr, mean_ptr, rstd_ptr, stride, n, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    row = r.to(tl.int64) * stride
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    x = tl.load(x_ptr + row + columns, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / n
    distance = tl.where(mask, x - mean, 0.0)
    rstd = 1.0 / tl.sqrt(tl.sum(distance * distance, axis=0) / n + eps)
    tl.store(mean_ptr + r, mean)
    tl.store(rstd_ptr + r, rstd)
    weight = tl.load(weight_ptr + columns, mask=mask).to(tl.float32)
    bias = tl.load(bias_ptr + columns, mask=mask).to(tl.float32)
    y = distance * rstd * weight + bias
    tl.store(y_ptr + row + columns, y.to(y_ptr.dtype.element_ty), mask=mask)


@triton.jit
def join_moments(mean_a, squares_a, count_a, mean_b, squares_b, count_b):
    """Mean, sum of squared distances from it and count of two sets together; either may be empty."""
    count = count_a + count_b
    share = tl.where(count == 0.0, 0.0, count_b / count)
    distance = mean_b - mean_a
    return mean_a + distance * share, squares_a + squares_b + distance * distance * count_a * share, count


@triton.jit
def layernorm_any_kernel(x_ptr, y_ptr, weight_ptr, bias_ptr, mean_ptr, rstd_ptr, stride, n, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    row = r.to(tl.int64) * stride
    columns = tl.arange(0, BLOCK)
    means = tl.zeros((BLOCK,), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    seen = 0.0
    for start in range(0, n, BLOCK):
        mask = start + columns < n
        x = tl.load(x_ptr + row + start + columns, mask=mask, other=0.0).to(tl.float32)
        # All positions have seen as many elements, but for the last block: there the mask keeps the others out.
        seen += 1.0
        before = x - means
        means = tl.where(mask, means + before / seen, means)
        squares = tl.where(mask, squares + before * (x - means), squares)
    counts = tl.cdiv(n - columns, BLOCK).to(tl.float32)
    mean, square, _ = tl.reduce((means, squares, counts), 0, join_moments)
    rstd = 1.0 / tl.sqrt(square / n + eps)
    tl.store(mean_ptr + r, mean)
    tl.store(rstd_ptr + r, rstd)
    for start in range(0, n, BLOCK):
        mask = start + columns < n
        x = tl.load(x_ptr + row + start + columns, mask=mask).to(tl.float32)
        weight = tl.load(weight_ptr + start + columns, mask=mask).to(tl.float32)
        bias = tl.load(bias_ptr + start + columns, mask=mask).to(tl.float32)
        y = (x - mean) * rstd * weight + bias
        tl.store(y_ptr + row + start + columns, y.to(y_ptr.dtype.element_ty), mask=mask)


def layernorm(x, weight, bias, eps=1e-5, any_length=False, num_warps=4):
    """The host side: a program for each row of a matrix. Gives y, the means and the reciprocal deviations."""
    import torch

    rows, n = x.shape
    y = torch.empty_like(x)
    mean, rstd = torch.empty((2, rows), dtype=torch.float32, device=x.device)
    kernel, block = (layernorm_any_kernel, 4096) if any_length else (layernorm_kernel, triton.next_power_of_2(n))
    kernel[(rows,)](x, y, weight, bias, mean, rstd, x.stride(0), n, eps, BLOCK=block, num_warps=num_warps)
    return y, mean, rstd


def reference(x, weight, bias, eps=1e-5):
    import torch

    return torch.nn.functional.layer_norm(x.double(), (x.shape[1],), weight.double(), bias.double(), eps).to(x.dtype)


if __name__ == "__main__":
    import torch

    v = torch.randn(1151, 8192, device="cuda")
    w, b = torch.randn(2, 8192, device="cuda")
    for any_length in (False, True):
        y = layernorm(v, w, b, any_length=any_length)[0]
        torch.testing.assert_close(y, reference(v, w, b), rtol=1e-5, atol=1e-5)
    print("layernorm agrees with the reference in both ways")
