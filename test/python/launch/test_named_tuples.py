"""Named tuples that a kernel makes, of classes that Python hands over."""

from collections import namedtuple
from typing import Any, NamedTuple

import tegula as triton
import tegula.language as tl
from arrays import numbers, zeros


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
