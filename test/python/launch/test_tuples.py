"""Tuples as arguments of a launch."""

import pickle
from typing import NamedTuple

import pytest

import tegula as triton
import tegula.language as tl
from arrays import array, numbers, zeros
from test_source import text_of


@triton.jit
def twice(x):
    return x * 2


@triton.jit
def mixed(out_ptr, parts, N: tl.constexpr = 10):
    """Stores something of everything."""
    pointer, count, (scale, function) = parts
    if count > 2:
        tl.store(out_ptr, tl.load(pointer) * scale + count * N)
    tl.store(out_ptr + 1, function(len(parts)))


def test_what_a_tuple_holds_is_passed():
    out, x = zeros(2), array([3.0])
    first = mixed[(1,)](out, (x, 4, (0.5, twice)))
    assert list(numbers(out)) == [41.5, 6]
    assert mixed[(1,)](out, (x, 32, (0.25, twice))) is not first  # a multiple of 16
    assert list(numbers(out)) == [320.75, 6]


def test_the_same_kinds_are_the_same_kernel():
    out, x = zeros(2), array([3.0])
    first = mixed[(1,)](out, (x, 5, (0.5, twice)))
    assert mixed[(1,)](out, (x, 7, (1.5, twice))) is first and numbers(out)[0] == 74.5
    assert mixed[(1,)](out, (x, 7, (True, twice))) is not first


def test_what_is_known_in_a_tuple():
    @triton.jit
    def kernel(out_ptr, t):
        tl.static_assert(t[0] is None)
        block: tl.constexpr = t[1]
        tl.store(out_ptr + tl.arange(0, block), tl.full((block,), t[3], t[2]))

    out = zeros(4, "int32")
    kernel[(1,)](out, (None, tl.constexpr(4), tl.int32, 7))
    assert list(numbers(out)) == [7, 7, 7, 7]
    kernel[(1,)](out, (None, tl.constexpr(2), tl.int32, 1))
    assert list(numbers(out)) == [1, 1, 7, 7]


def test_empty_tuples_and_defaults():
    @triton.jit
    def kernel(out_ptr, none, some=(1, 2.5)):
        tl.store(out_ptr, len(none) + some[0] + some[1])

    out = zeros(1)
    kernel[(1,)](out, ())
    assert numbers(out)[0] == 3.5
    kernel[(1,)](out, none=(), some=(3, 4))
    assert numbers(out)[0] == 7


def test_more_than_fits_on_the_stack():
    @triton.jit
    def kernel(out_ptr, many):
        total = 0
        for i in tl.static_range(len(many)):
            total += many[i]
        tl.store(out_ptr, total)

    out = zeros(1, "int32")
    kernel[(1,)](out, tuple(range(100)))
    assert numbers(out)[0] == 4950


def test_a_named_tuple_is_passed_as_a_tuple():
    class Pair(NamedTuple):
        first: int
        second: float

    @triton.jit
    def kernel(out_ptr, pair):
        tl.store(out_ptr, pair[0] + pair[1])

    out = zeros(1)
    kernel[(1,)](out, Pair(3, 0.5))
    assert numbers(out)[0] == 3.5


def test_mistakes_have_the_lines_of_the_file():
    source = "\n\ndef kernel(out, t):\n    \'\'\'Stores.\'\'\'\n    for i in range(t[0]):\n        tl.store(out, wrong_name)\n"
    with pytest.raises(triton.CompilationError, match=r"<text>:6:23: error: name `wrong_name` is not defined") as caught:
        text_of(source)[(1,)](zeros(1), (3,))
    assert caught.value.diagnostics[0].line == 6


def test_what_is_passed_beside_a_tuple():
    @triton.jit(do_not_specialize=["n"])
    def kernel(out_ptr, t, n, m: tl.int64, function: tl.constexpr, *, last: tl.constexpr = 3):
        tl.static_assert(n.dtype == tl.int32 and m.dtype == tl.int64)
        kinds: tl.constexpr = last
        tl.store(out_ptr, function(t[0]) + n + m + kinds)

    out = zeros(1)
    kernel[(1,)](out, (0.5,), 1, 20, twice, last=100)
    assert numbers(out)[0] == 122


def test_a_definition_on_one_line():
    out = zeros(1)
    text_of("def kernel(out, t): tl.store(out, t[0] + t[1])\n")[(1,)](out, (3, 0.5))
    assert numbers(out)[0] == 3.5


def test_what_cannot_be_passed_in_a_tuple():
    with pytest.raises(TypeError, match="failed to specialize argument of type: <class 'str'>"):
        mixed[(1,)](zeros(2), ("text", 3, (0.5, twice)))


def test_a_compiled_kernel_takes_tuples():
    out, x = zeros(2), array([3.0])
    compiled = mixed[(1,)](out, (x, 5, (0.5, twice)))
    for kernel in (compiled, pickle.loads(pickle.dumps(compiled))):
        kernel[(1,)](out, (x, 9, (2.0, twice)), 10)
        assert list(numbers(out)) == [96, 6]
    assert compiled.metadata.name == "mixed"


def test_hooks_and_names_see_the_types_of_a_tuple():
    @triton.jit(repr=lambda told: "put_" + "_".join(told.signature["t"]))
    def kernel(out_ptr, t):
        tl.store(out_ptr, t[0] + t[1])

    assert kernel[(1,)](zeros(1), (3, 0.5)).name == "put_i32_fp32"


@triton.heuristics({"N": lambda args: len(args["t"])})
@triton.jit
def counted(out_ptr, t, N: tl.constexpr):
    tl.store(out_ptr, t[0] * N)


def test_tuples_reach_heuristics_and_grids_whole():
    out = zeros(1)
    counted[lambda meta: (meta["t"][0],)](out, (1, 2, 3))
    assert numbers(out)[0] == 3


@triton.jit
def indexing_too_far(pair, out_ptr):
    tl.store(out_ptr, pair[5])


@triton.jit
def calling_with_too_much(pair, function, out_ptr):
    tl.store(out_ptr, function(pair[0], 3))


def test_errors_show_no_text_that_nobody_wrote():
    for launch in (lambda: indexing_too_far[(1,)]((1, 2), zeros(1)),
                   lambda: calling_with_too_much[(1,)]((1, 2), twice, zeros(1))):
        with pytest.raises(triton.CompilationError) as caught:
            launch()
        error = caught.value
        assert "tl.store(out_ptr" in str(error) and "def " not in str(error) and "tegula" not in error.error_message
        assert not error.diagnostics[0].notes
