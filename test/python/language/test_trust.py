"""What no kernel may be trusted to keep to: places in front of a pointer, offsets of 64 bits, parameters that are one
array, and loops that wait."""

import numpy as np
import pytest
from harness import INTERPRETED, ON_GPU

import tegula as triton
import tegula.language as tl

ON_EMULATOR = not ON_GPU and not INTERPRETED
random = np.random.default_rng(0)


def on_device(values: np.ndarray):
    if not ON_GPU:
        return values
    import torch

    return torch.from_numpy(values).cuda()


def on_host(argument) -> np.ndarray:
    return argument.cpu().numpy() if ON_GPU else argument


@triton.jit
def product_from_row(a, b, c, index, K, low, WAY: tl.constexpr):
    pid = tl.program_id(0)
    if WAY == "load":
        row = tl.load(index) * 64
    elif WAY == "load by program":
        row = tl.load(index + pid)
    elif WAY == "%":
        row = low % 64
    elif WAY == "//":
        row = (pid - 4) // 2 * 16
    elif WAY == ">>":
        row = ((pid - 4) >> 1) * 16
    elif WAY == "~":
        row = ~pid
    elif WAY == "^":
        row = pid ^ -8
    elif WAY == "minimum":
        row = tl.minimum(pid, -3)
    elif WAY == "maximum":
        row = tl.maximum(low, -64)
    elif WAY == "where":
        row = tl.where(pid > 0, -8, 8)
    elif WAY == "if":
        row = -8 if pid > 0 else 8
    elif WAY == "int8":
        row = (pid.to(tl.int8) + 127).to(tl.int32)
    elif WAY == "int16":
        row = ((pid * 16384).to(tl.int16) + 20000).to(tl.int32) // 512
    elif WAY == "of 64 bits":
        row = (pid.to(tl.int64) - 2) * 16
    m, n, k = tl.arange(0, 64), tl.arange(0, 64), tl.arange(0, 32)
    sums = tl.zeros([64, 64], tl.float32)
    for first in range(0, K, 32):
        x = tl.load(a + (row + m[:, None]) * K + (first + k[None, :]))
        y = tl.load(b + (first + k[:, None]) * 64 + n[None, :])
        sums = tl.dot(x, y, sums)
    tl.store(c + (pid * 64 + m[:, None]) * 64 + n[None, :], sums)


def truncated(a, b):
    return int(a / b)


FIRST_ROWS = {
    "load": lambda p: -64, "load by program": lambda p: -1, "%": lambda p: -33, "//": lambda p: truncated(p - 4, 2) * 16,
    ">>": lambda p: ((p - 4) >> 1) * 16, "~": lambda p: ~p, "^": lambda p: p ^ -8, "minimum": lambda p: -3,
    "maximum": lambda p: -33, "where": lambda p: -8 if p > 0 else 8, "if": lambda p: -8 if p > 0 else 8,
    "int8": lambda p: -128 if p else 127,
    "int16": lambda p: truncated(p * 16384 + 20000 - (65536 if p * 16384 + 20000 > 32767 else 0), 512),
    "of 64 bits": lambda p: (p - 2) * 16
}


@pytest.mark.parametrize("way", FIRST_ROWS)
def test_rows_in_front_of_a_pointer(way):
    size = 128
    rows = random.integers(-3, 4, (512, size)).astype(np.float16)
    b = random.integers(-3, 4, (size, 64)).astype(np.float16)
    c = on_device(np.zeros((128, 64), np.float32))
    whole = on_device(rows.reshape(-1))
    product_from_row[(2,)](whole[128 * size:], on_device(b), c, on_device(np.full(16, -1, np.int32)), size, -33, WAY=way)
    for program in range(2):
        first = 128 + FIRST_ROWS[way](program)
        expected = rows[first:first + 64].astype(np.float32) @ b.astype(np.float32)
        np.testing.assert_array_equal(on_host(c)[program * 64:program * 64 + 64], expected)


