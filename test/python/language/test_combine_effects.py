"""Functions of reductions, scans and maps that assert and print."""

from collections import Counter

import numpy as np
import pytest
from harness import INTERPRETED, ON_GPU, array, empty, launch, same

import tegula as triton
import tegula.language as tl

# A failed assertion ends the context of a GPU; what its driver prints goes past Python.
on_host = pytest.mark.skipif(ON_GPU, reason="ends the process's context")
SHAPES = [(1, 1), (1, 2), (1, 16), (1, 512), (16, 1), (2, 64), (64, 2), (256, 8)]


@triton.jit
def joined(first1, last1, first2, last2):
    """Of neighbours alone: no element twice, none of another row, none that is not there."""
    tl.device_assert(last1 + 1 == first2, "neighbours")
    return first1, last2


@triton.jit
def joined_downwards(first1, last1, first2, last2):
    tl.device_assert(last2 + 1 == first1, "neighbours")
    return first2, last1


@triton.jit
def joined_slowly(first1, last1, first2, last2):
    tl.device_assert(last1 + 1 == first2, "neighbours")
    for i in tl.static_range(80):
        last2 = tl.maximum(last2, first2 & (i + 1))
    return first1, last2


@triton.jit
def united(a, b):
    """Of sets without a common element: none that is not there, none twice."""
    tl.device_assert((a & b) == 0, "disjoint")
    tl.device_assert((a != 0) & (b != 0), "not empty")
    return a | b


@triton.jit(debug=True)
def reduces(out, A: tl.constexpr, B: tl.constexpr, AXIS: tl.constexpr):
    number = tl.arange(0, A)[:, None] + tl.zeros((A, B), tl.int64) if AXIS == 0 else \
        tl.arange(0, B)[None, :] + tl.zeros((A, B), tl.int64)
    tl.store(out + tl.arange(0, B if AXIS == 0 else A), tl.reduce(tl.full((A, B), 1, tl.int64) << number, AXIS, united))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("warps", [1, 4, 8])
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (1, 16), (1, 64), (16, 1), (2, 64), (64, 2), (64, 8), (32, 32)])
def test_a_reduction_combines_each_element_once(shape, warps, axis):
    out = empty("int64", shape[1 - axis])
    launch(reduces, out, *shape, axis, num_warps=warps)
    assert (out.values.view(np.uint64) == 2**shape[axis] - 1).all()


@triton.jit(debug=True)
def scans(first, last, A: tl.constexpr, B: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr, F: tl.constexpr):
    place = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    number = tl.arange(0, A)[:, None] + tl.zeros((A, B), tl.int32) if AXIS == 0 else \
        tl.arange(0, B)[None, :] + tl.zeros((A, B), tl.int32)
    a, b = tl.associative_scan((number, number), AXIS, F, reverse=REVERSE)
    tl.store(first + place, a)
    tl.store(last + place, b)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("warps", [1, 4, 8])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_scan_combines_neighbours_alone(shape, warps, axis, reverse):
    first, last = empty("int32", shape), empty("int32", shape)
    launch(scans, first, last, *shape, axis, reverse, joined_downwards if reverse else joined, num_warps=warps)
    number = np.indices(shape)[axis]
    same(first, number if reverse else np.zeros(shape))
    same(last, np.full(shape, shape[axis] - 1) if reverse else number)


@pytest.mark.parametrize("shape", [(1, 4096), (4, 256)])
def test_a_scan_of_a_long_function_combines_neighbours_alone(shape):
    first, last = empty("int32", shape), empty("int32", shape)
    launch(scans, first, last, *shape, 1, False, joined_slowly, num_warps=4)
    same(first, np.zeros(shape))


@triton.jit
def rising(a, b):
    tl.device_assert(a < b, "not sorted")
    return b


@triton.jit
def positive_both(a, b):
    tl.device_assert((a > 0) & (b > 0), "not sorted")
    return a + b


@triton.jit
def positive(a):
    if a < 100:
        tl.device_assert(a > 0, "not sorted")
    return a


@triton.jit(debug=True)
def checks(x, out, N: tl.constexpr, WAY: tl.constexpr):
    value = tl.load(x + tl.arange(0, N))
    if WAY == "reduce":
        tl.reduce(value, 0, positive_both)
    elif WAY == "scan":
        tl.associative_scan(value, 0, rising)
    else:
        tl.map_elementwise(positive, value)
    tl.store(out, 1)


@on_host
@pytest.mark.parametrize("way", ["reduce", "scan", "map"])
def test_what_a_function_asserts_is_checked_though_nothing_takes_the_result(way):
    values = np.arange(1, 65)
    out = empty("int32", 1)
    launch(checks, array("int32", values), out, N=64, WAY=way)
    assert out.values[0] == 1
    values[17] = -3
    with pytest.raises(Exception, match="not sorted") as failure:
        launch(checks, array("int32", values), out, N=64, WAY=way)
    condition = {"reduce": "(a > 0) & (b > 0)", "scan": "a < b", "map": "a > 0"}[way]
    written = next(n for n, text in enumerate(open(__file__), 1) if f'device_assert({condition}, "not sorted")' in text)
    assert f"test_combine_effects.py:{written}" in str(failure.value)


@triton.jit
def noisy(a, b):
    tl.device_print("a", a)
    return a + b


@triton.jit
def noisy_alone(a):
    tl.device_print("alone", a)
    return a


@triton.jit
def prints(out, N: tl.constexpr, WAY: tl.constexpr):
    i = tl.arange(0, N)
    if WAY == "reduce":
        tl.store(out, tl.reduce(i + 3, 0, noisy))
    elif WAY == "scan":
        tl.store(out + i, tl.associative_scan(i + 3, 0, noisy))
    else:
        tl.store(out + i, tl.map_elementwise(noisy_alone, i + 3))


@on_host
def test_a_function_prints_in_each_thread_that_runs_it(capsys):
    launch(prints, empty("int32", 2), N=2, WAY="reduce", num_warps=1)
    assert Counter(capsys.readouterr().out.splitlines()) == {"pid (0, 0, 0) idx () a: 3": 1 if INTERPRETED else 32}
    launch(prints, empty("int32", 32), N=32, WAY="map", num_warps=1)
    assert Counter(capsys.readouterr().out.splitlines()) == {f"pid (0, 0, 0) idx () alone: {i + 3}": 1 for i in range(32)}
    launch(prints, empty("int32", 4), N=4, WAY="scan", num_warps=1)
    assert set(capsys.readouterr().out.splitlines()) >= {"pid (0, 0, 0) idx () a: 3"}


@triton.jit
def totals(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out, tl.sum(tl.load(x + i), 0))
    tl.store(out + 1 + i, tl.cumsum(tl.load(x + i), 0))


@on_host
def test_sums_that_overflow_are_found_where_checks_are_asked_for():
    x, out = array("int32", np.full(4, 2**30)), empty("int32", 5)
    launch(totals, x, out, N=4)
    launch(totals, x, out, N=4, debug=True, sanitize_overflow=False)
    with pytest.raises(Exception, match="overflow"):
        launch(totals, x, out, N=4, debug=True)
