"""The cases of `idioms.py`: kernels of `idiom_kernels.py` on arguments of sizes that models have."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable

import torch
from cases import ceildiv

Grid = tuple[int, ...]
Arguments = list[Any]


@dataclasses.dataclass
class Case:
    name: str  # the kernel's, and words that tell its cases apart
    #: A function of the arguments where these decide how many programs there are.
    grid: Grid | Callable[[Arguments], Grid]
    #: A function, so that the memory of one case is free when the next begins.
    arguments: Callable[[], Arguments]
    #: Places of the arguments that have to agree. Empty where equal elements may be told in another order, or where each
    #: launch changes what it has found.
    results: tuple[int, ...]
    warps: int = 4
    stages: int = 3
    #: How large the difference may be, relative to the results, both in the 2-norm.
    tolerance: float = 1e-2
    constexprs: dict[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def kernel(self) -> str:
        return self.name.partition(" ")[0]

    def grid_on(self, arguments: Arguments) -> Grid:
        return self.grid(arguments) if callable(self.grid) else self.grid


def case(grid: Grid, results: tuple[int, ...], warps: int = 4, stages: int = 3, tolerance: float = 1e-2,
         **constexprs: Any) -> Callable[[Callable[[], Arguments]], Case]:
    """Makes the only case of a kernel of a function that has its name and returns its arguments."""
    return lambda arguments: Case(arguments.__name__, grid, arguments, results, warps, stages, tolerance, constexprs)


#--- tensors ---


def random_normal(*shape: int, dtype: torch.dtype = torch.bfloat16) -> torch.Tensor:
    """Returns normal numbers; fp8 is rounded from bf16, since PyTorch draws none."""
    if dtype.itemsize == 1:
        return random_normal(*shape).to(dtype)
    return torch.randn(shape, device="cuda", dtype=dtype)


def random_uniform(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.rand(shape, device="cuda").to(dtype)


def random_integers(low: int, high: int, *shape: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    return torch.randint(low, high, shape, device="cuda", dtype=dtype)


def zeros(*shape: int, dtype: torch.dtype = torch.bfloat16) -> torch.Tensor:
    return torch.zeros(shape, device="cuda", dtype=dtype)


#--- rows and elements ---

#: Elements of what has no rows.
ELEMENTS = 1 << 26


@case((8192, 1), (3,), D=128, BLOCK_H=32)
def rope() -> Arguments:
    angles = random_normal(8192, 64, dtype=torch.float32)
    return [random_normal(8192, 32, 128), angles.cos(), angles.sin(), zeros(8192, 32, 128), 8192, 32]


def swiglu_backward(warps: int) -> Case:
    def arguments() -> Arguments:
        return [*(random_normal(8192, 11008) for _ in range(3)), *(zeros(8192, 11008) for _ in range(2)), 11008, 11008]

    return Case(f"swiglu_backward {warps} warps", (8192,), arguments, (3, 4), warps, constexprs={"BLOCK": 16384})


@case((1024,), (0, 6, 7), 8, BLOCK=4096, ROWS=8)
def layernorm_backward() -> Arguments:
    x = random_normal(8192, 4096)
    return [zeros(8192, 4096), random_normal(8192, 4096), random_normal(4096), x, x.float().mean(1), 1 / x.float().std(1),
            *(zeros(1024, 4096, dtype=torch.float32) for _ in range(2)), 4096]


@case((ELEMENTS // 1024,), (1,), BLOCK=1024)
def dropout() -> Arguments:
    return [random_normal(ELEMENTS), zeros(ELEMENTS), ELEMENTS, 0.3, 123]


@case((32 * 32,), (3,), 8, BLOCK=4096)
def group_norm() -> Arguments:
    return [random_normal(32, 512, 64 * 64), *(random_normal(512, dtype=torch.float32) for _ in range(2)),
            zeros(32, 512, 64 * 64), 512, 64 * 64, 16, 1e-5]


@case((16384,), (2,), BLOCK=4096)
def quantize_rows() -> Arguments:
    """Compares scales alone: a quotient that is rounded otherwise may become the next number of fp8."""
    rounded, scales = zeros(16384, 4096, dtype=torch.float8_e4m3fn), zeros(16384, dtype=torch.float32)
    return [random_normal(16384, 4096), rounded, scales, 4096]


@case((ELEMENTS // 1024,), (), BLOCK=1024)
def adam() -> Arguments:
    p, m, v = (random_normal(ELEMENTS, dtype=torch.float32) for _ in range(3))
    return [p, random_normal(ELEMENTS), m, v.abs_(), 1e-3, 0.9, 0.999, 1e-8, 0.01, 0.5, 0.5, ELEMENTS]


#--- scans, sorting, extrema ---


@case((8192,), (1,), tolerance=3e-2, BLOCK=4096)
def row_cumsum() -> Arguments:
    return [random_normal(8192, 4096), zeros(8192, 4096, dtype=torch.float32), 4096]


def recurrence() -> Arguments:
    """Factors below 1, so that states stay bounded."""
    return [random_uniform(8, 2048, 2048, dtype=torch.bfloat16), random_normal(8, 2048, 2048),
            zeros(8, 2048, 2048, dtype=torch.float32), 2048, 2048]


linear_scan = Case("linear_scan", (8, 2048 // 64), recurrence, (2,), constexprs={"BLOCK_T": 64, "BLOCK_C": 64})
sequential_scan = Case("sequential_scan", (8, 2048 // 128), recurrence, (2,), constexprs={"BLOCK_C": 128})


@case((16384,), (1,), BLOCK=1024)
def row_sort() -> Arguments:
    return [random_normal(16384, 1024, dtype=torch.float32), zeros(16384, 1024, dtype=torch.float32), 1024]


@case((8192,), (), BLOCK=4096)
def row_argmax() -> Arguments:
    """Compares nothing: rows of bf16 have several largest elements."""
    return [random_normal(8192, 32000), zeros(8192, dtype=torch.int32), 32000]


#--- gathers and scatters ---


@case((16384,), (2,), BLOCK=4096)
def embedding() -> Arguments:
    return [random_integers(0, 32000, 16384), random_normal(32000, 4096), zeros(16384, 4096), 4096]


def embedding_backward(dtype: torch.dtype) -> Case:
    def arguments() -> Arguments:
        gradient, table = random_normal(16384, 4096, dtype=dtype), zeros(32000, 4096, dtype=dtype)
        return [random_integers(0, 32000, 16384), gradient, table, 4096]

    return Case(f"embedding_backward {str(dtype).removeprefix('torch.')}", (16384,), arguments, (), constexprs={"BLOCK": 4096})


@case((16384,), (1,), BLOCK=1024)
def cache_write() -> Arguments:
    slots = torch.randperm(40000, device="cuda")[:16384]
    return [random_normal(16384, 1024), zeros(40000, 1024), slots, 1024]


#--- products ---


def slots_by_expert(tokens: int, experts: int, chosen: int, block: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the slots of each expert, filled up to whole blocks with a number that is no slot, and each block's expert.
    Slot `token * chosen + i` is the i-th expert of a token, which it draws at random."""
    expert_of_slot = torch.rand(tokens, experts).topk(chosen).indices.flatten()
    slots: list[torch.Tensor] = []
    owners: list[int] = []
    for expert in range(experts):
        own = (expert_of_slot == expert).nonzero().flatten()
        blocks = ceildiv(len(own), block)
        slots += [own, own.new_full((blocks * block - len(own),), tokens * chosen)]
        owners += [expert] * blocks
    return torch.cat(slots).to("cuda", torch.int32), torch.tensor(owners, device="cuda", dtype=torch.int32)


