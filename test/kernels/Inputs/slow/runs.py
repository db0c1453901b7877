"""Slow kernels that are run: what `tegula explain` names first. `# slow` marks the line, `# kind: NAME` behind it the finding."""

import triton
import triton.language as tl


@triton.jit
def points(x, y):
    """--grid=4 --arg x=randn:fp32[12288] --arg y=empty:fp32[4096]"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + 3 * i + 1))  # slow, kind: uncoalesced


@triton.jit
def column_by_thread(x, y, columns):
    """--grid=1 --arg x=randn:fp32[128,48] --arg y=empty:fp32[128] --arg columns=48"""
    row = tl.arange(0, 128)
    sums = tl.zeros((128,), tl.float32)
    for j in range(columns):
        sums += tl.load(x + row * columns + j)  # slow, kind: uncoalesced
    tl.store(y + row, sums)


@triton.jit
def two_of_three(x, y):
    """--grid=4 --arg x=randn:fp32[4096] --arg y=zeros:fp32[4096]"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    keep = (i % 3) != 0
    value = tl.load(x + i, mask=keep, other=0.0)  # slow, kind: uncoalesced
    tl.store(y + i, value)


@triton.jit
def embedding(table, ids, out):
    """--grid=8 --arg table=randn:fp32[512,16] --arg ids=randint(0,511):i32[1024] --arg out=empty:fp32[1024]"""
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    row = tl.load(ids + i)
    tl.store(out + i, tl.load(table + row * 16))  # slow, kind: uncoalesced


@triton.jit
def scattered(x, y):
    """--grid=2 --arg x=randn:fp16[2048] --arg y=empty:fp16[65536]"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    tl.store(y + i * 32, tl.load(x + i))  # slow, kind: uncoalesced


@triton.jit
def shifted(x, y):
    """--grid=2 --arg x=randn:fp32[4097]+1 --arg y=empty:fp32[4096]"""
    i = tl.program_id(0) * 2048 + tl.arange(0, 2048)
    tl.store(y + i, tl.load(x + i))  # slow, kind: uncoalesced


@triton.jit
def while_loop(x, y, n):
    """--grid=1 --arg x=randn:fp32[16384] --arg y=empty:fp32[1024] --arg n=16"""
    i = tl.arange(0, 1024)
    sums = tl.zeros((1024,), tl.float32)
    j = 0
    while j < n:  # slow, kind: unpipelined
        sums += tl.load(x + j * 1024 + i)
        j += 1
    tl.store(y + i, sums)


@triton.jit
def barrier_each_time(x, y, n):
    """--grid=1 --arg x=randn:fp32[16384] --arg y=empty:fp32[1024] --arg n=16"""
    i = tl.arange(0, 1024)
    sums = tl.zeros((1024,), tl.float32)
    for j in tl.range(0, n, num_stages=3):  # slow, kind: unpipelined
        sums += tl.load(x + j * 1024 + i)
        tl.debug_barrier()
    tl.store(y + i, sums)


@triton.jit
def constant_of_64_bits(x, y):
    """--grid=4 --arg x=randn:fp32[4096] --arg y=empty:fp32[4096]"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    scale = tl.full((1024,), 0.7978845608, tl.float64)  # slow, kind: fp64
    value = tl.load(x + i)
    tl.store(y + i, (value * tl.exp(scale * value)).to(tl.float32))


@triton.jit
def exact_product(a, b, c):
    """--grid=1 --arg a=randn:fp32[64,128] --arg b=randn:fp32[128,64] --arg c=empty:fp32[64,64]"""
    m = tl.arange(0, 64)
    k = tl.arange(0, 32)
    sums = tl.zeros((64, 64), tl.float32)
    for start in range(0, 128, 32):
        left = tl.load(a + m[:, None] * 128 + (start + k)[None, :])
        right = tl.load(b + (start + k)[:, None] * 64 + m[None, :])
        sums = tl.dot(left, right, sums, input_precision="ieee")  # slow, kind: threads
    tl.store(c + m[:, None] * 64 + m[None, :], sums)