@triton.jit
def product_of_batch(a, b, c, K, stride_a, stride_c, BATCH: tl.constexpr, OUTPUT: tl.constexpr):
    pid = tl.program_id(0)
    m, n, k = tl.arange(0, 64), tl.arange(0, 64), tl.arange(0, 64)
    sums = tl.zeros([64, 64], tl.float32)
    base = a + pid.to(tl.int64) * BATCH
    for first in range(0, K, 64):
        x = tl.load(base + m[:, None] * stride_a + (first + k[None, :]))
        y = tl.load(b + n[None, :] * stride_a + (first + k[:, None]))
        sums = tl.dot(x, y, sums)
    tl.store(c + pid.to(tl.int64) * OUTPUT + m[:, None] * stride_c + n[None, :], sums.to(tl.float16))


@pytest.mark.skipif(INTERPRETED, reason="it reads what was never written")
@pytest.mark.parametrize("batch, output, programs", [(1 << 20, 1 << 20, 3), (1 << 28, 1 << 16, 9), (1 << 16, 1 << 28, 9)])
def test_offsets_beyond_32_bits(batch, output, programs):
    b = random.integers(-3, 4, (64, 128)).astype(np.float16)
    a = np.zeros(batch * (programs - 1) + 64 * 128, np.float16)
    c = np.zeros(output * (programs - 1) + 64 * 64, np.float16)
    blocks = random.integers(-3, 4, (programs, 64, 128)).astype(np.float16)
    for program in range(programs):
        a[program * batch:program * batch + 64 * 128] = blocks[program].reshape(-1)
    given = on_device(c)
    kernel = product_of_batch[(programs,)](on_device(a), on_device(b), given, 128, 128, 64, BATCH=batch, OUTPUT=output)
    found = on_host(given)
    for program in range(programs):
        expected = blocks[program].astype(np.float32) @ b.T.astype(np.float32)
        np.testing.assert_array_equal(found[program * output:program * output + 64 * 64].reshape(64, 64), expected)
    # TMA is still used, by an axis of its own for batches.
    if kernel.asm and ".target sm_90" in kernel.asm["ptx"]:
        assert "cp.async.bulk.tensor.3d.shared" in kernel.asm["ptx"]


@triton.jit
def product_and_more(a, b, c, again, d, K, stride_a, stride_b, stride_c, TIMES: tl.constexpr):
    m, n, k = tl.program_id(0) * 128 + tl.arange(0, 128), tl.arange(0, 128), tl.arange(0, 64)
    places = m[:, None] * stride_c + n[None, :]
    for time in range(TIMES):
        sums = tl.zeros([128, 128], tl.float32)
        for first in range(0, K, 64):
            x = tl.load(a + m[:, None] * stride_a + (first + k[None, :]))
            y = tl.load(b + (first + k[:, None]) * stride_b + n[None, :])
            sums = tl.dot(x, y, sums)
        if TIMES == 1:
            tl.store(c + places, sums.to(tl.float16))
            tl.store(d + places, tl.load(again + places) + 1.0)
        else:
            tl.store(d + places, tl.load(again + places) + 1.0)
            tl.store(c + places, sums.to(tl.float16) + time)


@pytest.mark.parametrize("times", [1, 2])
def test_stored_and_loaded_by_another_parameter(times):
    a = random.integers(-2, 3, (256, 128)).astype(np.float16)
    b = random.integers(-2, 3, (128, 128)).astype(np.float16)
    product = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
    c, d = on_device(np.zeros((256, 128), np.float16)), on_device(np.zeros((256, 128), np.float16))
    kernel = product_and_more[(2,)](on_device(a), on_device(b), c, c, d, 128, 128, 128, 128, TIMES=times, num_warps=8)
    # The second time what is loaded was stored the first time round.
    np.testing.assert_array_equal(on_host(d), product + np.float16(1))
    np.testing.assert_array_equal(on_host(c), product + np.float16(times - 1))
    if kernel.asm and ".target sm_90" in kernel.asm["ptx"]:
        assert "cp.async.bulk.tensor.2d.global" in kernel.asm["ptx"]


