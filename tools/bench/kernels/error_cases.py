"""The cases of `tegula bench --errors`: every matrix kernel and type on shapes that its blocks do not divide.

A side is `blocks * BLOCK + 1`, `blocks * BLOCK + BLOCK - 1` or something odd between, in every pair of such for M
and N; then sides that are multiples of 16, for which copies are wide, and sides of 1. All odd sides share one compiled
variant.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cases import Case, Config, Entry, Setting, Shape
from product_kernels import add_product, cube_of, product_kernels, tiles

BEHIND = ("one", "last", "between")  # how far a side ends behind a multiple of its block
HEADS, BATCH, MANY = 3, 5, 131
ENTRIES = {entry.name: entry for entry in product_kernels()}


def ragged(draw: random.Random, block: int, behind: str, most: int, least: int = 1) -> int:
    """An odd side of `least` to `most` blocks and a part of one."""
    rest = {"one": 1, "last": block - 1, "between": 2 * draw.randrange(1, block // 2 - 1) + 1}[behind]
    return draw.randint(least, most) * block + rest


def product_shapes(draw: random.Random, blocks: Shape) -> list[Shape]:
    """(M, N, K) for blocks of m, n, k; K is some hundred long, whatever its block."""
    m, n, k = blocks
    shapes = []
    for i in range(9):  # of three ways for three sides, all pairs
        shapes.append((ragged(draw, m, BEHIND[i % 3], 2), ragged(draw, n, BEHIND[i // 3], 2),
                       ragged(draw, k, BEHIND[(i + i // 3) % 3], 640 // k, max(1, 64 // k))))
    odd_m, odd_n, odd_k = shapes[4]
    wide_n, wide_k = n + 16 * draw.randrange(1, n // 16), 5 * k + 16 * draw.randrange(1, max(2, k // 16))
    return [*shapes, (odd_m, wide_n, wide_k), (odd_m, odd_n, wide_k), (odd_m, wide_n, odd_k), (1, odd_n, odd_k),
            (odd_m, 1, odd_k), (odd_m, odd_n, 1)]


def blocked(blocks: Shape, warps: int = 4, stages: int = 3, **values: Any) -> Config:
    return Config({**dict(zip(("BLOCK_M", "BLOCK_N", "BLOCK_K"), blocks)), **values}, warps, stages)


def case_of(entry: Entry, dtype: str, shape: Shape, config: Config, precision: str = "") -> Case:
    """The entry's case with one config."""
    case = entry.case(dtype, shape, Setting(lambda file, kernel: [config], heads=HEADS))
    case.library = "product" if case.library == "batched product" else case.library or "perceptron"
    case.precision = precision
    return case


def fill_plain(case: Case, setting: Setting) -> None:
    """The kernel with a grid of two dimensions, which the catalogue has none of."""
    add_product(case)
    m, n, _ = case.shape
    case.configs = [config.at(*tiles(config, m, n)) for config in setting.configs_of(case.file, case.kernel)]


PLAIN = Entry("matmul", "matmul", "matmul_kernel", "MxNxK", (), (), (), cube_of, fill_plain)


def matmul_cases(draw: random.Random) -> Iterator[Case]:
    for dtype, precision, blocks in (("fp16", "", (128, 128, 64)), ("bf16", "", (128, 128, 64)),
                                     ("fp32", "tf32", (64, 64, 32)), ("fp32", "tf32x3", (64, 64, 16)),
                                     ("fp32", "ieee", (64, 64, 16))):
        values: dict[str, Any] = {"PRECISION": precision} if precision else {}
        for shape in product_shapes(draw, blocks):
            yield case_of(PLAIN, dtype, shape, blocked(blocks, **values), precision)
    grouped = replace(ENTRIES["matmul"], name="matmul_grouped")
    for dtype in ("fp16", "bf16"):
        for shape in product_shapes(draw, (64, 64, 64)):
            yield case_of(grouped, dtype, shape, blocked((64, 64, 64), GROUP_M=2))


