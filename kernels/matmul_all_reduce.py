"""y = a @ w^T, summed over all ranks, on every rank: the layer of a model whose K is divided over the ranks, for few rows.

One launch: each program multiplies its tile, stores it in y's type in the rooms of all ranks, tells the programs of its number there,
waits for theirs, and adds up the tiles of all in fp32, in the order of the ranks. So tiles cross while other programs still
multiply, and nothing is launched in between. The tile is computed as w @ a^T, since the unit takes 64 rows at a time and a has few.
Every program waits for its peers, so that all have to fit the device at a time.

A room has two halves, which launches take in turns: who has been told of a turn knows that the tiles of the turn before the last
have been read. So no launch ends with a barrier, and words of signals, which hold turns, are never taken back.

    torchrun --nproc-per-node=2 kernels/matmul_all_reduce.py
"""

import tegula as triton
import tegula.distributed as td
import tegula.language as tl


@triton.jit(do_not_specialize=["rank"])
def matmul_all_reduce_kernel(a_ptr, w_ptr, y_ptr, rooms, words_at, turns, M, N, K, rank, WORLD: tl.constexpr, BLOCK_M: tl.constexpr,
                             BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    dtype: tl.constexpr = y_ptr.dtype.element_ty
    TILE: tl.constexpr = BLOCK_N * BLOCK_M
    pid, tiles = tl.program_id(0), tl.num_programs(0)
    turn = tl.load(turns + pid) + 1
    # Of this rank, then of those behind it; looked up while nothing waits for it.
    there = [td.symm_at(rooms, (rank + i) % WORLD, dtype) for i in tl.static_range(WORLD)]
    rows = pid * BLOCK_N + tl.arange(0, BLOCK_N)  # of w, the columns of y
    columns = tl.arange(0, BLOCK_M)  # the rows of a and y
    ks = tl.arange(0, BLOCK_K)
    sums = tl.zeros([BLOCK_N, BLOCK_M], tl.float32)
    for k in range(0, K, BLOCK_K):
        w = tl.load(w_ptr + rows[:, None] * K + (k + ks)[None, :], mask=(rows < N)[:, None] & (k + ks < K)[None, :], other=0.0)
        a = tl.load(a_ptr + columns[:, None] * K + (k + ks)[None, :], mask=(columns < M)[:, None] & (k + ks < K)[None, :], other=0.0)
        sums = tl.dot(w, a.T, sums)
    part = sums.to(dtype)
    # Tiles lie one after another, so that each is read as it was written.
    half = (turn & 1) * WORLD
    place = tl.arange(0, BLOCK_N)[:, None] * BLOCK_M + columns[None, :]
    for i in tl.static_range(WORLD):
        tl.store(there[(i + 1) % WORLD] + ((half + rank) * tiles + pid) * TILE + place, part)
    words = words_at + pid * WORLD
    for i in tl.static_range(1, WORLD):
        tl.atomic_xchg(there[i].to(tl.pointer_type(tl.int32)) + words + rank, turn, sem="release", scope="sys")
    for i in tl.static_range(1, WORLD):
        word = there[0].to(tl.pointer_type(tl.int32)) + words + (rank + i) % WORLD
        while tl.atomic_add(word, 0, sem="acquire", scope="sys") - turn < 0:  # a peer may be a turn ahead by now
            pass
    y = tl.zeros([BLOCK_N, BLOCK_M], tl.float32)
    for peer in tl.static_range(WORLD):
        y += tl.load(there[0] + ((half + peer) * tiles + pid) * TILE + place).to(tl.float32)
    tl.store(y_ptr + columns[None, :] * N + rows[:, None], y.to(dtype), mask=(rows < N)[:, None] & (columns < M)[None, :])
    tl.store(turns + pid, turn)


#: Tiles of w, by how many rows of a there are at most.
CONFIGS = {16: dict(BLOCK_K=256, num_warps=4, num_stages=4), 32: dict(BLOCK_K=256, num_warps=4, num_stages=4),
           64: dict(BLOCK_K=128, num_warps=4, num_stages=5), 128: dict(BLOCK_K=64, num_warps=4, num_stages=8)}


def block_m(m):
    return max(16, triton.next_power_of_2(m))


class Exchange:
    """Room for the sums of products of up to `m` rows, at most 128, and `n` columns, by tiles of `block_n` columns: every rank makes
    it at the same time. It serves one launch after another, of all ranks in the same order."""

    def __init__(self, m, n, dtype, group=None, block_n=64):
        import torch
        import torch.distributed
        from all_reduce import symmetric

        world = torch.distributed.get_world_size(group)
        self.n, self.block_m, self.block_n, self.tiles = n, block_m(m), block_n, triton.cdiv(n, block_n)
        self.words_at, elements = room_of(self.tiles, world, self.block_m * block_n, dtype.itemsize)
        self.room, self.handle = symmetric((elements,), dtype, group)
        self.room.zero_()
        self.turns = torch.zeros(self.tiles, dtype=torch.int32, device="cuda")
        resident = torch.cuda.get_device_properties("cuda").multi_processor_count
        assert self.tiles <= resident, f"expected at most {resident} tiles, which wait for their peers, found {self.tiles}"
        self.handle.barrier(channel=0)


def room_of(tiles, world, tile, itemsize):
    """Returns the place of a room's words, in words, and the number of its elements: two halves of a tile for each rank and program,
    then a word for each."""
    elements = 2 * world * tiles * tile
    return elements * itemsize // 4, elements + world * tiles * 4 // itemsize


def matmul_all_reduce(a, w, exchange, **config):
    """The host side: a is m×k, w n×k, both by rows, of the sides that `exchange` has room for. Returns y, m×n."""
    import torch

    (m, k), n = a.shape, w.shape[0]
    assert m <= exchange.block_m and n == exchange.n, \
        f"expected products of up to {exchange.block_m} rows and {exchange.n} columns, found {m}×{n}"
    y = torch.empty((m, n), dtype=a.dtype, device=a.device)
    config = {**CONFIGS[exchange.block_m], **config}
    matmul_all_reduce_kernel[(exchange.tiles,)](
        a, w, y, exchange.handle.buffer_ptrs_dev, exchange.words_at, exchange.turns, m, n, k, exchange.handle.rank,
        WORLD=exchange.handle.world_size, BLOCK_M=exchange.block_m, BLOCK_N=exchange.block_n, **config)
    return y


def reference(products):
    """The sum in double precision of what each rank has multiplied."""
    return sum(product.double() for product in products)


def check(m, n, k):
    import torch
    import torch.distributed as dist

    torch.manual_seed(dist.get_rank())
    a, w = (torch.randn(side, k, device="cuda").to(torch.bfloat16) for side in (m, n))
    exchange = Exchange(m, n, torch.bfloat16)
    product = a.double() @ w.double().T
    products = [torch.empty_like(product) for _ in range(dist.get_world_size())]
    dist.all_gather(products, product)
    for _ in range(3):
        y = matmul_all_reduce(a, w, exchange)
        torch.testing.assert_close(y.double(), reference(products), rtol=2e-2, atol=2e-2 * k**0.5)
    ys = [torch.empty_like(y) for _ in range(dist.get_world_size())]
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
