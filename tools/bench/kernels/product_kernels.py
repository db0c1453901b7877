"""The products: kernels whose time is that of their dots, and one whose matrices are too small for that."""

from __future__ import annotations

import itertools
import math
from typing import Any, Callable

from cases import BANDWIDTH, COMPUTE, PRODUCT_SIDES, SIZES, Case, Config, Entry, Setting, Shape, UsageError, ceildiv, power_of_two

#: Of all heads of an attention together, so that every length has as much to do.
QUERIES_OF_ALL_HEADS, SMALL_HEADS = 1 << 18, 2
#: Fewer sums in a thread leave it idle; more do not fit with what else it needs.
LEAST_SUMS, MOST_SUMS = 16, 200
#: What a sweep tries unless it is told otherwise.
SWEPT = {"BLOCK_M": [64, 128, 256], "BLOCK_N": [32, 64, 128, 256], "BLOCK_K": [32, 64, 128], "num_warps": [4, 8],
         "num_stages": [2, 3, 4, 5]}


def sweep(setting: Setting, blocks: tuple[str, ...], sums: Callable[[int, int], int]) -> list[Config]:
    """Every config out of the values that may be worth a try: sums of a thread fill its registers well, but fit.
    `sums` says how many a block of M by N has."""
    tried = {**SWEPT, **setting.swept}
    configs = [Config(dict(zip(blocks, values)), warps, stages)
               for *values, warps, stages in itertools.product(*(tried[name] for name in (*blocks, "num_warps", "num_stages")))]
    return [config for config in configs
            if LEAST_SUMS <= sums(config.values["BLOCK_M"], config.values["BLOCK_N"]) // (32 * config.warps) <= MOST_SUMS]


def product_configs(setting: Setting, file: str, kernel: str) -> list[Config]:
    if setting.is_sweep:
        return sweep(setting, ("BLOCK_M", "BLOCK_N", "BLOCK_K"), lambda m, n: 0 if n < 64 else m * n)
    return setting.configs_of(file, kernel)


def add_product(case: Case, *, transposed: str = "", out: str = "", more: tuple[str, ...] = (),
                scalars: dict[str, float] | None = None) -> None:
    """The arguments of a product of M by K and K by N, of which `transposed`, "a" or "b", lies by columns. `more` names
    arguments behind c that are None, `scalars` those behind K."""
    m, n, k = case.shape
    case.arguments = {"a_ptr": case.tensor(*((k, m) if transposed == "a" else (m, k))),
                      "b_ptr": case.tensor(*((n, k) if transposed == "b" else (k, n))),
                      "c_ptr": case.written(m, n, dtype=out), **dict.fromkeys(more), "M": m, "N": n, "K": k, **(scalars or {}),
                      "stride_am": 1 if transposed == "a" else k, "stride_ak": m if transposed == "a" else 1,
                      "stride_bk": 1 if transposed == "b" else n, "stride_bn": k if transposed == "b" else 1,
                      "stride_cm": n, "stride_cn": 1}
    case.output, case.library = "c_ptr", "product"
    case.work = 2 * m * n * k
    case.tolerance = (2e-2, 2e-3 * math.sqrt(k))


def tiles(config: Config, m: int, n: int) -> tuple[int, int]:
    return ceildiv(m, config.values["BLOCK_M"]), ceildiv(n, config.values["BLOCK_N"])


def cube_of(n: int, is_small: bool) -> Shape:
    return (n, n, n)


def matmul(name: str, shapes: tuple[Shape, ...], *, is_grouped: bool = True, transposed: str = "",
           has_errors: bool = False) -> Entry:
    """Tiles in groups of GROUP_M rows of tiles, or all rows by rows."""

    def fill(case: Case, setting: Setting) -> None:
        add_product(case, transposed=transposed, more=("bias_ptr",))
        m, n, _ = case.shape
        # The kernel under `triton.autotune` is this one with configs.
        for config in product_configs(setting, "matmul", "matmul_tuned_kernel"):
            group = config.values.get("GROUP_M", 8) if is_grouped else 1
            case.configs.append(config.at(math.prod(tiles(config, m, n)), GROUP_M=group))

    return Entry(name, "matmul", "matmul_grouped_kernel", PRODUCT_SIDES, ("bf16",), shapes, (100, 64, 96), cube_of, fill, COMPUTE,
                 ("fp16",), has_errors=has_errors)


def fill_quantized(case: Case, setting: Setting) -> None:
    # b's columns are contiguous, as the libraries want it too.
    if case.dtype == "i8":
        add_product(case, transposed="b", out="i32", more=("row_scale_ptr", "column_scale_ptr"))
        case.tolerance = (0, 0)
    else:
        add_product(case, transposed="b", out="fp16", scalars={"scale": 0.5})
        # Hopper's units keep fewer bits of sums of fp8 products than fp32 has.
        case.tolerance = (2e-2, 0.016 * math.sqrt(case.shape[2]))
    m, n, _ = case.shape
    case.configs = [config.at(*tiles(config, m, n)) for config in product_configs(setting, case.file, case.kernel)]


def quantized(name: str, dtype: str) -> Entry:
    return Entry(name, "quantized_matmul", f"{name}_kernel", PRODUCT_SIDES, (dtype,), ((4096,) * 3, (8192,) * 3), (64, 128, 128),
                 cube_of, fill_quantized, COMPUTE, has_errors=True)


def add_batch(case: Case, **scalars: int) -> None:
    """The arguments of a batch of products, one matrix behind another; `scalars` stand before M."""
    batch, m, n, k = case.shape
    case.arguments = {"a_ptr": case.tensor(batch, m, k), "b_ptr": case.tensor(batch, k, n), "c_ptr": case.written(batch, m, n),
                      **scalars, "M": m, "N": n, "K": k, "stride_ab": m * k, "stride_am": k, "stride_ak": 1,
                      "stride_bb": k * n, "stride_bk": n, "stride_bn": 1, "stride_cb": m * n, "stride_cm": n, "stride_cn": 1}
    case.output, case.library = "c_ptr", "batched product"
    case.tolerance = (2e-2, 2e-3 * math.sqrt(k))


def fill_batched(case: Case, setting: Setting) -> None:
    batch, m, n, k = case.shape
    add_batch(case)
    case.work = 2 * batch * m * n * k
    case.configs = [config.at(math.prod(tiles(config, m, n)), batch)
                    for config in product_configs(setting, case.file, case.kernel)]


def block_of(side: int) -> int:
    """The side of the block that `side` elements of a matrix lie in: dots have no shorter ones."""
    return max(16, power_of_two(side))


def fill_small_batched(case: Case, setting: Setting) -> None:
    """Matrices of which a block takes several. There is little to compute with what is read, so that it is counted in
    bytes: products of 32 by 32 by 32 do 11 operations for each, the chip a good hundred in the time of one."""
    batch, m, n, k = case.shape
    most_side = 64  # a matrix lies in one block
    if max(m, n, k) > most_side:
        raise UsageError(f"expected at most {most_side} as a side of the matrices of `{case.name}`, found {max(m, n, k)}")
    add_batch(case, batches=batch)
    case.work = batch * (m * k + k * n + m * n) * SIZES[case.dtype]
    case.configs = [Config({"BATCH": each}, warps).at(ceildiv(batch, each), BLOCK_M=block_of(m), BLOCK_N=block_of(n),
                                                      BLOCK_K=block_of(k)) for each, warps in ((2, 4), (4, 4), (8, 8))]


def fill_attention(case: Case, setting: Setting, is_causal: bool) -> None:
    size, length = case.shape
    if not 16 <= size <= 256 or size != power_of_two(size):
        raise UsageError(f"expected 16, 32, 64, 128 or 256 as the D of `{case.name}`, found {size}")
    heads = setting.heads or (SMALL_HEADS if setting.is_small else max(1, QUERIES_OF_ALL_HEADS // length))
    # Units take operands of 8 bits as they lie along the sum alone: v by columns.
    is_narrow = SIZES[case.dtype] == 1
    arguments: dict[str, Any] = {f"{x}_ptr": case.tensor(heads, length, size) for x in "qk"}
    arguments["v_ptr"] = case.tensor(heads, size, length) if is_narrow else case.tensor(heads, length, size)
    case.arguments = arguments | {
        "o_ptr": case.written(heads, length, size, dtype="bf16" if is_narrow else case.dtype),
        "lse_ptr": case.written(heads, length, dtype="fp32"),
        "stride_head": length * size, "stride_row": size, "N": length, "scale": size ** -0.5}
    case.output, case.library = "o_ptr", "causal attention" if is_causal else "attention"
    case.torch = ("torch.nn.functional.scaled_dot_product_attention(q_ptr[None], k_ptr[None], v_ptr[None], "
                  f"is_causal={is_causal})")
    if is_narrow:  # no library has it without scales
        case.library = case.torch = ""
        case.expected = f"host.reference(q_ptr, k_ptr, v_ptr.transpose(-1, -2), {is_causal})[0]"
    case.work = 4 * heads * length * length * size / (2 if is_causal else 1)
    case.tolerance = (2e-1, 5e-2) if is_narrow else (2e-2, 5e-3)
    configs = sweep(setting, ("BLOCK_M", "BLOCK_N"), lambda m, n: m * (size + n)) if setting.is_sweep else \
        setting.configs_of(case.file, case.kernel)
    case.configs = [config.at(ceildiv(length, config.values["BLOCK_M"]), heads, D=size, CAUSAL=is_causal,
                              EVEN_N=length % config.values["BLOCK_N"] == 0, V_BY_COLUMNS=is_narrow)
                    for config in configs]


def attention(name: str, is_causal: bool) -> Entry:
    return Entry(name, "attention", "attention_kernel", "DxN", ("bf16",),
                 ((64, 4096), (64, 16384), (128, 4096), (128, 16384)), (32, 100),
                 lambda n, is_small: (32 if is_small else 128, n),
                 lambda case, setting: fill_attention(case, setting, is_causal), COMPUTE, ("fp16", "fp8e4nv", "fp8e5"), has_errors=True)


def fill_perceptron(case: Case, setting: Setting) -> None:
    m, inputs, hidden, outputs = case.shape
    most_inputs = 256  # all of them lie in one block
    if inputs > most_inputs:
        raise UsageError(f"expected at most {most_inputs} inputs of `{case.name}`, found {inputs}")
    case.arguments = {"x_ptr": case.tensor(m, inputs), "w1_ptr": case.tensor(inputs, hidden), "b1_ptr": case.tensor(hidden),
                      "w2_ptr": case.tensor(hidden, outputs), "b2_ptr": case.tensor(outputs),
                      "y_ptr": case.written(m, outputs), "M": m, "IN": inputs, "HIDDEN": hidden, "OUT": outputs}
    case.output = "y_ptr"
    case.work = 2 * m * hidden * (inputs + outputs)
    case.expected = "host.reference(x_ptr, w1_ptr, b1_ptr, w2_ptr, b2_ptr)"
    case.torch = ("torch.addmm(b2_ptr, torch.nn.functional.gelu(torch.addmm(b1_ptr, x_ptr, w1_ptr), approximate='tanh'), "
                  "w2_ptr)")
    # Inputs and weights are normal numbers, so that a hidden unit is of the size of the root of their number.
    case.tolerance = (2e-2, 2e-2 * math.sqrt(inputs * hidden))
    block_out = min(128, block_of(outputs))
    case.configs = [config.at(ceildiv(m, config.values["BLOCK_M"]), ceildiv(outputs, block_out), BLOCK_IN=block_of(inputs),
                              BLOCK_OUT=block_out) for config in setting.configs_of(case.file, case.kernel)]


def product_kernels() -> list[Entry]:
    cubes = (4096,) * 3, (8192,) * 3
    return [
        matmul("matmul", ((1024,) * 3, (2048,) * 3, *cubes, (8192, 1024, 4096), (256, 8192, 8192), (4096, 4096, 16384)),
               has_errors=True),
        attention("attention", False),
        attention("attention_causal", True),
        matmul("matmul_row_major", cubes[1:], is_grouped=False),
        matmul("matmul_a_transposed", cubes, transposed="a"),
        matmul("matmul_b_transposed", cubes, transposed="b"),
        quantized("fp8_matmul", "fp8e4nv"),
        quantized("int8_matmul", "i8"),
        Entry("batched_matmul", "batched_matmul", "batched_matmul_kernel", "BATCHxMxNxK", ("bf16",), ((64, 1024, 1024, 512),),
              (2, 64, 64, 64), lambda n, is_small: (2 if is_small else 64, n, n, n), fill_batched, COMPUTE, ("fp16",),
              has_errors=True),
        Entry("small_batched_matmul", "batched_matmul", "small_batched_matmul_kernel", "BATCHxMxNxK", ("bf16",),
              ((65536, 32, 32, 32),), (6, 20, 24, 30), lambda n, is_small: (n, 32, 32, 32), fill_small_batched, BANDWIDTH,
              ("fp16",), has_errors=True),
        Entry("perceptron", "perceptron", "perceptron_kernel", "MxINxHIDDENxOUT", ("bf16",), ((65536, 128, 1024, 128),),
              (64, 32, 64, 16), lambda n, is_small: (64, 32, n, 16) if is_small else (65536, 128, n, 128), fill_perceptron,
              COMPUTE, ("fp16",), has_errors=True),
    ]
