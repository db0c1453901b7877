"""counts[v] += 1 for each value v: many programs adding to the same memory.

Which program comes first does not matter to a sum, so `relaxed` is enough: the adds are whole, and nothing
else is said about their order. Values outside the bins are masked out and count nowhere. The caller sets
the counts to 0, or adds to what is there.

    tegula run kernels/histogram.py --grid=8 -D BLOCK=1024 --print counts_ptr \\
        --arg "x_ptr=randint(0,63):i32[8000]" --arg counts_ptr=zeros:i32[64] --arg n=8000 --arg bins=64
"""

import triton
import triton.language as tl


@triton.jit
def histogram_kernel(x_ptr, counts_ptr, n, bins, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0).to(tl.int32)
    mask = inside & (x >= 0) & (x < bins)
    tl.atomic_add(counts_ptr + x, 1, mask=mask, sem="relaxed")


def histogram(x, bins, block=1024):
    """The host side: one program for each block of the values."""
    import torch

    counts = torch.zeros(bins, dtype=torch.int32, device=x.device)
    histogram_kernel[(triton.cdiv(x.numel(), block),)](x, counts, x.numel(), bins, BLOCK=block)
    return counts


def reference(x, bins):
    import torch

    return torch.bincount(x[(x >= 0) & (x < bins)].long(), minlength=bins).int()


if __name__ == "__main__":
    import torch

    v = torch.randint(-3, 70, (98432,), dtype=torch.int32, device="cuda")
    torch.testing.assert_close(histogram(v, 64), reference(v, 64))
    print("histogram agrees with the reference")
