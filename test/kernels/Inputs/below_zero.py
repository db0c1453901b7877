"""Which rows come before which columns, of columns that begin below zero."""

import triton
import triton.language as tl


@triton.jit
def compare(o_ptr, first, FAR: tl.constexpr, BLOCK: tl.constexpr):
    m = FAR + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    n = (first + tl.program_id(1)) * BLOCK + tl.arange(0, BLOCK)
    sees = m[:, None] >= n[None, :]
    before = m[:, None] > n[None, :]
    place = (tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)) * BLOCK * BLOCK
    o = tl.where(sees, 2.0, 0.0) + tl.where(before, 1.0, 0.0)
    tl.store(o_ptr + place + tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :], o)