@triton.jit
def product_stored_twice(a, b, c, other, K, stride_a, stride_b, stride_c):
    m, n, k = tl.arange(0, 128), tl.arange(0, 128), tl.arange(0, 64)
    sums = tl.zeros([128, 128], tl.float32)
    for first in range(0, K, 64):
        x = tl.load(a + m[:, None] * stride_a + (first + k[None, :]))
        y = tl.load(b + (first + k[:, None]) * stride_b + n[None, :])
        sums = tl.dot(x, y, sums)
    tl.store(c + m[:, None] * stride_c + n[None, :], sums.to(tl.float16))
    tl.store(other + m[:, None] * stride_c + n[None, :], (sums * 2).to(tl.float16))


def test_the_later_of_two_stores_stays():
    a = random.integers(-2, 3, (128, 128)).astype(np.float16)
    b = random.integers(-2, 3, (128, 128)).astype(np.float16)
    c = on_device(np.zeros((128, 128), np.float16))
    product_stored_twice[(1,)](on_device(a), on_device(b), c, c, 128, 128, 128, 128, num_warps=8)
    np.testing.assert_array_equal(on_host(c), (2 * (a.astype(np.float32) @ b.astype(np.float32))).astype(np.float16))


@triton.jit
def wait(flags, out, WAY: tl.constexpr):
    if WAY == "one place":
        while tl.load(flags) == 0:
            pass
    elif WAY == "volatile":
        while tl.load(flags, volatile=True) == 0:
            pass
    elif WAY == "place by place":
        i = 0
        while tl.load(flags + i) == 0:
            i = (i + 1) % 4
    elif WAY == "in the body":
        seen = 0
        while seen == 0:
            seen = tl.load(flags)
    elif WAY == "a tensor":
        while tl.sum(tl.load(flags + tl.arange(0, 4))) < 4:
            pass
    tl.store(out, 1)


WAITS = ["one place", "volatile", "place by place", "in the body", "a tensor"]


@pytest.mark.skipif(ON_GPU, reason="it would wait for ever")
@pytest.mark.parametrize("way", WAITS)
def test_a_loop_that_waits_stays(way):
    flags, out = np.zeros(4, np.int32), np.zeros(1, np.int32)
    with pytest.raises(RuntimeError, match="never ends|endless|goes round|wait"):
        wait[(1,)](flags, out, WAY=way)
    assert out[0] == 0


@pytest.mark.parametrize("way", WAITS)
def test_a_loop_that_waits_ends(way):
    out = on_device(np.zeros(1, np.int32))
    wait[(1,)](on_device(np.ones(4, np.int32)), out, WAY=way)
    assert on_host(out)[0] == 1


@triton.jit
def update(x, SEM: tl.constexpr, SCOPE: tl.constexpr, OP: tl.constexpr, N: tl.constexpr):
    p = x + tl.arange(0, N) if N > 1 else x
    if OP == "add":
        tl.atomic_add(p, 1, sem=SEM, scope=SCOPE)
    elif OP == "max":
        tl.atomic_max(p, 1, sem=SEM, scope=SCOPE)
    elif OP == "xchg":
        tl.atomic_xchg(p, 1, sem=SEM, scope=SCOPE)
    else:
        tl.atomic_cas(x, 0, 1, sem=SEM, scope=SCOPE)


@pytest.mark.skipif(INTERPRETED, reason="there is no PTX")
@pytest.mark.parametrize("sem", ["acq_rel", "acquire", "release", "relaxed"])
@pytest.mark.parametrize("scope", ["gpu", "cta", "sys"])
@pytest.mark.parametrize("op, name", [("add", "int32"), ("add", "float32"), ("max", "float32"), ("xchg", "int32"),
                                      ("cas", "int32")])