def quantized_cases(draw: random.Random, name: str) -> Iterator[Case]:
    blocks = (128, 128, 128)
    for dtype in ("i8",) if name == "int8_matmul" else ("fp8e4nv", "fp8e5"):
        for shape in product_shapes(draw, blocks):
            yield case_of(ENTRIES[name], dtype, shape, blocked(blocks, 8))


def batched_cases(draw: random.Random) -> Iterator[Case]:
    for dtype, blocks in (("fp16", (128, 128, 64)), ("bf16", (128, 128, 64)), ("fp32", (64, 64, 32))):
        for shape in product_shapes(draw, blocks):
            if dtype == "fp32" and 1 in shape:
                continue  # where PyTorch leaves tf32, and is exact or nearly so
            yield case_of(ENTRIES["batched_matmul"], dtype, (BATCH, *shape), blocked(blocks),
                          "tf32" if dtype == "fp32" else "")


def small_batched_cases(draw: random.Random) -> Iterator[Case]:
    """Matrices that lie in one block, and a number of them that programs share unevenly."""
    for dtype in ("fp16", "bf16"):
        for block in (16, 32, 64):
            odd = [draw.randrange(block // 2 + 1, block, 2) for _ in range(9)]
            for shape in ((block,) * 3, tuple(odd[:3]), (1, *odd[3:5]), (odd[5], 1, odd[6]), (*odd[7:], 1)):
                case = case_of(ENTRIES["small_batched_matmul"], dtype, (MANY, *shape), Config({}))
                shared, = (config for config in case.configs if config.values["BATCH"] == 4)
                case.configs = [shared.at(*shared.grid, **blocked((block,) * 3).values)]
                yield case


def attention_cases(draw: random.Random, name: str) -> Iterator[Case]:
    block_m, block_n = 128, 64
    for dtype in ("fp16", "bf16"):
        for size in (32, 64, 128):
            lengths = [ragged(draw, block, behind, 5) for block in (block_m, block_n) for behind in BEHIND]
            for length in (*lengths, 1, block_n - 1, block_n + 1, 6 * block_n + 16, 3 * block_n):
                yield case_of(ENTRIES[name], dtype, (size, length), blocked((block_m, block_n), 8, 2))


def perceptron_cases(draw: random.Random) -> Iterator[Case]:
    block_m, block_h, block_in, block_out = 64, 64, 128, 128
    for dtype in ("fp16", "bf16", "fp32"):
        # The inputs lie in one block; the others are blocks and a part.
        shapes = [(ragged(draw, block_m, BEHIND[i % 3], 3), (65, block_in - 1, 99)[(i + i // 3) % 3],
                   ragged(draw, block_h, BEHIND[i // 3], 6), ragged(draw, block_out, BEHIND[(2 * i + i // 3) % 3], 1))
                  for i in range(9)]
        for shape in (*shapes, (77, 112, 208, 144), (77, 112, 1, 145)):
            config = Config({"BLOCK_M": block_m, "BLOCK_H": block_h}, 8, 2)
            case = case_of(ENTRIES["perceptron"], dtype, shape, config, "tf32" if dtype == "fp32" else "")
            case.factors = {"w1_ptr": shape[1] ** -0.5, "w2_ptr": shape[2] ** -0.5}
            yield case


def chosen_cases(kernels: list[str], dtypes: list[str]) -> list[Case]:
    """The cases of the bench's `kernels` and of `dtypes`, or all types where that is empty."""
    draw = random.Random(4)
    made = {"matmul": [*matmul_cases(draw)], "batched_matmul": [*batched_cases(draw)],
            **{name: [*quantized_cases(draw, name)] for name in ("int8_matmul", "fp8_matmul")},
            **{name: [*attention_cases(draw, name)] for name in ("attention", "attention_causal")},
            "perceptron": [*perceptron_cases(draw)], "small_batched_matmul": [*small_batched_cases(draw)]}
    return [case for name in made if name in kernels for case in made[name] if not dtypes or case.dtype in dtypes]