@triton.jit
def atomic_each_time(dy, db):
    """--grid=4 --arg dy=randn:fp32[64,256] --arg db=zeros:fp32[256]"""
    columns = tl.arange(0, 256)
    for row in range(16):
        value = tl.load(dy + (tl.program_id(0) * 16 + row) * 256 + columns)
        tl.atomic_add(db + columns, value)  # slow, kind: atomics


@triton.jit
def few_channels(x, y, steps):
    """--grid=2 --arg x=randn:fp32[64,64] --arg y=empty:fp32[64,64] --arg steps=64"""
    channel = tl.program_id(0) * 32 + tl.arange(0, 32)
    state = tl.full((32,), 0.0, tl.float32)
    for t in range(steps):
        state = state * 0.5 + tl.load(x + t * 64 + channel)  # slow, kind: idle
        tl.store(y + t * 64 + channel, state)


@triton.jit
def conditional_blocks(a, b, use, c, blocks):
    """--grid=1 --arg a=randn:fp16[64,64] --arg b=randn:fp16[4,64,64] --arg use=randint(1,1):i32[4] --arg c=empty:fp16[64,64] --arg blocks=4"""
    m = tl.arange(0, 64)
    left = tl.load(a + m[:, None] * 64 + m[None, :])
    sums = tl.zeros((64, 64), tl.float32)
    for block in range(blocks):  # slow, kind: unpipelined
        if tl.load(use + block) != 0:
            sums = tl.dot(left, tl.load(b + block * 4096 + m[:, None] * 64 + m[None, :]), sums)
    tl.store(c + m[:, None] * 64 + m[None, :], sums.to(tl.float16))


@triton.jit
def codes(book, index, out):
    """--grid=4 --arg book=randn:fp32[1024] --arg index=randint(0,31):i32[4096] --arg out=empty:fp32[4096]"""
    i = tl.arange(0, 1024)
    entries = tl.load(book + i)
    index = tl.load(index + tl.program_id(0) * 1024 + i)
    value = tl.gather(entries, (i % 32) * 32 + index, axis=0)  # slow, kind: conflicts
    tl.store(out + tl.program_id(0) * 1024 + i, value)


@triton.jit(do_not_specialize=["stride"])
def plain_stride(x, y, stride):
    """--grid=16 --arg x=randn:fp16[16384] --arg y=empty:fp16[16384] --arg stride=1"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    value = tl.load(x + i * stride)  # slow, kind: narrow
    tl.store(y + i, value)


@triton.jit
def small_product(a, b, c):
    """--grid=16 --num-warps=8 --arg a=randn:fp16[16,16,16] --arg b=randn:fp16[16,16,16] --arg c=empty:fp32[16,16,16]"""
    at = tl.program_id(0) * 256 + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    left = tl.load(a + at)
    right = tl.load(b + at)
    sums = tl.dot(left, right)  # slow, kind: idle
    tl.store(c + at, sums)


@triton.jit
def step_of_64_bits(x, y, step):
    """--grid=4 --arg x=randn:fp32[4096] --arg y=empty:fp32[4096] --arg step=7"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    rate = 1.0 - tl.exp(step.to(tl.float64) * -0.001)  # slow, kind: fp64
    tl.store(y + i, (tl.load(x + i) / rate).to(tl.float32))


@triton.jit
def wide_tile(table, rows, out, dim, BLOCK: tl.constexpr):
    """--grid=32 --num-warps=8 --arg table=randn:fp32[64,200] --arg rows=randint(0,63):i32[32] --arg out=zeros:fp32[32,200] --arg dim=200 -D BLOCK=2048"""
    row = tl.load(rows + tl.program_id(0))
    d = tl.arange(0, BLOCK)
    value = tl.load(table + row * dim + d, mask=d < dim)  # slow, kind: masked
    tl.store(out + tl.program_id(0) * dim + d, value * 2.0, mask=d < dim)


