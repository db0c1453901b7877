import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, y_ptr, n, SIDE: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, SIDE)
    x = tl.load(x_ptr + row * SIDE + i, mask=i < n, other=-1)
    if row % 2 == 0:
        y = x * 3
    else:
        y = x - row
    for k in range(row):
        y += k
    tl.store(y_ptr + row * SIDE + i, y)


@triton.jit
def says(n):
    tl.device_print("n", n + tl.program_id(0))


@triton.jit
def says_early(n):
    tl.static_print("n is", n)


@triton.jit
def masked(x_ptr, n):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(x_ptr + i, x + 1)


@triton.jit
def far(p):
    return tl.load(p + 8)


@triton.jit
def calls(x_ptr):
    tl.store(x_ptr, far(x_ptr))
