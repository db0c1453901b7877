"""losses[r] = log(sum of exp(logits[r, :])) - logits[r, targets[r]]: the loss of a classifier, forward.

A vocabulary does not fit into a block, so the row goes by in blocks of DEPTH by BLOCK / DEPTH: each column keeps a
running maximum and a sum scaled by it, and one reduction at the end joins them. A column's DEPTH elements are those of
one thread, so that the maximum costs nothing but instructions, and a sum is scaled once for all of them. Nothing of the
row is written: one read of the logits is all the memory sees. A row whose target is `ignore_index` costs nothing and its
loss is 0.

    tegula run kernels/cross_entropy.py --grid=16 -D BLOCK=1024 --report \\
        --arg logits_ptr=randn:fp32[16,5000] --arg "targets_ptr=randint(0,4999):i64[16]" \\
        --arg losses_ptr=zeros:fp32[16] --arg stride=5000 --arg V=5000 --arg ignore_index=-100
"""

import triton
import triton.language as tl

# The least finite fp32. A running maximum starts here and not at -inf: -inf - -inf would be NaN.
LOWEST = tl.constexpr(-3.4028234663852886e38)
LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def take_in(tops, sums, x):
    """Each column's greatest element so far, and its sum of exponentials below that, with those of `x`."""
    higher = tl.maximum(tops, tl.max(x, axis=0))
    # exp2, of which results below 2^-126 are 0, is three instructions less than exp, which keeps them.
    terms = tl.sum(tl.exp2((x - higher[None, :]) * LOG2_E), axis=0)
    return higher, sums * tl.exp2((tops - higher) * LOG2_E) + terms


@triton.jit
def cross_entropy_kernel(logits_ptr, targets_ptr, losses_ptr, stride, V, ignore_index, BLOCK: tl.constexpr,
                         DEPTH: tl.constexpr = 4):
    r = tl.program_id(0)
    target = tl.load(targets_ptr + r)
    if target == ignore_index:
        tl.store(losses_ptr + r, 0.0)
        return
    row = logits_ptr + r.to(tl.int64) * stride
    WIDTH: tl.constexpr = BLOCK // DEPTH
    columns = tl.arange(0, DEPTH)[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :]
    tops = tl.full((WIDTH,), LOWEST, tl.float32)
    sums = tl.zeros((WIDTH,), tl.float32)
    for start in range(0, V, BLOCK):
        x = tl.load(row + start + columns, mask=start + columns < V, other=-float("inf")).to(tl.float32)
        tops, sums = take_in(tops, sums, x)
    top = tl.max(tops, axis=0)
    total = tl.sum(sums * tl.exp2((tops - top) * LOG2_E), axis=0)
    loss = tl.log(total) + (top - tl.load(row + target).to(tl.float32))
    tl.store(losses_ptr + r, loss)


def cross_entropy(logits, targets, ignore_index=-100, block=8192, num_warps=8):
    """The host side: a program for each row; gives one loss a row."""
    import torch

    rows, V = logits.shape
    losses = torch.empty(rows, dtype=torch.float32, device=logits.device)
    cross_entropy_kernel[(rows,)](
        logits, targets, losses, logits.stride(0), V, ignore_index, BLOCK=block, num_warps=num_warps)
    return losses


def reference(logits, targets, ignore_index=-100):
    import torch

    return torch.nn.functional.cross_entropy(
        logits.double(), targets, ignore_index=ignore_index, reduction="none").float()


if __name__ == "__main__":
    import torch

    v = torch.randn(512, 50257, device="cuda")
    t = torch.randint(0, 50257, (512,), device="cuda")
    t[::7] = -100
    torch.testing.assert_close(cross_entropy(v, t), reference(v, t), rtol=1e-5, atol=1e-5)
    print("cross_entropy agrees with the reference")
