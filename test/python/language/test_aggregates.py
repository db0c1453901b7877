"""Classes whose values kernels make: fields, functions, in loops and branches."""

from typing import NamedTuple

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


@aggregate
class Tally:
    total: tl.tensor
    parts: tl.tuple
    STEP: tl.constexpr

    def __init__(self, total, parts, STEP):
        self.total = total
        self.parts = parts
        self.STEP = tl.constexpr(STEP)

    @staticmethod
    def of(value):
        return Tally(value, tl.tuple((value, )), tl.constexpr(2))

    @staticmethod
    @triton.jit
    def twice(value):
        return Tally.of(value + value)

    def add(self, value, _semantic=None):
        self.total = self.total + value * self.STEP

    def add_both(self, other, _semantic=None):
        self.add(1)
        other.add(10)


@aggregate
class Holder:
    inner: Tally

    def __init__(self, inner):
        self.inner = inner

    def add(self, value, _semantic=None):
        self.inner.add(value)


@triton.jit
def reads_only(tally):
    tally.add(1000)
    return tally.total


@triton.jit
def changes_in_place(out, n):
    a = Tally.of(tl.to_tensor(1))
    b = Tally.twice(tl.to_tensor(1))
    same_as_a = a
    a.add(1)
    tl.store(out, a.total)
    tl.store(out + 1, same_as_a.total)
    a.add_both(b)
    tl.store(out + 2, a.total)
    tl.store(out + 3, b.total)
    for i in range(n):
        a.add(i)
        if i % 2 == 0:
            b.add(1)
    tl.store(out + 4, a.total)
    tl.store(out + 5, b.total)
    i = 0
    while i < n:
        i += 1
        a.add(1)
    tl.store(out + 6, a.total)
    holder = Holder(a)
    holder.add(5)
    holder.inner.add(1)
    tl.store(out + 7, holder.inner.total)
    tl.store(out + 8, a.total)
    tl.store(out + 9, reads_only(a) - a.total)
    tl.store(out + 10, same_as_a.parts[0])


def test_functions_of_python_change_a_value_in_place():
    out = empty("int32", 11)
    launch(changes_in_place, out, 5)
    # A jit function has a copy. After a loop variables that were one value are several.
    same(out, [3, 3, 5, 22, 25, 28, 35, 47, 47, 2000, 1])


@pytest.mark.parametrize("version", ["3.8", "3.9"])
def test_later_versions_change_no_value_in_place(monkeypatch, version):
    monkeypatch.setenv("TEGULA_TRITON_VERSION", version)
    with pytest.raises(triton.CompilationError, match="attributes cannot be assigned"):
        launch(triton.jit(changes_in_place.fn), empty("int32", 11), 5)


@triton.aggregate
class Sides:
    rows: tl.constexpr
    columns: tl.constexpr = 8

    @triton.constexpr_function
    def elements(self):
        return self.rows * self.columns


@triton.aggregate
class Block(Sides):
    strides: "tl.tuple"


Strides = NamedTuple("Strides", [("row", int), ("column", int)])


def test_python_makes_objects_too():
    block = Block(4, strides=Strides(8, tl.constexpr(1)))
    assert (block.rows.value, block.columns.value, block.elements().value) == (4, 8, 32)
    assert isinstance(block.strides, tl.tuple) and block.strides.row.value == 8 and block.strides[1].value == 1
    wider = tl.aggregate_replace(block, columns=16)
    assert (wider.elements().value, block.elements().value, type(wider)) == (64, 32, Block)
    with pytest.raises(AttributeError, match="cannot assign to field 'rows' on immutable aggregate Block"):
        block.rows = tl.constexpr(2)
    with pytest.raises(AttributeError, match="no attribute 'depth'"):
        block.strides.depth


@pytest.mark.parametrize("make, message", [
    (lambda: Sides(), "missing required argument: 'rows'"),
    (lambda: Sides(1, 2, 3), "takes at most 2 arguments, found 3"),
    (lambda: Sides(1, rows=2), "multiple values for argument 'rows'"),
    (lambda: Sides(1, depth=2), "unexpected keyword argument 'depth'"),
    (lambda: Block(1, 2, 3), "expected a tuple for the field 'strides' of Block"),
    (lambda: tl.aggregate_replace(Sides(1), depth=2), "Sides has no field 'depth'"),
    (lambda: tl.aggregate_replace(3, depth=2), "expects an aggregate instance, got int")])
def test_what_python_cannot_make_is_told(make, message):
    with pytest.raises(TypeError, match=message):
        make()
