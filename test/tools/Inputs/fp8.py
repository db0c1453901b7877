# Every number of eight bits as a wider one, and numbers of all sizes as one of eight bits.
import triton
import triton.language as tl


@triton.jit
def widen(half_ptr, brain_ptr, single_ptr, KIND: tl.constexpr):
    i = tl.arange(0, 256)
    x = i.to(tl.uint8).to(KIND, bitcast=True)
    half = x.to(tl.float16)
    brain = x.to(tl.bfloat16)
    single = x.to(tl.float32)
    # The NaN that comes out is not specified.
    tl.store(half_ptr + i, tl.where(half == half, half, -0.0))
    tl.store(brain_ptr + i, tl.where(half == half, brain, -0.0))
    tl.store(single_ptr + i, tl.where(half == half, single, -0.0))


@triton.jit
def narrow(out_ptr, BLOCK: tl.constexpr):
    # All numbers of fp16, and fp32 numbers around all the places where rounding turns.
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    half = i.to(tl.uint16).to(tl.float16, bitcast=True)
    tl.store(out_ptr + i, half.to(out_ptr.dtype.element_ty))
    for noise in tl.static_range(4):
        low: tl.constexpr = (0, 1, 0x8000, 0xFFFF)[noise]
        single = ((i << 16) | low).to(tl.float32, bitcast=True)
        tl.store(out_ptr + (1 + noise) * 65536 + i, single.to(out_ptr.dtype.element_ty))
        tl.store(out_ptr + (5 + noise) * 65536 + i,
                 single.to(out_ptr.dtype.element_ty, fp_downcast_rounding="rtz"))


@triton.jit
def rowwise(x_ptr, y_ptr, sum_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.arange(0, ROWS)
    columns = tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + rows[:, None] * COLUMNS + columns[None, :])
    # Through other layouts, in bytes.
    tl.store(y_ptr + columns[:, None] * ROWS + rows[None, :], tl.trans(x * 2 + 1))
    tl.store(sum_ptr + rows, tl.max(x, axis=1).to(tl.float32) + tl.sum(x.to(tl.float32), axis=1))


@triton.jit
def scalars(x_ptr, y_ptr, a, n):
    x = tl.load(x_ptr)
    for i in range(n):
        x = tl.where(x < a, x + a, x)
    tl.store(y_ptr, x)