def test_the_last_atomic_of_a_program_keeps_its_order(op, name, sem, scope):
    ptx = update[(1,)](on_device(np.zeros(1, name)), SEM=sem, SCOPE=scope, OP=op, N=1).asm["ptx"]
    atomics = [line.strip() for line in ptx.splitlines() if "atom." in line or "red." in line]
    words = f"{sem}.{scope}" if op == "cas" else f"{scope}.{sem}"
    assert atomics and all(f"atom.global.{words}." in line for line in atomics), atomics


@pytest.mark.skipif(INTERPRETED, reason="there is no PTX")
@pytest.mark.parametrize("sem", ["acq_rel", "acquire", "release", "relaxed"])
@pytest.mark.parametrize("name", ["int32", "float32", "float16"])
def test_several_atomics_keep_their_order(name, sem):
    ptx = update[(1,)](on_device(np.zeros(1024, name)), SEM=sem, SCOPE="gpu", OP="add", N=1024).asm["ptx"]
    marks = [line.strip() for line in ptx.splitlines() if any(w in line for w in ("atom.", "red.", "fence.acq_rel"))]
    fences = [i for i, line in enumerate(marks) if "fence.acq_rel.gpu" in line]
    assert (0 in fences) == (sem in ("acq_rel", "release")), marks
    assert (len(marks) - 1 in fences) == (sem in ("acq_rel", "acquire")), marks
    if sem in ("acq_rel", "acquire"):  # by PTX `red` reads nothing that a fence could order
        assert not any("red." in line for line in marks), marks


@triton.jit
def claims(x, y, n, WAY: tl.constexpr):
    i = tl.arange(0, 1024)
    if WAY == "max_contiguous":
        i = tl.max_contiguous(tl.multiple_of(i * 2, 8), 8)
        value, mask = tl.load(x + i), i >= 0
    elif WAY == "max_constancy":
        mask = tl.max_constancy((i < n).to(tl.int32), 8) != 0
        value = tl.load(x + i, mask=mask, other=0)
    elif WAY == "assume":
        tl.assume(n >= 0)
        value, mask = tl.load(x + i), i >= 0
    elif WAY == "assume two":
        tl.assume((n > 3) & (n % 16 == 0))
        value, mask = tl.load(x + i), i >= 0
    tl.store(y + tl.arange(0, 1024), value)


@pytest.mark.skipif(ON_GPU, reason="nothing is checked there")
@pytest.mark.parametrize("way, n", [("max_contiguous", 0), ("max_constancy", 13), ("assume", -5), ("assume two", 2),
                                    ("assume two", 24)])
def test_a_false_claim_faults(way, n):
    x, y = np.arange(2048, dtype=np.float32), np.zeros(1024, np.float32)
    with pytest.raises(RuntimeError, match="claim|assume"):
        claims[(1,)](x, y, n, WAY=way)


@pytest.mark.parametrize("way, n", [("max_constancy", 16), ("assume", 5), ("assume two", 32)])
def test_a_true_claim_does_not(way, n):
    x, y = np.arange(2048, dtype=np.float32), on_device(np.zeros(1024, np.float32))
    claims[(1,)](on_device(x), y, n, WAY=way)
    np.testing.assert_array_equal(on_host(y), np.where(np.arange(1024) < n, x[:1024], 0) if "max" in way else x[:1024])


@triton.jit
def stores_and_loads_back(a, b, y, same, z, n):
    i = tl.arange(0, 16)
    for k in range(n):
        at = k * 256 + i[:, None] * 16 + i[None, :]
        tl.store(y + at, tl.dot(tl.load(a + at), tl.load(b + at)))
        tl.store(z + at, tl.load(same + at))


def test_a_load_of_no_dot_does_not_run_ahead_of_a_store_to_the_same_array():
    random = np.random.default_rng(3)
    a, b = (on_device(random.integers(-4, 5, (5, 16, 16)).astype(np.float16)) for _ in range(2))
    y, z = (on_device(np.zeros((5, 16, 16), np.float32)) for _ in range(2))
    stores_and_loads_back[(1,)](a, b, y, y, z, 5, num_stages=4)
    np.testing.assert_array_equal(on_host(z), on_host(a).astype(np.float32) @ on_host(b))
