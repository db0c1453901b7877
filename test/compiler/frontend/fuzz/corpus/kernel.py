import triton
import triton.language as tl

@triton.autotune(configs=[triton.Config({"BLOCK": 128}, num_warps=4)], key=["n"])
@triton.jit
def k(x_ptr, y_ptr, n, stride_x, *, BLOCK: tl.constexpr = 1_024):
    """Doc."""
    pid = tl.program_id(axis=0)
    offs = pid * BLOCK + \
        tl.arange(0, BLOCK)[:, None]
    mask = (offs < n) & ~(offs == 0x1F)
    x = tl.load(x_ptr + offs * stride_x, mask=mask, other=-1e-5).to(tl.float32)
    if n > 1. and not BLOCK % 2 == 0 or x is not None:
        x = x if n else .5
    elif pid in (1, 2):
        return
    for i in range(0, n, -1):
        x += i ** 2 // 3
    while x:
        x @= 1 << 2
    tl.store(y_ptr + offs, x, mask)
