import triton
import triton.language as tl


@triton.jit
def persistent_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c,
                      BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """Tiles of a product one after the other, each stored in the loop over them."""
    tiles_n = tl.cdiv(N, BLOCK_N)
    for tile in range(tl.program_id(0), tl.cdiv(M, BLOCK_M) * tiles_n, tl.num_programs(0)):
        m = (tile // tiles_n) * BLOCK_M + tl.arange(0, BLOCK_M)
        n = (tile % tiles_n) * BLOCK_N + tl.arange(0, BLOCK_N)
        k = tl.arange(0, BLOCK_K)
        sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for first in range(0, K, BLOCK_K):
            a = tl.load(a_ptr + m[:, None] * stride_a + (first + k)[None, :])
            b = tl.load(b_ptr + (first + k)[:, None] * stride_b + n[None, :])
            sums = tl.dot(a, b, sums)
        tl.store(c_ptr + m[:, None] * stride_c + n[None, :], sums)


@triton.jit
def two_products_kernel(a_ptr, b_ptr, c_ptr, d_ptr, M, N, K, stride_a, stride_b, stride_c, stride_d,
                        BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """The same, and behind it a tile of a product by other operations on the way, which has buffers of its own."""
    persistent_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BLOCK_M, BLOCK_N, BLOCK_K)
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.arange(0, BLOCK_N // 2)
    k = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_M, BLOCK_N // 2), dtype=tl.float32)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + m[:, None] * stride_a + (first + k)[None, :])
        b = tl.load(b_ptr + (first + k)[:, None] * stride_b + n[None, :])
        sums = tl.dot(a, tl.maximum(b, 0).to(b.dtype), sums)
    tl.store(d_ptr + m[:, None] * stride_d + n[None, :], sums)


@triton.jit
def stored_sums_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c,
                       BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """One tile of a product, whose sums are stored in each step."""
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + m[:, None] * stride_a + (first + k)[None, :])
        b = tl.load(b_ptr + (first + k)[:, None] * stride_b + n[None, :])
        sums = tl.dot(a, b, sums)
        tl.store(c_ptr + m[:, None] * stride_c + n[None, :], sums)