def expert_matmul(tokens: int, block: int, warps: int, stages: int) -> Case:
    experts, n, k, chosen = 8, 7168, 2048, 2

    def arguments() -> Arguments:
        slots, owners = slots_by_expert(tokens, experts, chosen, block)
        count = tokens * chosen
        x, w, y = random_normal(tokens, k), random_normal(experts, n, k), zeros(count, n)
        return [x, w, y, random_uniform(count), slots, owners, n, k, count, len(slots), chosen]

    def grid(arguments: Arguments) -> Grid:
        return (len(arguments[5]) * (n // 128),)

    return Case(f"expert_matmul {tokens} {warps} warps", grid, arguments, (2,), warps, stages,
                constexprs={"BLOCK_M": block, "BLOCK_N": 128, "BLOCK_K": 64, "GROUP_M": 8})


def int4_matmul(m: int, block: int, warps: int) -> Case:
    n = k = 4096

    def arguments() -> Arguments:
        words = random_integers(-2**31, 2**31 - 1, k // 8, n, dtype=torch.int32)
        scales = random_uniform(k // 128, n, dtype=torch.float16) / 50
        return [random_normal(m, k, dtype=torch.float16), words, scales, zeros(m, n, dtype=torch.float16), m, n, k]

    return Case(f"int4_matmul {m}", (ceildiv(m, block), n // 128), arguments, (3,), warps,
                constexprs={"GROUP": 128, "BLOCK_M": block, "BLOCK_N": 128, "BLOCK_K": 64})


def fp8_block_matmul(block: int, warps: int, stages: int) -> Case:
    size = 4096

    def arguments() -> Arguments:
        a, b = (random_normal(size, size, dtype=torch.float8_e4m3fn) for _ in range(2))
        scales = [random_uniform(size, size // 128), random_uniform(size // 128, size // 128)]
        return [a, b, zeros(size, size), *scales, size, size, size]

    return Case(f"fp8_block_matmul {block}", (size // block, size // 128), arguments, (2,), warps, stages,
                constexprs={"BLOCK_M": block, "BLOCK_N": 128, "BLOCK_K": 128})


@case((16 * 56 * 56 // 128, 2), (2,), 8, BLOCK_M=128, BLOCK_N=128, BLOCK_K=64)
def convolution_3x3() -> Arguments:
    return [random_normal(16, 56, 56, 256), random_normal(9 * 256, 256) / 40, zeros(16, 56, 56, 256), 256, 56, 56, 256]


def chunked_linear_attention(d: int) -> Case:
    heads, steps = 256, 2048

    def arguments() -> Arguments:
        q, k, v = (random_normal(heads, steps, d) for _ in range(3))
        return [q, k, v / 8, zeros(heads, steps, d), steps, d**-0.5]

    return Case(f"chunked_linear_attention {d}", (heads,), arguments, (3,), 4, 2, 5e-2, {"D": d, "BLOCK_T": 64})


@case((1, 32, 8), (), BLOCK_M=64, BLOCK_N=128, BLOCK_K=64, SPLIT=8)
def split_k_matmul() -> Arguments:
    """Compares nothing: each launch adds to what is there."""
    return [random_normal(64, 8192), random_normal(8192, 4096), zeros(64, 4096, dtype=torch.float32), 64, 4096, 8192]


@case((16384 // 16,), (2,), BLOCK_N=16, BLOCK_K=256)
def matrix_vector() -> Arguments:
    return [random_normal(16384, 8192), random_normal(8192), zeros(16384, dtype=torch.float32), 16384, 8192]


def fp32_matmul(precision: str, size: int) -> Case:
    def arguments() -> Arguments:
        a, b = (random_normal(size, size, dtype=torch.float32) for _ in range(2))
        return [a, b, zeros(size, size, dtype=torch.float32), size, size, size]

    return Case(f"fp32_matmul {precision}", (size // 128, size // 128), arguments, (2,), 8, tolerance=1e-1,
                constexprs={"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 32, "PRECISION": precision})


def linear_gelu(name: str, n: int, k: int) -> Case:
    m = 4096
    return Case(name, (m // 128, ceildiv(n, 128)),
                lambda: [random_normal(m, k), random_normal(n, k), random_normal(n), zeros(m, n), m, n, k], (3,), 8,
                constexprs={"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64})


#--- choices and attention ---


def chosen_experts(warps: int) -> Case:
    """Compares the weights alone: of two that are equal either may be chosen."""
    tokens, chosen = 32768, 8

    def arguments() -> Arguments:
        return [random_normal(tokens, 128), zeros(tokens, chosen, dtype=torch.float32), zeros(tokens, chosen, dtype=torch.int32)]

    return Case(f"chosen_experts {warps} warps", (tokens,), arguments, (1,), warps, constexprs={"EXPERTS": 128, "CHOSEN": chosen})


@case((4096 // 64, 4096 // 64, 4), (3,), WIDTH=4, BLOCK_T=64, BLOCK_C=64)
def causal_convolution() -> Arguments:
    size = 4096
    return [random_normal(4, size, size), random_normal(size, 4), random_normal(size), zeros(4, size, size), size, size]


@case((64, 8), (3, 4), 4, 2, 2e-2, D=128, BLOCK_N=64, PARTS=8, GROUP=16)
def decode_part() -> Arguments:
    heads, keys, d = 64, 8192, 128
    results = [zeros(heads, 8, 16, d, dtype=torch.float32), zeros(heads, 8, 16, dtype=torch.float32)]
    return [random_normal(heads, 16, d), *(random_normal(heads, keys, d) for _ in range(2)), *results, keys, d**-0.5]


def window_attention(d: int, warps: int, stages: int) -> Case:
    heads, keys = 64, 8192

    def arguments() -> Arguments:
        return [*(random_normal(heads, keys, d) for _ in range(3)), zeros(heads, keys, d), keys, d**-0.5, 1024]

    return Case(f"window_attention D={d}", (keys // 128, heads), arguments, (3,), warps, stages, 2e-2,
                {"D": d, "BLOCK_M": 128, "BLOCK_N": 64})


def all_cases() -> list[Case]:
    return [
        rope, swiglu_backward(8), swiglu_backward(16), layernorm_backward, dropout, group_norm, quantize_rows, adam,
        row_cumsum, linear_scan, sequential_scan, row_sort, row_argmax,
        embedding, embedding_backward(torch.float32), embedding_backward(torch.bfloat16), cache_write,
        expert_matmul(64, 16, 4, 4), expert_matmul(2048, 64, 4, 3), expert_matmul(2048, 64, 8, 3),
        int4_matmul(16, 16, 4), int4_matmul(1024, 128, 8), fp8_block_matmul(128, 8, 3), fp8_block_matmul(64, 4, 4),
        convolution_3x3, chunked_linear_attention(64), chunked_linear_attention(128), split_k_matmul, matrix_vector,
        fp32_matmul("tf32", 4096), fp32_matmul("tf32x3", 4096), fp32_matmul("ieee", 2048),
        linear_gelu("linear_gelu", 11008, 4096), linear_gelu("linear_gelu odd", 5001, 3004),
        chosen_experts(1), chosen_experts(4), causal_convolution, decode_part, window_attention(64, 4, 3),
        window_attention(128, 8, 2),
    ]
