"""Tiles of a product one after the other, as public persistent kernels write them: rows behind the end stand for
others (BEHIND says how), and what is stored counts the tiles a second time."""

import triton
import triton.language as tl


@triton.jit
def place(tile, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP: tl.constexpr):
    tiles_m, tiles_n = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N)
    group = tile // (GROUP * tiles_n)
    rows = min(tiles_m - group * GROUP, GROUP)
    return group * GROUP + tile % rows, tile % (GROUP * tiles_n) // rows


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BEHIND: tl.constexpr, BLOCK_M: tl.constexpr,
            BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr):
    first, blocks = tl.program_id(0), tl.num_programs(0)
    tiles = tl.cdiv(M, BLOCK_M) * tl.cdiv(N, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    stored = first - blocks
    for tile in tl.range(first, tiles, blocks, flatten=True):
        row, column = place(tile, M, N, BLOCK_M, BLOCK_N, GROUP)
        m = row * BLOCK_M + tl.arange(0, BLOCK_M)
        n = column * BLOCK_N + tl.arange(0, BLOCK_N)
        if BEHIND == "where":
            m, n = tl.where(m < M, m, 0), tl.where(n < N, n, 0)
        else:
            m, n = tl.minimum(m, M - 1), tl.minimum(n, N - 1)
        m = tl.max_contiguous(tl.multiple_of(m, BLOCK_M), BLOCK_M)
        n = tl.max_contiguous(tl.multiple_of(n, BLOCK_N), BLOCK_N)
        sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for step in range(tl.cdiv(K, BLOCK_K)):
            at = step * BLOCK_K + k
            a = tl.load(a_ptr + m[:, None] * stride_a + at[None, :], mask=k[None, :] < K - step * BLOCK_K, other=0.0)
            b = tl.load(b_ptr + at[:, None] * stride_b + n[None, :], mask=k[:, None] < K - step * BLOCK_K, other=0.0)
            sums = tl.dot(a, b, sums)
        stored += blocks
        row, column = place(stored, M, N, BLOCK_M, BLOCK_N, GROUP)
        m = row * BLOCK_M + tl.arange(0, BLOCK_M)
        n = column * BLOCK_N + tl.arange(0, BLOCK_N)
        tl.store(c_ptr + m[:, None] * stride_c + n[None, :], sums.to(c_ptr.dtype.element_ty),
                 mask=(m[:, None] < M) & (n[None, :] < N))
