"""o = softmax(scale q kT) v for every head, and the logarithm of each row's sum: attention, forwards.

A program takes BLOCK_M queries of one head and walks over its keys and values, BLOCK_N at a time. The scores
of a block never leave the chip. Of each query it keeps the greatest score so far, the sum of exponentials
below it, and the weighted sum of values; where the greatest grows, the others shrink by the same factor.

    keys ->                    causal: a query sees the keys up to its own
    q  . . . . # -             .  blocks that all queries see whole: no mask
    |  . . . . # # -           #  the band: masked score by score
    v  . . . . . # # -         -  never read

- exp is exp2 with log2(e) folded into the scale, so that a score costs one fma and one ex2.
- `attend` is compiled twice, for the blocks seen whole and for those to be masked: the band of a causal
  program, or the rest of N that fills no block.
- The first product's result, as weights, is the second one's operand as it lies in registers.

q, k, v and o have the shape [heads, N, D], all with the same strides, D contiguous; heads are batches times
heads. D is 16, 32, 64, 128 or 256, N any number. `scale` is above 0, usually 1 / sqrt(D). lse, [heads, N] in
fp32, is what a backward pass needs of the softmax: log of sum of exp(scale q kT). Operands of 8 bits are multiplied as they
lie along the sum alone, so that their v has the shape [heads, D, N] (V_BY_COLUMNS); o is bf16 then.

    tegula run kernels/attention.py --grid=4,2 -D BLOCK_M=64 -D BLOCK_N=64 -D D=64 -D CAUSAL=True --report \\
        --arg q_ptr=randn:fp16[2,256,64] --arg k_ptr=randn:fp16[2,256,64] --arg v_ptr=randn:fp16[2,256,64] \\
        --arg o_ptr=zeros:fp16[2,256,64] --arg lse_ptr=zeros:fp32[2,256] --arg stride_head=16384 \\
        --arg stride_row=64 --arg N=256 --arg scale=0.125
"""

import triton
import triton.language as tl

# Queries and keys a step, warps and stages; the first is what the host sides take without tuning.
CONFIGS = [
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 64}, num_stages=3, num_warps=8),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 64}, num_stages=3, num_warps=4),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 64}, num_stages=2, num_warps=4),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 32}, num_stages=4, num_warps=4),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128}, num_stages=2, num_warps=8),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 64}, num_stages=2, num_warps=4),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 128}, num_stages=2, num_warps=4),
]


def suited(configs, arguments, **options):
    """Leaves 64 queries by 128 keys out with heads of 128 where each warp multiplies by itself: a few values of a thread would
    have no register."""
    target = triton.runtime.driver.active.get_current_target()
    if {**arguments, **options}["D"] < 128 or target.arch == 90:
        return configs
    return [config for config in configs if (config.kwargs["BLOCK_M"], config.kwargs["BLOCK_N"]) != (64, 128)]


LOG2_E = tl.constexpr(1.4426950408889634)
LN_2 = tl.constexpr(0.6931471805599453)


@triton.jit
def attend(q, values, tops, sums, k_ptrs, v_ptrs, m, first, last, stride_row, stride_v, N, scale, MASKED: tl.constexpr,
           CAUSAL: tl.constexpr, BLOCK_N: tl.constexpr):
    """Takes in the keys from `first` to `last`. `tops` are in units of log2, as `scale` is."""
    for start in range(first, last, BLOCK_N):
        n = start + tl.arange(0, BLOCK_N)
        if MASKED:
            kT = tl.load(k_ptrs + start * stride_row, mask=n[None, :] < N, other=0.0)
            seen = n[None, :] < N
            if CAUSAL:
                seen = seen & (m[:, None] >= n[None, :])
            scores = tl.where(seen, tl.dot(q, kT), -float("inf"))
        else:
            scores = tl.dot(q, tl.load(k_ptrs + start * stride_row))
        # No row's first block is masked whole, so that tops are finite from the first step on.
        higher = tl.maximum(tops, tl.max(scores, axis=1) * scale)
        weights = tl.exp2(scores * scale - higher[:, None])
        shrink = tl.exp2(tops - higher)
        sums = sums * shrink + tl.sum(weights, axis=1)
        tops = higher
        values = values * shrink[:, None]
        if MASKED:
            v = tl.load(v_ptrs + start * stride_v, mask=n[:, None] < N, other=0.0)
        else:
            v = tl.load(v_ptrs + start * stride_v)
        values = tl.dot(weights.to(v.dtype), v, values)
    return values, tops, sums


