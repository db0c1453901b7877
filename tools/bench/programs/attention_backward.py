"""Measures attention's backward pass as a whole: Tegula and Triton on the same source, and cuDNN, in turns.

    python3 tools/bench/programs/attention_backward.py [--rounds=7] [--source=FILE]

Needs a GPU, PyTorch and the package `tegula`; Triton where it is. FILE has `attention_backward` as
kernels/attention_backward.py has it. Prints a table in Markdown: rates in TFLOPS count five products, as is usual, and
ratios are medians of the rounds' ratios.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from typing import Any, Callable

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "kernels"))

import tegula
import torch
from launching import KernelFiles
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention
from turns import in_turns

#: Queries of all heads together; D, N and whether it is causal.
QUERIES = 1 << 19
SHAPES = [(d, n, causal) for d in (64, 128) for n in (1024, 4096, 16384) for causal in (False, True)]
PRODUCTS, LAUNCHES = 5, 10
#: Relative errors in bf16 that are no more than rounding.
TOLERANCE = 1e-2


def library(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, do: torch.Tensor,
            causal: bool) -> tuple[torch.Tensor, Callable[[], Any]]:
    """Returns what cuDNN computes forwards, and its backward pass."""
    q, k, v = (x.unsqueeze(0).requires_grad_() for x in (q, k, v))
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        o = scaled_dot_product_attention(q, k, v, is_causal=causal)
    return o.detach()[0], lambda: torch.autograd.grad(o, (q, k, v), do.unsqueeze(0), retain_graph=True)


def logarithms(q: torch.Tensor, k: torch.Tensor, causal: bool) -> torch.Tensor:
    """lse of each query, a head at a time: all scores would not fit."""
    n = q.shape[1]
    hidden = ~torch.ones(n, n, dtype=torch.bool, device=q.device).tril() if causal else None
    rows = []
    for head in range(q.shape[0]):
        scores = (q[head] @ k[head].t()).float() * q.shape[-1] ** -0.5
        rows.append(torch.logsumexp(scores if hidden is None else scores.masked_fill(hidden, -float("inf")), -1))
    return torch.stack(rows)


def row_of(files: KernelFiles, source: str, packages: list[Any], d: int, n: int, causal: bool, rounds: int) -> list[str]:
    heads = max(1, QUERIES * 64 // d // n)
    q, k, v, do = (torch.randn(heads, n, d, device="cuda", dtype=torch.bfloat16) for _ in range(4))
    o, of_library = library(q, k, v, do, causal)
    lse = logarithms(q.detach(), k.detach(), causal)
    expected = [x[0] for x in of_library()]
    sides = {"cuDNN": of_library}
    for package in packages:
        host = files.module(source, package)
        launch = lambda host=host: host.attention_backward(q.detach(), k.detach(), v.detach(), o, lse, do, causal)
        for found, exact in zip(launch(), expected):
            error = ((found.float() - exact.float()).norm() / exact.float().norm()).item()
            if not error < TOLERANCE:
                sys.exit(f"error: {package.__name__} D={d} N={n} causal={causal}: relative error {error:.2e}")
        sides[package.__name__] = launch
    times = in_turns(sides, rounds, LAUNCHES)
    work = 2 * PRODUCTS * heads * n * n * d / (2 if causal else 1) * 1e-9
    rate = {name: work / statistics.median(each) for name, each in times.items()}
    ratio = {name: statistics.median(other / own for other, own in zip(each, times["tegula"])) for name, each in times.items()}
    names = ["tegula", "triton", "cuDNN"]
    return [f"{d}×{n}", "causal" if causal else "full", *(f"{rate[name]:.0f}" if name in rate else "-" for name in names),
            *(f"{ratio[name]:.3f}" if name in ratio else "-" for name in names[1:])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--source", default=os.path.join(FOLDER, "..", "..", "..", "kernels", "attention_backward.py"))
    asked = parser.parse_args()
    packages: list[Any] = [tegula]
    try:
        import triton
        packages.append(triton)
    except ImportError as error:
        print(f"warning: not compared with Triton: {error}", file=sys.stderr)
    folder, file = os.path.split(os.path.abspath(asked.source))
    files = KernelFiles(folder)
    torch.manual_seed(0)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, bf16\n")
    head = ["D×N", "mask", "Tegula TFLOPS", "Triton TFLOPS", "cuDNN TFLOPS", "to Triton", "to cuDNN"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for d, n, causal in SHAPES:
        print("| " + " | ".join(row_of(files, file.removesuffix(".py"), packages, d, n, causal, asked.rounds)) + " |", flush=True)


if __name__ == "__main__":
    main()
