"""The sums of a matrix along its rows and along its columns: the lesson of contiguous access.

With a thread for each sum, column sums are fast: neighbouring threads read neighbouring elements. Row sums
of the same shape read elements a whole row apart and wait for eight times the memory. Here both kernels
say which elements a program adds and leave the threads to the compiler, which puts neighbouring lanes along
the contiguous side in both. Either way each thread adds up what it reads; only at the end do row sums cross
the lanes, and column sums the warps. `tegula-kernels matrix_sums --n=4096` prints both rates on a GPU.

The rows are split over the grid's second axis, since a few columns alone would not fill the device. Each
part writes sums of its own, and a second launch of the same kernel adds those: no atomics, and so the
same bits each time.

    tegula run kernels/matrix_sums.py -k row_sums_kernel --grid=16 -D BLOCK_M=4 -D BLOCK_N=1024 --report \\
        --arg x_ptr=randn:fp32[64,4000] --arg sums_ptr=zeros:fp32[64] --arg M=64 --arg N=4000 --arg stride=4000
    tegula run kernels/matrix_sums.py -k column_sums_kernel --grid=8,2 -D BLOCK_M=16 -D BLOCK_N=128 --report \\
        --arg x_ptr=randn:fp32[64,1000] --arg sums_ptr=zeros:fp32[2,1000] --arg M=64 --arg N=1000 \\
        --arg stride=1000 --arg rows_each=32
"""

import triton
import triton.language as tl


@triton.jit
def row_sums_kernel(x_ptr, sums_ptr, M, N, stride, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.arange(0, BLOCK_N)
    rows = x_ptr + m[:, None].to(tl.int64) * stride
    partial = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, N, BLOCK_N):
        mask = (m[:, None] < M) & (start + n[None, :] < N)
        partial += tl.load(rows + start + n[None, :], mask=mask, other=0.0)
    tl.store(sums_ptr + m, tl.sum(partial, axis=1), mask=m < M)


@triton.jit
def column_sums_kernel(x_ptr, sums_ptr, M, N, stride, rows_each, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    part = tl.program_id(1)
    m = tl.arange(0, BLOCK_M)
    n = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    first = part * rows_each
    last = min(first + rows_each, M)
    partial = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(first, last, BLOCK_M):
        row = start + m[:, None]
        mask = (row < last) & (n[None, :] < N)
        partial += tl.load(x_ptr + row.to(tl.int64) * stride + n[None, :], mask=mask, other=0.0)
    tl.store(sums_ptr + part * N + n, tl.sum(partial, axis=0), mask=n < N)


def row_sums(x, block_m=4, block_n=1024):
    """The host side: a program for every `block_m` rows."""
    import torch

    M, N = x.shape
    sums = torch.empty(M, dtype=torch.float32, device=x.device)
    row_sums_kernel[(triton.cdiv(M, block_m),)](x, sums, M, N, x.stride(0), BLOCK_M=block_m, BLOCK_N=block_n)
    return sums


def column_sums(x, block_m=16, block_n=128, rows_each=512):
    """The host side: sums of parts of `rows_each` rows, then their sums."""
    import torch

    M, N = x.shape
    columns, parts = triton.cdiv(N, block_n), triton.cdiv(M, rows_each)
    part_sums = torch.empty((parts, N), dtype=torch.float32, device=x.device)
    column_sums_kernel[(columns, parts)](
        x, part_sums, M, N, x.stride(0), rows_each, BLOCK_M=block_m, BLOCK_N=block_n)
    if parts == 1:
        return part_sums[0]
    sums = torch.empty(N, dtype=torch.float32, device=x.device)
    column_sums_kernel[(columns, 1)](part_sums, sums, parts, N, N, parts, BLOCK_M=block_m, BLOCK_N=block_n)
    return sums


def reference(x, axis):
    return x.double().sum(dim=axis).float()


if __name__ == "__main__":
    import torch

    v = torch.randn(1823, 781, device="cuda")
    torch.testing.assert_close(row_sums(v), reference(v, 1), rtol=1e-5, atol=1e-4)
    torch.testing.assert_close(column_sums(v), reference(v, 0), rtol=1e-5, atol=1e-4)
    print("matrix_sums agrees with the reference along both axes")
