"""c = a @ b: a program for each tile of c, a loop along K, sums in fp32 whatever the element type.

- `matmul_kernel`: the grid has the two axes of c. Masks keep every access inside the matrices.
- `matmul_grouped_kernel`: what most programs use. Bias and activation are applied to the sums before they are
  rounded and stored. Tiles are computed in groups of GROUP_M rows of tiles, down the columns of a group first:
  the programs that run at one time then need few different parts of a and b, which stay in L2. Rows and
  columns behind the end wrap round (`%`) to some that exist, whose sums are thrown away: only the end of K
  needs a mask inside the loop.
- `matmul_tuned_kernel`: the same under `triton.autotune`.

    grid order of a 4 by 4 c        GROUP_M = 1         GROUP_M = 2
                                     0  1  2  3          0  2  4  6
                                     4  5  6  7          1  3  5  7
                                     8  9 10 11          8 10 12 14
                                    12 13 14 15          9 11 13 15

Any M, N and K; any strides, so that a transposed matrix needs no copy. Offsets are 32 bits wide: up to 2^31
elements a matrix. For fp32, PRECISION says how much of a product is kept: "tf32" (10 bits of mantissa, on
matrix units), "tf32x3" (three such products, nearly fp32) or "ieee" (fp32, without matrix units). `matmul_kernel`
adds up the last two with compensation: each BLOCK_K terms on their own, and what rounding takes from the sum of those
on the side. The less BLOCK_K, the less the error.

    tegula run kernels/matmul.py -k matmul_kernel --grid=2,2 -D BLOCK_M=128 -D BLOCK_N=128 -D BLOCK_K=64 --report \\
        --arg a_ptr=randn:fp16[256,256] --arg b_ptr=randn:fp16[256,256] --arg c_ptr=zeros:fp16[256,256] \\
        --arg M=256 --arg N=256 --arg K=256 --arg stride_am=256 --arg stride_ak=1 --arg stride_bk=256 \\
        --arg stride_bn=1 --arg stride_cm=256 --arg stride_cn=1
"""

import triton
import triton.language as tl

# Tiles of c, steps along K, warps and stages; the first is what the host sides take without tuning.
CONFIGS = [
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=3, num_warps=4),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 32, "GROUP_M": 8}, num_stages=3, num_warps=4),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=4, num_warps=8),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=3, num_warps=8),
    triton.Config({"BLOCK_M": 256, "BLOCK_N": 128, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=4, num_warps=8),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=3, num_warps=8),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 128, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=4, num_warps=4),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 64, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=3, num_warps=4),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 256, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=3, num_warps=4),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=3, num_warps=4),
    # Few tiles: what counts is how much is on its way from memory.
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=5, num_warps=8),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 128, "BLOCK_K": 128, "GROUP_M": 8}, num_stages=4, num_warps=4),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 64, "BLOCK_K": 128, "GROUP_M": 8}, num_stages=4, num_warps=4),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 128, "GROUP_M": 8}, num_stages=6, num_warps=4),
    triton.Config({"BLOCK_M": 64, "BLOCK_N": 32, "BLOCK_K": 128, "GROUP_M": 8}, num_stages=6, num_warps=4),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=6, num_warps=4),
    # Few rows: b is read once, by as many programs as there are, and units for 16 rows waste none.
    triton.Config({"BLOCK_M": 16, "BLOCK_N": 64, "BLOCK_K": 128, "GROUP_M": 8}, num_stages=6, num_warps=4),
    triton.Config({"BLOCK_M": 32, "BLOCK_N": 64, "BLOCK_K": 256, "GROUP_M": 8}, num_stages=4, num_warps=4),
]

