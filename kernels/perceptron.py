"""y = gelu(x @ w1 + b1) @ w2 + b2: a perceptron of two layers in one kernel.

A program takes BLOCK_M rows and computes BLOCK_H units of the hidden layer at a time. They are activated in
registers, rounded to the element type and, as they lie there, multiplied by their rows of w2: the hidden
layer is never written to memory.

It pays where the rows of x fit on the chip. BLOCK_IN is the next power of two above the inputs, up to
256; a program computes BLOCK_OUT outputs, and where there are more, others compute the hidden layer again. A
wider perceptron is two launches of `matmul_grouped_kernel` of `matmul.py`, the first with ACTIVATION="gelu".

    tegula run kernels/perceptron.py --grid=2,1 -D BLOCK_M=64 -D BLOCK_IN=64 -D BLOCK_H=64 -D BLOCK_OUT=64 --report \\
        --arg x_ptr=randn:fp16[128,64] --arg w1_ptr=randn:fp16[64,256] --arg b1_ptr=randn:fp16[256] \\
        --arg w2_ptr=randn:fp16[256,64] --arg b2_ptr=randn:fp16[64] --arg y_ptr=zeros:fp16[128,64] \\
        --arg M=128 --arg IN=64 --arg HIDDEN=256 --arg OUT=64
"""

import triton
import triton.language as tl

# Rows and hidden units a step, warps and stages.
CONFIGS = [
    triton.Config({"BLOCK_M": 64, "BLOCK_H": 64}, num_stages=2, num_warps=8),
    triton.Config({"BLOCK_M": 128, "BLOCK_H": 64}, num_stages=2, num_warps=8),
]

SQRT_2_OVER_PI = tl.constexpr(0.7978845608028654)


@triton.jit
def gelu(x):
    inner = SQRT_2_OVER_PI * (x + 0.044715 * x * x * x)
    return x - x / (tl.exp(2.0 * inner) + 1.0)  # x / 2 (1 + tanh(inner)), without overflow


@triton.autotune(configs=CONFIGS, key=["IN", "HIDDEN", "OUT"])
@triton.jit
def perceptron_kernel(x_ptr, w1_ptr, b1_ptr, w2_ptr, b2_ptr, y_ptr, M, IN, HIDDEN, OUT, BLOCK_M: tl.constexpr,
                      BLOCK_IN: tl.constexpr, BLOCK_H: tl.constexpr, BLOCK_OUT: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    o = tl.program_id(1) * BLOCK_OUT + tl.arange(0, BLOCK_OUT)
    i = tl.arange(0, BLOCK_IN)
    h = tl.arange(0, BLOCK_H)
    x = tl.load(x_ptr + m[:, None] * IN + i[None, :], mask=(m[:, None] < M) & (i[None, :] < IN), other=0.0)
    w1_ptrs = w1_ptr + i[:, None] * HIDDEN + h[None, :]
    w2_ptrs = w2_ptr + h[:, None] * OUT + o[None, :]
    sums = tl.zeros((BLOCK_M, BLOCK_OUT), dtype=tl.float32)
    for first in range(0, HIDDEN, BLOCK_H):
        # Units behind the end are gelu(0 + 0) = 0.
        w1 = tl.load(w1_ptrs, mask=(i[:, None] < IN) & (h[None, :] < HIDDEN - first), other=0.0)
        b1 = tl.load(b1_ptr + first + h, mask=h < HIDDEN - first, other=0.0).to(tl.float32)
        hidden = gelu(tl.dot(x, w1) + b1[None, :])
        w2 = tl.load(w2_ptrs, mask=(h[:, None] < HIDDEN - first) & (o[None, :] < OUT), other=0.0)
        sums = tl.dot(hidden.to(w2.dtype), w2, sums)
        w1_ptrs += BLOCK_H
        w2_ptrs += BLOCK_H * OUT
    b2 = tl.load(b2_ptr + o, mask=o < OUT, other=0.0).to(tl.float32)
    y = sums + b2[None, :]
    tl.store(y_ptr + m[:, None] * OUT + o[None, :], y.to(y_ptr.dtype.element_ty),
             mask=(m[:, None] < M) & (o[None, :] < OUT))


def perceptron(x, w1, b1, w2, b2):
    """The host side, for w1 [in, hidden] and w2 [hidden, out] in rows."""
    import torch

    assert x.shape[1] <= 256 and all(t.is_contiguous() for t in (x, w1, w2))
    M, OUT = x.shape[0], w2.shape[1]
    y = torch.empty((M, OUT), dtype=x.dtype, device=x.device)
    block_in = max(16, triton.next_power_of_2(x.shape[1]))
    block_out = min(128, max(16, triton.next_power_of_2(OUT)))
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]), triton.cdiv(OUT, block_out))
    perceptron_kernel[grid](x, w1, b1, w2, b2, y, M, x.shape[1], w1.shape[1], OUT, BLOCK_IN=block_in,
                            BLOCK_OUT=block_out)
    return y


def reference(x, w1, b1, w2, b2):
    """In double precision."""
    import torch

    hidden = torch.nn.functional.gelu(x.double() @ w1.double() + b1.double(), approximate="tanh")
    return (hidden @ w2.double() + b2.double()).to(x.dtype)


if __name__ == "__main__":
    import torch

    for m, inputs, hidden, outputs in ((1000, 100, 400, 70), (64, 256, 1024, 256)):
        x, w1, b1, w2, b2 = (torch.randn(s, device="cuda", dtype=torch.float16) / s[0] ** 0.5 for s in (
            (m, inputs), (inputs, hidden), (hidden,), (hidden, outputs), (outputs,)))
        torch.testing.assert_close(perceptron(x, w1, b1, w2, b2), reference(x, w1, b1, w2, b2), rtol=1e-2, atol=1e-3)
    print("perceptron agrees with the reference")
