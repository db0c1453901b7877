"""Kernels in idioms that models have around their large products: rows, scans, gathers, updates, products that decode.

Each is written the plain way, without configs, so that what it costs is the compiler's doing. `idiom_cases.py` has their
arguments, and a comment above each kernel says what `tegula check` takes its parameters for.
"""

import triton
import triton.language as tl

#--- rows and elements ---


# tegula: q_ptr=*bf16:16 cos_ptr=*fp32:16 sin_ptr=*fp32:16 out_ptr=*bf16:16 tokens=i32 heads=i32 D=128 BLOCK_H=32
@triton.jit
def rope(q_ptr, cos_ptr, sin_ptr, out_ptr, tokens, heads, D: tl.constexpr, BLOCK_H: tl.constexpr):
    """Rotates the two halves of each head by the angles of its token."""
    token = tl.program_id(0).to(tl.int64)
    head = tl.program_id(1) * BLOCK_H + tl.arange(0, BLOCK_H)
    half = tl.arange(0, D // 2)
    cos = tl.load(cos_ptr + token * (D // 2) + half)[None, :]
    sin = tl.load(sin_ptr + token * (D // 2) + half)[None, :]
    first = (token * heads + head[:, None]) * D + half[None, :]
    mask = (head[:, None] < heads) & (token < tokens)
    x = tl.load(q_ptr + first, mask=mask).to(tl.float32)
    y = tl.load(q_ptr + first + D // 2, mask=mask).to(tl.float32)
    tl.store(out_ptr + first, (x * cos - y * sin).to(out_ptr.dtype.element_ty), mask=mask)
    tl.store(out_ptr + first + D // 2, (y * cos + x * sin).to(out_ptr.dtype.element_ty), mask=mask)


# tegula: dy_ptr=*bf16:16 a_ptr=*bf16:16 b_ptr=*bf16:16 da_ptr=*bf16:16 db_ptr=*bf16:16 stride=i32:16 n=i32:16
# tegula: BLOCK=16384 num_warps=8
@triton.jit
def swiglu_backward(dy_ptr, a_ptr, b_ptr, da_ptr, db_ptr, stride, n, BLOCK: tl.constexpr):
    """Computes the gradients of a and b where y = silu(a) b, a row a program."""
    row = tl.program_id(0).to(tl.int64) * stride
    column = tl.arange(0, BLOCK)
    mask = column < n
    dy = tl.load(dy_ptr + row + column, mask=mask, other=0.0).to(tl.float32)
    a = tl.load(a_ptr + row + column, mask=mask, other=0.0).to(tl.float32)
    b = tl.load(b_ptr + row + column, mask=mask, other=0.0).to(tl.float32)
    sigmoid = tl.sigmoid(a)
    silu = a * sigmoid
    tl.store(db_ptr + row + column, (dy * silu).to(db_ptr.dtype.element_ty), mask=mask)
    da = dy * (silu * (1.0 - sigmoid) + sigmoid) * b
    tl.store(da_ptr + row + column, da.to(da_ptr.dtype.element_ty), mask=mask)


# tegula: dx_ptr=*bf16:16 dy_ptr=*bf16:16 w_ptr=*bf16:16 x_ptr=*bf16:16 mean_ptr=*fp32:16 rstd_ptr=*fp32:16 dw_ptr=*fp32:16
# tegula: db_ptr=*fp32:16 n=i32:16 BLOCK=4096 ROWS=8 num_warps=8
@triton.jit
def layernorm_backward(dx_ptr, dy_ptr, w_ptr, x_ptr, mean_ptr, rstd_ptr, dw_ptr, db_ptr, n, BLOCK: tl.constexpr,
                       ROWS: tl.constexpr):
    """Computes the gradient of x, and those of weight and bias added up over the ROWS rows of a program."""
    program = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    mask = column < n
    w = tl.load(w_ptr + column, mask=mask, other=0.0).to(tl.float32)
    dw = tl.zeros((BLOCK,), dtype=tl.float32)
    db = tl.zeros((BLOCK,), dtype=tl.float32)
    for each in range(ROWS):
        row = program * ROWS + each
        place = row.to(tl.int64) * n + column
        x = tl.load(x_ptr + place, mask=mask, other=0.0).to(tl.float32)
        dy = tl.load(dy_ptr + place, mask=mask, other=0.0).to(tl.float32)
        mean = tl.load(mean_ptr + row)
        rstd = tl.load(rstd_ptr + row)
        normal = tl.where(mask, (x - mean) * rstd, 0.0)
        scaled = w * dy
        along = tl.sum(normal * scaled, axis=0) / n
        level = tl.sum(scaled, axis=0) / n
        dx = (scaled - (normal * along + level)) * rstd
        tl.store(dx_ptr + place, dx.to(dx_ptr.dtype.element_ty), mask=mask)
        dw += dy * normal
        db += dy
    tl.store(dw_ptr + program * n + column, dw, mask=mask)
    tl.store(db_ptr + program * n + column, db, mask=mask)


# tegula: x_ptr=*bf16:16 y_ptr=*bf16:16 n=i32:16 p=fp32 seed=i32 BLOCK=1024
@triton.jit
def dropout(x_ptr, y_ptr, n, p, seed, BLOCK: tl.constexpr):
    """Sets elements to zero with probability p, and scales the others."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    kept = tl.rand(seed, offsets) > p
    tl.store(y_ptr + offsets, tl.where(kept, x / (1.0 - p), 0.0).to(y_ptr.dtype.element_ty), mask=mask)


# tegula: x_ptr=*bf16:16 weight_ptr=*fp32:16 bias_ptr=*fp32:16 y_ptr=*bf16:16 channels=i32:16 pixels=i32:16
# tegula: group_channels=i32:16 eps=fp32 BLOCK=4096 num_warps=8
@triton.jit
def group_norm(x_ptr, weight_ptr, bias_ptr, y_ptr, channels, pixels, group_channels, eps, BLOCK: tl.constexpr):
    """Normalises a group of channels of an image, which is read twice; an element finds its channel by a quotient."""
    groups = channels // group_channels
    group = tl.program_id(0) % groups
    size = group_channels * pixels
    start = tl.program_id(0).to(tl.int64) * size
    sums = tl.zeros((BLOCK,), dtype=tl.float32)
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, size, BLOCK):
        offsets = first + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + start + offsets, mask=offsets < size, other=0.0).to(tl.float32)
        sums += x
        squares += x * x
    mean = tl.sum(sums, axis=0) / size
    rstd = tl.rsqrt(tl.sum(squares, axis=0) / size - mean * mean + eps)
    for first in range(0, size, BLOCK):
        offsets = first + tl.arange(0, BLOCK)
        mask = offsets < size
        channel = group * group_channels + offsets // pixels
        x = tl.load(x_ptr + start + offsets, mask=mask).to(tl.float32)
        weight = tl.load(weight_ptr + channel, mask=mask)
        bias = tl.load(bias_ptr + channel, mask=mask)
        y = (x - mean) * rstd * weight + bias
        tl.store(y_ptr + start + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


# tegula: x_ptr=*bf16:16 q_ptr=*fp8e4nv:16 scale_ptr=*fp32:16 n=i32:16 BLOCK=4096
@triton.jit
def quantize_rows(x_ptr, q_ptr, scale_ptr, n, BLOCK: tl.constexpr):
    """Rounds each row to fp8 by the scale that takes its largest element to 448."""
    row = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    mask = column < n
    x = tl.load(x_ptr + row * n + column, mask=mask, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x), axis=0), 1e-12) / 448.0
    tl.store(q_ptr + row * n + column, (x / scale).to(q_ptr.dtype.element_ty), mask=mask)
    tl.store(scale_ptr + row, scale)


# tegula: p_ptr=*fp32:16 g_ptr=*bf16:16 m_ptr=*fp32:16 v_ptr=*fp32:16 rate=fp32 beta1=fp32 beta2=fp32 eps=fp32 decay=fp32
# tegula: correction1=fp32 correction2=fp32 n=i32:16 BLOCK=1024
@triton.jit
def adam(p_ptr, g_ptr, m_ptr, v_ptr, rate, beta1, beta2, eps, decay, correction1, correction2, n, BLOCK: tl.constexpr):
    """Takes a step of Adam with decoupled weight decay, in place."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    p = tl.load(p_ptr + offsets, mask=mask)
    g = tl.load(g_ptr + offsets, mask=mask).to(tl.float32)
    m = beta1 * tl.load(m_ptr + offsets, mask=mask) + (1.0 - beta1) * g
    v = beta2 * tl.load(v_ptr + offsets, mask=mask) + (1.0 - beta2) * g * g
    step = (m / correction1) / (tl.sqrt(v / correction2) + eps)
    tl.store(p_ptr + offsets, p - rate * (step + decay * p), mask=mask)
    tl.store(m_ptr + offsets, m, mask=mask)
    tl.store(v_ptr + offsets, v, mask=mask)


#--- scans, sorting, extrema ---


# tegula: x_ptr=*bf16:16 y_ptr=*fp32:16 n=i32:16 BLOCK=4096
@triton.jit
def row_cumsum(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """Computes the running sums of each row."""
    row = tl.program_id(0).to(tl.int64) * n
    column = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + column, mask=column < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + row + column, tl.cumsum(x, axis=0), mask=column < n)


@triton.jit
def after(a, b, next_a, next_b):
    """Composes two steps h -> a h + b of a recurrence."""
    return a * next_a, next_a * b + next_b


# tegula: a_ptr=*bf16:16 b_ptr=*bf16:16 h_ptr=*fp32:16 steps=i32:16 channels=i32:16 BLOCK_T=64 BLOCK_C=64
@triton.jit
def linear_scan(a_ptr, b_ptr, h_ptr, steps, channels, BLOCK_T: tl.constexpr, BLOCK_C: tl.constexpr):
    """Computes h[t] = a[t] h[t-1] + b[t] by scans of BLOCK_T steps, and a state that goes from one to the next."""
    channel = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    step = tl.arange(0, BLOCK_T)
    start = tl.program_id(0).to(tl.int64) * steps * channels
    state = tl.zeros((BLOCK_C,), dtype=tl.float32)
    for first in range(0, steps, BLOCK_T):
        place = start + (first + step[:, None]) * channels + channel[None, :]
        a = tl.load(a_ptr + place).to(tl.float32)
        b = tl.load(b_ptr + place).to(tl.float32)
        factor, h = tl.associative_scan((a, b), 0, after)
        h += factor * state[None, :]
        tl.store(h_ptr + place, h)
        state = tl.sum(tl.where(step[:, None] == BLOCK_T - 1, h, 0.0), axis=0)


# tegula: a_ptr=*bf16:16 b_ptr=*bf16:16 h_ptr=*fp32:16 steps=i32:16 channels=i32:16 BLOCK_C=128
@triton.jit
def sequential_scan(a_ptr, b_ptr, h_ptr, steps, channels, BLOCK_C: tl.constexpr):
    """Computes h[t] = a[t] h[t-1] + b[t] one step after the other."""
    channel = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    start = tl.program_id(0).to(tl.int64) * steps * channels
    h = tl.zeros((BLOCK_C,), dtype=tl.float32)
    for step in range(steps):
        place = start + step * channels + channel
        h = tl.load(a_ptr + place).to(tl.float32) * h + tl.load(b_ptr + place).to(tl.float32)
        tl.store(h_ptr + place, h)


# tegula: x_ptr=*fp32:16 y_ptr=*fp32:16 n=i32:16 BLOCK=1024
@triton.jit
def row_sort(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """Sorts each row."""
    row = tl.program_id(0).to(tl.int64) * n
    column = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + column, mask=column < n, other=float("inf"))
    tl.store(y_ptr + row + column, tl.sort(x), mask=column < n)


# tegula: x_ptr=*bf16:16 place_ptr=*i32:16 n=i32:16 BLOCK=4096
@triton.jit
def row_argmax(x_ptr, place_ptr, n, BLOCK: tl.constexpr):
    """Finds the place of the largest element of each row, a block after the other."""
    row = tl.program_id(0).to(tl.int64) * n
    best = -float("inf")
    place = 0
    for first in range(0, n, BLOCK):
        column = first + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + column, mask=column < n, other=-float("inf")).to(tl.float32)
        largest, where = tl.max(x, axis=0, return_indices=True)
        place = tl.where(largest > best, first + where, place)
        best = tl.maximum(best, largest)
    tl.store(place_ptr + tl.program_id(0), place)


#--- gathers and scatters ---


# tegula: ids_ptr=*i64:16 table_ptr=*bf16:16 out_ptr=*bf16:16 n=i32:16 BLOCK=4096
@triton.jit
def embedding(ids_ptr, table_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Copies the row of a table that each token names."""
    token = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    row = tl.load(ids_ptr + token)
    x = tl.load(table_ptr + row * n + column, mask=column < n)
    tl.store(out_ptr + token * n + column, x, mask=column < n)


# tegula: ids_ptr=*i64:16 dy_ptr=*fp32:16 table_ptr=*fp32:16 n=i32:16 BLOCK=4096
@triton.jit
def embedding_backward(ids_ptr, dy_ptr, table_ptr, n, BLOCK: tl.constexpr):
    """Adds each token's gradient to the row of the table that it names, by atomic additions."""
    token = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    row = tl.load(ids_ptr + token)
    dy = tl.load(dy_ptr + token * n + column, mask=column < n)
    tl.atomic_add(table_ptr + row * n + column, dy, mask=column < n)


# tegula: x_ptr=*bf16:16 cache_ptr=*bf16:16 slots_ptr=*i64:16 n=i32:16 BLOCK=1024
@triton.jit
def cache_write(x_ptr, cache_ptr, slots_ptr, n, BLOCK: tl.constexpr):
    """Writes each token's keys or values to its slot of a cache; tokens with a negative slot have none."""
    token = tl.program_id(0).to(tl.int64)
    slot = tl.load(slots_ptr + token)
    column = tl.arange(0, BLOCK)
    mask = (column < n) & (slot >= 0)
    tl.store(cache_ptr + slot * n + column, tl.load(x_ptr + token * n + column, mask=mask), mask=mask)


#--- products ---


# tegula: x_ptr=*bf16:16 w_ptr=*bf16:16 y_ptr=*bf16:16 share_ptr=*fp32:16 ids_ptr=*i32:16 experts_ptr=*i32:16 N=i32:16 K=i32:16
# tegula: slots=i32:16 padded=i32:16 top_k=i32 BLOCK_M=64 BLOCK_N=128 BLOCK_K=64 GROUP_M=8
@triton.jit
def expert_matmul(x_ptr, w_ptr, y_ptr, share_ptr, ids_ptr, experts_ptr, N, K, slots, padded, top_k, BLOCK_M: tl.constexpr,
                  BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr):
    """Multiplies tokens by the matrices of their experts: rows are gathered, BLOCK_M of one expert a program, and each
    result is scaled by its expert's share. Ids from `slots` on fill up an expert's last block."""
    tiles_m = padded // BLOCK_M
    tiles_n = tl.cdiv(N, BLOCK_N)
    first_m = tl.program_id(0) // (GROUP_M * tiles_n) * GROUP_M
    rows = min(tiles_m - first_m, GROUP_M)
    place = tl.program_id(0) % (GROUP_M * tiles_n)
    tile_m = first_m + place % rows
    tile_n = place // rows
    slot = tl.load(ids_ptr + tile_m * BLOCK_M + tl.arange(0, BLOCK_M))
    valid = slot < slots
    expert = tl.load(experts_ptr + tile_m).to(tl.int64)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    x_ptrs = x_ptr + (slot // top_k)[:, None] * K + k[None, :]
    w_ptrs = w_ptr + expert * N * K + n[None, :] * K + k[:, None]
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, K, BLOCK_K):
        x = tl.load(x_ptrs, mask=valid[:, None] & (k[None, :] < K - first), other=0.0)
        w = tl.load(w_ptrs, mask=(k[:, None] < K - first) & (n[None, :] < N), other=0.0)
        sums = tl.dot(x, w, sums)
        x_ptrs += BLOCK_K
        w_ptrs += BLOCK_K
    share = tl.load(share_ptr + slot, mask=valid, other=0.0)
    y = (sums * share[:, None]).to(y_ptr.dtype.element_ty)
    tl.store(y_ptr + slot.to(tl.int64)[:, None] * N + n[None, :], y, mask=valid[:, None] & (n[None, :] < N))


# tegula: a_ptr=*fp16:16 q_ptr=*i32:16 scale_ptr=*fp16:16 c_ptr=*fp16:16 M=i32:16 N=i32:16 K=i32:16 GROUP=128 BLOCK_M=128
# tegula: BLOCK_N=128 BLOCK_K=64 num_warps=8
@triton.jit
def int4_matmul(a_ptr, q_ptr, scale_ptr, c_ptr, M, N, K, GROUP: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                BLOCK_K: tl.constexpr):
    """Multiplies by weights of four bits, eight along K in a word, with a scale for GROUP of them and a zero of 8."""
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    shift = (k % 8 * 4)[:, None]
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + m[:, None] * K + (first + k)[None, :], mask=m[:, None] < M, other=0.0)
        words = tl.load(q_ptr + ((first + k) // 8)[:, None] * N + n[None, :])
        scale = tl.load(scale_ptr + first // GROUP * N + n)
        b = (((words >> shift) & 15) - 8).to(tl.float16) * scale[None, :]
        sums = tl.dot(a, b, sums)
    tl.store(c_ptr + m[:, None] * N + n[None, :], sums.to(c_ptr.dtype.element_ty), mask=m[:, None] < M)


# tegula: a_ptr=*fp8e4nv:16 b_ptr=*fp8e4nv:16 c_ptr=*bf16:16 a_scale_ptr=*fp32:16 b_scale_ptr=*fp32:16 M=i32:16 N=i32:16
# tegula: K=i32:16 BLOCK_M=128 BLOCK_N=128 BLOCK_K=128 num_warps=8
@triton.jit
def fp8_block_matmul(a_ptr, b_ptr, c_ptr, a_scale_ptr, b_scale_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                     BLOCK_K: tl.constexpr):
    """Multiplies fp8 whose scales change along K: one for BLOCK_K of a row of a, one for each such square of b."""
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    steps = K // BLOCK_K
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for step in range(steps):
        a = tl.load(a_ptr + m[:, None] * K + (step * BLOCK_K + k)[None, :], mask=m[:, None] < M, other=0.0)
        b = tl.load(b_ptr + n[None, :] * K + (step * BLOCK_K + k)[:, None], mask=n[None, :] < N, other=0.0)
        a_scale = tl.load(a_scale_ptr + m * steps + step, mask=m < M, other=0.0)
        b_scale = tl.load(b_scale_ptr + tl.program_id(1) * steps + step)
        sums += tl.dot(a, b) * (a_scale * b_scale)[:, None]
    mask = (m[:, None] < M) & (n[None, :] < N)
    tl.store(c_ptr + m[:, None] * N + n[None, :], sums.to(c_ptr.dtype.element_ty), mask=mask)


# tegula: x_ptr=*bf16:16 w_ptr=*bf16:16 y_ptr=*bf16:16 channels=i32:16 height=i32 width=i32 outputs=i32:16 BLOCK_M=128
# tegula: BLOCK_N=128 BLOCK_K=64 num_warps=8
@triton.jit
def convolution_3x3(x_ptr, w_ptr, y_ptr, channels, height, width, outputs, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                    BLOCK_K: tl.constexpr):
    """Convolves images, channels last, with nine taps and a border of zeros, as a product of gathered pixels."""
    pixel = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    output = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    column = pixel % width
    row = pixel // width % height
    k = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, 9 * channels, BLOCK_K):
        tap = first // channels
        down = tap // 3 - 1
        right = tap % 3 - 1
        channel = first % channels + k
        inside = (row + down >= 0) & (row + down < height) & (column + right >= 0) & (column + right < width)
        near = pixel + down * width + right
        x = tl.load(x_ptr + near[:, None] * channels + channel[None, :], mask=inside[:, None], other=0.0)
        w = tl.load(w_ptr + (first + k)[:, None] * outputs + output[None, :])
        sums = tl.dot(x, w, sums)
    tl.store(y_ptr + pixel[:, None] * outputs + output[None, :], sums.to(y_ptr.dtype.element_ty))


# tegula: q_ptr=*bf16:16 k_ptr=*bf16:16 v_ptr=*bf16:16 o_ptr=*bf16:16 steps=i32:16 scale=fp32 D=64 BLOCK_T=64 num_stages=2
@triton.jit
def chunked_linear_attention(q_ptr, k_ptr, v_ptr, o_ptr, steps, scale, D: tl.constexpr, BLOCK_T: tl.constexpr):
    """Computes causal attention without softmax: within a chunk by scores, from earlier ones by a state of DxD."""
    t = tl.arange(0, BLOCK_T)
    d = tl.arange(0, D)
    start = tl.program_id(0).to(tl.int64) * steps * D
    state = tl.zeros((D, D), dtype=tl.float32)
    for first in range(0, steps, BLOCK_T):
        place = start + (first + t)[:, None] * D + d[None, :]
        q = tl.load(q_ptr + place)
        k = tl.load(k_ptr + place)
        v = tl.load(v_ptr + place)
        scores = tl.where(t[:, None] >= t[None, :], tl.dot(q, tl.trans(k)), 0.0)
        o = tl.dot(q, state.to(q.dtype))
        o = tl.dot(scores.to(v.dtype), v, o)
        state = tl.dot(tl.trans(k), v, state)
        tl.store(o_ptr + place, (o * scale).to(o_ptr.dtype.element_ty))


# tegula: a_ptr=*bf16:16 b_ptr=*bf16:16 c_ptr=*fp32:16 M=i32:16 N=i32:16 K=i32:16 BLOCK_M=64 BLOCK_N=128 BLOCK_K=64 SPLIT=8
@triton.jit
def split_k_matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                   SPLIT: tl.constexpr):
    """Adds a @ b to c, each tile by SPLIT programs, which take turns along K and add by atomic additions."""
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(tl.program_id(2) * BLOCK_K, K, BLOCK_K * SPLIT):
        a = tl.load(a_ptr + m[:, None] * K + (first + k)[None, :], mask=m[:, None] < M, other=0.0)
        b = tl.load(b_ptr + (first + k)[:, None] * N + n[None, :], mask=n[None, :] < N, other=0.0)
        sums = tl.dot(a, b, sums)
    tl.atomic_add(c_ptr + m[:, None] * N + n[None, :], sums, mask=(m[:, None] < M) & (n[None, :] < N))


# tegula: w_ptr=*bf16:16 x_ptr=*bf16:16 y_ptr=*fp32:16 N=i32:16 K=i32:16 BLOCK_N=16 BLOCK_K=256
@triton.jit
def matrix_vector(w_ptr, x_ptr, y_ptr, N, K, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """Multiplies a matrix by a vector, BLOCK_N rows a program."""
    n = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_N, BLOCK_K), dtype=tl.float32)
    for first in range(0, K, BLOCK_K):
        inside = first + k < K
        place = n.to(tl.int64)[:, None] * K + (first + k)[None, :]
        w = tl.load(w_ptr + place, mask=(n[:, None] < N) & inside[None, :], other=0.0)
        x = tl.load(x_ptr + first + k, mask=inside, other=0.0)
        sums += w.to(tl.float32) * x.to(tl.float32)[None, :]
    tl.store(y_ptr + n, tl.sum(sums, axis=1), mask=n < N)


# tegula: a_ptr=*fp32:16 b_ptr=*fp32:16 c_ptr=*fp32:16 M=i32:16 N=i32:16 K=i32:16 BLOCK_M=128 BLOCK_N=128 BLOCK_K=32
# tegula: PRECISION="tf32" num_warps=8
@triton.jit
def fp32_matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                PRECISION: tl.constexpr):
    """Multiplies fp32 in the given precision."""
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + m[:, None] * K + (first + k)[None, :], mask=m[:, None] < M, other=0.0)
        b = tl.load(b_ptr + (first + k)[:, None] * N + n[None, :], mask=n[None, :] < N, other=0.0)
        sums = tl.dot(a, b, sums, input_precision=PRECISION)
    tl.store(c_ptr + m[:, None] * N + n[None, :], sums, mask=(m[:, None] < M) & (n[None, :] < N))


# tegula: x_ptr=*bf16:16 w_ptr=*bf16:16 bias_ptr=*bf16:16 y_ptr=*bf16:16 M=i32:16 N=i32 K=i32 BLOCK_M=128 BLOCK_N=128 BLOCK_K=64
# tegula: num_warps=8
@triton.jit
def linear_gelu(x_ptr, w_ptr, bias_ptr, y_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """Computes gelu(x @ w^T + bias), whatever the sizes."""
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, K, BLOCK_K):
        inside = k < K - first
        x = tl.load(x_ptr + m[:, None] * K + (first + k)[None, :], mask=(m[:, None] < M) & inside[None, :], other=0.0)
        w = tl.load(w_ptr + n[None, :] * K + (first + k)[:, None], mask=inside[:, None] & (n[None, :] < N), other=0.0)
        sums = tl.dot(x, w, sums)
    y = sums + tl.load(bias_ptr + n, mask=n < N, other=0.0).to(tl.float32)[None, :]
    y = 0.5 * y * (1.0 + tl.erf(y * 0.7071067811865476))
    mask = (m[:, None] < M) & (n[None, :] < N)
    tl.store(y_ptr + m[:, None] * N + n[None, :], y.to(y_ptr.dtype.element_ty), mask=mask)


#--- choices and attention ---


# tegula: scores_ptr=*bf16:16 weights_ptr=*fp32:16 experts_ptr=*i32:16 EXPERTS=128 CHOSEN=8 num_warps=1
@triton.jit
def chosen_experts(scores_ptr, weights_ptr, experts_ptr, EXPERTS: tl.constexpr, CHOSEN: tl.constexpr):
    """Finds the greatest of the softmax of a token's scores, one after the other, with their places."""
    token = tl.program_id(0)
    expert = tl.arange(0, EXPERTS)
    x = tl.load(scores_ptr + token * EXPERTS + expert).to(tl.float32)
    x = tl.exp(x - tl.max(x, 0))
    x = x / tl.sum(x, 0)
    for k in tl.static_range(CHOSEN):
        best = tl.argmax(x, 0)
        tl.store(weights_ptr + token * CHOSEN + k, tl.max(x, 0))
        tl.store(experts_ptr + token * CHOSEN + k, best)
        x = tl.where(expert == best, -1.0, x)


# tegula: x_ptr=*bf16:16 w_ptr=*bf16:16 bias_ptr=*bf16:16 y_ptr=*bf16:16 steps=i32:16 channels=i32:16 WIDTH=4 BLOCK_T=64 BLOCK_C=64
@triton.jit
def causal_convolution(x_ptr, w_ptr, bias_ptr, y_ptr, steps, channels, WIDTH: tl.constexpr, BLOCK_T: tl.constexpr,
                       BLOCK_C: tl.constexpr):
    """Computes silu of a short convolution along time, each channel by itself."""
    c = tl.program_id(0) * BLOCK_C + tl.arange(0, BLOCK_C)
    t = tl.program_id(1) * BLOCK_T + tl.arange(0, BLOCK_T)
    sequence = tl.program_id(2) * steps * channels
    y = tl.zeros((BLOCK_T, BLOCK_C), tl.float32) + tl.load(bias_ptr + c).to(tl.float32)[None, :]
    for k in tl.static_range(WIDTH):
        s = t - (WIDTH - 1) + k
        mask = (s[:, None] >= 0) & (s[:, None] < steps)
        x = tl.load(x_ptr + sequence + s[:, None] * channels + c[None, :], mask=mask, other=0.0)
        y += x.to(tl.float32) * tl.load(w_ptr + c * WIDTH + k).to(tl.float32)[None, :]
    y = y * tl.sigmoid(y)
    tl.store(y_ptr + sequence + t[:, None] * channels + c[None, :], y.to(y_ptr.dtype.element_ty), mask=t[:, None] < steps)


# tegula: q_ptr=*bf16:16 k_ptr=*bf16:16 v_ptr=*bf16:16 o_ptr=*fp32:16 logs_ptr=*fp32:16 keys=i32:16 scale=fp32 D=128 BLOCK_N=64
# tegula: PARTS=8 GROUP=16 num_stages=2
@triton.jit
def decode_part(q_ptr, k_ptr, v_ptr, o_ptr, logs_ptr, keys, scale, D: tl.constexpr, BLOCK_N: tl.constexpr, PARTS: tl.constexpr,
                GROUP: tl.constexpr):
    """Computes attention of one query of GROUP heads to a part of the keys that they share."""
    head = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1)
    d = tl.arange(0, D)
    g = tl.arange(0, GROUP)
    n = tl.arange(0, BLOCK_N)
    q = tl.load(q_ptr + (head * GROUP + g[:, None]) * D + d[None, :])
    each = tl.cdiv(keys, PARTS)
    last = tl.minimum(part * each + each, keys)
    tops = tl.full((GROUP,), -1e30, tl.float32)
    sums = tl.zeros((GROUP,), tl.float32)
    o = tl.zeros((GROUP, D), tl.float32)
    for start in range(part * each, last, BLOCK_N):
        is_there = start + n < last
        k = tl.load(k_ptr + head * keys * D + (start + n)[None, :] * D + d[:, None], mask=is_there[None, :], other=0.0)
        x = tl.where(is_there[None, :], tl.dot(q, k) * scale, -1e30)
        higher = tl.maximum(tops, tl.max(x, 1))
        p = tl.exp(x - higher[:, None])
        shrink = tl.exp(tops - higher)
        v = tl.load(v_ptr + head * keys * D + (start + n)[:, None] * D + d[None, :], mask=is_there[:, None], other=0.0)
        o = o * shrink[:, None] + tl.dot(p.to(v.dtype), v)
        sums = sums * shrink + tl.sum(p, 1)
        tops = higher
    row = (head * PARTS + part) * GROUP + g
    tl.store(o_ptr + row[:, None] * D + d[None, :], o / sums[:, None])
    tl.store(logs_ptr + row, tops + tl.log(sums))


# tegula: q_ptr=*bf16:16 k_ptr=*bf16:16 v_ptr=*bf16:16 o_ptr=*bf16:16 keys=i32:16 scale=fp32 window=i32:16 D=64 BLOCK_M=128
# tegula: BLOCK_N=64 num_stages=3
@triton.jit
def window_attention(q_ptr, k_ptr, v_ptr, o_ptr, keys, scale, window, D: tl.constexpr, BLOCK_M: tl.constexpr,
                     BLOCK_N: tl.constexpr):
    """Computes causal attention to the last keys, with a bias that grows with the distance."""
    head = tl.program_id(1).to(tl.int64) * keys * D
    block = tl.program_id(0)
    m = block * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.arange(0, BLOCK_N)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + head + m[:, None] * D + d[None, :])
    tops = tl.full((BLOCK_M,), -1e30, tl.float32)
    sums = tl.zeros((BLOCK_M,), tl.float32)
    o = tl.zeros((BLOCK_M, D), tl.float32)
    first = tl.maximum(0, block * BLOCK_M - window) // BLOCK_N * BLOCK_N
    for start in range(first, (block + 1) * BLOCK_M, BLOCK_N):
        k = tl.load(k_ptr + head + (start + n)[None, :] * D + d[:, None])
        distance = m[:, None] - (start + n)[None, :]
        x = tl.where((distance >= 0) & (distance <= window), tl.dot(q, k) * scale - 0.01 * distance, -1e30)
        higher = tl.maximum(tops, tl.max(x, 1))
        p = tl.exp(x - higher[:, None])
        shrink = tl.exp(tops - higher)
        v = tl.load(v_ptr + head + (start + n)[:, None] * D + d[None, :])
        o = tl.dot(p.to(v.dtype), v, o * shrink[:, None])
        sums = sums * shrink + tl.sum(p, 1)
        tops = higher
    tl.store(o_ptr + head + m[:, None] * D + d[None, :], (o / sums[:, None]).to(o_ptr.dtype.element_ty))