@triton.jit
def few_rows_of_a_product(x, w, y, M, K):
    """--grid=2 --arg x=randn:fp16[3,256] --arg w=randn:fp16[256,128] --arg y=zeros:fp16[3,128] --arg M=3 --arg K=256"""
    m = tl.arange(0, 64)
    n = tl.program_id(0) * 64 + tl.arange(0, 64)
    k = tl.arange(0, 64)
    sums = tl.zeros((64, 64), tl.float32)
    for start in range(0, K, 64):
        rows = tl.load(x + m[:, None] * K + start + k[None, :], mask=m[:, None] < M, other=0.0)  # slow, kind: masked
        sums = tl.dot(rows, tl.load(w + (start + k)[:, None] * 128 + n[None, :]), sums)
    tl.store(y + m[:, None] * 128 + n[None, :], sums.to(tl.float16), mask=m[:, None] < M)


@triton.jit
def change_of_each_element(dy, db):
    """--grid=4 --arg dy=randn:fp32[256,64] --arg db=zeros:fp32[64]"""
    row = tl.program_id(0) * 64 + tl.arange(0, 64)
    column = tl.arange(0, 64)
    value = tl.load(dy + row[:, None] * 64 + column[None, :])
    tl.atomic_add(db + column[None, :] + row[:, None] * 0, value)  # slow, kind: atomics


@triton.jit
def factors_of_each_head(q, factors, heads):
    """--grid=16 --num-warps=1 --arg q=randn:fp16[16,8,64] --arg factors=randn:fp32[16,64] --arg heads=8"""
    token = tl.program_id(0)
    d = tl.arange(0, 64)
    for head in range(heads):
        at = q + (token * heads + head) * 64 + d
        factor = tl.load(factors + token * 64 + d)  # slow, kind: repeated
        tl.store(at, (tl.load(at) * factor).to(tl.float16))


@triton.jit
def row_in_memory(x, scratch, out, steps):
    """--grid=8 --arg x=randn:fp32[8,512] --arg scratch=zeros:fp32[8,512] --arg out=zeros:fp32[8,16] --arg steps=16"""
    row = tl.program_id(0)
    column = tl.arange(0, 512)
    tl.store(scratch + row * 512 + column, tl.load(x + row * 512 + column))
    for step in range(steps):
        value = tl.load(scratch + row * 512 + column)  # slow, kind: repeated
        most = tl.max(value, axis=0)
        tl.store(out + row * steps + step, most)
        tl.store(scratch + row * 512 + column, tl.where(value == most, float("-inf"), value))


@triton.jit
def sum_of_each_part(w, x, y, K):
    """--grid=8 --arg w=randn:fp32[64,1024] --arg x=randn:fp32[1024] --arg y=zeros:fp32[64] --arg K=1024"""
    row = tl.program_id(0) * 8 + tl.arange(0, 8)
    k = tl.arange(0, 128)
    sums = tl.zeros((8,), tl.float32)
    for start in range(0, K, 128):
        part = tl.load(w + row[:, None] * K + start + k[None, :]) * tl.load(x + start + k)[None, :]
        sums += tl.sum(part, axis=1)  # slow, kind: reduced
    tl.store(y + row, sums)


@triton.jit
def one_after_the_other(x, y, n, decay):
    """--grid=8 --arg x=randn:fp32[8,64] --arg y=zeros:fp32[8,64] --arg n=64 --arg decay=0.9"""
    row = tl.program_id(0)
    state = 0.0
    for i in range(n):
        state = decay * state + tl.load(x + row * n + i)  # slow, kind: idle
        tl.store(y + row * n + i, state)


@triton.jit
def scale_of_64_bits(x, scale, y):
    """--grid=4 --arg x=randn:fp16[4096] --arg scale=full(0.5):fp64[1] --arg y=zeros:fp16[4096]"""
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    factor = tl.load(scale)  # slow, kind: fp64
    value = tl.load(x + i).to(tl.float32) * factor
    tl.store(y + i, (value / (1.0 + tl.exp(-value))).to(tl.float16))


@triton.jit
def nearest(x, y, size, wanted):
    """--grid=8 --arg x=randn:fp16[640] --arg y=zeros:fp16[8192] --arg size=640 --arg wanted=8192"""
    i = tl.program_id(0).to(tl.int64) * 1024 + tl.arange(0, 1024)
    at = (2 * i + 1) * size // (2 * wanted)  # slow, kind: int64
    tl.store(y + i, tl.load(x + at))


