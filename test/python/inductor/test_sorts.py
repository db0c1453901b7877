"""The step of Inductor's sorts that is written anew: a bitonic sort of rows with the places that its elements come from."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from tegula.runtime.inductor import helpers as inductor
from tegula.runtime.inductor.helpers import _compare_and_swap_with_index

HOST_ONLY = pytest.mark.skipif(triton.get_device().properties()["kind"] == "cuda", reason="needs arrays on the GPU")


@triton.jit
def sorted_rows(values, places, ROWS: tl.constexpr, SIDE: tl.constexpr, BITS: tl.constexpr, rnumel, stable: tl.constexpr,
                descending: tl.constexpr):
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, SIDE)[None, :]
    at = row * SIDE + column
    x, index = tl.load(values + at), tl.broadcast_to(column, (ROWS, SIDE)).to(tl.int16)
    for stage in tl.static_range(1, BITS + 1):
        flip = (column >> stage & 1) != 0 if stage < BITS else False
        for i in tl.static_range(stage):
            x, index = _compare_and_swap_with_index(x, index, rnumel, flip, i + BITS - stage, BITS, stable, descending)
    tl.store(values + at, x)
    tl.store(places + at, index)


def expected(rows, count, descending):
    """Of each row its first `count` elements sorted, NaN the largest, equal ones in their order, and where they were."""
    places = np.tile(np.arange(rows.shape[1], dtype=np.int16), (len(rows), 1))
    for row, order in zip(rows, places):
        keys = [(np.isnan(value), value) if not np.isnan(value) else (True, 0.0) for value in row[:count].astype(float)]
        found = sorted(range(count), key=lambda i: keys[i])
        if descending:
            found = sorted(range(count), key=lambda i: (-int(keys[i][0]), -keys[i][1]))
        order[:count] = found
    return np.take_along_axis(rows, places.astype(int), 1)[:, :count], places[:, :count]


@HOST_ONLY
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("count", [64, 41])
@pytest.mark.parametrize("kind", ["float32", "float64", "int32", "int64", "uint8", "float16"])
def test_stable_sorts(kind, count, descending):
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 20, (8, 64)).astype(kind)
    if rows.dtype.kind == "f":
        rows[rng.random(rows.shape) < 0.1] = np.nan
        rows[:, 3] = -0.0
    values, places = rows.copy(), np.zeros((8, 64), np.int16)
    sorted_rows[(1,)](values, places, ROWS=8, SIDE=64, BITS=6, rnumel=count, stable=True, descending=descending, num_warps=2)
    wanted, order = expected(rows, count, descending)
    np.testing.assert_array_equal(values[:, :count], wanted)
    np.testing.assert_array_equal(places[:, :count], order)


@HOST_ONLY
@pytest.mark.parametrize("descending", [False, True])
def test_sorts_that_keep_no_order(descending):
    rows = np.random.default_rng(1).integers(0, 9, (4, 128)).astype(np.float32)
    rows[:, ::17] = np.nan
    values, places = rows.copy(), np.zeros((4, 128), np.int16)
    sorted_rows[(1,)](values, places, ROWS=4, SIDE=128, BITS=7, rnumel=None, stable=False, descending=descending)
    np.testing.assert_array_equal(values, expected(rows, 128, descending)[0])
    np.testing.assert_array_equal(np.take_along_axis(rows, places.astype(int), 1), values)
    assert (np.sort(places, 1) == np.arange(128)).all()


def test_only_the_source_that_does_the_same_is_written_anew(monkeypatch):
    @triton.jit
    def _compare_and_swap_with_index(x):
        return x

    assert inductor.rewrite_for_inductor(_compare_and_swap_with_index) is _compare_and_swap_with_index
    _compare_and_swap_with_index.__module__ = inductor._HELPERS
    assert inductor.rewrite_for_inductor(_compare_and_swap_with_index) is _compare_and_swap_with_index, "another version"
    known = next(iter(inductor._REWRITTEN.values()))
    monkeypatch.setattr(inductor, "_REWRITTEN", {(known.__name__, inductor.digest_of(_compare_and_swap_with_index)): known})
    assert inductor.rewrite_for_inductor(_compare_and_swap_with_index) is known


@HOST_ONLY
def test_a_step_costs_no_sums():
    out = np.zeros((1, 64), np.float32), np.zeros((1, 64), np.int16)
    kernel = sorted_rows[(1,)](*out, ROWS=1, SIDE=64, BITS=6, rnumel=None, stable=False, descending=False, num_warps=1)
    # 21 steps of two elements a thread: one step of six stays in the thread, of others each value and place takes a shuffle.
    assert kernel.asm["ptx"].count("shfl.sync") <= 2 * 2 * 21 and "bar.sync" not in kernel.asm["ptx"]
