"""Kernels that go wrong or take too long on the emulator and the interpreter: what the exception says, and Ctrl-C."""

import os
import signal
import threading
import time

import pytest

import tegula as triton
import tegula.language as tl
from arrays import KIND, ON_GPU, numbers, zeros
from tegula.runtime.errors import KernelFault, PTXASError

pytestmark = pytest.mark.skipif(ON_GPU, reason="a GPU finishes what it has begun, and does not say where it went wrong")


@triton.jit
def copy(x_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out_ptr + i, tl.load(x_ptr + i))


def test_a_fault_names_the_argument_and_shows_the_line():
    with pytest.raises(KernelFault) as caught:
        copy[(1,)](zeros(12), zeros(16), N=16)
    text, line, caret = str(caught.value).splitlines()
    assert text.startswith("kernel `copy` faulted at ") and "test_faults.py:" in text and "`x_ptr[12]` of 12" in text
    assert line.strip() == "tl.store(out_ptr + i, tl.load(x_ptr + i))"
    assert caret.strip() == "^" and line[caret.index("^"):].startswith("tl.")


@triton.jit
def in_a_tuple(pair, out_ptr):
    tl.store(out_ptr, tl.load(pair[0] + pair[1]))


def test_a_fault_in_a_kernel_that_takes_a_tuple_shows_the_users_line():
    with pytest.raises(KernelFault) as caught:
        in_a_tuple[(1,)]((zeros(4), 7), zeros(1))
    assert "[7]` of 4" in str(caught.value) and "tegula__" not in str(caught.value)
    assert "tl.store(out_ptr, tl.load(pair[0] + pair[1]))" in str(caught.value)


@triton.jit
def made_up(out_ptr):
    i = tl.arange(0, 32)
    value = tl.inline_asm_elementwise("made.up.u32 $0, $1;", "=r,r", [i], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(out_ptr + i, value)


@pytest.mark.skipif(KIND == "interpret", reason="the interpreter has no PTX")
def test_ptx_that_nothing_takes():
    with pytest.raises(PTXASError, match="made.up.u32"):
        made_up[(1,)](zeros(32, "int32"))


@triton.jit
def count(out_ptr, n):
    total = 0
    for i in range(n):
        total = total * 3 + i
    tl.store(out_ptr, total)


def run_for(seconds, out, action):
    """Counts so far that it takes minutes, and calls `action` meanwhile; how long it took."""
    begin = time.monotonic()
    timer = threading.Timer(seconds, action)
    timer.start()
    try:
        count[(1,)](out, (1 << 30) + 1)
    finally:
        timer.join()
        assert time.monotonic() - begin < 20


def test_interrupt_while_running():
    out = zeros(1, "int32")
    count[(1,)](out, 3)
    assert numbers(out)[0] == 5
    with pytest.raises(KeyboardInterrupt):
        run_for(0.3, out, lambda: os.kill(os.getpid(), signal.SIGINT))
    count[(1,)](out, 5)  # the device can be used further
    assert numbers(out)[0] == 58


def test_what_the_handler_of_a_signal_raises_ends_the_launch():
    def expire(number, frame):
        raise TimeoutError("long enough")

    out, before = zeros(1, "int32"), signal.signal(signal.SIGUSR1, expire)
    try:
        with pytest.raises(TimeoutError, match="long enough"):
            run_for(0.3, out, lambda: os.kill(os.getpid(), signal.SIGUSR1))
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_handler_that_returns_lets_the_launch_go_on():
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
    out = zeros(1, "int32")
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1))
    timer.start()
    try:
        count[(1,)](out, 20001)
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, before)
    copied = zeros(1, "int32")
    count[(1,)](copied, 20001)
    assert numbers(out)[0] == numbers(copied)[0] and seen == [signal.SIGUSR1]
