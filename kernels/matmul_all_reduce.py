"""y = a @ w^T, summed over all ranks, on every rank: the layer of a model whose K is divided over the ranks, for few rows.

One launch: each program multiplies its tile, stores it in symmetric memory in y's type, meets the programs of its number on the other
ranks, and adds up the tiles of all in fp32, in the order of the ranks. So tiles cross while other programs still multiply, and
nothing is launched in between. The tile is computed as w @ a^T, since the unit takes 64 rows at a time and a has few. Every program
waits for its peers, so that all have to fit the device at a time.

    torchrun --nproc-per-node=2 kernels/matmul_all_reduce.py
"""

import tegula as triton
import tegula.distributed as td
import tegula.language as tl


@triton.jit(do_not_specialize=["rank"])
def matmul_all_reduce_kernel(a_ptr, w_ptr, y_ptr, buffers, pads, M, N, K, rank, WORLD: tl.constexpr, BLOCK_M: tl.constexpr,
                             BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    dtype: tl.constexpr = y_ptr.dtype.element_ty
    pid = tl.program_id(0)
    rows = pid * BLOCK_N + tl.arange(0, BLOCK_N)  # of w, the columns of y
    columns = tl.arange(0, BLOCK_M)  # the rows of a and y
    ks = tl.arange(0, BLOCK_K)
    sums = tl.zeros([BLOCK_N, BLOCK_M], tl.float32)
    for k in range(0, K, BLOCK_K):
        w = tl.load(w_ptr + rows[:, None] * K + (k + ks)[None, :], mask=(rows < N)[:, None] & (k + ks < K)[None, :], other=0.0)
        a = tl.load(a_ptr + columns[:, None] * K + (k + ks)[None, :], mask=(columns < M)[:, None] & (k + ks < K)[None, :], other=0.0)
        sums = tl.dot(w, a.T, sums)
    # Tiles lie one after another, so that each is read as it was written.
    place = pid * (BLOCK_N * BLOCK_M) + tl.arange(0, BLOCK_N)[:, None] * BLOCK_M + columns[None, :]
    tl.store(td.symm_at(buffers, rank, dtype) + place, sums.to(dtype))
    td.barrier_blocks(pads, rank, WORLD)
    y = tl.zeros([BLOCK_N, BLOCK_M], tl.float32)
    for peer in tl.static_range(WORLD):
        y += tl.load(td.symm_at(buffers, peer, dtype) + place).to(tl.float32)
    tl.store(y_ptr + columns[None, :] * N + rows[:, None], y.to(dtype), mask=(rows < N)[:, None] & (columns < M)[None, :])
    # The next launch stores to the same places.
    td.barrier_blocks(pads, rank, WORLD, after=False)


#: Tiles of w, by how many rows of a there are at most.
CONFIGS = {16: dict(BLOCK_N=64, BLOCK_K=256, num_warps=4, num_stages=4), 32: dict(BLOCK_N=64, BLOCK_K=256, num_warps=4, num_stages=4),
           64: dict(BLOCK_N=64, BLOCK_K=128, num_warps=4, num_stages=5), 128: dict(BLOCK_N=64, BLOCK_K=128, num_warps=4, num_stages=4)}


def block_m(m):
    return max(16, triton.next_power_of_2(m))


def symmetric_elements(m, n, block_n=64):
    """Elements of y's type that the symmetric buffer needs for a y of m×n."""
    return triton.cdiv(n, block_n) * block_n * block_m(m)


def matmul_all_reduce(a, w, handle, **config):
    """The host side: a is m×k with m at most 128, w n×k, both by rows; `handle` that of a symmetric buffer of at least
    `symmetric_elements(m, n)` elements, of the same BLOCK_N. All programs have to fit the device at a time, or may wait for ever: on
    132 multiprocessors n is at most 8448 with tiles of 64. Returns y, m×n."""
    import torch

    (m, k), n = a.shape, w.shape[0]
    y = torch.empty((m, n), dtype=a.dtype, device=a.device)
    config = {**CONFIGS[block_m(m)], **config}
    programs, words = triton.cdiv(n, config["BLOCK_N"]), handle.signal_pad_size // 4
    assert programs * handle.world_size <= words, f"expected at most {words // handle.world_size} tiles, found {programs}"
    matmul_all_reduce_kernel[(programs,)](
        a, w, y, handle.buffer_ptrs_dev, handle.signal_pad_ptrs_dev, m, n, k, handle.rank, WORLD=handle.world_size,
        BLOCK_M=block_m(m), **config)
    return y


def reference(products):
    """The sum in double precision of what each rank has multiplied."""
    return sum(product.double() for product in products)


def check(m, n, k):
    import torch
    import torch.distributed as dist
    from all_reduce import symmetric

    torch.manual_seed(dist.get_rank())
    a, w = (torch.randn(side, k, device="cuda").to(torch.bfloat16) for side in (m, n))
    buffer, handle = symmetric((symmetric_elements(m, n),), torch.bfloat16)
    product = a.double() @ w.double().T
    products = [torch.empty_like(product) for _ in range(handle.world_size)]
    dist.all_gather(products, product)
    for _ in range(3):
        y = matmul_all_reduce(a, w, handle)
        torch.testing.assert_close(y.double(), reference(products), rtol=2e-2, atol=2e-2 * k**0.5)
    ys = [torch.empty_like(y) for _ in range(handle.world_size)]
    dist.all_gather(ys, y)
    assert all(torch.equal(y, other) for other in ys), "ranks have other bits"


if __name__ == "__main__":
    import os

    import torch
    import torch.distributed

    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.distributed.init_process_group("nccl")
    for sides in ((1, 64, 256), (16, 8192, 4096), (33, 1000, 1024), (64, 8192, 4096), (128, 4096, 7168)):
        check(*sides)
    if torch.distributed.get_rank() == 0:
        print(f"matmul_all_reduce of {torch.distributed.get_world_size()} ranks agrees with the reference")
    torch.distributed.destroy_process_group()
