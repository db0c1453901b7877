"""Products of 8-bit matrices: int8 with exact sums in int32, fp8 (e4m3, e5m2) with sums in fp32.

- `int8_matmul_kernel`: c = a @ b in int32; or, given scales, c = row_scale * (a @ b) * column_scale in fp16, as
  for activations quantized by rows and weights by columns. Both scales are of the sums, so none is in the loop.
- `fp8_matmul_kernel`: c = scale * (a @ b) in fp16; a and b may be of different fp8 types. sm_89 and later.

Eight bits leave a step of 32 along K at least. Operands are read quickest where K is contiguous: a in rows,
b in columns, `stride_bk == 1`.

    tegula run kernels/quantized_matmul.py -k int8_matmul_kernel --grid=2,2 --num-warps=8 -D BLOCK_M=128 \\
        -D BLOCK_N=128 -D BLOCK_K=128 "--arg=a_ptr=randint(-9,9):i8[256,256]" "--arg=b_ptr=randint(-9,9):i8[256,256]" \\
        --arg c_ptr=zeros:i32[256,256] --arg row_scale_ptr=none --arg column_scale_ptr=none --arg M=256 \\
        --arg N=256 --arg K=256 --arg stride_am=256 --arg stride_ak=1 --arg stride_bk=1 --arg stride_bn=256 \\
        --arg stride_cm=256 --arg stride_cn=1
"""

import triton
import triton.language as tl

# Tiles of c, steps along K, warps and stages.
CONFIGS = [
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 128}, num_stages=3, num_warps=8),
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 256}, num_stages=3, num_warps=8),
]
# Tiles of 128x256 bring a quarter less of a and b through L2.
FP8_CONFIGS = [
    *CONFIGS,
    triton.Config({"BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 128}, num_stages=4, num_warps=8),
]


@triton.jit
def tile_of_program(GROUP_M: tl.constexpr):
    """Row and column of the tile that this program computes: down the columns of GROUP_M rows of tiles first, so that
    programs that run at one time need few different parts of a and b, which stay in L2."""
    tiles_m, tiles_n = tl.num_programs(0), tl.num_programs(1)
    program = tl.program_id(0) + tl.program_id(1) * tiles_m
    first_m = program // (GROUP_M * tiles_n) * GROUP_M
    rows = min(tiles_m - first_m, GROUP_M)  # the last group may have fewer
    place = program - first_m * tiles_n
    return first_m + place % rows, place // rows


@triton.autotune(configs=CONFIGS, key=["M", "N", "K"])
@triton.jit
def int8_matmul_kernel(a_ptr, b_ptr, c_ptr, row_scale_ptr, column_scale_ptr, M, N, K, stride_am, stride_ak, stride_bk,
                       stride_bn, stride_cm, stride_cn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                       BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr = 16):
    tile_m, tile_n = tile_of_program(GROUP_M)
    m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + m[:, None] * stride_am + k[None, :] * stride_ak
    b_ptrs = b_ptr + k[:, None] * stride_bk + n[None, :] * stride_bn
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.int32)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=(m[:, None] < M) & (k[None, :] < K - first), other=0)
        b = tl.load(b_ptrs, mask=(k[:, None] < K - first) & (n[None, :] < N), other=0)
        sums = tl.dot(a, b, sums, out_dtype=tl.int32)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    c_ptrs = c_ptr + m[:, None] * stride_cm + n[None, :] * stride_cn
    inside = (m[:, None] < M) & (n[None, :] < N)
    if row_scale_ptr is None:
        tl.store(c_ptrs, sums, mask=inside)
    else:
        row_scale = tl.load(row_scale_ptr + m, mask=m < M, other=0.0)
        column_scale = tl.load(column_scale_ptr + n, mask=n < N, other=0.0)
        c = sums.to(tl.float32) * row_scale[:, None] * column_scale[None, :]
        tl.store(c_ptrs, c.to(c_ptr.dtype.element_ty), mask=inside)


@triton.autotune(configs=FP8_CONFIGS, key=["M", "N", "K"])
@triton.jit
def fp8_matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, scale, stride_am, stride_ak, stride_bk, stride_bn, stride_cm,
                      stride_cn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                      GROUP_M: tl.constexpr = 16):
    tile_m, tile_n = tile_of_program(GROUP_M)
    m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + m[:, None] * stride_am + k[None, :] * stride_ak
    b_ptrs = b_ptr + k[:, None] * stride_bk + n[None, :] * stride_bn
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=(m[:, None] < M) & (k[None, :] < K - first), other=0.0)
        b = tl.load(b_ptrs, mask=(k[:, None] < K - first) & (n[None, :] < N), other=0.0)
        sums = tl.dot(a, b, sums)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    c_ptrs = c_ptr + m[:, None] * stride_cm + n[None, :] * stride_cn
    tl.store(c_ptrs, (scale * sums).to(c_ptr.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


def strides(a, b, c):
    assert a.shape[1] == b.shape[0]
    return (*a.stride(), *b.stride(), *c.stride())


def tiles(a, b):
    return lambda meta: (triton.cdiv(a.shape[0], meta["BLOCK_M"]), triton.cdiv(b.shape[1], meta["BLOCK_N"]))


def int8_matmul(a, b, row_scale=None, column_scale=None):
    """The host side: int32 without scales, fp16 with one scale for each row of a and column of b."""
    import torch

    dtype = torch.int32 if row_scale is None else torch.float16
    c = torch.empty((a.shape[0], b.shape[1]), dtype=dtype, device=a.device)
    int8_matmul_kernel[tiles(a, b)](a, b, c, row_scale, column_scale, a.shape[0], b.shape[1], a.shape[1],
                                    *strides(a, b, c))
    return c


def fp8_matmul(a, b, scale=1.0):
    import torch

    c = torch.empty((a.shape[0], b.shape[1]), dtype=torch.float16, device=a.device)
    fp8_matmul_kernel[tiles(a, b)](a, b, c, a.shape[0], b.shape[1], a.shape[1], scale, *strides(a, b, c))
    return c


def reference(a, b, row_scale=None, column_scale=None, scale=1.0):
    """In double precision, where sums of products of 8-bit numbers are exact."""
    import torch

    c = scale * (a.double() @ b.double())
    if row_scale is not None:
        return (row_scale.double()[:, None] * c * column_scale.double()[None, :]).half()
    return c.to(torch.int32 if a.dtype == torch.int8 else torch.float16)


if __name__ == "__main__":
    import torch

    x = torch.randint(-128, 128, (300, 200), device="cuda", dtype=torch.int8)
    y = torch.randint(-128, 128, (170, 200), device="cuda", dtype=torch.int8).T
    r, c = torch.rand(300, device="cuda") * 1e-3, torch.rand(170, device="cuda") * 1e-3
    assert torch.equal(int8_matmul(x, y), reference(x, y))
    torch.testing.assert_close(int8_matmul(x, y, r, c), reference(x, y, r, c), rtol=1e-3, atol=1e-5)
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
        x8, y8 = torch.randn(300, 200, device="cuda").to(dtype), torch.randn(170, 200, device="cuda").to(dtype).T
        torch.testing.assert_close(fp8_matmul(x8, y8, 0.5), reference(x8, y8, scale=0.5), rtol=1e-2, atol=1e-2)
    print("quantized_matmul agrees with the reference for int8 and fp8")
