"""Products and rows twice: by block pointers, and by pointers with masks. blocks.test compares what becomes of both."""

import triton
import triton.language as tl


@triton.jit
def matmul_blocks(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_bk, stride_cm, BLOCK_M: tl.constexpr,
                  BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    row, column = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, 1), (row, 0), (BLOCK_M, BLOCK_K), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, 1), (0, column), (BLOCK_K, BLOCK_N), (1, 0))
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        acc += tl.dot(tl.load(a, boundary_check=(0, 1), padding_option="zero"),
                      tl.load(b, boundary_check=(0, 1), padding_option="zero"))
        a = tl.advance(a, (0, BLOCK_K))
        b = tl.advance(b, (BLOCK_K, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, 1), (row, column), (BLOCK_M, BLOCK_N), (1, 0))
    tl.store(c, acc.to(tl.float16), boundary_check=(0, 1))


@triton.jit
def matmul_pointers(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_bk, stride_cm, BLOCK_M: tl.constexpr,
                    BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rm = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    rk = tl.arange(0, BLOCK_K)
    a = a_ptr + rm[:, None] * stride_am + rk[None, :]
    b = b_ptr + rk[:, None] * stride_bk + rn[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        acc += tl.dot(tl.load(a, mask=(rm[:, None] < M) & (rk[None, :] < K - k), other=0.0),
                      tl.load(b, mask=(rk[:, None] < K - k) & (rn[None, :] < N), other=0.0))
        a += BLOCK_K
        b += BLOCK_K * stride_bk
    c = c_ptr + rm[:, None] * stride_cm + rn[None, :]
    tl.store(c, acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def softmax(x, inside):
    x = tl.where(inside, x, float("-inf"))
    powers = tl.exp(x - tl.max(x, axis=0))
    return powers / tl.sum(powers, axis=0)


@triton.jit
def softmax_blocks(y_ptr, x_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * stride
    x = tl.make_block_ptr(x_ptr + row, (n,), (1,), (0,), (BLOCK,), (0,))
    y = tl.make_block_ptr(y_ptr + row, (n,), (1,), (0,), (BLOCK,), (0,))
    tl.store(y, softmax(tl.load(x, boundary_check=(0,)), tl.arange(0, BLOCK) < n), boundary_check=(0,))


@triton.jit
def softmax_descriptors(y_ptr, x_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * stride
    x = tl.make_tensor_descriptor(x_ptr + row, [n], [1], [BLOCK])
    y = tl.make_tensor_descriptor(y_ptr + row, [n], [1], [BLOCK])
    y.store([0], softmax(x.load([0]), tl.arange(0, BLOCK) < n))


@triton.jit
def softmax_pointers(y_ptr, x_ptr, stride, n, BLOCK: tl.constexpr):
    columns = tl.program_id(0) * stride + tl.arange(0, BLOCK)
    inside = tl.arange(0, BLOCK) < n
    tl.store(y_ptr + columns, softmax(tl.load(x_ptr + columns, mask=inside), inside), mask=inside)
