"""Slow accesses, each with a twin that has not the fault. `# slow` marks the line of the first finding, `# cause` the
line that is to blame. A docstring says what a kernel is compiled for."""

import triton
import triton.language as tl


@triton.jit
def stride(x, y,
           step):  # cause: `step` is not known to be 1
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig step=i32"""
    i = tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + i * step))  # slow


@triton.jit
def stride_twin(x, y, step):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig step=i32=1"""
    i = tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + i * step))


@triton.jit
def every_other(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    i = tl.arange(0, 1024)
    at = 2 * i  # cause: neighbours are 2 elements apart
    tl.store(y + i, tl.load(x + at))  # slow


@triton.jit
def every_other_twin(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    i = tl.arange(0, 1024)
    at = 2048 + i
    tl.store(y + i, tl.load(x + at))


@triton.jit
def transposed(x, y,
               columns):  # cause: `columns` is not known to be 1
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig columns=i32:16"""
    i = tl.program_id(0)
    j = tl.arange(0, 1024)
    tl.store(y + i * 1024 + j, tl.load(x + j * columns + i))  # slow


@triton.jit
def transposed_twin(x, y, columns):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig columns=i32:16"""
    i = tl.program_id(0)
    j = tl.arange(0, 1024)
    tl.store(y + i * 1024 + j, tl.load(x + i * columns + j))


@triton.jit
def misaligned(x,  # cause: `x` is not known to begin at a multiple of 16 bytes
               y):
    """--sig x=*fp32 --sig y=*fp32:16"""
    i = tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + i))  # slow


@triton.jit
def misaligned_twin(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    i = tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + i))


@triton.jit
def shifted(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    behind = i + 1  # cause: 1 is not a multiple of 4
    tl.store(y + i, tl.load(x + behind))  # slow


@triton.jit
def shifted_twin(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    behind = i + 4
    tl.store(y + i, tl.load(x + behind))


@triton.jit
def odd_blocks(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    first = tl.program_id(0) * 1022  # cause: 1022 is not a multiple of 4
    i = first + tl.arange(0, 1024)
    tl.store(y + tl.program_id(0) * 1024 + tl.arange(0, 1024), tl.load(x + i))  # slow


@triton.jit
def odd_blocks_twin(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    first = tl.program_id(0) * 1024
    i = first + tl.arange(0, 1024)
    tl.store(y + tl.program_id(0) * 1024 + tl.arange(0, 1024), tl.load(x + i))


@triton.jit
def bound(x, y,
          n):  # cause: `n` is not known to be a multiple of 4
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + i), mask=i < n)  # slow


@triton.jit
def bound_twin(x, y, n):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32:16"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + i), mask=i < n)


@triton.jit
def loaded_mask(x, y, keep):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig keep=*i32:16"""
    i = tl.arange(0, 1024)
    kept = tl.load(keep + i)  # cause: what is loaded here may differ between neighbours
    tl.store(y + i, tl.load(x + i), mask=kept != 0)  # slow


@triton.jit
def loaded_mask_twin(x, y, keep):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig keep=*i32:16"""
    i = tl.arange(0, 1024)
    kept = tl.load(keep + i)
    tl.store(y + i, tl.where(kept != 0, tl.load(x + i), 0.0))


@triton.jit
def parity(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    i = tl.arange(0, 1024)
    even = i % 2 == 0  # cause: neighbours along dim 0 differ in what this says
    tl.store(y + i, tl.load(x + i), mask=even)  # slow


@triton.jit
def parity_twin(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    i = tl.arange(0, 1024)
    even = i // 4 % 2 == 0
    tl.store(y + i, tl.load(x + i), mask=even)


@triton.jit
def gather(x, y, index):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig index=*i32:16"""
    i = tl.arange(0, 1024)
    at = tl.load(index + i)  # cause: what is loaded here is not known to be side by side
    tl.store(y + i, tl.load(x + at * 64))  # slow


@triton.jit
def gather_twin(x, y, index):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig index=*i32:16"""
    i = tl.arange(0, 1024)
    block = tl.load(index + tl.program_id(0))
    tl.store(y + i, tl.load(x + block * 1024 + i))


@triton.jit
def elements_where_they_lie_twin(x, y, index):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig index=*i32:16"""
    i = tl.arange(0, 1024)
    keep = tl.load(x + tl.load(index + i))
    rank = tl.cumsum((keep > 0.0).to(tl.int32), axis=0)
    tl.store(y + rank, keep, mask=keep > 0.0)


@triton.jit
def neighbours_twin(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    i = tl.arange(0, 1024)
    sums = tl.load(x + i + 1) + tl.load(x + i + 3)
    for tap in range(7):
        sums += tl.load(x + i + tap)
    tl.store(y + i, sums)


@triton.jit
def odd_rows(x, y,
             pitch):  # cause: `pitch` is not known to be a multiple of 4
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig pitch=i32"""
    i = tl.arange(0, 32)[:, None]
    j = tl.arange(0, 64)[None, :]
    tl.store(y + i * 64 + j, tl.load(x + i * pitch + j))  # slow


@triton.jit
def odd_rows_twin(x, y, pitch):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig pitch=i32:16"""
    i = tl.arange(0, 32)[:, None]
    j = tl.arange(0, 64)[None, :]
    tl.store(y + i * 64 + j, tl.load(x + i * pitch + j))


@triton.jit
def wrapped(x, y,
            n):  # cause: `n` is not known to be a multiple of 4
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32+"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + i % n))  # slow


@triton.jit
def wrapped_twin(x, y, n):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32:16+"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + i % n))
