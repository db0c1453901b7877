"""Products of what other products add up: sums transposed into operands, and attention's backward pass with a window and a
soft cap, as kernels of linear attention and of transformers have them."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from arrays import array, numbers, zeros


@triton.jit
def transposed_sums(a_ptr, b_ptr, x_ptr, o_ptr, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                    D: tl.constexpr):
    m = tl.arange(0, BLOCK_M)
    n = tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    d = tl.arange(0, D)
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    out = tl.zeros((BLOCK_N, D), tl.float32)
    for i in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + m[:, None] * K + (i + k)[None, :])
        b = tl.load(b_ptr + (i + k)[:, None] * BLOCK_N + n[None, :])
        sums = tl.dot(a, b, sums)
        x = tl.load(x_ptr + (i // BLOCK_K * BLOCK_M + m)[:, None] * D + d[None, :])
        out += tl.dot(tl.trans(sums.to(tl.float16)), x)
    tl.store(o_ptr + n[:, None] * D + d[None, :], out)


@pytest.mark.parametrize("stages", [1, 2, 3, 4])
@pytest.mark.parametrize("warps", [2, 4, 8])
@pytest.mark.parametrize("m, n", [(64, 64), (128, 64), (64, 128)])
def test_sums_are_transposed_into_an_operand(m: int, n: int, warps: int, stages: int) -> None:
    steps, k, d = 4, 32, 64
    random = np.random.default_rng(m + n)
    # Whole numbers, so that no order of additions matters.
    a, b, x = (random.integers(-2, 3, shape).astype(np.float16) for shape in ((m, steps * k), (steps * k, n), (steps * m, d)))
    expected, sums = np.zeros((n, d)), np.zeros((m, n))
    for i in range(steps):
        sums += a[:, i * k:(i + 1) * k].astype(float) @ b[i * k:(i + 1) * k].astype(float)
        expected += sums.T @ x[i * m:(i + 1) * m].astype(float)
    found = zeros((n, d), "float32")
    transposed_sums[(1,)](*(array(each, "float16") for each in (a, b, x)), found, steps * k, BLOCK_M=m, BLOCK_N=n, BLOCK_K=k, D=d,
                          num_warps=warps, num_stages=stages)
    np.testing.assert_array_equal(numbers(found), expected)


@triton.jit
def capped_backward(q_ptr, k_ptr, v_ptr, do_ptr, dk_ptr, dv_ptr, lse_ptr, delta_ptr, N, scale, CAP: tl.constexpr,
                    WINDOW: tl.constexpr, D: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    n = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    d = tl.arange(0, D)
    k = tl.load(k_ptr + n[:, None] * D + d[None, :])
    v = tl.load(v_ptr + n[:, None] * D + d[None, :])
    dk = tl.zeros((BLOCK_N, D), tl.float32)
    dv = tl.zeros((BLOCK_N, D), tl.float32)
    first = tl.program_id(0) * BLOCK_N // BLOCK_M * BLOCK_M
    last = tl.minimum(N, tl.program_id(0) * BLOCK_N + BLOCK_N + WINDOW)
    for start in range(first, last, BLOCK_M):
        m = start + tl.arange(0, BLOCK_M)
        q = tl.load(q_ptr + m[:, None] * D + d[None, :], mask=m[:, None] < N, other=0.0)
        do = tl.load(do_ptr + m[:, None] * D + d[None, :], mask=m[:, None] < N, other=0.0)
        lse = tl.load(lse_ptr + m, mask=m < N, other=float("inf"))
        delta = tl.load(delta_ptr + m, mask=m < N, other=0.0)
        scores = tl.dot(k, tl.trans(q)) * scale
        ratio = 1 - 2 / (tl.exp(2 * scores / CAP) + 1)  # tanh
        seen = (m[None, :] >= n[:, None]) & (m[None, :] < n[:, None] + WINDOW)
        p = tl.where(seen, tl.exp(CAP * ratio - lse[None, :]), 0.0)
        dv = tl.dot(p.to(do.dtype), do, dv)
        dp = tl.dot(v, tl.trans(do))
        ds = p * (dp - delta[None, :]) * (1 - ratio * ratio)
        dk = tl.dot(ds.to(q.dtype), q, dk)
    tl.store(dk_ptr + n[:, None] * D + d[None, :], dk * scale)
    tl.store(dv_ptr + n[:, None] * D + d[None, :], dv)


@pytest.mark.parametrize("warps, stages", [(4, 2), (4, 3), (8, 2)])
@pytest.mark.parametrize("d", [64, 128])
def test_attention_backwards_with_a_window_and_a_soft_cap(d: int, warps: int, stages: int) -> None:
    length, window, cap, scale = 192, 80, 3.0, d ** -0.5
    random = np.random.default_rng(d)
    q, k, v, do = (random.standard_normal((length, d)).astype(np.float16) for _ in range(4))
    scores = q.astype(float) @ k.astype(float).T * scale
    ratio = np.tanh(scores / cap)
    row, column = np.arange(length)[:, None], np.arange(length)[None, :]
    logits = np.where((row >= column) & (row < column + window), cap * ratio, -np.inf)
    lse = np.log(np.exp(logits).sum(1))
    p = np.exp(logits - lse[:, None])
    o = p @ v.astype(float)
    delta = (o * do).sum(1)
    ds = p * (do.astype(float) @ v.astype(float).T - delta[:, None]) * (1 - ratio ** 2) * scale
    dk, dv = zeros((length, d), "float32"), zeros((length, d), "float32")
    capped_backward[(length // 64,)](
        *(array(each, "float16") for each in (q, k, v, do)), dk, dv, array(lse), array(delta), length,
        scale, CAP=cap, WINDOW=window, D=d, BLOCK_M=64, BLOCK_N=64, num_warps=warps, num_stages=stages)
    for found, exact in ((dk, ds.T @ q.astype(float)), (dv, p.T @ do.astype(float))):
        error = np.linalg.norm(numbers(found) - exact) / np.linalg.norm(exact)
        assert error < 2e-3
