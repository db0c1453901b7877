"""Writes the terms of each case and config of a sweep, for `fit-model` to judge the model on and to fit it. Needs no GPU.

    python3 tools/bench/model/terms.py tools/bench/model/sweep.json terms.jsonl

Each line has the number of the case, its kernel, whether the config is one of the kernel's own, the measured microseconds, and
the terms as the compiler reads them off. Cases that something disturbed while they were measured are left out.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any

os.environ.setdefault("TEGULA_DEVICE", "emulator")
os.environ.setdefault("TEGULA_ARCH", "sm_90a")

import tegula  # noqa: E402

tegula.install_as_triton()

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "kernels"))

tl = tegula.language


class Array:
    """Stands for a tensor, of which estimates ask the type and the alignment."""

    def __init__(self, dtype: Any):
        self.dtype = dtype

    def data_ptr(self) -> int:
        return 1 << 20


def cdiv(a: int, b: int) -> int:
    return -(-a // b)


def estimate(case: dict[str, Any], sizes: dict[str, int], warps: int, stages: int) -> tuple[float, str]:
    """Returns what the model says of a case of `sweep.py` with a config."""
    options = {**sizes, "num_warps": warps, "num_stages": stages}
    shape = case["shape"]
    half, single = Array(tl.bfloat16), Array(tl.float32)
    if case["kernel"] == "matmul":
        m, n, k = shape
        strides = (k, 1, *((1, k) if case["by_columns"] else (n, 1)), n, 1)
        kernel = importlib.import_module("matmul").matmul_grouped_kernel
        return kernel.estimate(half, half, half, None, m, n, k, *strides, **options,
                               grid=(cdiv(m, sizes["BLOCK_M"]) * cdiv(n, sizes["BLOCK_N"]),))
    if case["kernel"] == "attention":
        heads, n, d = shape
        kernel = importlib.import_module("attention").attention_kernel.fn
        return kernel.estimate(half, half, half, half, single, n * d, d, n, d ** -0.5, D=d, CAUSAL=case["causal"], **options,
                               grid=(cdiv(n, sizes["BLOCK_M"]), heads))
    m, n = shape
    x = Array(getattr(tl, case["type"]))
    block = 1 << (n - 1).bit_length()
    if case["kernel"] == "softmax":
        return importlib.import_module("softmax").softmax_kernel.estimate(x, x, n, n, BLOCK=block, **options, grid=(m,))
    kernel = importlib.import_module("layernorm").layernorm_kernel
    return kernel.estimate(x, x, x, x, single, single, n, n, 1e-5, BLOCK=block, **options, grid=(m,))


def main() -> None:
    with open(sys.argv[1]) as file:
        sweep = json.load(file)
    with open(sys.argv[2], "w") as out:
        for number, case in enumerate(sweep["cases"]):
            if number in sweep["disturbed"]:
                continue
            for place, measured in case["times"].items():
                if isinstance(measured, str):
                    continue
                sizes, warps, stages = sweep["configs"][case["kernel"]][int(place)]
                told = json.loads(estimate(case, sizes, warps, stages)[1])
                own = case["kernel"] != "matmul" or int(place) < sweep["own"]
                line = {"case": number, "config": int(place), "kernel": case["kernel"], "own": own, "us": measured, **told}
                out.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
