import triton
import triton.language as tl


@triton.jit
def dot(a_ptr, b_ptr, c_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
        PRECISION: tl.constexpr, SUM: tl.constexpr):
    """c += a @ b of one block, of batches where B is not 1."""
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    a_offsets = m * K + tl.arange(0, K)[None, :]
    b_offsets = tl.arange(0, K)[:, None] * N + n
    c_offsets = m * N + n
    if B > 1:
        batch = tl.arange(0, B)[:, None, None]
        a_offsets = batch * (M * K) + a_offsets[None, :, :]
        b_offsets = batch * (K * N) + b_offsets[None, :, :]
        c_offsets = batch * (M * N) + c_offsets[None, :, :]
    a = tl.load(a_ptr + a_offsets)
    b = tl.load(b_ptr + b_offsets)
    c = tl.load(c_ptr + c_offsets)
    tl.store(c_ptr + c_offsets, tl.dot(a, b, c, input_precision=PRECISION, out_dtype=SUM))
