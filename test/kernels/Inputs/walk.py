"""Products of matrices whose blocks may, or may not, run several programs: WAY says which."""

import triton
import triton.language as tl
from triton.language.extra import cuda


@triton.jit
def product(a_ptr, b_ptr, c_ptr, flag_ptr, M, N, K, stride_am, stride_bk, stride_cm, WAY: tl.constexpr):
    row = 0 if WAY == "alone" else tl.program_id(0)
    column = 0 if WAY == "alone" else tl.program_id(2 if WAY == "deep" else 1)
    m = row * 128 + tl.arange(0, 128)
    n = column * 256 + tl.arange(0, 64 if WAY == "small" else 256)
    k = tl.arange(0, 64)
    if WAY == "clock":
        tl.store(flag_ptr + column, cuda.smid())
    a_ptrs = a_ptr + m[:, None] * stride_am + k[None, :]
    b_ptrs = b_ptr + k[:, None] * stride_bk + n[None, :]
    sums = tl.zeros((128, 64 if WAY == "small" else 256), dtype=tl.float32)
    for first in tl.range(0, K, 64, num_stages=4 if WAY == "large" else 3, warp_specialize=True):
        a = tl.load(a_ptrs + first, mask=(m[:, None] < M) & (k[None, :] < K - first), other=0.0)
        b = tl.load(b_ptrs + first * stride_bk, mask=(k[:, None] < K - first) & (n[None, :] < N), other=0.0)
        sums = tl.dot(a, b, sums)
    if WAY == "twice" or WAY == "twice otherwise":
        for first in tl.range(0, K, 64, num_stages=3 if WAY == "twice" else 1):
            a = tl.load(a_ptrs + first, mask=(m[:, None] < M) & (k[None, :] < K - first), other=0.0)
            b = tl.load(b_ptrs + first * stride_bk, mask=(k[:, None] < K - first) & (n[None, :] < N), other=0.0)
            sums = tl.dot(a, b, sums)
    if WAY == "while":
        while row > 1000:
            row = row // 2
        sums += row
    if WAY == "barrier":
        tl.debug_barrier()
    if WAY == "prints":
        tl.device_print("row", row)
    if WAY == "counts":
        tl.atomic_add(flag_ptr, 1, sem="relaxed")
    inside = (m[:, None] < M) & (n[None, :] < N)
    if WAY == "large":
        inside &= (n % 3)[None, :] < 2  # no box: threads store it
    tl.store(c_ptr + m[:, None] * stride_cm + n[None, :], sums.to(tl.float16), mask=inside)
