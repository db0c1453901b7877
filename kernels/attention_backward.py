"""dq, dk and dv of o = softmax(scale q kT) v for every head: attention, backwards.

Three kernels, one after the other:

- `attention_backward_rows_kernel`: what the others need of each query, delta = sum(o * do) and its logarithm of sums,
  as a power of two;
- `attention_backward_kv_kernel`: a program keeps BLOCK_N keys and values and walks over the queries that see them;
- `attention_backward_q_kernel`: a program keeps BLOCK_M queries and walks over the keys that they see.

    p = exp(scale q kT - lse)       dv = pT do        ds = p (do vT - delta)        dq = scale ds k        dk = scale dsT q

- Scores and weights are computed anew, twice: seven products instead of five, but no sum of one program is another's,
  so that nothing is added up by atomics and each run has the same results.
- Of the products in a step two need no other: both are in flight while threads compute exponentials.
- With grouped heads, GROUP heads of q share one of k and v. A program of the second kernel walks over all of them.

q, o, do and dq have the shape [heads, N, D], k, v, dk and dv [heads / GROUP, N, D], all with the same strides, D
contiguous. D is 16, 32, 64, 128 or 256, N any number. lse, [heads, N] in fp32, is what `attention.py` gives.

    tegula run kernels/attention_backward.py -k attention_backward_q_kernel --grid=4,2 -D BLOCK_M=64 -D BLOCK_N=64 \\
        -D D=64 -D CAUSAL=True -D GROUP=1 --report --arg q_ptr=randn:fp16[2,256,64] --arg k_ptr=randn:fp16[2,256,64] \\
        --arg v_ptr=randn:fp16[2,256,64] --arg do_ptr=randn:fp16[2,256,64] --arg dq_ptr=zeros:fp16[2,256,64] \\
        --arg tops_ptr=randn:fp32[2,256] --arg deltas_ptr=randn:fp32[2,256] --arg stride_head=16384 --arg stride_row=64 \\
        --arg N=256 --arg scale=0.125
"""

import triton
import triton.language as tl

# Queries and keys a step, warps and stages; the first, which spills on no GPU, is what the host sides take without tuning.
KV_CONFIGS = [
    triton.Config({"BLOCK_M": 32, "BLOCK_N": 64}, num_stages=2, num_warps=4),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 64}, num_stages=2, num_warps=4),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 128}, num_stages=2, num_warps=8),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 64}, num_stages=3, num_warps=4),
    triton.Config({"BLOCK_M": 32, "BLOCK_N": 128}, num_stages=4, num_warps=4),
]
Q_CONFIGS = [
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 32}, num_stages=2, num_warps=4),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 64}, num_stages=2, num_warps=4),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 64}, num_stages=2, num_warps=8),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128}, num_stages=2, num_warps=8),
]


def suited(configs, arguments, **options):
    """Leaves 64 queries by 128 keys out with heads of 128 where each warp multiplies by itself: a few values of a thread would
    have no register."""
    target = triton.runtime.driver.active.get_current_target()
    if {**arguments, **options}["D"] < 128 or target.arch == 90:
        return configs
    return [config for config in configs if (config.kwargs["BLOCK_M"], config.kwargs["BLOCK_N"]) != (64, 128)]


LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def attention_backward_rows_kernel(o_ptr, do_ptr, lse_ptr, tops_ptr, deltas_ptr, rows, D: tl.constexpr, BLOCK: tl.constexpr):
    """Rows of all heads, one behind the other. `tops` are in units of log2."""
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    places = row.to(tl.int64)[:, None] * D + tl.arange(0, D)[None, :]
    o = tl.load(o_ptr + places, mask=row[:, None] < rows, other=0.0).to(tl.float32)
    do = tl.load(do_ptr + places, mask=row[:, None] < rows, other=0.0).to(tl.float32)
    lse = tl.load(lse_ptr + row, mask=row < rows, other=0.0)
    tl.store(deltas_ptr + row, tl.sum(o * do, axis=1), mask=row < rows)
    tl.store(tops_ptr + row, lse * LOG2_E, mask=row < rows)


@triton.jit
def add_queries(dk, dv, k, v, q_ptrs, do_ptrs, tops_ptr, deltas_ptr, n, first, last, stride_row, N, scale,
                MASKED: tl.constexpr, CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr):
    """Takes in the queries from `first` to `last`. `scale` is in units of log2."""
    for start in range(first, last, BLOCK_M):
        m = start + tl.arange(0, BLOCK_M)
        # A query that there is not sees nothing: its weights are exp2 of minus infinity.
        if MASKED:
            q = tl.load(q_ptrs + start * stride_row, mask=m[:, None] < N, other=0.0)
            do = tl.load(do_ptrs + start * stride_row, mask=m[:, None] < N, other=0.0)
        else:
            q = tl.load(q_ptrs + start * stride_row)
            do = tl.load(do_ptrs + start * stride_row)
        # Keys by queries, so that weights are operands as they lie in registers.
        scores = tl.dot(k, tl.trans(q))
        tops = tl.load(tops_ptr + m, mask=m < N, other=float("inf"))
        deltas = tl.load(deltas_ptr + m, mask=m < N, other=0.0)
        weights = tl.exp2(scores * scale - tops[None, :])
        if MASKED and CAUSAL:
            weights = tl.where(m[None, :] >= n[:, None], weights, 0.0)
        dv = tl.dot(weights.to(do.dtype), do, dv)
        slopes = weights * (tl.dot(v, tl.trans(do)) - deltas[None, :])
        dk = tl.dot(slopes.to(q.dtype), q, dk)
    return dk, dv


