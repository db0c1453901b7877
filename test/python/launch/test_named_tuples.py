"""Named tuples that a kernel makes, of classes that Python hands over."""

from collections import namedtuple
from typing import Any, NamedTuple

import tegula as triton
import tegula.language as tl
from arrays import array, numbers, zeros


class Pair(NamedTuple):
    first: Any
    second: Any = 3


Both = namedtuple("Both", ["left", "right"])


@triton.jit
def swapped(pair):
    return Pair(pair.second, second=pair.first)


@triton.jit
def makes(out, n):
    pair = Pair(n)
    tl.static_assert(isinstance(pair, Pair) and not isinstance(pair, Both) and len(pair) == 2)
    for _ in range(3):
        pair = Pair(pair.first + 1, pair.second)
    pair = swapped(pair)
    both = Both(left=pair, right=pair[1] * 10)
    tl.store(out, both.left.first)
    tl.store(out + 1, both.left.second)
    tl.store(out + 2, both.right)


def test_a_kernel_makes_named_tuples():
    out = zeros(3)
    makes[(1,)](out, 5)
    assert list(numbers(out)) == [3, 8, 80]


@triton.jit
def wrong(out):
    tl.store(out, Pair(1, 2, 3).first)


def test_too_many_fields():
    try:
        wrong[(1,)](zeros(1))
    except triton.CompilationError as error:
        assert "`Pair`: expected at most 2 arguments, found 3" in str(error)
    else:
        raise AssertionError("three fields of two")


class Applied(NamedTuple):
    fn: object
    captured: tuple


class View(NamedTuple):
    ptr: object
    shape: tuple


@triton.jit
def scaled_by(x, factor):
    return x * tl.load(factor)


@triton.jit
def applies(closure, source, target, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    made = View(ptr=target.ptr, shape=target.shape)
    x = tl.load(source.ptr + i, mask=i < source.shape[0], other=0)
    tl.store(made.ptr + i, closure.fn(x, *closure.captured), mask=i < made.shape[0])


def test_named_tuples_with_functions_keep_their_names():
    x, factor, out = array(range(8)), array([3]), zeros(8)
    applies[(1,)](Applied(scaled_by, (factor,)), View(x, (8,)), View(out, (6,)), BLOCK=8)
    assert list(numbers(out)) == [0, 3, 6, 9, 12, 15, 0, 0]


@triton.jit
def first_of(pair, out):
    if hasattr(pair, "ptr"):
        tl.store(out, 1)
    else:
        tl.store(out, 2)


def test_a_plain_tuple_of_the_same_values_is_another_kernel():
    x, out = zeros(1), zeros(1, "int32")
    first_of[(1,)](View(x, (scaled_by,)), out)
    assert numbers(out)[0] == 1
    first_of[(1,)]((x, (scaled_by,)), out)
    assert numbers(out)[0] == 2
