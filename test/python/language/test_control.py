"""Loops, branches, helpers, tuples; checks, prints and promises."""

import os
import re

import numpy as np
import pytest
from harness import array, empty, launch, numbers, same, synchronize

import tegula as triton
import tegula.language as tl

FACTOR = tl.constexpr(3)


@triton.jit
def loops(out, n, N: tl.constexpr, KIND: tl.constexpr):
    i = tl.arange(0, N)
    total = tl.zeros([N], tl.int32)
    if KIND == "range":
        for k in range(n):
            total += i * k
    elif KIND == "bounds":
        for k in range(2, n, 3):
            total += i + k
    elif KIND == "down":
        for k in range(n, 0, -2):
            total = total * 2 + k
    elif KIND == "hinted":
        for k in tl.range(0, n, num_stages=2, loop_unroll_factor=2):
            total += i * k
    elif KIND == "static":
        for k in tl.static_range(5):
            if k % 2 == 0:
                total += i * k
    elif KIND == "while":
        k = 0
        while k < n:
            total += i + k
            k += 2
    else:
        k = 0
        while tl.condition(k < n):
            total += k
            k += 1
    tl.store(out + i, total)


def expected_of_loop(kind, n, i):
    total = np.zeros_like(i)
    steps = {"range": range(n), "bounds": range(2, n, 3), "down": range(n, 0, -2), "hinted": range(n),
             "static": range(0, 5, 2), "while": range(0, n, 2), "condition": range(n)}[kind]
    for k in steps:
        total = {"bounds": total + i + k, "down": total * 2 + k, "while": total + i + k,
                 "condition": total + k}.get(kind, total + i * k)
    return total


@pytest.mark.parametrize("n", [0, 1, 7, 10])
@pytest.mark.parametrize("kind", ["range", "bounds", "down", "hinted", "static", "while", "condition"])
def test_loops(kind, n):
    out = empty("int32", 16)
    launch(loops, out, n, N=16, KIND=kind)
    same(out, expected_of_loop(kind, n, np.arange(16)))


@triton.jit
def nested(out, n, m, N: tl.constexpr):
    i = tl.arange(0, N)
    total = tl.zeros([N], tl.float32)
    for k in range(n):
        row = tl.zeros([N], tl.float32)
        for j in range(m):
            if j != k:
                row += i * j
        total += row * k
    tl.store(out + i, total)


def test_nested_loops():
    out = empty("float32", 16)
    launch(nested, out, 3, 4, N=16)
    i = np.arange(16)
    same(out, sum(sum(i * j for j in range(4) if j != k) * k for k in range(3)))


