import triton
import triton.language as tl


@triton.jit
def shifted(x_ptr, y_ptr, n, shift, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + shift + i, mask=i < n)
    tl.store(y_ptr + i, x, mask=i < n)


@triton.jit
def unmasked(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(y_ptr + i, x, mask=i < n)


@triton.jit
def column(x_ptr, y_ptr, stride, ROWS: tl.constexpr):
    r = tl.arange(0, ROWS)
    tl.store(y_ptr + r, tl.load(x_ptr + r * stride))
