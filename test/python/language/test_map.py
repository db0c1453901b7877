"""A function of scalars for each element, with branches and loops of its own."""

import numpy as np
import pytest
from harness import array, close, empty, launch, numbers, same

import tegula as triton
import tegula.language as tl


@triton.jit
def collatz(n):
    steps = 0
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@triton.jit
def counts(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.map_elementwise(collatz, tl.load(x + i)))


def steps_of(n):
    steps = 0
    while n > 1:
        n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
    return steps


@pytest.mark.parametrize("size", [1, 2, 64, 512])
def test_a_loop_whose_length_differs_by_element(size):
    x, out = array("int32", np.arange(size)), empty("int32", size)
    launch(counts, x, out, N=size)
    assert out.values.tolist() == [steps_of(n) for n in range(size)]


@triton.jit
def parts(x, alpha, k):
    if x > 0:
        return x, k + 1
    return alpha * (tl.exp(x) - 1), k - 1


@triton.jit
def two_results(x, y, k, out, places, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.map_elementwise(parts, tl.load(x + i)[:, None], tl.load(y + i)[None, :], k)
    place = i[:, None] * N + i[None, :]
    tl.store(out + place, a)
    tl.store(places + place, b)


def test_operands_that_broadcast_and_several_results_of_different_types():
    x, y = numbers("float32", 16), numbers("float32", 16, seed=1)
    out, places = empty("float32", (16, 16)), empty("int32", (16, 16))
    launch(two_results, x, y, 5, out, places, N=16)
    column, row = x.values[:, None] + 0 * y.values, 0 * x.values[:, None] + y.values
    close(out, np.where(column > 0, column, row * (np.exp(column) - 1)), relative=1e-5, absolute=1e-6)
    same(places, np.where(column > 0, 6, 4).astype(np.int32))


@triton.jit
def in_pairs(a0, a1, b0, b1):
    if b0 > b1:
        return a0 + b0, a1 + b1, a0 - b0, a1 - b1
    return a0 + b0, a1 + b1, a0 * b0, a1 * b1


@triton.jit
def sum_of_pack(a0, a1, a2, a3):
    return a0 * 2, a1 * 2, a2 * 2, a3 * 2


@triton.jit
def packs(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.map_elementwise(in_pairs, tl.load(x + i), tl.load(y + i), pack=2)
    tl.store(out + i, a)
    tl.store(out + N + i, tl.map_elementwise(sum_of_pack, tl.load(x + i), pack=4))


@pytest.mark.parametrize("size", [1, 2, 32, 512])
def test_packs_and_threads_that_hold_less_than_one(size):
    x, y, out = numbers("int16", size), numbers("int16", size, seed=1), empty("int16", (2, size))
    launch(packs, x, y, out, N=size)
    same(out, np.stack([x.values + y.values, x.values * 2]))


@triton.jit
def of_a_scalar(x, out):
    tl.store(out, tl.map_elementwise(collatz, tl.load(x)))


def test_of_a_scalar():
    x, out = array("int32", [27]), empty("int32", 1)
    launch(of_a_scalar, x, out)
    assert out.values[0] == 111


@triton.jit
def in_a_loop(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    total = tl.zeros((N, ), tl.int32)
    for k in range(n):
        total += tl.map_elementwise(collatz, tl.load(x + k * N + i))
    tl.store(out + i, total)


def test_in_a_loop_over_loads():
    x, out = array("int32", np.arange(512)), empty("int32", 128)
    launch(in_a_loop, x, out, 4, N=128)
    assert out.values.tolist() == [sum(steps_of(n + 128 * k) for k in range(4)) for n in range(128)]
