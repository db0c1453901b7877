"""kernels/attention.py on floats of 8 bits, whose values are stored by columns."""

import pathlib
import sys

import numpy as np
import pytest

import bundled
import tegula as triton
import tegula.language as tl

sys.path.insert(0, str(pathlib.Path(__file__).parent / "launch"))
from arrays import array, numbers, zeros

#: The bits of 0.25, 0.5, 1 and 1.5 in each format; the sign is the upper bit.
NUMBERS = np.array([0.25, 0.5, 1, 1.5])
BITS = {"float8e5": [0x34, 0x38, 0x3C, 0x3E], "float8e4nv": [0x28, 0x30, 0x38, 0x3C]}


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    return bundled.load("attention", tmp_path_factory.mktemp("kernels")).attention_kernel.fn.fn  # without tuning and heuristics


def bytes_of(values, name):
    """The bits of numbers of the table, of either sign."""
    places = np.searchsorted(NUMBERS, np.abs(values))
    bits = np.array(BITS[name], dtype=np.uint8)[places] | np.where(values < 0, 0x80, 0).astype(np.uint8)
    return triton.reinterpret(array(bits, "uint8"), getattr(tl, name))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("name", BITS)
@pytest.mark.parametrize("N, D, blocks, warps", [(128, 64, (64, 64), 4), (100, 32, (64, 64), 4), (160, 128, (64, 128), 4)])
def test_attention_of_bytes_is_near_that_of_doubles(kernel, N, D, blocks, warps, name, causal):
    heads = 2
    draw = np.random.default_rng(N + D)
    q, k, v = (draw.choice(NUMBERS, (heads, N, D)) * draw.choice([-1, 1], (heads, N, D)) for _ in range(3))
    o, lse = zeros((heads, N, D), "float32"), zeros((heads, N))
    kernel[(triton.cdiv(N, blocks[0]), heads)](
        bytes_of(q, name), bytes_of(k, name), bytes_of(np.swapaxes(v, 1, 2), name), o, lse, N * D, D, N, D**-0.5, D=D,
        CAUSAL=causal, BLOCK_M=blocks[0], BLOCK_N=blocks[1], EVEN_N=N % blocks[1] == 0, V_BY_COLUMNS=True, num_warps=warps,
        num_stages=2)
    scores = D**-0.5 * q @ np.swapaxes(k, 1, 2)
    if causal:
        scores = np.where(np.tril(np.ones((N, N), bool)), scores, -np.inf)
    tops = scores.max(-1, keepdims=True)
    weights = np.exp(scores - tops)
    sums = weights.sum(-1, keepdims=True)
    np.testing.assert_allclose(numbers(lse), (tops + np.log(sums))[..., 0], rtol=1e-4, atol=1e-4)
    # Weights are rounded to 3 or 4 bits: each row's error is that of some dozens of them.
    errors = np.abs(numbers(o) - weights / sums @ v)
    assert errors.mean() < 0.02 and errors.max() < 0.25
