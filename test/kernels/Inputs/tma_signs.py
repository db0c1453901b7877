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
    if WAY == "a row that is loaded":
        rows = tl.load(c_ptr).to(tl.int32) + m
    if WAY == "a row that is assumed":
        row = tl.load(c_ptr).to(tl.int32)
        tl.assume(row >= 0)
        rows = row + m
    if WAY == "a row by an unknown sign":
        rows = first_row % 64 + m
    if WAY == "a row of bytes":
        rows = (tl.program_id(0).to(tl.int8) + 127).to(tl.int32) + m
    if WAY == "grouped rows":
        group = tl.minimum(tl.num_programs(0) - tl.program_id(0) // 8 * 8, 8)
        rows = (tl.program_id(0) // 8 * 8 + tl.program_id(0) % group) * 64 + tl.arange(0, 64)
    if WAY == "rows of groups":
        tiles = tl.num_programs(1)
        first = tl.program_id(0) // (8 * tiles) * 8
        place = tl.program_id(0) - first * tiles
        rows = (first + place % tl.minimum(tl.num_programs(0) - first, 8)) * 64 + tl.arange(0, 64)
    if WAY == "rows of 64 bits":
        rows = tl.program_id(0).to(tl.int64) * 64 + tl.arange(0, 64)
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
