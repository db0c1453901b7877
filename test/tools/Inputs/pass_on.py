import triton
import triton.language as tl
import tegula.distributed as td


@triton.jit
def pass_on(buffers, pads, out, rank, WORLD: tl.constexpr, N: tl.constexpr, RELEASE: tl.constexpr = "release"):
    i = tl.arange(0, N)
    tl.store(td.symm_at(buffers, rank, tl.int32) + i, rank * 100 + i)
    td.barrier_blocks(pads, rank, WORLD, before=RELEASE == "release")
    tl.store(out + i, tl.load(td.symm_at(buffers, (rank + 1) % WORLD, tl.int32) + i))
    td.barrier_blocks(pads, rank, WORLD, after=False)
