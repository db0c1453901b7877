"""A product of matrices whose loads of `a` are of many kinds: WAY says which."""

import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, flag_ptr, M, N, K, stride_am, stride_bk, other_stride, WAY: tl.constexpr):
    m = tl.program_id(0) * 64 + tl.arange(0, 64)
    n = tl.program_id(1) * 64 + tl.arange(0, 64)
    k = tl.arange(0, 64)
    rows, step, base, ahead = m, 1, a_ptr, 0
    if WAY == "wraps" or WAY == "wraps unseen" or WAY == "step in front":
        rows = m % M
    if WAY == "one of two":
        rows = tl.where(tl.program_id(2) > 0, tl.program_id(0), tl.program_id(1) * 2) * 64 + tl.arange(0, 64)
    if WAY == "one of two, or in front":
        rows = tl.where(tl.program_id(2) > 0, tl.program_id(0), tl.program_id(1) - 2) * 64 + tl.arange(0, 64)
    if WAY == "wraps and moves":
        rows = m % M + 1
    if WAY == "replaced" or WAY == "replaced unseen":
        rows = tl.where(m < M, m, 0)
    if WAY == "replaced elsewhere":
        rows = tl.where(m < 70, m, 0)
    if WAY == "replaced by another":
        rows = tl.where(n < M, m, 0)
    if WAY == "clamped":
        rows = tl.minimum(m, M - 1)
    if WAY == "gathers":
        rows = tl.load(flag_ptr + m)
    if WAY == "strided":
        step = other_stride
    if WAY == "twice the stride":
        step = other_stride * 2
    if WAY == "one stride for both":
        step = stride_am
    if WAY == "shifted":
        base = a_ptr + 4
    if WAY == "apart":
        step, base = other_stride, a_ptr + 3
    if WAY == "many axes":
        p = tl.program_id(2)
        base = a_ptr + p * M + (p + 1) * N + (p + 2) * K + (p + 3) * other_stride
    if WAY == "acquires":
        tl.atomic_add(flag_ptr, 0, sem="acquire")
    if WAY == "spins":
        while tl.load(flag_ptr, volatile=True) != 0:
            pass
    if WAY == "writes":
        tl.store(a_ptr + m, m.to(tl.float16))
    if WAY == "writes by hand":
        tl.inline_asm_elementwise("st.global.b16 [$1], 0; mov.b32 $0, 0;", "=r,l", [a_ptr + m], tl.int32, is_pure=False, pack=1)
    a_ptrs = base + rows[:, None] * stride_am + k[None, :] * step
    b_ptrs = b_ptr + k[:, None] * stride_bk + (n % N)[None, :]
    sums = tl.zeros((64, 64), dtype=tl.float32)
    for first in range(0, K, 64):
        inside = k[None, :] < K - first
        if WAY == "odd mask":
            inside &= (m[:, None] & 1) == 0
        if WAY == "moving bound":
            inside &= m[:, None] < first + 5
        at = a_ptrs
        if WAY == "computed":
            at = a_ptrs + first // 192 * stride_am
        if WAY == "ones outside" or WAY == "negative zeros outside":
            a = tl.load(at, mask=inside, other=1.0 if WAY == "ones outside" else -0.0)
        elif WAY == "shifted":
            a = tl.load(at)
        else:
            a = tl.load(at, mask=inside, other=0.0)
        b = tl.load(b_ptrs + ahead, mask=k[:, None] < K - first, other=0.0)
        sums = tl.dot(a, b, sums)
        a_ptrs += 64 * step
        if WAY == "step in front":
            ahead = 64 * stride_bk + ahead
        else:
            b_ptrs += 64 * stride_bk
    c_ptrs = c_ptr + m[:, None] * N + n[None, :]
    if WAY == "writes later":
        tl.store(a_ptr + m, m.to(tl.float16))
    if WAY == "wraps unseen" or WAY == "replaced unseen":
        tl.store(c_ptrs, sums, mask=n[None, :] < N)
    else:
        tl.store(c_ptrs, sums, mask=(m[:, None] < M) & (n[None, :] < N))
