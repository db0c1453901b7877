#!/usr/bin/env python3
"""Runs the bundled matrix kernels beside Triton, cuBLAS and cuDNN on one GPU: same source, same data, same run.

    tools/bench/products_beside_peers.py TEGULA [--kernels matmul attention] [--shapes 4096x4096x4096 64x4096]
                                         [--configs 0 3] [--rounds 5] [--budget 240] [--json OUT.json]
    tools/bench/products_beside_peers.py TEGULA --sweep [--block-m 128] [--block-n 128 256] ...
    tools/bench/products_beside_peers.py TEGULA --errors [--kernels matmul perceptron]
    tools/bench/products_beside_peers.py TEGULA --check [--errors]

TEGULA is the built command. Kernels and shapes: matmul, int8_matmul and fp8_matmul by MxNxK; matmul_row_major, which
takes tiles in the order of rows, at 8192x8192x8192; attention and attention_causal by head size and length, DxN,
with as many heads as make 262144 queries. The configs are those of the kernel's file, counted from 0.

Each side is first timed once in each config and keeps its best. Those two and the library (the better of b by rows
and by columns for cuBLAS; cuDNN through PyTorch) then take turns round by round, each a median of
`triton.testing.do_bench` (L2 flushed). Rates are medians over the rounds, ratios medians of the rounds' ratios.
Before anything is timed the results are compared with PyTorch's.

--sweep times our side alone over all block sizes, warps and stages that fit, or those named, and prints the best of
each shape and over all shapes. --errors compares errors against double precision with PyTorch's for the same types,
over shapes that no block divides, and exits with 1 where ours are larger; batched_matmul, matmul_grouped and
perceptron are among its kernels. --check compiles every config and prints its launch, without a GPU, and with a ptxas
its registers and spills.
"""

import argparse
import itertools
import json
import math
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import products_errors
from beside_triton import KERNELS, Case, Config, Tensor, ceildiv, check_only, compile_all, is_bound, type_of  # noqa: F401

NAMES = ("matmul", "attention", "attention_causal", "matmul_row_major", "fp8_matmul", "int8_matmul")
MATMUL_SHAPES = [(1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192), (8192, 1024, 4096),
                 (256, 8192, 8192), (4096, 4096, 16384)]
ATTENTION_SHAPES = [(64, 4096), (64, 16384), (128, 4096), (128, 16384)]
QUERIES = 1 << 18  # of all heads together
SHARED_BYTES, REGISTERS = 227 * 1024, 255  # of an H100 or H200


#===--- what is measured ---===#

def configs_of(file):
    """The `triton.Config`s of a kernels' file, read from its text: [({name: value}, stages, warps)]."""
    found = []
    for line in (KERNELS / f"{file}.py").read_text().splitlines():
        if "triton.Config({" in line:
            values = {k: int(v) for k, v in re.findall(r'"(\w+)": (\d+)', line)}
            number = lambda name: int(re.search(name + r"=(\d+)", line).group(1))
            found.append((values, number("num_stages"), number("num_warps")))
    return found


