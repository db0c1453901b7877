"""y[r, :] = softmax of x[r, :]: a row is read once, reduced twice and written once.

Subtracting the row's maximum keeps exp in range and changes nothing in the quotient. Three ways to go
over the rows of a matrix, all computing in fp32 whatever the element type:

- `softmax_kernel`: a program for each row, which lies in registers between the load and the store. BLOCK is
  the next power of two above the row's length; what lies behind the end is -inf, so that exp makes it 0.
- `softmax_persistent_kernel`: as many programs as the device holds at once, each walking over rows a grid
  apart. `num_stages` asks for the next rows' loads before this row's arithmetic.
- `softmax_online_kernel`: rows of any length in two passes, in blocks of DEPTH by BLOCK / DEPTH. Each column of the
  block keeps a maximum and a sum of its own; when the maximum grows, the sum shrinks by the same factor. A column is
  one thread's, so that nothing is exchanged between threads before the end of the first pass.

    tegula run kernels/softmax.py -k softmax_kernel --grid=64 -D BLOCK=1024 --report \\
        --arg x_ptr=randn:fp32[64,1000] --arg y_ptr=zeros:fp32[64,1000] --arg stride=1000 --arg n=1000
"""

import triton
import triton.language as tl

# The least finite fp32. A running maximum starts here and not at -inf: -inf - -inf would be NaN.
LOWEST = tl.constexpr(-3.4028234663852886e38)
LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def softmax_kernel(x_ptr, y_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * stride
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    x = tl.load(x_ptr + row + columns, mask=mask, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    y = e / tl.sum(e, axis=0)
    tl.store(y_ptr + row + columns, y.to(y_ptr.dtype.element_ty), mask=mask)


@triton.jit
def softmax_persistent_kernel(x_ptr, y_ptr, stride, n_rows, n, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    for r in tl.range(tl.program_id(0), n_rows, tl.num_programs(0), num_stages=STAGES):
        row = r.to(tl.int64) * stride
        x = tl.load(x_ptr + row + columns, mask=mask, other=-float("inf")).to(tl.float32)
        e = tl.exp(x - tl.max(x, axis=0))
        y = e / tl.sum(e, axis=0)
        tl.store(y_ptr + row + columns, y.to(y_ptr.dtype.element_ty), mask=mask)


@triton.jit
def take_in(tops, sums, x):
    """Each column's greatest element so far, and its sum of exponentials below that, with those of `x`."""
    higher = tl.maximum(tops, tl.max(x, axis=0))
    # exp2, of which results below 2^-126 are 0, is three instructions less than exp, which keeps them.
    terms = tl.sum(tl.exp2((x - higher[None, :]) * LOG2_E), axis=0)
    return higher, sums * tl.exp2((tops - higher) * LOG2_E) + terms


@triton.jit
def softmax_online_kernel(x_ptr, y_ptr, stride, n, BLOCK: tl.constexpr, DEPTH: tl.constexpr = 4):
    row = tl.program_id(0).to(tl.int64) * stride
    WIDTH: tl.constexpr = BLOCK // DEPTH
    columns = tl.arange(0, DEPTH)[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :]
    tops = tl.full((WIDTH,), LOWEST, tl.float32)
    sums = tl.zeros((WIDTH,), tl.float32)
    for start in range(0, n, BLOCK):
        mask = start + columns < n
        x = tl.load(x_ptr + row + start + columns, mask=mask, other=-float("inf")).to(tl.float32)
        tops, sums = take_in(tops, sums, x)
    top = tl.max(tops, axis=0)
    total = tl.sum(sums * tl.exp2((tops - top) * LOG2_E), axis=0)
    for start in range(0, n, BLOCK):
        mask = start + columns < n
        x = tl.load(x_ptr + row + start + columns, mask=mask).to(tl.float32)
        y = tl.exp(x - top) / total
        tl.store(y_ptr + row + start + columns, y.to(y_ptr.dtype.element_ty), mask=mask)


def softmax(x, num_warps=4):
    """The host side: a program for each row of a matrix, its row in one block."""
    import torch

    rows, n = x.shape
    y = torch.empty_like(x)
    softmax_kernel[(rows,)](x, y, x.stride(0), n, BLOCK=triton.next_power_of_2(n), num_warps=num_warps)
    return y


def softmax_persistent(x, stages=2):
    """As many programs as fill the device with warps; rows of up to 256 elements take one warp each."""
    import torch

    rows, n = x.shape
    y = torch.empty_like(x)
    BLOCK = triton.next_power_of_2(n)
    num_warps = min(8, max(1, BLOCK // 256))
    programs = torch.cuda.get_device_properties(x.device).multi_processor_count * min(32, 64 // num_warps)
    softmax_persistent_kernel[(min(programs, rows),)](
        x, y, x.stride(0), rows, n, BLOCK=BLOCK, STAGES=stages, num_warps=num_warps)
    return y


def softmax_online(x, block=16384, num_warps=16):
    import torch

    rows, n = x.shape
    y = torch.empty_like(x)
    softmax_online_kernel[(rows,)](x, y, x.stride(0), n, BLOCK=block, num_warps=num_warps)
    return y


def reference(x):
    import torch

    return torch.softmax(x.double(), dim=1).to(x.dtype)


if __name__ == "__main__":
    import torch

    v = torch.randn(1823, 781, device="cuda")
    for f in (softmax, softmax_persistent, softmax_online):
        torch.testing.assert_close(f(v), reference(v), rtol=1e-5, atol=1e-7)
    print("softmax agrees with the reference in all three ways")
