"""Products of matrices whose loads are, or are not, for producer warps: WAY says which."""

import triton
import triton.language as tl
from triton.language.extra import cuda


@triton.jit
def product(a_ptr, b_ptr, c_ptr, flag_ptr, M, N, K, stride_am, stride_bk, stride_cm, WAY: tl.constexpr):
    m = tl.program_id(0) * 128 + tl.arange(0, 128)
    n = tl.program_id(1) * 64 + tl.arange(0, 64)
    k = tl.arange(0, 64)
    if WAY == "waits for launches":
        cuda.gdc_wait()
    if WAY == "spins":
        while tl.atomic_add(flag_ptr, 0, sem="relaxed") != 0:
            pass
    begin, end = 0, K
    if WAY == "from memory":
        end = tl.load(flag_ptr + 1)
    if WAY == "reduced":
        end = tl.max(tl.load(flag_ptr + tl.arange(0, 64)), axis=0)
    a_ptrs = a_ptr + (m % M)[:, None] * stride_am + k[None, :]
    if WAY == "row from memory":
        from_memory = tl.load(flag_ptr + 1)
        tl.assume(from_memory >= 0)
        a_ptrs = a_ptr + (m + from_memory)[:, None] * stride_am + k[None, :]
    b_ptrs = b_ptr + k[:, None] * stride_bk + (n % N)[None, :]
    sums = tl.zeros((128, 64), dtype=tl.float32)
    row = 0
    nested: tl.constexpr = WAY == "nested" or WAY == "nested twice" or WAY == "nested and behind"
    twice: tl.constexpr = nested or WAY == "carried row" or WAY == "around"
    for outer in tl.range(0, 2 if twice else 1, flatten=WAY == "around", warp_specialize=WAY == "around"):
        if WAY == "carried row":
            a_ptrs = a_ptr + (m + row)[:, None] * stride_am + k[None, :]
            row += tl.num_programs(1)
        for first in tl.range(begin, end, 64, num_stages=7 if WAY == "behind a large one" else 3,
                              warp_specialize=WAY == "asked" or WAY == "asked in vain"):
            a = tl.load(a_ptrs + first, mask=k[None, :] < K - first, other=0.0)
            b = tl.load(b_ptrs + first * stride_bk, mask=k[:, None] < K - first, other=0.0)
            if WAY == "mixed" or WAY == "asked in vain" or WAY == "behind a large one":
                sums += tl.load(a_ptr + first + n)[None, :]
            sums = tl.dot(a, b, sums)
        if WAY == "twice" or WAY == "twice otherwise" or WAY == "nested twice" or WAY == "behind a large one":
            for first in tl.range(begin, end, 64, num_stages=2 if WAY == "twice otherwise" else 3):
                a = tl.load(a_ptrs + first, mask=k[None, :] < K - first, other=0.0)
                b = tl.load(b_ptrs + first * stride_bk, mask=k[:, None] < K - first, other=0.0)
                sums = tl.dot(a, b, sums)
    if WAY == "nested and behind":
        for first in tl.range(begin, end, 64, num_stages=3):
            a = tl.load(a_ptrs + first, mask=k[None, :] < K - first, other=0.0)
            b = tl.load(b_ptrs + first * stride_bk, mask=k[:, None] < K - first, other=0.0)
            sums = tl.dot(a, b, sums)
    tl.store(c_ptr + m[:, None] * stride_cm + n[None, :], sums, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def in_a_branch(a_ptr, b_ptr, c_ptr, flag_ptr, M, N, K, stride_am, stride_bk, stride_cm):
    m, n, k = tl.arange(0, 128), tl.arange(0, 64), tl.arange(0, 64)
    sums = tl.zeros((128, 64), dtype=tl.float32)
    if M > 5:
        for first in range(0, K, 64):
            a = tl.load(a_ptr + m[:, None] * stride_am + k[None, :] + first)
            b = tl.load(b_ptr + (k + first)[:, None] * stride_bk + n[None, :])
            sums = tl.dot(a, b, sums)
    tl.store(c_ptr + m[:, None] * stride_cm + n[None, :], sums)
