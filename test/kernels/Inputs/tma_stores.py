"""Products of matrices whose results are, or are not, stored by TMA: WAY says which."""

import triton
import triton.language as tl
from triton.language.extra import cuda


@triton.jit
def product(a_ptr, b_ptr, c_ptr, d_ptr, flag_ptr, M, N, K, stride_am, stride_bk, stride_cm, other_stride,
            WAY: tl.constexpr, BLOCK_M: tl.constexpr = 128, BLOCK_N: tl.constexpr = 128):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, 64)
    if WAY == "other launches":
        cuda.gdc_launch_dependents()
    if WAY == "atomic in front":
        tl.atomic_add(flag_ptr, 1, sem="relaxed")
    if WAY == "barrier":
        tl.debug_barrier()
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, K, 64):
        a = tl.load(a_ptr + m[:, None] * stride_am + (first + k)[None, :], mask=(m[:, None] < M) & (k[None, :] < K - first), other=0.0)
        b = tl.load(b_ptr + (first + k)[:, None] * stride_bk + n[None, :], mask=(k[:, None] < K - first) & (n[None, :] < N), other=0.0)
        sums = tl.dot(a, b, sums)
    c = sums.to(c_ptr.dtype.element_ty)
    base, rows, step = c_ptr, m, 1
    if WAY == "from memory":
        rows = m + tl.load(flag_ptr)
    if WAY == "gathers":
        rows = tl.load(flag_ptr + m)
    if WAY == "wraps":
        rows = m % M
    if WAY == "in front":
        rows = m - 8
    if WAY == "shifted":
        base = c_ptr + 4
    if WAY == "strided":
        step = other_stride
    inside = (rows[:, None] < M) & (n[None, :] < N)
    if WAY == "odd mask":
        inside &= (m[:, None] & 1) == 0
    if WAY == "other bound":
        inside = (rows[:, None] < M - 3) & (n[None, :] < N)
    if WAY == "some columns":
        inside = (rows[:, None] < M) & (n[None, :] < 72)
    if WAY == "wraps":
        inside = n[None, :] < N
    c_ptrs = base + rows[:, None] * stride_cm + n[None, :] * step
    if WAY == "reads":
        c += tl.load(c_ptrs, mask=inside, other=0.0)
    if WAY == "unmasked" or WAY == "shifted":
        tl.store(c_ptrs, c)
    elif WAY == "rows only":
        tl.store(c_ptrs, c, mask=rows[:, None] < M)
    elif WAY == "streams":
        tl.store(c_ptrs, c, mask=inside, cache_modifier=".cs")
    elif WAY == "transposed":
        tl.store(c_ptr + n[None, :] * stride_cm + m[:, None], c, mask=inside)
    elif WAY == "in a branch":
        if tl.program_id(0) != 1:
            tl.store(c_ptrs, c, mask=inside)
    elif WAY == "either":
        if tl.program_id(0) == 1:
            tl.store(c_ptrs, c, mask=inside)
        else:
            tl.store(c_ptrs, c * 2, mask=inside)
    elif WAY == "either by turns":
        for i in range(2):
            if tl.program_id(0) == i:
                tl.store(c_ptrs, c, mask=inside)
            else:
                tl.store(c_ptrs, c * 2, mask=inside)
    elif WAY == "again and again":
        for i in range(3):
            tl.store(c_ptrs, c + i, mask=inside)
    else:
        tl.store(c_ptrs, c, mask=inside)
    if WAY == "twice":
        tl.store(c_ptrs + 128 * stride_cm, c, mask=inside)
    if WAY == "copies":
        tl.store(d_ptr + rows[:, None] * stride_cm + n[None, :], c, mask=inside)
    if WAY == "used otherwise":
        tl.store(d_ptr + m, tl.max(c, axis=1), mask=m < M)
    if WAY == "two arrays":
        tl.store(d_ptr + rows[:, None] * stride_cm + n[None, :], (sums * 2).to(c_ptr.dtype.element_ty), mask=inside)
    if WAY == "atomic":
        tl.atomic_add(flag_ptr, 1, sem="relaxed")
    if WAY == "volatile":
        tl.load(flag_ptr, volatile=True)
    if WAY == "by hand":
        tl.inline_asm_elementwise("st.global.b16 [$1], 0; mov.b32 $0, 0;", "=r,l", [d_ptr + m], tl.int32, is_pure=False, pack=1)
    if WAY == "barrier behind":
        tl.debug_barrier()
    if WAY == "waits":
        i = M
        while i > 3:
            i //= 2
        tl.store(flag_ptr, i)
