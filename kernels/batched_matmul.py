"""c[i] = a[i] @ b[i] for every i of a batch.

- `batched_matmul_kernel`: the matrices are large. The grid's second axis is the batch, and a program computes a
  tile of one product; the batch's offset is added once, in 64 bits, before anything else.
- `small_batched_matmul_kernel`: the matrices are so small that one would not fill a block. A program
  takes BATCH of them in one `tl.dot` of three dimensions; warps share out the batch.

    tegula run kernels/batched_matmul.py -k batched_matmul_kernel --grid=1,3 -D BLOCK_M=128 -D BLOCK_N=128 \\
        -D BLOCK_K=64 --arg a_ptr=randn:fp16[3,128,256] --arg b_ptr=randn:fp16[3,256,128] \\
        --arg c_ptr=zeros:fp16[3,128,128] --arg M=128 --arg N=128 --arg K=256 --arg stride_ab=32768 \\
        --arg stride_am=256 --arg stride_ak=1 --arg stride_bb=32768 --arg stride_bk=128 --arg stride_bn=1 \\
        --arg stride_cb=16384 --arg stride_cm=128 --arg stride_cn=1
"""

import triton
import triton.language as tl

# Tiles of a product, steps along K, warps and stages.
CONFIGS = [
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64}, num_stages=3, num_warps=4),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 64}, num_stages=4, num_warps=8),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64}, num_stages=6, num_warps=8),
]


@triton.autotune(configs=CONFIGS, key=["M", "N", "K"])
@triton.jit
def batched_matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_ab, stride_am, stride_ak, stride_bb, stride_bk,
                          stride_bn, stride_cb, stride_cm, stride_cn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                          BLOCK_K: tl.constexpr):
    tiles_n = tl.cdiv(N, BLOCK_N)
    batch = tl.program_id(1).to(tl.int64)
    m = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + batch * stride_ab + (m[:, None] * stride_am + k[None, :] * stride_ak)
    b_ptrs = b_ptr + batch * stride_bb + (k[:, None] * stride_bk + n[None, :] * stride_bn)
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=(m[:, None] < M) & (k[None, :] < K - first), other=0.0)
        b = tl.load(b_ptrs, mask=(k[:, None] < K - first) & (n[None, :] < N), other=0.0)
        sums = tl.dot(a, b, sums)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    c_ptrs = c_ptr + batch * stride_cb + (m[:, None] * stride_cm + n[None, :] * stride_cn)
    tl.store(c_ptrs, sums.to(c_ptr.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def small_batched_matmul_kernel(a_ptr, b_ptr, c_ptr, batches, M, N, K, stride_ab, stride_am, stride_ak, stride_bb,
                                stride_bk, stride_bn, stride_cb, stride_cm, stride_cn, BATCH: tl.constexpr,
                                BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """Each matrix lies in one block: BLOCK_M, BLOCK_N and BLOCK_K are not below M, N and K."""
    i = (tl.program_id(0) * BATCH + tl.arange(0, BATCH))[:, None, None]
    m = tl.arange(0, BLOCK_M)
    n = tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    rows, columns, terms = m[None, :, None], n[None, None, :], k
    a = tl.load(a_ptr + i * stride_ab + rows * stride_am + terms[None, None, :] * stride_ak,
                mask=(i < batches) & (rows < M) & (terms[None, None, :] < K), other=0.0)
    b = tl.load(b_ptr + i * stride_bb + terms[None, :, None] * stride_bk + columns * stride_bn,
                mask=(i < batches) & (terms[None, :, None] < K) & (columns < N), other=0.0)
    c = tl.dot(a, b)
    tl.store(c_ptr + i * stride_cb + rows * stride_cm + columns * stride_cn, c.to(c_ptr.dtype.element_ty),
             mask=(i < batches) & (rows < M) & (columns < N))


def sizes_and_strides(a, b, c):
    assert a.shape[0] == b.shape[0] and a.shape[2] == b.shape[1] and a.dtype == b.dtype
    return (a.shape[1], b.shape[2], a.shape[2], *a.stride(), *b.stride(), *c.stride())


def batched_matmul(a, b):
    """The host side: the tiles of a product along the first axis of the grid, the batch along the second."""
    import torch

    c = torch.empty((a.shape[0], a.shape[1], b.shape[2]), dtype=a.dtype, device=a.device)
    tiles = lambda meta: triton.cdiv(a.shape[1], meta["BLOCK_M"]) * triton.cdiv(b.shape[2], meta["BLOCK_N"])
    batched_matmul_kernel[lambda meta: (tiles(meta), a.shape[0])](a, b, c, *sizes_and_strides(a, b, c))
    return c


def small_batched_matmul(a, b, batch=4):
    """For sides up to 64."""
    import torch

    c = torch.empty((a.shape[0], a.shape[1], b.shape[2]), dtype=a.dtype, device=a.device)
    block_m, block_n, block_k = (max(16, triton.next_power_of_2(s)) for s in (a.shape[1], b.shape[2], a.shape[2]))
    small_batched_matmul_kernel[(triton.cdiv(a.shape[0], batch),)](
        a, b, c, a.shape[0], *sizes_and_strides(a, b, c), BATCH=batch, BLOCK_M=block_m, BLOCK_N=block_n,
        BLOCK_K=block_k)
    return c


def reference(a, b):
    return (a.double() @ b.double()).to(a.dtype)


if __name__ == "__main__":
    import torch

    x = torch.randn(5, 300, 200, device="cuda", dtype=torch.float16)
    y = torch.randn(5, 200, 170, device="cuda", dtype=torch.float16)
    torch.testing.assert_close(batched_matmul(x, y), reference(x, y), rtol=1e-2, atol=1e-2)
    x, y = x[:, :33, :50], y[:, :50, :20]
    torch.testing.assert_close(small_batched_matmul(x, y), reference(x, y), rtol=1e-2, atol=1e-2)
    print("batched_matmul agrees with the reference for large and small matrices")
