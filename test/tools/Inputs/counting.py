import triton
import triton.language as tl


@triton.jit
def count(out, n):
    total = 0
    for i in range(n):
        total = total * 3 + i
    tl.store(out, total)
