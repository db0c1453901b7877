"""y = the sum of x over all ranks, on every rank; with NORM the sum, a residual added, and RMSNorm of that.

One shot: each rank reads the x of all others and adds them up in fp32, in the order of the ranks, so that all have the same bits.
Two shots, in place: each rank adds up its share of the blocks, and writes the sums to all; each block crosses to a rank once instead
of once for each of the others. The x lie in symmetric memory, whose addresses are in a table; a barrier in front makes sure that they
are written, one behind that no rank writes the next while a peer still reads. Every program runs from barrier to barrier, so that all
of them have to fit the device at a time: there are few, and each goes through several rows. The functions for this are
`tegula.distributed`'s.

    torchrun --nproc-per-node=2 kernels/all_reduce.py
"""

import tegula as triton
import tegula.distributed as td
import tegula.language as tl


@triton.jit
def x_of_all(buffers, dtype: tl.constexpr, WORLD: tl.constexpr):
    """A pointer to each rank's x. To be called in front of the barrier, so that they are looked up while it waits."""
    xs = ()
    for peer in tl.static_range(WORLD):
        xs = xs + (td.symm_at(buffers, peer, dtype), )
    return xs


@triton.jit
def sum_at(xs, place, mask, WORLD: tl.constexpr):
    sums = tl.zeros(place.shape, tl.float32)
    for peer in tl.static_range(WORLD):
        sums += tl.load(xs[peer] + place, mask=mask, other=0.0).to(tl.float32)
    return sums


# As a number that the code is not made for, `rank` has one variant on all ranks.
@triton.jit(do_not_specialize=["rank"])
def all_reduce_kernel(buffers, pads, y_ptr, residual_ptr, weight_ptr, count, n, eps, rank, WORLD: tl.constexpr,
                      NORM: tl.constexpr, BLOCK: tl.constexpr):
    dtype: tl.constexpr = y_ptr.dtype.element_ty
    xs = x_of_all(buffers, dtype, WORLD)
    # Nothing was stored by this launch yet, and launches before it have ended.
    td.barrier_blocks(pads, rank, WORLD, before=False)
    columns = tl.arange(0, BLOCK)
    for row in range(tl.program_id(0), tl.cdiv(count, n), tl.num_programs(0)):
        place = row.to(tl.int64) * n + columns
        mask = (columns < n) & (place < count)
        y = sum_at(xs, place, mask, WORLD)
        if NORM:
            y += tl.load(residual_ptr + place, mask=mask, other=0.0).to(tl.float32)
            tl.store(residual_ptr + place, y.to(dtype), mask=mask)
            weight = tl.load(weight_ptr + columns, mask=mask).to(tl.float32)
            y = y * tl.rsqrt(tl.sum(y * y, axis=0) / n + eps) * weight
        tl.store(y_ptr + place, y.to(dtype), mask=mask)
    # Peers may go on to store once all have read; this launch reads nothing any more.
    td.barrier_blocks(pads, rank, WORLD, after=False)


@triton.jit(do_not_specialize=["rank"])
def all_reduce_in_place_kernel(buffers, pads, x_ptr, count, rank, WORLD: tl.constexpr, BLOCK: tl.constexpr):
    dtype: tl.constexpr = x_ptr.dtype.element_ty
    xs = x_of_all(buffers, dtype, WORLD)
    td.barrier_blocks(pads, rank, WORLD, before=False)
    # No other rank touches a block of this one's share.
    for block in range(tl.program_id(0) * WORLD + rank, tl.cdiv(count, BLOCK), tl.num_programs(0) * WORLD):
        place = block.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
        mask = place < count
        sums = sum_at(xs, place, mask, WORLD)
        for peer in tl.static_range(WORLD):
            tl.store(xs[peer] + place, sums.to(dtype), mask=mask)
    td.barrier_blocks(pads, rank, WORLD)