@triton.autotune(configs=CONFIGS, key=["N", "D", "CAUSAL"], prune_configs_by={"early_config_prune": suited})
@triton.heuristics({"EVEN_N": lambda args: args["N"] % args["BLOCK_N"] == 0})
@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, o_ptr, lse_ptr, stride_head, stride_row, N, scale, D: tl.constexpr,
                     CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, EVEN_N: tl.constexpr,
                     V_BY_COLUMNS: tl.constexpr = False):
    block = tl.program_id(0)
    if CAUSAL:
        block = tl.num_programs(0) - 1 - block  # the programs with the most to do go first
    head = tl.program_id(1).to(tl.int64)
    m = block * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.arange(0, BLOCK_N)
    d = tl.arange(0, D)
    rows = m[:, None] * stride_row + d[None, :]
    q = tl.load(q_ptr + head * stride_head + rows, mask=m[:, None] < N, other=0.0)
    k_ptrs = k_ptr + head * stride_head + (d[:, None] + n[None, :] * stride_row)
    if V_BY_COLUMNS:
        stride_v = 1
        v_ptrs = v_ptr + head * stride_head + (n[:, None] + d[None, :] * N)
    else:
        stride_v = stride_row
        v_ptrs = v_ptr + head * stride_head + (n[:, None] * stride_row + d[None, :])
    tops = tl.full((BLOCK_M,), -float("inf"), tl.float32)
    sums = tl.zeros((BLOCK_M,), tl.float32)
    values = tl.zeros((BLOCK_M, D), tl.float32)

    if CAUSAL:
        whole = block * BLOCK_M // BLOCK_N * BLOCK_N  # up to here every query of the block sees every key
        last = min((block + 1) * BLOCK_M, N)
    else:
        whole = N // BLOCK_N * BLOCK_N
        last = N
    values, tops, sums = attend(q, values, tops, sums, k_ptrs, v_ptrs, m, 0, whole, stride_row, stride_v, N,
                                scale * LOG2_E, False, CAUSAL, BLOCK_N)
    if CAUSAL or not EVEN_N:
        values, tops, sums = attend(q, values, tops, sums, k_ptrs, v_ptrs, m, whole, last, stride_row, stride_v, N,
                                    scale * LOG2_E, True, CAUSAL, BLOCK_N)

    o = values / sums[:, None]
    tl.store(o_ptr + head * stride_head + rows, o.to(o_ptr.dtype.element_ty), mask=m[:, None] < N)
    tl.store(lse_ptr + head * N + m, (tops + tl.log2(sums)) * LN_2, mask=m < N)


def attention(q, k, v, causal=False, scale=None):
    """The host side, for tensors [..., N, D]: the result, in bf16 of operands of 8 bits, and the logarithms of sums."""
    import torch

    assert q.shape == k.shape == v.shape and q.is_contiguous() and k.is_contiguous() and v.is_contiguous()
    N, D = q.shape[-2:]
    heads = q.numel() // (N * D)
    narrow = q.element_size() == 1
    o = torch.empty_like(q, dtype=torch.bfloat16 if narrow else q.dtype)
    lse = torch.empty(q.shape[:-1], dtype=torch.float32, device=q.device)
    if narrow:
        v = v.transpose(-1, -2).contiguous()
    grid = lambda meta: (triton.cdiv(N, meta["BLOCK_M"]), heads)
    attention_kernel[grid](q, k, v, o, lse, N * D, D, N, scale or D ** -0.5, D=D, CAUSAL=causal,
                           V_BY_COLUMNS=narrow)
    return o, lse


def reference(q, k, v, causal=False, scale=None):
    """In double precision."""
    import torch

    scores = (scale or q.shape[-1] ** -0.5) * (q.double() @ k.double().transpose(-1, -2))
    if causal:
        seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
        scores = scores.masked_fill(~seen, -float("inf"))
    o = torch.softmax(scores, -1) @ v.double()
    return o.to(torch.bfloat16 if q.element_size() == 1 else q.dtype), torch.logsumexp(scores, -1).float()


if __name__ == "__main__":
    import torch

    for d in (32, 64, 128):
        for length in (1, 100, 512):
            for causal in (False, True):
                q, k, v = (torch.randn(2, 3, length, d, device="cuda", dtype=torch.bfloat16) for _ in range(3))
                for found, expected in zip(attention(q, k, v, causal), reference(q, k, v, causal)):
                    torch.testing.assert_close(found, expected, rtol=2e-2, atol=1e-2)
    print("attention agrees with the reference")
