"""Kernels that together use each construct of a row kernel: ConstructsTest.cpp compares them with an oracle.

Each is written as repositories write them, one construct of the language at its centre.
"""

import triton
import triton.language as tl

LOWEST = tl.constexpr(-3.4028234663852886e38)


# ---- gradients: locks, partial sums, a second launch that adds them


@triton.jit
def norm_backward(dx_ptr, dy_ptr, dw_ptr, db_ptr, x_ptr, w_ptr, mean_ptr, rstd_ptr, lock_ptr, stride, n,
                  GROUPS: tl.constexpr, BLOCK: tl.constexpr):
    """dx of a layernorm, and sums of dw and db in GROUPS rows, each of which one program at a time may enter."""
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < n
    x_ptr += r * stride
    dy_ptr += r * stride
    dx_ptr += r * stride
    group = r % GROUPS
    lock_ptr += group
    first_ptr = lock_ptr + GROUPS
    dw_ptr += group * n + c
    db_ptr += group * n + c
    x = tl.load(x_ptr + c, mask=mask, other=0).to(tl.float32)
    dy = tl.load(dy_ptr + c, mask=mask, other=0).to(tl.float32)
    w = tl.load(w_ptr + c, mask=mask, other=0).to(tl.float32)
    mean = tl.load(mean_ptr + r)
    rstd = tl.load(rstd_ptr + r)
    normal = tl.where(mask, (x - mean) * rstd, 0.0)
    wdy = tl.where(mask, w * dy, 0.0)
    along = tl.sum(normal * wdy, axis=0) / n
    shift = tl.sum(wdy, axis=0) / n
    tl.store(dx_ptr + c, (wdy - (normal * along + shift)) * rstd, mask=mask)
    dw = (dy * normal).to(w.dtype)
    db = dy.to(w.dtype)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    used = tl.load(first_ptr)
    if used == 0:
        tl.atomic_xchg(first_ptr, 1)
    else:
        dw += tl.load(dw_ptr, mask=mask)
        db += tl.load(db_ptr, mask=mask)
    tl.store(dw_ptr, dw, mask=mask)
    tl.store(db_ptr, db, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


@triton.jit
def add_groups(parts_ptr, sums_ptr, m, n, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for i in range(0, m, BLOCK_M):
        rows = i + tl.arange(0, BLOCK_M)
        mask = (rows[:, None] < m) & (columns[None, :] < n)
        total += tl.load(parts_ptr + rows[:, None] * n + columns[None, :], mask=mask, other=0.0)
    tl.store(sums_ptr + columns, tl.sum(total, axis=0), mask=columns < n)


# ---- random numbers


@triton.jit
def seeded_dropout(x_ptr, y_ptr, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(y_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


# ---- reductions: values with their places, several axes, one's own combination


@triton.jit
def extremes(x_ptr, values_ptr, places_ptr, stride, n, BLOCK: tl.constexpr):
    """Greatest and least of a row with their places; of equal ones the first."""
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    row = x_ptr + r * stride + c
    high, high_at = tl.max(tl.load(row, mask=c < n, other=float("-inf")), axis=0, return_indices=True)
    low_row = tl.load(row, mask=c < n, other=float("inf"))
    tl.store(values_ptr + 2 * r, high)
    tl.store(values_ptr + 2 * r + 1, tl.min(low_row, axis=0))
    tl.store(places_ptr + 2 * r, high_at)
    tl.store(places_ptr + 2 * r + 1, tl.argmin(low_row, axis=0))


@triton.jit
def later_key(key_a, value_a, key_b, value_b):
    take = key_b > key_a
    return tl.where(take, key_b, key_a), tl.where(take, value_b, value_a)


@triton.jit
def value_of_greatest_key(keys_ptr, values_ptr, out_ptr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    m = tl.arange(0, BLOCK_M)
    at = m[:, None] * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    keys, values = tl.load(keys_ptr + at), tl.load(values_ptr + at)
    _, value = tl.reduce((keys, values), 1, later_key)
    tl.store(out_ptr + m, value)


@triton.jit
def cube_sums(x_ptr, planes_ptr, lines_ptr, total_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A), tl.arange(0, B), tl.arange(0, C)
    x = tl.load(x_ptr + (a[:, None, None] * B + b[None, :, None]) * C + c[None, None, :])
    planes = tl.sum(tl.sum(x, axis=2), axis=1)
    tl.store(planes_ptr + a, planes)
    lines = tl.sum(x, axis=1, keep_dims=True)
    tl.store(lines_ptr + a[:, None, None] * C + c[None, None, :], lines)
    tl.store(total_ptr, tl.sum(x))
    tl.store(total_ptr + 1, tl.max(x))
    tl.store(total_ptr + 2, tl.xor_sum(x.to(tl.int32)))


# ---- loops: while, steps below 0, unrolled, carried pointers and tuples


@triton.jit
def collatz_steps(steps_ptr, n):
    value = tl.program_id(0) + 1
    steps = 0
    while (value != 1) & (steps < n):
        value = value // 2 if value % 2 == 0 else 3 * value + 1
        steps += 1
    tl.store(steps_ptr + tl.program_id(0), steps)


@triton.jit
def advance(state, x):
    low, high = state
    return tl.minimum(low, x), tl.maximum(high, x)


@triton.jit
def ranges(x_ptr, out_ptr, rows, stride, BLOCK: tl.constexpr, UNROLL: tl.constexpr):
    """Least and greatest of each column, from the last row up, by a pointer that walks; then powers unrolled."""
    c = tl.arange(0, BLOCK)
    at = x_ptr + (rows - 1) * stride + c
    state = (tl.full((BLOCK,), float("inf"), tl.float32), tl.full((BLOCK,), -float("inf"), tl.float32))
    for r in range(rows - 1, -1, -1):
        state = advance(state, tl.load(at))
        at -= stride
    low, high = state
    spread = high - low
    power = spread
    for i in tl.static_range(UNROLL - 1):
        power *= spread
        if i == 0:
            tl.store(out_ptr + c, power)
    tl.store(out_ptr + BLOCK + c, power)


@triton.jit
def first_above(x_ptr, limit, n):
    """A helper that returns early; its loop has a run-time bound and no block."""
    if n == 0:
        return -1
    found = n
    i = 0
    while (i < n) and (found == n):
        if tl.load(x_ptr + i) > limit:
            found = i
        i += 1
    return found


@triton.jit
def search(x_ptr, out_ptr, lengths_ptr, stride, limit):
    r = tl.program_id(0)
    length = tl.load(lengths_ptr + r)
    if length < 0:
        return
    tl.store(out_ptr + r, first_above(x_ptr + r * stride, limit, length))


@triton.jit
def attention_row(q_ptr, k_ptr, v_ptr, z_ptr, n, BLOCK_I: tl.constexpr, BLOCK_J: tl.constexpr):
    """One-dimensional attention: maximum, sum and result carried over blocks of keys."""
    i = tl.program_id(0) * BLOCK_I + tl.arange(0, BLOCK_I)
    q = tl.load(q_ptr + i, mask=i < n, other=0.0)
    top = tl.full((BLOCK_I,), LOWEST, tl.float32)
    total = tl.zeros((BLOCK_I,), tl.float32)
    z = tl.zeros((BLOCK_I,), tl.float32)
    for start in tl.range(0, n, BLOCK_J, num_stages=2):
        j = start + tl.arange(0, BLOCK_J)
        k = tl.load(k_ptr + j, mask=j < n, other=0.0)
        v = tl.load(v_ptr + j, mask=j < n, other=0.0)
        scores = tl.where((j < n)[None, :], q[:, None] * k[None, :], -float("inf"))
        higher = tl.maximum(top, tl.max(scores, axis=1))
        weights = tl.exp(scores - higher[:, None])
        shrink = tl.exp(top - higher)
        total = total * shrink + tl.sum(weights, axis=1)
        z = z * shrink + tl.sum(weights * v[None, :], axis=1)
        top = higher
    tl.store(z_ptr + i, z / total, mask=i < n)


# ---- atomics: tickets, extremes of floats, bits, halves


@triton.jit
def tickets(next_ptr, owners_ptr, n):
    """Each program draws a number of its own."""
    ticket = tl.atomic_add(next_ptr, 1)
    if ticket < n:
        tl.store(owners_ptr + ticket, tl.program_id(0) + 1)


@triton.jit
def scattered(x_ptr, where_ptr, sums_ptr, tops_ptr, lows_ptr, bits_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask)
    at = tl.load(where_ptr + i, mask=mask, other=0)
    tl.atomic_add(sums_ptr + at, x, mask=mask, sem="relaxed")
    tl.atomic_max(tops_ptr + at, x.to(tl.float32), mask=mask)
    tl.atomic_min(lows_ptr + at, x.to(tl.float32), mask=mask, sem="release", scope="gpu")
    tl.atomic_or(bits_ptr + at, 1 << (i % 31), mask=mask)
    tl.atomic_xor(bits_ptr + 16 + at, i, mask=mask)
    tl.atomic_and(bits_ptr + 32 + at, ~(1 << (i % 31)), mask=mask)


# ---- values of the front end: functions, strings, None, names first set in a branch


@triton.jit
def double(x):
    return 2 * x


@triton.jit
def square(x):
    return x * x


@triton.jit
def apply(function, x):
    return function(x)


@triton.jit
def chosen(x_ptr, y_ptr, bias_ptr, scale, n, ACTIVATION: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    if bias_ptr is not None:
        x += tl.load(bias_ptr + i, mask=i < n, other=0.0)
    if scale > 1.5:
        factor = scale
        addend = 0.0
    else:
        factor = 1.0
        addend = scale
    y = (apply(double, x) - apply(square, x)) * factor + addend
    if ACTIVATION == "leaky_relu":
        y = tl.where(y >= 0, y, 0.25 * y)
    elif ACTIVATION == "relu":
        y = tl.maximum(y, 0.0)
    tl.store(y_ptr + i, y, mask=i < n)