def symmetric(shape, dtype, group=None):
    """A tensor of symmetric memory, and its handle: every rank makes it at the same time."""
    import torch.distributed
    import torch.distributed._symmetric_memory as symm_mem

    x = symm_mem.empty(shape, dtype=dtype, device="cuda")
    return x, symm_mem.rendezvous(x, group or torch.distributed.group.WORLD)


def programs_of(blocks, handle, most):
    """As many as there is work for, at most `most`, and as the pads have words for."""
    return max(1, min(blocks, most, handle.signal_pad_size // 4 // handle.world_size))


def all_reduce(x, handle, residual=None, weight=None, eps=1e-6, most_programs=128, block=4096, num_warps=8):
    """The host side: sums of the symmetric `x` over the ranks. With `residual` and `weight`, of rows as long as those of `x`, the
    residual becomes the sum of both, and the result is RMSNorm of that."""
    import torch

    y = torch.empty_like(x)
    n = x.shape[-1] if residual is not None else block
    programs = programs_of(triton.cdiv(x.numel(), n), handle, most_programs)
    all_reduce_kernel[(programs,)](
        handle.buffer_ptrs_dev, handle.signal_pad_ptrs_dev, y, residual, weight, x.numel(), n, eps, handle.rank,
        WORLD=handle.world_size, NORM=residual is not None, BLOCK=triton.next_power_of_2(n), num_warps=num_warps)
    return y


def all_reduce_in_place(x, handle, most_programs=128, block=4096, num_warps=8):
    """The symmetric `x` becomes its sum over the ranks, on all of them."""
    programs = programs_of(triton.cdiv(x.numel(), block * handle.world_size), handle, most_programs)
    all_reduce_in_place_kernel[(programs,)](
        handle.buffer_ptrs_dev, handle.signal_pad_ptrs_dev, x, x.numel(), handle.rank,
        WORLD=handle.world_size, BLOCK=block, num_warps=num_warps)
    return x


def reference(xs, residual=None, weight=None, eps=1e-6):
    """Computed in double precision from the x of all ranks; with a residual, its new value as well."""
    d = sum(x.double() for x in xs)
    if residual is None:
        return d.to(xs[0].dtype)
    d = d + residual.double()
    scaled = d * (d.square().mean(dim=-1, keepdim=True) + eps).rsqrt() * weight.double()
    return scaled.to(xs[0].dtype), d.to(xs[0].dtype)


def check(shape, dtype):
    import torch
    import torch.distributed as dist

    x, handle = symmetric(shape, dtype)
    x.copy_(torch.randn(shape, device="cuda"))
    xs = [torch.empty_like(x) for _ in range(handle.world_size)]
    dist.all_gather(xs, x.clone())
    tolerance = dict(rtol=2e-2, atol=2e-2) if dtype != torch.float32 else dict(rtol=1e-5, atol=1e-5)
    for _ in range(3):  # signals of one launch must not count for the next
        torch.testing.assert_close(all_reduce(x, handle), reference(xs), **tolerance)
    torch.testing.assert_close(all_reduce_in_place(x, handle), reference(xs), **tolerance)
    x.copy_(xs[handle.rank])
    torch.manual_seed(0)  # the same on all ranks
    residual, weight = torch.randn(shape, device="cuda").to(dtype), torch.randn(shape[-1], device="cuda").to(dtype)
    expected = reference(xs, residual, weight)
    torch.testing.assert_close((all_reduce(x, handle, residual, weight), residual), expected, **tolerance)


if __name__ == "__main__":
    import os

    import torch
    import torch.distributed

    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.distributed.init_process_group("nccl")
    for kind in (torch.float32, torch.bfloat16):
        for sides in ((1, 16), (7, 1000), (64, 4096), (300, 8192)):
            check(sides, kind)
    if torch.distributed.get_rank() == 0:
        print(f"all_reduce of {torch.distributed.get_world_size()} ranks agrees with the reference")
    torch.distributed.destroy_process_group()
