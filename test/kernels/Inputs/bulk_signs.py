"""A product of matrices where `a` is read from behind, in front of its pointer, or round its end: WAY says which."""

import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K, first_row, stride_am, stride_bk, WAY: tl.constexpr):
    last = tl.num_programs(0) - 1
    m = tl.program_id(0) * 64 + tl.arange(0, 64)
    n = tl.program_id(1) * 64 + tl.arange(0, 64)
    k = tl.arange(0, 64)
    rows, stride = m, stride_am
    if WAY == "last block first":
        rows = (last - tl.program_id(0)) * 64 + tl.arange(0, 64)
    if WAY == "rows in front":
        rows = m - 5
    if WAY == "a row that is given":
        rows = first_row + m
    if WAY == "rows round the front":
        m -= 5
        rows = (m.to(tl.uint32) % M.to(tl.uint32)).to(tl.int32)
    if WAY == "rows without gaps, from their ends":
        stride = K
    if WAY == "rows that wrap round twice":
        rows, stride = (m % M) * 192 + (m % first_row) * 64, 1
    sums = tl.zeros((64, 64), dtype=tl.float32)
    if WAY == "from the end" or WAY == "rows without gaps, from their ends":
        for first in range(K - 64, -1, -64):
            a = tl.load(a_ptr + rows[:, None] * stride + (first + k)[None, :])
            b = tl.load(b_ptr + (first + k)[:, None] * stride_bk + n[None, :])
            sums = tl.dot(a, b, sums)
    elif WAY == "last part first":
        for i in range(tl.cdiv(K, 64)):
            at = (tl.cdiv(K, 64) - 1 - i) * 64 + k
            a = tl.load(a_ptr + rows[:, None] * stride + at[None, :], mask=at[None, :] < K, other=0.0)
            b = tl.load(b_ptr + at[:, None] * stride_bk + n[None, :], mask=at[:, None] < K, other=0.0)
            sums = tl.dot(a, b, sums)
    else:
        for first in range(0, K, 64):
            a = tl.load(a_ptr + rows[:, None] * stride + (first + k)[None, :])
            b = tl.load(b_ptr + (first + k)[:, None] * stride_bk + n[None, :])
            sums = tl.dot(a, b, sums)
    c_ptrs = c_ptr + (tl.program_id(0) * 64 + tl.arange(0, 64))[:, None] * N + n[None, :]
    tl.store(c_ptrs, sums, mask=m[:, None] < M)
