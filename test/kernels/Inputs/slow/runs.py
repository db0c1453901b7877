"""Slow kernels that are run: what `tegula explain` names first. `# slow` marks the line, `# kind: NAME` behind it the finding."""

import triton
import triton.language as tl


@triton.jit
def points(x, y):
    """--grid=4 --arg x=randn:fp32[12288] --arg y=empty:fp32[4096]"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + 3 * i + 1))  # slow, kind: uncoalesced


@triton.jit
def column_by_thread(x, y, columns):
    """--grid=1 --arg x=randn:fp32[128,48] --arg y=empty:fp32[128] --arg columns=48"""
    row = tl.arange(0, 128)
    sums = tl.zeros((128,), tl.float32)
    for j in range(columns):
        sums += tl.load(x + row * columns + j)  # slow, kind: uncoalesced
    tl.store(y + row, sums)


@triton.jit
def two_of_three(x, y):
    """--grid=4 --arg x=randn:fp32[4096] --arg y=zeros:fp32[4096]"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    keep = (i % 3) != 0
    value = tl.load(x + i, mask=keep, other=0.0)  # slow, kind: uncoalesced
    tl.store(y + i, value)


@triton.jit
def embedding(table, ids, out):
    """--grid=8 --arg table=randn:fp32[512,16] --arg ids=randint(0,511):i32[1024] --arg out=empty:fp32[1024]"""
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    row = tl.load(ids + i)
    tl.store(out + i, tl.load(table + row * 16))  # slow, kind: uncoalesced


@triton.jit
def scattered(x, y):
    """--grid=2 --arg x=randn:fp16[2048] --arg y=empty:fp16[65536]"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    tl.store(y + i * 32, tl.load(x + i))  # slow, kind: uncoalesced


@triton.jit
def shifted(x, y):
    """--grid=2 --arg x=randn:fp32[4097]+1 --arg y=empty:fp32[4096]"""
    i = tl.program_id(0) * 2048 + tl.arange(0, 2048)
    tl.store(y + i, tl.load(x + i))  # slow, kind: uncoalesced


@triton.jit
def while_loop(x, y, n):
    """--grid=1 --arg x=randn:fp32[16384] --arg y=empty:fp32[1024] --arg n=16"""
    i = tl.arange(0, 1024)
    sums = tl.zeros((1024,), tl.float32)
    j = 0
    while j < n:  # slow, kind: unpipelined
        sums += tl.load(x + j * 1024 + i)
        j += 1
    tl.store(y + i, sums)


@triton.jit
def barrier_each_time(x, y, n):
    """--grid=1 --arg x=randn:fp32[16384] --arg y=empty:fp32[1024] --arg n=16"""
    i = tl.arange(0, 1024)
    sums = tl.zeros((1024,), tl.float32)
    for j in tl.range(0, n, num_stages=3):  # slow, kind: unpipelined
        sums += tl.load(x + j * 1024 + i)
        tl.debug_barrier()
    tl.store(y + i, sums)
