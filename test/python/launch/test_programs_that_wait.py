"""Programs of one grid that wait for each other: locks, the last one of several, sums that look back, a barrier of all."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from arrays import KIND, array, numbers, zeros


@triton.jit
def add_under_lock(lock, sums, x, N: tl.constexpr):
    i = tl.arange(0, N)
    values = tl.load(x + tl.program_id(0) * N + i)
    while tl.atomic_cas(lock, 0, 1, sem="acquire") == 1:
        pass
    tl.store(sums + i, tl.load(sums + i) + values)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0, sem="release")


@pytest.mark.parametrize("programs", (1, 7, 500))
def test_a_lock_that_is_spun_on(programs):
    x = np.random.default_rng(programs).integers(0, 100, (programs, 256)).astype(np.float32)
    lock, sums = zeros(1, "int32"), zeros(256)
    add_under_lock[(programs,)](lock, sums, array(x), N=256)
    np.testing.assert_array_equal(numbers(sums), x.sum(0))
    assert not numbers(lock).any()


@triton.jit
def product_of_parts(a, b, c, parts, counts, M, N, K, K_OF_PART: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                     BLOCK_K: tl.constexpr, PARTS: tl.constexpr):
    tile, part = tl.program_id(0), tl.program_id(1)
    columns = tl.cdiv(N, BLOCK_N)
    m = tile // columns * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile % columns * BLOCK_N + tl.arange(0, BLOCK_N)
    k = part * K_OF_PART + tl.arange(0, BLOCK_K)
    sums = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for start in range(0, K_OF_PART, BLOCK_K):
        inside = k + start < K
        left = tl.load(a + m[:, None] * K + (k + start)[None, :], mask=(m < M)[:, None] & inside[None, :], other=0.0)
        right = tl.load(b + (k + start)[:, None] * N + n[None, :], mask=inside[:, None] & (n < N)[None, :], other=0.0)
        sums = tl.dot(left, right, sums)
    place = tl.arange(0, BLOCK_M)[:, None] * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    tl.store(parts + (tile * PARTS + part) * (BLOCK_M * BLOCK_N) + place, sums)
    # The last one to come adds up what all have stored.
    if tl.atomic_add(counts + tile, 1, sem="acq_rel") == PARTS - 1:
        whole = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
        for other in range(PARTS):
            whole += tl.load(parts + (tile * PARTS + other) * (BLOCK_M * BLOCK_N) + place)
        tl.store(c + m[:, None] * N + n[None, :], whole, mask=(m < M)[:, None] & (n < N)[None, :])


@pytest.mark.parametrize("m, n, k, parts", [(64, 64, 256, 1), (100, 50, 500, 3), (64, 192, 4096, 8)])
def test_the_last_of_several_programs_adds_up_their_parts(m, n, k, parts):
    random = np.random.default_rng(k)
    a, b = (random.integers(-4, 5, side).astype(np.float16) for side in ((m, k), (k, n)))
    tiles = triton.cdiv(m, 64) * triton.cdiv(n, 64)
    c, sums, counts = zeros((m, n)), zeros(tiles * parts * 64 * 64), zeros(tiles, "int32")
    product_of_parts[(tiles, parts)](array(a, "float16"), array(b, "float16"), c, sums, counts, m, n, k,
                                     K_OF_PART=triton.cdiv(triton.cdiv(k, parts), 32) * 32, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32,
                                     PARTS=parts)
    np.testing.assert_array_equal(numbers(c), a.astype(np.float32) @ b.astype(np.float32))


@triton.jit
def sums_so_far(x, y, tickets, states, N: tl.constexpr):
    """Each program publishes its own sum as 2 << 32 | sum, and as 3 << 32 | sum once it knows that of all before it."""
    # Programs that began earlier have the lower numbers, so that none waits for one that has no room.
    block = tl.atomic_add(tickets, 1, sem="relaxed")
    i = block * N + tl.arange(0, N)
    values = tl.load(x + i)
    own = tl.sum(values)
    before = 0
    if block > 0:
        tl.atomic_xchg(states + block, (tl.cast(2, tl.int64) << 32) | own.to(tl.int64), sem="release")
        other = block - 1
        known = tl.cast(0, tl.int64)
        while known >> 32 != 3:
            known = tl.atomic_add(states + other, 0, sem="acquire")
            if known >> 32 != 0:
                before += (known & 0xffffffff).to(tl.int32)
                other -= 1
    tl.atomic_xchg(states + block, (tl.cast(3, tl.int64) << 32) | (before + own).to(tl.int64), sem="release")
    tl.store(y + i, tl.cumsum(values) + before)


@pytest.mark.parametrize("blocks", (1, 2, 40, 1000))
def test_sums_that_look_back(blocks):
    x = np.random.default_rng(blocks).integers(0, 10, blocks * 128).astype(np.int32)
    y = zeros(blocks * 128, "int32")
    sums_so_far[(blocks,)](array(x, "int32"), y, zeros(1, "int32"), zeros(blocks, "int64"), N=128)
    np.testing.assert_array_equal(numbers(y), np.cumsum(x))


@triton.jit
def shift_in_place(x, counter, TURNS: tl.constexpr, N: tl.constexpr):
    """Programs exchange their parts: all have read before any writes."""
    here, there = tl.program_id(0), (tl.program_id(0) + 1) % tl.num_programs(0)
    i = tl.arange(0, N)
    for turn in range(TURNS):
        values = tl.load(x + there * N + i)
        for half in range(2):
            tl.debug_barrier()
            tl.atomic_add(counter, 1, sem="release")
            while tl.atomic_add(counter, 0, sem="acquire") < (2 * turn + half + 1) * tl.num_programs(0):
                pass
            if half == 0:
                tl.store(x + here * N + i, values)


@pytest.mark.skipif(KIND == "interpret", reason="the interpreter runs one program after the other")
@pytest.mark.parametrize("programs", (1, 2, 5, 24))
def test_a_barrier_of_the_grid(programs):
    x = np.arange(programs * 256, dtype=np.int32).reshape(programs, 256)
    shifted = array(x.copy(), "int32")
    shift_in_place[(programs,)](shifted, zeros(1, "int32"), TURNS=3, N=256)
    np.testing.assert_array_equal(numbers(shifted), np.roll(x, -3, axis=0))
