"""The calls of a sweep's cases: `sweep.py` launches them, `terms.py` has them estimated."""

from __future__ import annotations

import importlib
from typing import Any, Callable, NamedTuple

from tegula import cdiv


class Call(NamedTuple):
    """A kernel on arguments, to be called with a config: sizes of blocks, warps and stages."""
    kernel: Any
    arguments: tuple[Any, ...]
    grid: Callable[[dict[str, int]], tuple[int, ...]]  # of the sizes
    values: dict[str, Any]  # compile-time ones, besides the sizes

    def options(self, sizes: dict[str, int], warps: int, stages: int) -> dict[str, Any]:
        return {**self.values, **sizes, "num_warps": warps, "num_stages": stages}


def call_of(case: dict[str, Any], array: Callable[[str, int, str], Any]) -> Call:
    """Returns the call of a case; `array` makes an argument of a name, a number of elements, and their type."""
    if case["kernel"] == "matmul":
        m, n, k = case["shape"]
        a, b, c = (array(name, size, "bfloat16") for name, size in (("a", m * k), ("b", k * n), ("c", m * n)))
        strides = (k, 1, *((1, k) if case["by_columns"] else (n, 1)), n, 1)
        return Call(importlib.import_module("matmul").matmul_grouped_kernel, (a, b, c, None, m, n, k, *strides),
                    lambda sizes: (cdiv(m, sizes["BLOCK_M"]) * cdiv(n, sizes["BLOCK_N"]),), {})
    if case["kernel"] == "attention":
        heads, n, d = case["shape"]
        q, k, v, o = (array(name, heads * n * d, "bfloat16") for name in "qkvo")
        lse = array("lse", heads * n, "float32")
        return Call(importlib.import_module("attention").attention_kernel.fn, (q, k, v, o, lse, n * d, d, n, d ** -0.5),
                    lambda sizes: (cdiv(n, sizes["BLOCK_M"]), heads), {"D": d, "CAUSAL": case["causal"]})
    m, n = case["shape"]
    block = {"BLOCK": 1 << (n - 1).bit_length()}
    x, y = (array(name, m * n, case["type"]) for name in "xy")
    if case["kernel"] == "softmax":
        return Call(importlib.import_module("softmax").softmax_kernel, (x, y, n, n), lambda _: (m,), block)
    w, b = (array(name, n, case["type"]) for name in "wb")
    mean, rstd = (array(name, m, "float32") for name in ("mean", "rstd"))
    return Call(importlib.import_module("layernorm").layernorm_kernel, (x, y, w, b, mean, rstd, n, n, 1e-5), lambda _: (m,), block)