@triton.jit
def branches(out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    value = i
    if n > 10:
        value = value * 2
        extra = 100
    elif n > 5:
        value += 7
        extra = 50
    else:
        extra = 0
    bonus = 1000 if n % 2 == 0 else 2000
    tl.store(out + i, value + extra + bonus)


@pytest.mark.parametrize("n", [3, 6, 20, 21])
def test_branches(n):
    out = empty("int32", 16)
    launch(branches, out, n, N=16)
    i = np.arange(16)
    value = i * 2 + 100 if n > 10 else i + 57 if n > 5 else i
    same(out, value + (1000 if n % 2 == 0 else 2000))


@triton.jit
def returns_early(out, n):
    pid = tl.program_id(0)
    if pid >= n:
        return
    tl.store(out + pid, pid + 1)


def test_early_return():
    out = array("int32", np.zeros(8))
    launch(returns_early, out, 5, grid=(8,))
    same(out, [1, 2, 3, 4, 5, 0, 0, 0])


@triton.jit
def pair(a, b=2, *, scale: tl.constexpr = 1):
    return (a + b) * scale, a - b


@triton.jit
def applied(f: tl.constexpr, x):
    return f(x)


@triton.jit
def doubled(x):
    return x * 2


@triton.jit
def helpers(out, N: tl.constexpr):
    i = tl.arange(0, N)
    total, difference = pair(i)
    scaled, _ = pair(i, b=1, scale=FACTOR)
    both = (total, difference)
    tl.store(out + i, both[0])
    tl.store(out + N + i, both[1])
    tl.store(out + 2 * N + i, scaled)
    tl.store(out + 3 * N + i, applied(doubled, i))


def test_helpers():
    out = empty("int32", (4, 16))
    launch(helpers, out, N=16)
    i = np.arange(16)
    same(out, [i + 2, i - 2, (i + 1) * 3, i * 2])


@triton.jit
def compile_time(out, N: tl.constexpr, NAME: tl.constexpr, SIDES: tl.constexpr):
    half: tl.constexpr = N // 2
    sides: tl.constexpr = SIDES[0] * SIDES[1]
    label: tl.constexpr = NAME + "!"
    value = 0
    if label == "yes!":
        value = half
    if N > 1000:
        value = no_such_name  # noqa: F821 (never looked at)
    for side in tl.static_range(len(SIDES)):
        value += SIDES[side]
    tl.store(out, value + sides)


def test_compile_time_values():
    out = empty("int32", 1)
    launch(compile_time, out, N=64, NAME="yes", SIDES=(3, 4))
    same(out, [32 + 12 + 7])
    launch(compile_time, out, N=64, NAME="no", SIDES=(3, 4))
    same(out, [12 + 7])


def closure_of(factor, helper):
    @triton.jit
    def kernel(out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, helper(i) * factor)

    return kernel


def test_closures():
    out = empty("int32", 8)
    launch(closure_of(tl.constexpr(5), doubled), out, N=8)
    same(out, np.arange(8) * 10)


@triton.jit
def promised(x, out, n, N: tl.constexpr):
    tl.assume(n > 0)
    i = tl.max_contiguous(tl.multiple_of(tl.program_id(0) * N + tl.arange(0, N), N), N)
    row = tl.max_constancy(i // N, N)
    value = tl.load(x + i, mask=i < n, other=0)
    value = tl.expect_zero(value, i < n)
    tl.debug_barrier()
    tl.store(out + i, value + row, mask=i < n)


def test_promises():
    x, out = numbers("int32", 64), empty("int32", 64)
    launch(promised, x, out, 64, grid=(2,), N=32)
    same(out, x.values + np.arange(64) // 32)


@triton.jit
def checked(out, N: tl.constexpr):
    tl.static_assert(N % 16 == 0, "N must be a multiple of 16")
    tl.store(out, N)


def test_static_assert():
    out = empty("int32", 1)
    launch(checked, out, N=32)
    same(out, [32])
    with pytest.raises(triton.CompilationError, match="N must be a multiple of 16") as failure:
        launch(checked, out, N=8)
    assert isinstance(failure.value, triton.compiler.errors.CompileTimeAssertionFailure)
    assert failure.value.diagnostics[0].line > 0
    assert failure.value.diagnostics[0].file.endswith("test_control.py")


@triton.jit
def asserting(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i)
    tl.device_assert(value >= 0, "a negative value")
    tl.store(out + i, value)


def test_device_assert_costs_nothing_without_debugging():
    x, out = array("int32", [-1] * 16), empty("int32", 16)
    launch(asserting, x, out, N=16)
    same(out, x.values)


def test_device_assert_passes_in_debugging():
    x, out = array("int32", [1] * 16), empty("int32", 16)
    launch(asserting, x, out, N=16, debug=True)
    same(out, x.values)


@triton.jit
def printing(n, N: tl.constexpr):
    tl.static_print("compiled for", N)
    tl.device_print("n is", n)


def test_prints(capfd):
    number = os.getpid()  # not compiled for before: a kernel from a cache prints nothing
    launch(printing, 42, N=number)
    synchronize()  # a GPU's driver writes what was printed when the host waits
    found = "".join(capfd.readouterr())
    assert re.search(r"n is.*42", found)
    assert f"compiled for {number}" in found


@triton.jit
def asked(out):
    if tl.target_info.is_cuda():
        tl.store(out, 1)
    if tl.target_info.is_hip() or tl.target_info.is_hip_cdna3() or tl.target_info.is_hip_cdna4():
        tl.store(out, 2)
    if tl.target_info.is_hip_gfx1250():
        tl.store(out, 4)
    if tl.target_info.cuda_capability_geq(8, 0):
        tl.store(out + 1, 3)
    tl.store(out + 2, tl.extra.cuda.num_warps())
    tl.store(out + 3, tl.extra.cuda.num_threads())


@pytest.mark.parametrize("warps", [1, 4, 8])
def test_what_it_is_compiled_for(warps):
    out = empty("int32", 4)
    launch(asked, out, num_warps=warps)
    same(out, [1, 3, warps, 32 * warps])


@triton.jit
def asking_types(x, out, T: tl.constexpr):
    value = tl.load(x)
    if value.dtype.is_floating():
        tl.store(out, 1)
    elif value.dtype.is_int_signed():
        tl.store(out, 2)
    else:
        tl.store(out, 3)
    tl.static_assert(x.dtype.is_ptr() and x.dtype.element_ty == T)
    tl.static_assert(isinstance(value, tl.tensor))
    tl.store(out + 1, value.dtype.primitive_bitwidth)


@pytest.mark.parametrize("name, kind, bits", [("float16", 1, 16), ("int64", 2, 64), ("uint8", 3, 8)])
def test_asking_types(name, kind, bits):
    x, out = numbers(name, 1), empty("int32", 2)
    launch(asking_types, x, out, T=getattr(tl, name))
    same(out, [kind, bits])


@triton.jit
def numbers_of_all_kinds(out, i, j, f, flag, none):
    if none is None:
        tl.store(out, i + j)
    if flag:
        tl.store(out + 1, f)


@pytest.mark.parametrize("i, j", [(1, 2), (16, -1), (2**31, 5), (-2**40, 2**33)])
def test_numbers_as_arguments(i, j):
    out = array("float64", [0, 0])
    launch(numbers_of_all_kinds, out, i, j, 2.5, True, None)
    same(out, [i + j, 2.5])