@triton.autotune(configs=KV_CONFIGS, key=["N", "D", "CAUSAL", "GROUP"], prune_configs_by={"early_config_prune": suited})
@triton.heuristics({"EVEN_M": lambda args: args["N"] % args["BLOCK_M"] == 0})
@triton.jit
def attention_backward_kv_kernel(q_ptr, k_ptr, v_ptr, do_ptr, dk_ptr, dv_ptr, tops_ptr, deltas_ptr, stride_head,
                                 stride_row, N, scale, D: tl.constexpr, CAUSAL: tl.constexpr, GROUP: tl.constexpr,
                                 BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, EVEN_M: tl.constexpr):
    block = tl.program_id(0)  # with a causal mask the first keys have the most queries, and go first
    head = tl.program_id(1).to(tl.int64)
    n = block * BLOCK_N + tl.arange(0, BLOCK_N)
    m = tl.arange(0, BLOCK_M)
    d = tl.arange(0, D)
    own = head * stride_head + (n[:, None] * stride_row + d[None, :])
    k = tl.load(k_ptr + own, mask=n[:, None] < N, other=0.0)
    v = tl.load(v_ptr + own, mask=n[:, None] < N, other=0.0)
    dk = tl.zeros((BLOCK_N, D), tl.float32)
    dv = tl.zeros((BLOCK_N, D), tl.float32)

    if CAUSAL:
        first = block * BLOCK_N // BLOCK_M * BLOCK_M
        # From here on every query sees every key of the block.
        whole = (block * BLOCK_N + BLOCK_N + BLOCK_M - 1) // BLOCK_M * BLOCK_M
    else:
        first = 0
        whole = 0
    last = tl.maximum(N // BLOCK_M * BLOCK_M, whole)
    for member in range(GROUP):
        query_head = head * GROUP + member
        q_ptrs = q_ptr + query_head * stride_head + (m[:, None] * stride_row + d[None, :])
        do_ptrs = do_ptr + query_head * stride_head + (m[:, None] * stride_row + d[None, :])
        tops = tops_ptr + query_head * N
        deltas = deltas_ptr + query_head * N
        if CAUSAL:
            dk, dv = add_queries(dk, dv, k, v, q_ptrs, do_ptrs, tops, deltas, n, first, whole, stride_row, N,
                                 scale * LOG2_E, True, CAUSAL, BLOCK_M)
        dk, dv = add_queries(dk, dv, k, v, q_ptrs, do_ptrs, tops, deltas, n, whole, last, stride_row, N, scale * LOG2_E,
                             False, CAUSAL, BLOCK_M)
        if not EVEN_M:
            dk, dv = add_queries(dk, dv, k, v, q_ptrs, do_ptrs, tops, deltas, n, last, N, stride_row, N, scale * LOG2_E,
                                 True, CAUSAL, BLOCK_M)

    tl.store(dk_ptr + own, (dk * scale).to(dk_ptr.dtype.element_ty), mask=n[:, None] < N)
    tl.store(dv_ptr + own, dv.to(dv_ptr.dtype.element_ty), mask=n[:, None] < N)


@triton.jit
def add_keys(dq, q, do, tops, deltas, k_ptrs, v_ptrs, m, first, last, stride_row, N, scale, MASKED: tl.constexpr,
             CAUSAL: tl.constexpr, BLOCK_N: tl.constexpr):
    """Takes in the keys from `first` to `last`. `scale` is in units of log2."""
    for start in range(first, last, BLOCK_N):
        n = start + tl.arange(0, BLOCK_N)
        if MASKED:
            k = tl.load(k_ptrs + start * stride_row, mask=n[:, None] < N, other=0.0)
            v = tl.load(v_ptrs + start * stride_row, mask=n[:, None] < N, other=0.0)
        else:
            k = tl.load(k_ptrs + start * stride_row)
            v = tl.load(v_ptrs + start * stride_row)
        weights = tl.exp2(tl.dot(q, tl.trans(k)) * scale - tops[:, None])
        if MASKED:
            seen = n[None, :] < N
            if CAUSAL:
                seen = seen & (m[:, None] >= n[None, :])
            weights = tl.where(seen, weights, 0.0)
        slopes = weights * (tl.dot(do, tl.trans(v)) - deltas[:, None])
        dq = tl.dot(slopes.to(k.dtype), k, dq)
    return dq


@triton.autotune(configs=Q_CONFIGS, key=["N", "D", "CAUSAL"])
@triton.heuristics({"EVEN_N": lambda args: args["N"] % args["BLOCK_N"] == 0})
@triton.jit
def attention_backward_q_kernel(q_ptr, k_ptr, v_ptr, do_ptr, dq_ptr, tops_ptr, deltas_ptr, stride_head, stride_row, N,
                                scale, D: tl.constexpr, CAUSAL: tl.constexpr, GROUP: tl.constexpr, BLOCK_M: tl.constexpr,
                                BLOCK_N: tl.constexpr, EVEN_N: tl.constexpr):
    block = tl.program_id(0)
    if CAUSAL:
        block = tl.num_programs(0) - 1 - block  # the programs with the most to do go first
    head = tl.program_id(1).to(tl.int64)
    m = block * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.arange(0, BLOCK_N)
    d = tl.arange(0, D)
    own = head * stride_head + (m[:, None] * stride_row + d[None, :])
    q = tl.load(q_ptr + own, mask=m[:, None] < N, other=0.0)
    do = tl.load(do_ptr + own, mask=m[:, None] < N, other=0.0)
    tops = tl.load(tops_ptr + head * N + m, mask=m < N, other=float("inf"))
    deltas = tl.load(deltas_ptr + head * N + m, mask=m < N, other=0.0)
    k_ptrs = k_ptr + head // GROUP * stride_head + (n[:, None] * stride_row + d[None, :])
    v_ptrs = v_ptr + head // GROUP * stride_head + (n[:, None] * stride_row + d[None, :])
    dq = tl.zeros((BLOCK_M, D), tl.float32)

    if CAUSAL:
        whole = block * BLOCK_M // BLOCK_N * BLOCK_N  # up to here every query of the block sees every key
        last = min((block + 1) * BLOCK_M, N)
    else:
        whole = N // BLOCK_N * BLOCK_N
        last = N
    dq = add_keys(dq, q, do, tops, deltas, k_ptrs, v_ptrs, m, 0, whole, stride_row, N, scale * LOG2_E, False, CAUSAL, BLOCK_N)
    if CAUSAL or not EVEN_N:
        dq = add_keys(dq, q, do, tops, deltas, k_ptrs, v_ptrs, m, whole, last, stride_row, N, scale * LOG2_E, True, CAUSAL,
                      BLOCK_N)
    tl.store(dq_ptr + own, (dq * scale).to(dq_ptr.dtype.element_ty), mask=m[:, None] < N)


def attention_backward(q, k, v, o, lse, do, causal=False, scale=None):
    """The host side, for tensors [heads, N, D], of which k and v may have fewer heads: dq, dk and dv."""
    import torch

    heads, N, D = q.shape
    group = heads // k.shape[0]
    assert k.shape == v.shape == (heads // group, N, D) and q.shape == o.shape == do.shape and heads % group == 0
    assert all(x.is_contiguous() for x in (q, k, v, o, do, lse))
    dq, dk, dv = torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)
    tops, deltas = torch.empty_like(lse), torch.empty_like(lse)
    attention_backward_rows_kernel[(triton.cdiv(heads * N, 32),)](o, do, lse, tops, deltas, heads * N, D=D, BLOCK=32)
    scale = scale or D ** -0.5
    attention_backward_kv_kernel[lambda meta: (triton.cdiv(N, meta["BLOCK_N"]), heads // group)](
        q, k, v, do, dk, dv, tops, deltas, N * D, D, N, scale, D=D, CAUSAL=causal, GROUP=group)
    attention_backward_q_kernel[lambda meta: (triton.cdiv(N, meta["BLOCK_M"]), heads)](
        q, k, v, do, dq, tops, deltas, N * D, D, N, scale, D=D, CAUSAL=causal, GROUP=group)
    return dq, dk, dv


def reference(q, k, v, do, causal=False, scale=None):
    """In double precision: o, lse, dq, dk and dv."""
    import torch

    q, k, v = (x.detach().double().requires_grad_() for x in (q, k, v))
    group = q.shape[0] // k.shape[0]
    keys, values = (x.repeat_interleave(group, 0) for x in (k, v))
    scores = (scale or q.shape[-1] ** -0.5) * (q @ keys.transpose(-1, -2))
    if causal:
        seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
        scores = scores.masked_fill(~seen, -float("inf"))
    o = torch.softmax(scores, -1) @ values
    slopes = torch.autograd.grad(o, (q, k, v), do.double())
    return [x.detach().to(do.dtype) for x in (o,)] + [torch.logsumexp(scores, -1).detach().float()] + \
        [x.to(do.dtype) for x in slopes]


if __name__ == "__main__":
    import torch

    for d in (32, 64, 128):
        for length in (1, 100, 512):
            for causal in (False, True):
                for group in (1, 2):
                    q, do = (torch.randn(4, length, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
                    k, v = (torch.randn(4 // group, length, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
                    o, lse, *expected = reference(q, k, v, do, causal)
                    for found, exact in zip(attention_backward(q, k, v, o, lse, do, causal), expected):
                        torch.testing.assert_close(found, exact, rtol=2e-2, atol=3e-2)
    print("attention's backward pass agrees with the reference")
