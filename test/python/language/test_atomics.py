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