SQRT_2_OVER_PI = tl.constexpr(0.7978845608028654)


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                  PRECISION: tl.constexpr = "tf32"):
    # Sums of whole numbers are whole; else fp32, and fp64 of what is itself fp64.
    TYPE: tl.constexpr = a_ptr.dtype.element_ty
    SUM_TYPE: tl.constexpr = tl.int32 if TYPE == tl.int8 else tl.float64 if TYPE == tl.float64 else tl.float32
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + m[:, None] * stride_am + k[None, :] * stride_ak
    b_ptrs = b_ptr + k[:, None] * stride_bk + n[None, :] * stride_bn
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=SUM_TYPE)
    if PRECISION != "tf32":
        lost = tl.zeros((BLOCK_M, BLOCK_N), dtype=SUM_TYPE)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=(m[:, None] < M) & (k[None, :] < K - first), other=0.0)
        b = tl.load(b_ptrs, mask=(k[:, None] < K - first) & (n[None, :] < N), other=0.0)
        if PRECISION == "tf32":
            sums = tl.dot(a, b, sums, input_precision=PRECISION, out_dtype=SUM_TYPE)
        else:
            part = tl.dot(a, b, input_precision=PRECISION, out_dtype=SUM_TYPE)
            total = sums + part
            lost += part - (total - sums)
            sums = total
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    if PRECISION != "tf32":
        sums += lost
    c_ptrs = c_ptr + m[:, None] * stride_cm + n[None, :] * stride_cn
    tl.store(c_ptrs, sums.to(c_ptr.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def tile_in_groups(program, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP_M: tl.constexpr):
    """Row and column of the tile that a program computes."""
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    group = program // (GROUP_M * tiles_n)
    place = program % (GROUP_M * tiles_n)
    first_m = group * GROUP_M
    rows = min(tiles_m - first_m, GROUP_M)  # the last group may have fewer
    return first_m + place % rows, place // rows


@triton.jit
def activated(x, ACTIVATION: tl.constexpr):
    if ACTIVATION == "relu":
        x = tl.maximum(x, 0.0)
    elif ACTIVATION == "leaky_relu":
        x = tl.where(x >= 0, x, 0.01 * x)
    elif ACTIVATION == "gelu":
        inner = SQRT_2_OVER_PI * (x + 0.044715 * x * x * x)
        x = x - x / (tl.exp(2.0 * inner) + 1.0)  # x / 2 (1 + tanh(inner)), without overflow
    else:
        tl.static_assert(ACTIVATION == "none", "ACTIVATION is none, relu, leaky_relu or gelu")
    return x


@triton.jit
def matmul_grouped_kernel(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn,
                          stride_cm, stride_cn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                          GROUP_M: tl.constexpr, ACTIVATION: tl.constexpr = "none",
                          PRECISION: tl.constexpr = "tf32"):
    tile_m, tile_n = tile_in_groups(tl.program_id(0), M, N, BLOCK_M, BLOCK_N, GROUP_M)
    m = (tile_m * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    n = (tile_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + m[:, None] * stride_am + k[None, :] * stride_ak
    b_ptrs = b_ptr + k[:, None] * stride_bk + n[None, :] * stride_bn
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=k[None, :] < K - first, other=0.0)
        b = tl.load(b_ptrs, mask=k[:, None] < K - first, other=0.0)
        sums = tl.dot(a, b, sums, input_precision=PRECISION)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    if bias_ptr is not None:
        bias = tl.load(bias_ptr + n, mask=n < N, other=0.0)
        sums += bias[None, :].to(tl.float32)
    c = activated(sums, ACTIVATION)
    c_ptrs = c_ptr + m[:, None] * stride_cm + n[None, :] * stride_cn
    tl.store(c_ptrs, c.to(c_ptr.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.autotune(configs=CONFIGS, key=["M", "N", "K"])
@triton.jit
def matmul_tuned_kernel(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn,
                        stride_cm, stride_cn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                        GROUP_M: tl.constexpr, ACTIVATION: tl.constexpr = "none",
                        PRECISION: tl.constexpr = "tf32"):
    matmul_grouped_kernel(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn,
                          stride_cm, stride_cn, BLOCK_M, BLOCK_N, BLOCK_K, GROUP_M, ACTIVATION, PRECISION)


def sizes_and_strides(a, b, c):
    assert a.shape[1] == b.shape[0] and a.dtype == b.dtype
    return (a.shape[0], b.shape[1], a.shape[1], *a.stride(), *b.stride(), *c.stride())


def matmul(a, b, block_m=128, block_n=128, block_k=64, num_warps=4, num_stages=3, precision="tf32"):
    """The host side: a program for each tile."""
    import torch

    c = torch.empty((a.shape[0], b.shape[1]), dtype=a.dtype, device=a.device)
    grid = (triton.cdiv(a.shape[0], block_m), triton.cdiv(b.shape[1], block_n))
    matmul_kernel[grid](a, b, c, *sizes_and_strides(a, b, c), BLOCK_M=block_m, BLOCK_N=block_n, BLOCK_K=block_k,
                        PRECISION=precision, num_warps=num_warps, num_stages=num_stages)
    return c


def linear(a, b, bias=None, activation="none", precision="tf32"):
    """activation(a @ b + bias) in the config that is quickest for these sizes."""
    import torch

    c = torch.empty((a.shape[0], b.shape[1]), dtype=a.dtype, device=a.device)
    grid = lambda meta: (triton.cdiv(a.shape[0], meta["BLOCK_M"]) * triton.cdiv(b.shape[1], meta["BLOCK_N"]),)
    matmul_tuned_kernel[grid](a, b, c, bias, *sizes_and_strides(a, b, c), ACTIVATION=activation, PRECISION=precision)
    return c


def reference(a, b, bias=None, activation="none"):
    """In double precision, rounded once."""
    import torch

    c = a.double() @ b.double()
    if bias is not None:
        c = c + bias.double()
    if activation == "leaky_relu":
        c = torch.nn.functional.leaky_relu(c)
    elif activation == "relu":
        c = torch.relu(c)
    elif activation == "gelu":
        c = torch.nn.functional.gelu(c, approximate="tanh")
    return c.to(a.dtype)


if __name__ == "__main__":
    import torch

    for dtype in (torch.float16, torch.bfloat16):
        x = torch.randn(1000, 777, device="cuda", dtype=dtype)
        y = torch.randn(520, 777, device="cuda", dtype=dtype).T
        bias = torch.randn(520, device="cuda", dtype=dtype)
        torch.testing.assert_close(matmul(x, y), reference(x, y), rtol=2e-2, atol=2e-2)
        for activation in ("none", "relu", "leaky_relu", "gelu"):
            torch.testing.assert_close(linear(x, y, bias, activation), reference(x, y, bias, activation),
                                       rtol=2e-2, atol=2e-2)
    print("matmul agrees with the reference with and without bias and activation")