@triton.jit
def weights_of_32_bits(w, v, o):
    """--grid=4 --arg w=randn:fp32[4,64,64] --arg v=randn:fp16[4,64,64] --arg o=zeros:fp32[4,64,64]"""
    m = tl.arange(0, 64)
    at = tl.program_id(0) * 4096 + m[:, None] * 64 + m[None, :]
    weights = tl.exp(tl.load(w + at))
    values = tl.load(v + at).to(tl.float32)
    tl.store(o + at, tl.dot(weights, values))  # slow, kind: widened


@triton.jit
def two_forms_of_a_load(a, b, c, K):
    """--grid=4 --arg a=randn:fp16[64,200] --arg b=randn:fp16[200,256] --arg c=zeros:fp32[64,256] --arg K=200"""
    m = tl.arange(0, 64)
    n = tl.program_id(0) * 64 + tl.arange(0, 64)
    k = tl.arange(0, 32)
    sums = tl.zeros((64, 64), tl.float32)
    for start in range(0, K, 32):  # slow, kind: unpipelined
        if start + 32 <= K:
            left = tl.load(a + m[:, None] * K + start + k[None, :])
            right = tl.load(b + (start + k)[:, None] * 256 + n[None, :])
        else:
            left = tl.load(a + m[:, None] * K + start + k[None, :], mask=k[None, :] < K - start, other=0.0)
            right = tl.load(b + (start + k)[:, None] * 256 + n[None, :], mask=k[:, None] < K - start, other=0.0)
        sums = tl.dot(left, right, sums)
    tl.store(c + m[:, None] * 256 + n[None, :], sums)


@triton.jit
def every_key(q, k, v, o, N):
    """--grid=4 --arg q=randn:fp16[256,64] --arg k=randn:fp16[256,64] --arg v=randn:fp16[256,64] --arg o=zeros:fp32[256,64] --arg N=256"""
    m = tl.program_id(0) * 64 + tl.arange(0, 64)
    n = tl.arange(0, 64)
    rows = tl.load(q + m[:, None] * 64 + n[None, :])
    sums = tl.zeros((64, 64), tl.float32)
    for first in range(0, N, 64):  # slow, kind: masked
        keys = tl.load(k + (first + n)[None, :] * 64 + n[:, None])
        scores = tl.where(m[:, None] >= (first + n)[None, :], tl.dot(rows, keys), 0.0)
        sums = tl.dot(scores.to(tl.float16), tl.load(v + (first + n)[:, None] * 64 + n[None, :]), sums)
    tl.store(o + m[:, None] * 64 + n[None, :], sums)


@triton.jit
def mean_of_each_group(x, y, S):
    """--grid=32 --arg x=randn:fp32[32,1024] --arg y=zeros:fp32[32,1024] --arg S=1024"""
    channel = tl.program_id(0)
    group = channel // 8
    i = tl.arange(0, 1024)
    sums = tl.zeros((1024,), tl.float32)
    for first in range(0, 8 * S, 1024):
        sums += tl.load(x + group * 8 * S + first + i)
    mean = tl.sum(sums, axis=0) / (8 * S)  # slow, kind: repeated
    tl.store(y + channel * S + i, tl.load(x + channel * S + i) - mean)


@triton.jit
def changes_of_each_row(x, sums, rows):
    """--grid=8 --arg x=randn:fp32[64,1024] --arg sums=zeros:fp32[1024] --arg rows=8"""
    column = tl.arange(0, 1024)
    first = tl.program_id(0) * rows
    for row in range(first, first + rows):
        tl.atomic_add(sums + column, tl.load(x + row * 1024 + column))  # slow, kind: atomics


@triton.jit
def an_element_a_thread(p, g, m, rate):
    """--grid=64 --arg p=randn:fp32[8192] --arg g=randn:fp32[8192] --arg m=randn:fp32[8192] --arg rate=0.1"""
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    mean = tl.load(m + i) * 0.9 + tl.load(g + i) * 0.1
    tl.store(m + i, mean)
    tl.store(p + i, tl.load(p + i) - rate * mean)  # slow, kind: narrow
