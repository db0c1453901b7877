"""Measures kernels that reduce long rows: by how many blocks of a cluster they are best shared.

    python3 tools/bench/programs/long_rows.py [--rounds=5] [--ctas=1,2,4,8] [--columns=32768,...] [--pad=64]

Needs a GPU, PyTorch and the package `tegula`; Triton where it is. Prints a table in Markdown: rates in shares of that of a
copy of as many bytes, medians of rounds in which all sides take turns, each side with the best of its warps. A column of
`num_ctas` 1 is what the compiler chooses, which TEGULA_WITHOUT=spread keeps to one block. `--pad` lets rows begin at multiples
of so many elements, whatever their length.
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
from turns import in_turns, milliseconds

#: Bytes of each array, so that L2 holds little of it.
BYTES = 1 << 28
WARPS = (4, 8, 16, 32)
LAUNCHES = 5

Launch = Callable[[], Any]


def softmax(host: Any, x: torch.Tensor, y: torch.Tensor, **options: int) -> Launch:
    rows, columns = x.shape
    block = 1 << (columns - 1).bit_length()
    return lambda: host.softmax_kernel[(rows,)](x, y, x.stride(0), columns, BLOCK=block, **options)


def persistent(host: Any, x: torch.Tensor, y: torch.Tensor, **options: int) -> Launch:
    rows, columns = x.shape
    block = 1 << (columns - 1).bit_length()
    programs = min(rows, 264)
    return lambda: host.softmax_persistent_kernel[(programs,)](x, y, x.stride(0), rows, columns, BLOCK=block, STAGES=2,
                                                               **options)


def best(make: Callable[..., Launch], check: Callable[[], None], **options: int) -> Launch | None:
    """Returns the quickest of a side's launches by warps; None where none compiles."""
    found: list[tuple[float, Launch]] = []
    for warps in WARPS:
        launch = make(num_warps=warps, **options)
        try:
            launch()
            check()
        except Exception as error:  # what a side cannot do is no reason to measure no other
            print(f"warning: {options}, {warps} warps: {str(error).splitlines()[0][:120]}", file=sys.stderr)
            continue
        found.append((min(milliseconds(launch, LAUNCHES) for _ in range(2)), launch))
    return min(found, key=lambda each: each[0])[1] if found else None


def row_of(files: KernelFiles, packages: list[Any], kind: str, dtype: torch.dtype, columns: int,
           asked: argparse.Namespace) -> list[str]:
    rows = BYTES // dtype.itemsize // columns
    stride = -(-columns // asked.pad) * asked.pad
    x = torch.randn(rows, stride, device="cuda", dtype=dtype)[:, :columns]
    y = torch.empty(rows, stride, device="cuda", dtype=dtype)[:, :columns]
    plain = [torch.empty(rows * columns, device="cuda", dtype=dtype) for _ in range(2)]
    expected = torch.softmax(x.float(), 1)

    def check() -> None:
        torch.cuda.synchronize()
        error = (y.float() - expected).abs().max().item()
        if not error < (1e-2 if dtype != torch.float32 else 1e-5) * expected.max().item():
            sys.exit(f"error: {kind} {dtype} {rows}×{columns}: off by {error:.2e}")
        y.zero_()

    make = persistent if kind == "softmax_persistent" else softmax
    sides: dict[str, Launch] = {"copy": lambda: plain[0].copy_(plain[1]), "torch": lambda: torch.softmax(x, 1, out=y)}
    for package in packages:
        host = files.module("softmax", package)
        for ctas in asked.ctas if package is tegula else (1,):
            launch = best(lambda **options: make(host, x, y, **options), check, **({"num_ctas": ctas} if ctas > 1 else {}))
            if launch:
                sides[f"{package.__name__} {ctas}"] = launch
    times = in_turns(sides, asked.rounds, LAUNCHES)
    names = [*(f"tegula {ctas}" for ctas in asked.ctas), "triton 1", "torch"]
    shares = [f"{statistics.median(c / t for c, t in zip(times['copy'], times[name])):.3f}" if name in times else "-"
              for name in names]
    return [kind, str(dtype).removeprefix("torch."), f"{rows}×{columns}", *shares]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    numbers = lambda text: [int(each) for each in text.split(",")]
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ctas", type=numbers, default=[1, 2, 4, 8])
    parser.add_argument("--columns", type=numbers, default=[16384, 32768, 50257, 65536, 131072])
    parser.add_argument("--pad", type=int, default=1)
    parser.add_argument("--kinds", default="softmax,softmax_persistent")
    asked = parser.parse_args()
    packages: list[Any] = [tegula]
    try:
        import triton
        packages.append(triton)
    except ImportError as error:
        print(f"warning: not compared with Triton: {error}", file=sys.stderr)
    files = KernelFiles(os.path.join(FOLDER, "..", "..", "..", "kernels"))
    torch.manual_seed(0)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
    head = ["kernel", "type", "shape", *(f"num_ctas {ctas}" for ctas in asked.ctas), "Triton", "torch"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for kind in asked.kinds.split(","):
        for dtype in (torch.bfloat16, torch.float32):
            for columns in asked.columns:
                print("| " + " | ".join(row_of(files, packages, kind, dtype, columns, asked)) + " |", flush=True)


if __name__ == "__main__":
    main()
