"""Two products whose sums begin alike: of one row of tiles with two matrices, in one loop or in two."""

import triton
import triton.language as tl


@triton.jit
def gated(x_ptr, w_ptr, v_ptr, y_ptr, K, stride_x, stride_w, stride_y, LOOPS: tl.constexpr, BLOCK_M: tl.constexpr,
          BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    gate = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    value = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    x_ptrs = x_ptr + m[:, None] * stride_x + k[None, :]
    w_ptrs = w_ptr + k[:, None] * stride_w + n[None, :]
    v_ptrs = v_ptr + k[:, None] * stride_w + n[None, :]
    for first in range(0, K, BLOCK_K):
        x = tl.load(x_ptrs + first)
        gate = tl.dot(x, tl.load(w_ptrs + first * stride_w), gate)
        if LOOPS == 1:
            value = tl.dot(x, tl.load(v_ptrs + first * stride_w), value)
    if LOOPS == 2:
        for first in range(0, K, BLOCK_K):
            value = tl.dot(tl.load(x_ptrs + first), tl.load(v_ptrs + first * stride_w), value)
    y = gate * tl.sigmoid(gate) * value
    tl.store(y_ptr + m[:, None] * stride_y + n[None, :], y.to(y_ptr.dtype.element_ty))
