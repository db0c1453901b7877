"""Loops and products that are slow, as `accesses.py` has accesses."""

import triton
import triton.language as tl


@triton.jit
def one_stage(x, y, n):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32:16+"""
    sums = tl.zeros((1024,), tl.float32)
    for first in tl.range(0, n, 1024, num_stages=1):  # slow
        sums += tl.load(x + first + tl.arange(0, 1024))
    tl.store(y + tl.arange(0, 1024), sums)


@triton.jit
def one_stage_twin(x, y, n):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32:16+"""
    sums = tl.zeros((1024,), tl.float32)
    for first in tl.range(0, n, 1024, num_stages=3):
        sums += tl.load(x + first + tl.arange(0, 1024))
    tl.store(y + tl.arange(0, 1024), sums)


@triton.jit
def chase(x, y, n):
    """--sig x=*i32:16 --sig y=*i32:16 --sig n=i32"""
    at = tl.arange(0, 1024)
    for _ in tl.range(0, n, num_stages=3):  # slow
        at = tl.load(x + at)  # cause: a load's address depends on what the loop computes
    tl.store(y + tl.arange(0, 1024), at)


@triton.jit
def chase_twin(x, y, n):
    """--sig x=*i32:16 --sig y=*i32:16 --sig n=i32"""
    at = tl.arange(0, 1024)
    for i in tl.range(0, n, num_stages=3):
        at += tl.load(x + i * 1024 + tl.arange(0, 1024))
    tl.store(y + tl.arange(0, 1024), at)


@triton.jit
def in_place(x, n):
    """--sig x=*fp32:16 --sig n=i32"""
    for i in tl.range(0, n, num_stages=3):  # slow
        at = x + i * 1024 + tl.arange(0, 1024)
        tl.store(at, tl.load(at) * 2)  # cause: a store through `x` may change


@triton.jit
def in_place_twin(x, y, n):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32"""
    for i in tl.range(0, n, num_stages=3):
        at = i * 1024 + tl.arange(0, 1024)
        tl.store(y + at, tl.load(x + at) * 2)


@triton.jit
def barrier(x, y, n):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32:16"""
    sums = tl.zeros((1024,), tl.float32)
    for i in tl.range(0, n, num_stages=3):  # slow
        sums += tl.load(x + i * 1024 + tl.arange(0, 1024))
        tl.debug_barrier()  # cause: its atomic ops or barriers order memory
    tl.store(y + tl.arange(0, 1024), sums)


@triton.jit
def barrier_twin(x, y, n):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32:16"""
    sums = tl.zeros((1024,), tl.float32)
    for i in tl.range(0, n, num_stages=3):
        sums += tl.load(x + i * 1024 + tl.arange(0, 1024))
    tl.debug_barrier()
    tl.store(y + tl.arange(0, 1024), sums)


@triton.jit
def volatile(x, y, n):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32:16"""
    sums = tl.zeros((1024,), tl.float32)
    for i in tl.range(0, n, num_stages=3):  # slow
        sums += tl.load(x + i * 1024 + tl.arange(0, 1024), volatile=True)  # cause: a volatile load happens where
    tl.store(y + tl.arange(0, 1024), sums)


@triton.jit
def volatile_twin(x, y, n):
    """--sig x=*fp32:16 --sig y=*fp32:16 --sig n=i32:16"""
    sums = tl.zeros((1024,), tl.float32)
    for i in tl.range(0, n, num_stages=3):
        sums += tl.load(x + i * 1024 + tl.arange(0, 1024))
    tl.store(y + tl.arange(0, 1024), sums)


@triton.jit
def float_counts(index, counts):
    """--sig index=*i32:16 --sig counts=*fp32:16"""
    at = tl.load(index + tl.program_id(0) * 1024 + tl.arange(0, 1024))
    tl.atomic_add(counts + at, 1.0, sem="relaxed")  # slow


@triton.jit
def float_counts_twin(index, counts):
    """--sig index=*i32:16 --sig counts=*i32:16"""
    at = tl.load(index + tl.program_id(0) * 1024 + tl.arange(0, 1024))
    tl.atomic_add(counts + at, 1, sem="relaxed")


@triton.jit
def across_warps(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16"""
    total = tl.sum(tl.load(x + tl.program_id(0) * 4096 + tl.arange(0, 4096)))  # slow
    tl.store(y + tl.program_id(0), total)


@triton.jit
def across_warps_twin(x, y):
    """--sig x=*fp32:16 --sig y=*fp32:16 --num-warps=1"""
    total = tl.sum(tl.load(x + tl.program_id(0) * 4096 + tl.arange(0, 4096)))
    tl.store(y + tl.program_id(0), total)


@triton.jit
def exact(a, b, c):
    """--sig a=*fp32:16 --sig b=*fp32:16 --sig c=*fp32:16"""
    i = tl.arange(0, 64)[:, None]
    j = tl.arange(0, 64)[None, :]
    product = tl.dot(tl.load(a + i * 64 + j), tl.load(b + i * 64 + j), input_precision="ieee")  # slow
    tl.store(c + i * 64 + j, product)


@triton.jit
def exact_twin(a, b, c):
    """--sig a=*fp32:16 --sig b=*fp32:16 --sig c=*fp32:16 --arch=sm_80"""
    i = tl.arange(0, 64)[:, None]
    j = tl.arange(0, 64)[None, :]
    product = tl.dot(tl.load(a + i * 64 + j), tl.load(b + i * 64 + j), input_precision="tf32")
    tl.store(c + i * 64 + j, product)


@triton.jit
def few_rows(a, b, c):
    """--sig a=*fp16:16 --sig b=*fp16:16 --sig c=*fp32:16"""
    i = tl.arange(0, 32)[:, None]
    k = tl.arange(0, 64)
    j = tl.arange(0, 64)[None, :]
    product = tl.dot(tl.load(a + i * 64 + k[None, :]), tl.load(b + k[:, None] * 64 + j))  # slow
    tl.store(c + i * 64 + j, product)


@triton.jit
def few_rows_twin(a, b, c):
    """--sig a=*fp16:16 --sig b=*fp16:16 --sig c=*fp32:16"""
    i = tl.arange(0, 64)[:, None]
    k = tl.arange(0, 64)
    j = tl.arange(0, 64)[None, :]
    product = tl.dot(tl.load(a + i * 64 + k[None, :]), tl.load(b + k[:, None] * 64 + j))
    tl.store(c + i * 64 + j, product)
