"""Atomic updates: what they leave, what they return, masks, orders, many programs on one place."""

import numpy as np
import pytest
from harness import array, close, empty, launch, numbers, same

import tegula as triton
import tegula.language as tl


@triton.jit
def update(x, values, olds, OP: tl.constexpr, N: tl.constexpr, SEM: tl.constexpr, SCOPE: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(values + i)
    mask = i % 4 != 3
    if OP == "add":
        old = tl.atomic_add(x + i, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "max":
        old = tl.atomic_max(x + i, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "min":
        old = tl.atomic_min(x + i, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "and":
        old = tl.atomic_and(x + i, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "or":
        old = tl.atomic_or(x + i, value, mask=mask, sem=SEM, scope=SCOPE)
    elif OP == "xor":
        old = tl.atomic_xor(x + i, value, mask=mask, sem=SEM, scope=SCOPE)
    else:
        old = tl.atomic_xchg(x + i, value, mask=mask, sem=SEM, scope=SCOPE)
    tl.store(olds + i, old, mask=mask)


_OPS = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
        "xor": np.bitwise_xor, "xchg": lambda old, new: new}
_CASES = [(op, name) for op in _OPS for name in ("int32", "uint32", "int64", "uint64")
          ] + [(op, name) for op in ("add", "max", "min", "xchg") for name in ("float32", "float64")
               ] + [("add", "float16"), ("add", "bfloat16")]


def check_update(op, name, sem=None, scope=None):
    low = 0 if "uint" in name else -4
    x, values, olds = numbers(name, 32, low=low), numbers(name, 32, seed=1, low=low), array(name, np.zeros(32))
    before = x.values.copy()
    launch(update, x, values, olds, OP=op, N=32, SEM=sem, SCOPE=scope)
    mask = np.arange(32) % 4 != 3
    close(x, np.where(mask, _OPS[op](before, values.values), before))
    close(olds, np.where(mask, before, 0))


@pytest.mark.parametrize("op, name", _CASES)
def test_update(op, name):
    check_update(op, name)


@pytest.mark.parametrize("sem", ["acq_rel", "acquire", "release", "relaxed"])
@pytest.mark.parametrize("scope", ["gpu", "cta", "sys"])
def test_order_and_scope(sem, scope):
    check_update("add", "int32", sem, scope)


@triton.jit
def contended(total, largest, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.atomic_add(total + i % 2, i)
    tl.atomic_max(largest + i * 0, i)
    (total + 2).atomic_add(tl.num_programs(0))


def test_many_programs_on_one_place():
    total, largest = array("int32", [0, 0, 0]), array("int32", [0])
    launch(contended, total, largest, grid=(8,), N=32)
    numbers_ = np.arange(256)
    same(total, [numbers_[::2].sum(), numbers_[1::2].sum(), 64])
    same(largest, [255])


@triton.jit
def exchanged(x, olds, expected, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(olds + i, tl.atomic_cas(x + i, tl.load(expected + i), 9))


@pytest.mark.parametrize("name", ["int32", "uint32", "int64", "uint64"])
def test_cas(name):
    x, olds = array(name, np.arange(32) % 4), empty(name, 32)
    expected = array(name, np.full(32, 2))
    before = x.values.copy()
    launch(exchanged, x, olds, expected, N=32)
    same(x, np.where(before == 2, 9, before))
    same(olds, before)


@triton.jit
def ticket(counter, order):
    mine = tl.atomic_add(counter, 1)
    tl.store(order + tl.program_id(0), mine)


def test_each_program_gets_a_ticket():
    counter, order = array("int32", [0]), empty("int32", 16)
    launch(ticket, counter, order, grid=(16,))
    same(counter, [16])
    np.testing.assert_array_equal(np.sort(order.values), np.arange(16))


@triton.jit
def waits(flag, out, EXPECTED: tl.constexpr):
    seen = tl.atomic_poll(flag, EXPECTED)
    late = tl.atomic_poll(flag, EXPECTED + 1, sem="relaxed", scope="cta", timeout_ns=1000)
    once = tl.atomic_poll(flag, EXPECTED, timeout_ns=0)
    tl.store(out, seen.to(tl.int32) * 4 + late.to(tl.int32) * 2 + once.to(tl.int32))


@pytest.mark.parametrize("kind", ["int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_a_poll_sees_its_value_or_runs_out_of_time(kind):
    flag, out = array(kind, [7]), empty("int32", 1)
    launch(waits, flag, out, EXPECTED=7)
    assert out.values[0] == 5 and flag.values[0] == 7


@triton.jit
def hands_over(flag, data, out):
    if tl.program_id(0) == 0:
        tl.store(data, 42)
        tl.atomic_xchg(flag, 1, sem="release")
    else:
        tl.atomic_poll(flag, 1)
        tl.store(out, tl.load(data, volatile=True))


def test_a_program_waits_for_another():
    flag, data, out = array("int32", [0]), array("int32", [0]), empty("int32", 1)
    launch(hands_over, flag, data, out, grid=(2, ))
    assert out.values[0] == 42


@triton.jit
def polls_a_float(flag):
    tl.atomic_poll(flag, 1)


@triton.jit
def polls_with_release(flag):
    tl.atomic_poll(flag, 1, sem="release")


@triton.jit
def polls_for_less_than_no_time(flag, n):
    tl.atomic_poll(flag, 1, timeout_ns=n)  # known at run time alone: as none
    tl.atomic_poll(flag, 1, timeout_ns=-1)


def test_a_poll_of_what_it_cannot_wait_for_is_refused():
    with pytest.raises(triton.CompilationError, match="expected a pointer to one integer of 16, 32 or 64 bits"):
        launch(polls_a_float, empty("float32", 1))
    with pytest.raises(triton.CompilationError, match="expected a `timeout_ns` of at least 0, found -1"):
        launch(polls_for_less_than_no_time, empty("int32", 1), -5)
    with pytest.raises(triton.CompilationError, match='expected "acquire" or "relaxed" as `sem`, found release'):
        launch(polls_with_release, empty("int32", 1))
