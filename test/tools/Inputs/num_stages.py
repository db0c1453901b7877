import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"B": 64}, num_stages=0)], key=[])
@triton.jit
def none(x_ptr, y_ptr, n, B: tl.constexpr):
    for j in tl.range(0, n, num_stages=0):
        i = j * B + tl.arange(0, B)
        tl.store(y_ptr + i, tl.load(x_ptr + i))


@triton.heuristics({"num_stages": lambda args: args["S"]})
@triton.jit
def computed(x_ptr, y_ptr, n, S: tl.constexpr):
    for j in range(n):
        tl.store(y_ptr + j, tl.load(x_ptr + j))
