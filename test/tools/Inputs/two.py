import triton
import triton.language as tl


@triton.jit
def helper(x):
    return x + 1


@triton.jit
def first_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, helper(tl.load(x_ptr + offsets, mask=offsets < n)), mask=offsets < n)


@triton.jit
def second_kernel(x_ptr):
    tl.store(x_ptr, 1.0)