def swept(options, attention, bytes_each, head=0):
    """Every config within what a multiprocessor has, out of the values that the options name."""
    steps = (0,) if attention else options.block_k or (32, 64, 128)
    sides_m, sides_n = options.block_m or (64, 128, 256), options.block_n or (32, 64, 128, 256)
    for m, n, k, warps, stages in itertools.product(sides_m, sides_n, steps, options.warps or (4, 8),
                                                    options.stages or (2, 3, 4, 5)):
        if attention:
            shared = (m * head + 2 * n * head * stages) * bytes_each
            sums = m * (head + n) // (32 * warps)
            values = {"BLOCK_M": m, "BLOCK_N": n}
        else:
            shared, sums = (m + n) * k * bytes_each * stages, m * n // (32 * warps)
            values = {"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k}
        if shared <= SHARED_BYTES and 16 <= sums <= 200 and (attention or n >= 64):
            yield values, stages, warps


def chosen_configs(options, file, attention=False, bytes_each=2, head=0):
    if options.sweep:
        return list(swept(options, attention, bytes_each, head))
    found = configs_of(file)
    return [found[i] for i in options.configs if i < len(found)] if options.configs else found


def product_strides(m, n, k, b_by_columns):
    b = {"stride_bk": 1, "stride_bn": k} if b_by_columns else {"stride_bk": n, "stride_bn": 1}
    return {"stride_am": k, "stride_ak": 1, **b, "stride_cm": n, "stride_cn": 1}


def matmul_cases(options, row_major=False):
    for m, n, k in [(8192, 8192, 8192)] if row_major else MATMUL_SHAPES:
        arguments = {"a_ptr": Tensor("bf16", (m, k)), "b_ptr": Tensor("bf16", (k, n)),
                     "c_ptr": Tensor("bf16", (m, n), "nan"), "bias_ptr": None, "M": m, "N": n, "K": k,
                     **product_strides(m, n, k, False)}
        configs = [Config((*values.items(), ("GROUP_M", 1 if row_major else group)), warps,
                          ceildiv(m, values["BLOCK_M"]) * ceildiv(n, values["BLOCK_N"]), stages)
                   for values, stages, warps in chosen_configs(options, "matmul")
                   for group in [values.pop("GROUP_M", 8)]]
        yield Case("matmul_row_major" if row_major else "matmul", "matmul", "matmul_grouped_kernel", "bf16", (m, n, k),
                   arguments, "c_ptr", "product", 2 * m * n * k, (2e-2, 2e-3 * math.sqrt(k)), configs)


def quantized_cases(options, name):
    dtype, out = ("i8", "i32") if name == "int8_matmul" else ("fp8e4nv", "fp16")
    extra = {"row_scale_ptr": None, "column_scale_ptr": None} if dtype == "i8" else {}
    for m, n, k in [(4096, 4096, 4096), (8192, 8192, 8192)]:
        # b's columns are contiguous, as the libraries want it too.
        arguments = {"a_ptr": Tensor(dtype, (m, k)), "b_ptr": Tensor(dtype, (n, k)), "c_ptr": Tensor(out, (m, n), "nan"),
                     **extra, "M": m, "N": n, "K": k}
        if dtype != "i8":
            arguments["scale"] = 0.5
        arguments |= product_strides(m, n, k, True)
        configs = [Config(tuple(values.items()), warps, (ceildiv(m, values["BLOCK_M"]), ceildiv(n, values["BLOCK_N"])),
                          stages)
                   for values, stages, warps in chosen_configs(options, "quantized_matmul", bytes_each=1)]
        # Hopper's units keep fewer bits of sums of fp8 products than fp32 has.
        yield Case(name, "quantized_matmul", f"{name}_kernel", dtype, (m, n, k), arguments, "c_ptr", "product",
                   2 * m * n * k, (0, 0) if dtype == "i8" else (2e-2, 0.016 * math.sqrt(k)), configs)


def attention_cases(options, causal):
    for size, length in ATTENTION_SHAPES:
        heads = QUERIES // length
        shape = (heads, length, size)
        arguments = {f"{x}_ptr": Tensor("bf16", shape) for x in "qkv"}
        arguments |= {"o_ptr": Tensor("bf16", shape, "nan"), "lse_ptr": Tensor("fp32", (heads, length), "nan"),
                      "stride_head": length * size, "stride_row": size, "N": length, "scale": size ** -0.5}
        configs = [Config((*values.items(), ("D", size), ("CAUSAL", causal),
                           ("EVEN_N", length % values["BLOCK_N"] == 0)), warps,
                          (ceildiv(length, values["BLOCK_M"]), heads), stages)
                   for values, stages, warps in chosen_configs(options, "attention", True, 2, size)]
        yield Case("attention_causal" if causal else "attention", "attention", "attention_kernel", "bf16",
                   (size, length), arguments, "o_ptr", "attention",
                   4 * heads * length * length * size // (2 if causal else 1), (2e-2, 5e-3), configs)


def chosen_cases(options):
    cases = []
    for name in options.kernels or (NAMES[:3] if options.sweep else NAMES):
        if name.startswith("attention"):
            cases += attention_cases(options, name == "attention_causal")
        elif name.startswith("matmul"):
            cases += matmul_cases(options, name == "matmul_row_major")
        else:
            cases += quantized_cases(options, name)
    return [c for c in cases if not options.shapes or "x".join(map(str, c.shape)) in options.shapes]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tegula")
    parser.add_argument("--kernels", nargs="+", choices=dict.fromkeys(NAMES + products_errors.NAMES))
    parser.add_argument("--shapes", nargs="+", help="as 4096x4096x4096, for attention as 64x4096")
    parser.add_argument("--configs", nargs="+", type=int, help="numbers of the configs of the kernel's file")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=240, help="seconds after which no new case begins (240)")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--json")
    parser.add_argument("--check", action="store_true", help="compile and print launches, without a GPU")
    parser.add_argument("--sweep", action="store_true", help="our side alone over many configs")
    for side in ("block-m", "block-n", "block-k", "warps", "stages"):
        parser.add_argument(f"--{side}", nargs="+", type=int, help="what --sweep tries")
    parser.add_argument("--errors", action="store_true", help="errors beside PyTorch's instead of rates")
    parser.add_argument("--without-triton", action="store_true", help="leave Triton out, whose compiles take longest")
    options = parser.parse_args()
    cases = (products_errors if options.errors else sys.modules[__name__]).chosen_cases(options)
    if not cases:
        parser.error("nothing is left to measure")
    if options.check:
        return check_only(options, cases)
    start = time.monotonic()
    compiled = compile_all(options, cases)
    print(f"{len(compiled)} variants compiled in {time.monotonic() - start:.1f} s", flush=True)
    if options.errors:
        from products_errors_measure import measure_all as run
    elif options.sweep:
        from products_measure import sweep_all as run
    else:
        from products_measure import measure_all as run
    rows = run(options, cases, compiled, start)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    return 1 if options.errors and not rows["good"] else 0


if __name__ == "__main__":
    sys.exit(main())
