"""What `tegula bench --errors` runs: every matrix kernel and type on shapes that its blocks do not divide.

A side is `blocks * BLOCK + 1`, `blocks * BLOCK + BLOCK - 1` or something odd between, in every pair of such for M
and N; then sides that are multiples of 16, for which copies are wide, and sides of 1. All odd sides share one compiled
variant.
"""

import random

from cases import Case, Config, Tensor, ceildiv

BEHIND = ("one", "last", "between")  # how far a side ends behind a multiple of its block


def ragged(draw, block, behind, most, least=1):
    """An odd side of `least` to `most` blocks and a part of one."""
    rest = {"one": 1, "last": block - 1, "between": 2 * draw.randrange(1, block // 2 - 1) + 1}[behind]
    return draw.randint(least, most) * block + rest


def product_shapes(draw, m, n, k):
    """(M, N, K) for blocks of m, n, k; K is some hundred long, whatever its block."""
    shapes = []
    for i in range(9):  # of three ways for three sides, all pairs
        shapes.append((ragged(draw, m, BEHIND[i % 3], 2), ragged(draw, n, BEHIND[i // 3], 2),
                       ragged(draw, k, BEHIND[(i + i // 3) % 3], 640 // k, max(1, 64 // k))))
    odd_m, odd_n, odd_k = shapes[4]
    wide_n, wide_k = n + 16 * draw.randrange(1, n // 16), 5 * k + 16 * draw.randrange(1, max(2, k // 16))
    return shapes + [(odd_m, wide_n, wide_k), (odd_m, odd_n, wide_k), (odd_m, wide_n, odd_k), (1, odd_n, odd_k),
                     (odd_m, 1, odd_k), (odd_m, odd_n, 1)]


def product_case(name, file, entry, dtype, shape, blocks, *, out=None, programs=None, columns=False, more=(),
                 scalars=None, constants=(), precision="", warps=4, stages=3):
    """`more` stands behind c in the kernel's order of arguments, `scalars` behind K."""
    m, n, k = shape
    b = Tensor(dtype, (n, k) if columns else (k, n))
    strides = {"stride_bk": 1, "stride_bn": k} if columns else {"stride_bk": n, "stride_bn": 1}
    arguments = {"a_ptr": Tensor(dtype, (m, k)), "b_ptr": b, "c_ptr": Tensor(out or dtype, (m, n), "nan"),
                 **dict(more), "M": m, "N": n, "K": k, **(scalars or {}), "stride_am": k, "stride_ak": 1, **strides,
                 "stride_cm": n, "stride_cn": 1}
    tiles = (ceildiv(m, blocks[0]), ceildiv(n, blocks[1]))
    values = tuple(zip(("BLOCK_M", "BLOCK_N", "BLOCK_K"), blocks)) + tuple(constants)
    return Case(name, file, entry, dtype, shape, arguments, "c_ptr",
                [Config(values, warps, programs(tiles) if programs else tiles, stages)], library="product",
                precision=precision)


def matmul_cases(draw):
    for dtype, precision, blocks in (("fp16", "", (128, 128, 64)), ("bf16", "", (128, 128, 64)),
                                     ("fp32", "tf32", (64, 64, 32)), ("fp32", "tf32x3", (64, 64, 16)),
                                     ("fp32", "ieee", (64, 64, 16))):
        constants = (("PRECISION", precision),) if precision else ()
        for shape in product_shapes(draw, *blocks):
            yield product_case("matmul", "matmul", "matmul_kernel", dtype, shape, blocks, constants=constants,
                               precision=precision)


def grouped_cases(draw):
    blocks = (64, 64, 64)
    for dtype in ("fp16", "bf16"):
        for shape in product_shapes(draw, *blocks):
            yield product_case("matmul_grouped", "matmul", "matmul_grouped_kernel", dtype, shape, blocks,
                               programs=lambda tiles: (tiles[0] * tiles[1],), more=(("bias_ptr", None),),
                               constants=(("GROUP_M", 2),))


def quantized_cases(draw, name):
    blocks = (128, 128, 128)
    for dtype in ("i8",) if name == "int8_matmul" else ("fp8e4nv", "fp8e5"):
        for shape in product_shapes(draw, *blocks):
            if dtype == "i8":
                rest = dict(out="i32", more=(("row_scale_ptr", None), ("column_scale_ptr", None)))
            else:
                rest = dict(out="fp16", scalars={"scale": 0.5})
            yield product_case(name, "quantized_matmul", f"{name}_kernel", dtype, shape, blocks, columns=True, warps=8,
                               **rest)


def batched_case(name, dtype, shape, blocks, programs, *, scalars=None, constants=()):
    """`scalars` stands before M."""
    batch, m, n, k = shape
    arguments = {"a_ptr": Tensor(dtype, (batch, m, k)), "b_ptr": Tensor(dtype, (batch, k, n)),
                 "c_ptr": Tensor(dtype, (batch, m, n), "nan"), **(scalars or {}), "M": m, "N": n, "K": k,
                 "stride_ab": m * k, "stride_am": k, "stride_ak": 1, "stride_bb": k * n, "stride_bk": n,
                 "stride_bn": 1, "stride_cb": m * n, "stride_cm": n, "stride_cn": 1}
    values = tuple(zip(("BLOCK_M", "BLOCK_N", "BLOCK_K"), blocks)) + tuple(constants)
    return Case(name, "batched_matmul", f"{name}_kernel", dtype, shape, arguments, "c_ptr",
                [Config(values, 4, programs, 3)], library="product", precision="tf32" if dtype == "fp32" else "")


def batched_cases(draw):
    batch = 5
    for dtype, blocks in (("fp16", (128, 128, 64)), ("bf16", (128, 128, 64)), ("fp32", (64, 64, 32))):
        for m, n, k in product_shapes(draw, *blocks):
            if dtype == "fp32" and 1 in (m, n, k):
                continue  # where PyTorch leaves tf32, and is exact or nearly so
            programs = (ceildiv(m, blocks[0]) * ceildiv(n, blocks[1]), batch)
            yield batched_case("batched_matmul", dtype, (batch, m, n, k), blocks, programs)


def small_batched_cases(draw):
    """Matrices that lie in one block, and a number of them that programs share unevenly."""
    batch, each = 131, 4
    for dtype in ("fp16", "bf16"):
        for block in (16, 32, 64):
            odd = lambda: draw.randrange(block // 2 + 1, block, 2)
            for m, n, k in ((block, block, block), (odd(), odd(), odd()), (1, odd(), odd()), (odd(), 1, odd()),
                            (odd(), odd(), 1)):
                yield batched_case("small_batched_matmul", dtype, (batch, m, n, k), (block, block, block),
                                   (ceildiv(batch, each),), scalars={"batches": batch}, constants=(("BATCH", each),))


def attention_cases(draw, causal):
    block_m, block_n, heads = 128, 64, 3
    for dtype in ("fp16", "bf16"):
        for size in (32, 64, 128):
            lengths = [ragged(draw, block, behind, 5) for block in (block_m, block_n) for behind in BEHIND]
            lengths += [1, block_n - 1, block_n + 1, 6 * block_n + 16, 3 * block_n]
            for length in lengths:
                shape = (heads, length, size)
                arguments = {f"{x}_ptr": Tensor(dtype, shape) for x in "qkv"}
                arguments |= {"o_ptr": Tensor(dtype, shape, "nan"), "lse_ptr": Tensor("fp32", shape[:2], "nan"),
                              "stride_head": length * size, "stride_row": size, "N": length, "scale": size ** -0.5}
                values = (("BLOCK_M", block_m), ("BLOCK_N", block_n), ("D", size), ("CAUSAL", causal),
                          ("EVEN_N", length % block_n == 0))
                yield Case("attention_causal" if causal else "attention", "attention", "attention_kernel", dtype, shape,
                           arguments, "o_ptr", [Config(values, 8, (ceildiv(length, block_m), heads), 2)],
                           library="causal attention" if causal else "attention")


def perceptron_cases(draw):
    block_m, block_h, block_in, block_out = 64, 64, 128, 128
    for dtype in ("fp16", "bf16", "fp32"):
        # The inputs lie in one block; the others are blocks and a part.
        shapes = [(ragged(draw, block_m, BEHIND[i % 3], 3), (65, block_in - 1, 99)[(i + i // 3) % 3],
                   ragged(draw, block_h, BEHIND[i // 3], 6), ragged(draw, block_out, BEHIND[(2 * i + i // 3) % 3], 1))
                  for i in range(9)]
        for m, inputs, hidden, outputs in shapes + [(77, 112, 208, 144), (77, 112, 1, 145)]:
            arguments = {"x_ptr": Tensor(dtype, (m, inputs)), "w1_ptr": Tensor(dtype, (inputs, hidden)),
                         "b1_ptr": Tensor(dtype, (hidden,)), "w2_ptr": Tensor(dtype, (hidden, outputs)),
                         "b2_ptr": Tensor(dtype, (outputs,)), "y_ptr": Tensor(dtype, (m, outputs), "nan"), "M": m,
                         "IN": inputs, "HIDDEN": hidden, "OUT": outputs}
            values = (("BLOCK_M", block_m), ("BLOCK_IN", block_in), ("BLOCK_H", block_h), ("BLOCK_OUT", block_out))
            programs = (ceildiv(m, block_m), ceildiv(outputs, block_out))
            yield Case("perceptron", "perceptron", "perceptron_kernel", dtype, (m, inputs, hidden, outputs), arguments,
                       "y_ptr", [Config(values, 8, programs, 2)], library="perceptron",
                       precision="tf32" if dtype == "fp32" else "",
                       factors={"w1_ptr": inputs ** -0.5, "w2_ptr": hidden ** -0.5})


def chosen_cases(kernels, dtypes):
    """The cases of the bench's `kernels` and of `dtypes`, or all types where that is empty."""
    draw = random.Random(4)
    makers = {"matmul": lambda d: [*matmul_cases(d), *grouped_cases(d)], "batched_matmul": batched_cases,
              "int8_matmul": lambda d: quantized_cases(d, "int8_matmul"),
              "fp8_matmul": lambda d: quantized_cases(d, "fp8_matmul"),
              "attention": lambda d: attention_cases(d, False),
              "attention_causal": lambda d: attention_cases(d, True), "perceptron": perceptron_cases,
              "small_batched_matmul": small_batched_cases}
    cases = [(name, case) for name, make in makers.items() for case in make(draw)]  # the same whatever is chosen
    return [case for name, case in cases if name in kernels and (not dtypes or case.dtype in dtypes)]
