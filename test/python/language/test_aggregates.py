"""Classes whose values kernels make: fields, functions, in loops and branches."""

import numpy as np
import pytest
from harness import empty, launch, numbers, same

import tegula as triton
import tegula.language as tl
from tegula.language.core import _aggregate as aggregate

SCALE = tl.constexpr(3)


@triton.jit
def scaled(x):
    return x * SCALE


@aggregate
class Sum:
    total: tl.tensor
    count: tl.tensor
    SIZE: tl.constexpr

    def __init__(self, total, count, SIZE):
        self.total = total
        self.count = count
        self.SIZE = tl.constexpr(SIZE)

    @triton.jit
    def empty(SIZE: tl.constexpr):
        return Sum(tl.zeros((SIZE, ), tl.int32), tl.to_tensor(0), SIZE)

    @triton.jit
    def plus(self, x):
        return Sum(self.total + scaled(x), self.count + 1, self.SIZE)

    @triton.constexpr_function
    def half(self):
        return self.SIZE // 2


@aggregate
class Pair:
    left: Sum
    right: Sum

    def __init__(self, left, right):
        self.left = left
        self.right = right


@triton.jit
def grow(pair, x, k):
    if k % 2 == 0:
        pair = Pair(pair.left.plus(x), pair.right)
    else:
        pair = Pair(pair.left, pair.right.plus(x))
    return pair


@triton.jit
def sums(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    pair = Pair(Sum.empty(N), Sum.empty(N))
    for k in range(n):
        pair = grow(pair, tl.load(x + k * N + i), k)
    tl.static_assert(isinstance(pair, Pair) and isinstance(pair.left, Sum) and not isinstance(pair, Sum))
    tl.static_assert(pair.left.half() == N // 2)
    tl.store(out + i, pair.left.total + pair.left.count)
    tl.store(out + N + i, pair.right.total + pair.right.count)


@pytest.mark.parametrize("rounds", [0, 1, 5])
def test_values_of_classes_go_round_loops_and_through_branches(rounds):
    x, out = numbers("int32", (8, 32)), empty("int32", (2, 32))
    launch(sums, x, out, rounds, N=32)
    rows = x.values[:rounds]
    same(out, np.stack([rows[k::2].sum(0, dtype=np.int32) * 3 + len(rows[k::2]) for k in (0, 1)]).astype(np.int32))


@aggregate
class Counter:
    at: tl.tensor

    def __init__(self, at):
        self.at = at

    @triton.jit
    def next(self):
        return Counter(self.at + 1)


@triton.jit
def counts_while(out, n):
    c = Counter(tl.to_tensor(0))
    while c.at < n:
        c = c.next()
    tl.store(out, c.at)


def test_the_condition_of_a_loop_asks_a_field():
    out = empty("int32", 1)
    launch(counts_while, out, 7)
    assert out.values[0] == 7


@triton.jit
def changes_a_field(out):
    c = Counter(tl.to_tensor(0))
    c.at = tl.to_tensor(1)
    tl.store(out, c.at)


@triton.jit
def gives_a_number(out):
    tl.store(out, Counter(5).at)


@pytest.mark.parametrize("kernel, message", [
    (changes_a_field, "attributes cannot be assigned"),
    (gives_a_number, "expected tl.tensor for the field `at` of `Counter`, found int"),
])
def test_what_triton_refuses_is_refused(kernel, message):
    with pytest.raises(triton.CompilationError, match=message):
        launch(kernel, empty("int32", 1))


@aggregate
class Two:
    first: tl.tensor
    second: tl.tensor

    def __init__(self, first, second):
        self.first = first
        self.second = second

    def get_second(self, _semantic=None):
        return self.second

    @triton.jit
    def unpack(self):
        return self.first, self.get_second()

    def __getitem__(self, place: tl.constexpr, _semantic=None):
        if place == 0:
            return self.first
        assert place == 1
        return self.second


@aggregate
class Counted:
    value: tl.tensor

    def __init__(self, _semantic=None):
        self.value = tl.arange(0, 4, _semantic=_semantic)

    @triton.jit
    def __getitem__(self, place):
        return self.value + place


@triton.jit
def asks_aggregates(out):
    eleven = 11
    two = Two(tl.arange(0, 4), eleven)
    a, b = two.unpack()
    tl.store(out + tl.arange(0, 4), two[0] * 100 + two[1] + a + b)
    tl.store(out + 4 + tl.arange(0, 4), Counted()[3])


def test_aggregates_are_subscripted_and_have_functions_of_python():
    out = empty("int32", 8)
    launch(asks_aggregates, out)
    same(out, [22, 123, 224, 325, 3, 4, 5, 6])


@triton.jit
def least_of(out, A: tl.constexpr, B: tl.constexpr):
    tl.store(out, min(A, B))


@pytest.mark.parametrize("value", [float("nan"), -0.0])
def test_an_extremum_of_what_is_ordered_in_several_ways_is_refused(value):
    with pytest.raises(triton.CompilationError, match="expected numbers other than NaN and -0.0"):
        launch(least_of, empty("float32", 1), 1.0, value)
