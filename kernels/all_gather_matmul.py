"""y = (the a of all ranks, one below the other) @ w^T, on every rank with a w of its own: a layer whose rows are divided over ranks.

The copy engines bring the rows of the peers in parts on a stream of their own and, behind each part, write a word of progress. The
product is launched at once: its programs begin with the rows of their own rank, and each waits until the rows of its tile are there.
The inner loop knows nothing of that and stays pipelined, by a producer warp.

    torchrun --nproc-per-node=2 kernels/all_gather_matmul.py
"""

import tegula as triton
import tegula.distributed as td
import tegula.language as tl


@triton.jit(do_not_specialize=["rank"])
def all_gather_matmul_kernel(a_ptr, w_ptr, y_ptr, progress, M, N, K, rows_of_rank, rows_of_part, rank, begin,
                             BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
                             SHARES: tl.constexpr = 1):
    # Tiles from `begin` on, in groups of rows, for L2; the first rows are those of this rank. SHARES programs have a tile.
    pid, tiles_m, tiles_n = begin + tl.program_id(0) // SHARES, tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N * SHARES)
    first = pid // (GROUP_M * tiles_n) * GROUP_M
    height = min(tiles_m - first, GROUP_M)
    row = first + pid % (GROUP_M * tiles_n) % height
    column = pid % (GROUP_M * tiles_n) // height
    row = (row + rank * (rows_of_rank // BLOCK_M)) % tiles_m
    tl.assume(row >= 0)
    tl.assume(column >= 0)
    column = column * SHARES + tl.program_id(0) % SHARES
    td.wait(progress + row * BLOCK_M // rows_of_part, 1)
    m, n, k = row * BLOCK_M + tl.arange(0, BLOCK_M), column * BLOCK_N + tl.arange(0, BLOCK_N), tl.arange(0, BLOCK_K)
    sums = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for start in range(0, K, BLOCK_K):
        inside = k < K - start
        a = tl.load(a_ptr + m[:, None] * K + (start + k)[None, :], mask=(m < M)[:, None] & inside[None, :], other=0.0)
        w = tl.load(w_ptr + n[:, None] * K + (start + k)[None, :], mask=(n < N)[:, None] & inside[None, :], other=0.0)
        sums = tl.dot(a, w.T, sums)
    y = sums.to(y_ptr.dtype.element_ty)
    tl.store(y_ptr + m[:, None] * N + n[None, :], y, mask=(m < M)[:, None] & (n < N)[None, :])


class Gathered:
    """Room for the a of all ranks, of which each writes its own rows: `shard`. They are brought in up to `parts` parts, of a
    multiple of 256 rows where there are several."""

    def __init__(self, rows, k, dtype, group=None, parts=4):
        import torch
        import torch.distributed
        from all_reduce import symmetric

        world = torch.distributed.get_world_size(group)
        self.a, self.handle = symmetric((rows * world, k), dtype, group)
        self.rows = rows
        self.parts = next(count for count in range(parts, 0, -1) if count == 1 or rows % (256 * count) == 0)
        self.rows_of_part = rows // self.parts
        self.shard = self.rows_of(self.a, self.handle.rank)
        self.theirs = [self.handle.get_buffer(peer, self.a.shape, dtype) for peer in range(world)]
        self.progress, self.before = (torch.zeros(world * self.parts, dtype=torch.int32, device="cuda") for _ in range(2))
        self.before.view(world, self.parts)[self.handle.rank] = 1
        self.stream = torch.cuda.Stream()

    def rows_of(self, a, rank):
        return a[rank * self.rows:(rank + 1) * self.rows]

    def copy(self):
        """Brings the rows of the peers, and tells `progress`: no kernel does, for which the product might leave no room."""
        import torch
        from torch._C._distributed_c10d import _SymmetricMemory

        rank, world = self.handle.rank, self.handle.world_size
        for peer in ((rank + i) % world for i in range(1, world)):
            here, there = (self.rows_of(a, peer).chunk(self.parts) for a in (self.a, self.theirs[peer]))
            for part in range(self.parts):
                here[part].copy_(there[part])
                _SymmetricMemory.stream_write_value32(self.progress.view(torch.uint32), peer * self.parts + part, 1)


def all_gather_matmul(gathered, w, block_m=128, block_n=256, block_k=64, group_m=8, num_warps=8, num_stages=4):
    """The host side: a of all ranks, rows×k each, times w, n×k, transposed. Returns y, of all rows and n columns. The rows of a rank
    are a multiple of `block_m`."""
    import torch

    (m, k), n = gathered.a.shape, w.shape[0]
    rows = gathered.rows_of_part
    assert rows % block_m == 0, f"expected the rows of a part to be a multiple of {block_m}, found {rows}"
    y = torch.empty((m, n), dtype=w.dtype, device=w.device)
    gathered.progress.copy_(gathered.before)
    # No kernel but the product may be needed while it runs: programs that wait might leave no room for one.
    gathered.handle.barrier(channel=0)  # all have written their rows
    here = torch.cuda.current_stream()
    gathered.stream.wait_stream(here)
    with torch.cuda.stream(gathered.stream):
        gathered.copy()
        gathered.handle.barrier(channel=1)  # all have read them
    def launch(begin, count, shares):
        all_gather_matmul_kernel[(count * shares,)](
            gathered.a, w, y, gathered.progress, m, n, k, gathered.rows, rows, gathered.handle.rank, begin, BLOCK_M=block_m,
            BLOCK_N=block_n // shares, BLOCK_K=block_k, GROUP_M=group_m, SHARES=shares, num_warps=num_warps, num_stages=num_stages)

    tiles, at_once = triton.cdiv(m, block_m) * triton.cdiv(n, block_n), torch.cuda.get_device_properties("cuda").multi_processor_count
    rest = tiles % at_once
    # Halves of the last tiles, where these are so few that the others would wait for half of the device.
    halved = rest if 2 * rest <= at_once and block_n > 64 else 0
    if tiles > halved:
        launch(0, tiles - halved, 1)
    if halved:
        launch(tiles - halved, halved, 2)
    here.wait_stream(gathered.stream)
    return y


def reference(a, w):
    """Computed in double precision."""
    return (a.double() @ w.double().T).to(w.dtype)


def check(rows, n, k):
    import torch
    import torch.distributed as dist

    gathered = Gathered(rows, k, torch.bfloat16)
    torch.manual_seed(dist.get_rank())
    w = torch.randn(n, k, device="cuda").to(torch.bfloat16)
    for _ in range(3):
        gathered.shard.copy_(torch.randn(rows, k, device="cuda"))
        parts = [torch.empty_like(gathered.shard) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, gathered.shard.clone())
        y = all_gather_matmul(gathered, w)
        torch.testing.assert_close(y, reference(torch.cat(parts), w), rtol=2e-2, atol=2e-2 * k**0.5)


if __name__ == "__main__":
    import os

    import torch
    import torch.distributed

    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.distributed.init_process_group("nccl")
    for sides in ((128, 256, 64), (256, 1000, 512), (2048, 3584, 8192)):
        check(*sides)
    if torch.distributed.get_rank() == 0:
        print(f"all_gather_matmul of {torch.distributed.get_world_size()} ranks agrees with the reference")
    torch.distributed.destroy_process_group()
