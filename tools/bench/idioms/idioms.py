"""Measures kernels in idioms that models have around their large products: the same source by Tegula and by Triton.

    python3 tools/bench/idioms/idioms.py [--rounds=3] [NAME...]

Needs a GPU, PyTorch, Triton and the package `tegula`. A NAME takes the cases whose name begins with it. Prints a table in
Markdown: medians of single launches, before each of which L2 is flushed, of rounds in which both sides take turns. Ratios
are Triton's time to ours, medians of the rounds' ratios. Both have the warps and stages of the case, so that a ratio is of
code and not of configs. The exit status is 1 where results differ; a case that one side cannot do is left out.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
from typing import Any, Callable

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "kernels"))

import tegula
import torch
import triton
from idiom_cases import Arguments, Case, all_cases
from launching import KernelFiles
from tegula.testing import do_bench

#: Milliseconds of a side's launches in a round, before they count and while they do.
WARMUP, COUNTED = 5, 20
#: A ratio below this one counts as slower.
SLOWER = 0.95
WORD = 4  # bytes of a register

Launch = Callable[[], Any]


class Failed(Exception):
    """A side that cannot do a case."""


class Differs(Exception):
    """Results of both sides that are too far apart."""


def launch_of(files: KernelFiles, package: Any, case: Case, arguments: Arguments) -> Launch:
    kernel = getattr(files.module("idiom_kernels", package), case.kernel)
    grid = case.grid_on(arguments)
    return lambda: kernel[grid](*arguments, num_warps=case.warps, num_stages=case.stages, **case.constexprs)


def first_launch(name: str, launch: Launch) -> Any:
    """Returns the compiled kernel once it has run."""
    try:
        compiled = launch()
        torch.cuda.synchronize()
    except Exception as error:  # of whatever kind: the other cases are measured all the same
        raise Failed(f"{name}: {(str(error).splitlines() or [type(error).__name__])[0][:120]}") from error
    return compiled


def taken(case: Case, arguments: Arguments) -> list[torch.Tensor]:
    """Returns the results, and leaves zeros, so that no side is credited with what the other has computed."""
    results = [arguments[place].clone() for place in case.results]
    for place in case.results:
        arguments[place].zero_()
    return results


def compare(case: Case, ours: list[torch.Tensor], theirs: list[torch.Tensor]) -> None:
    for place, found, expected in zip(case.results, ours, theirs):
        error = ((found.double() - expected.double()).norm() / expected.double().norm()).item()
        if not error <= case.tolerance:  # an error that is not a number is one, too
            raise Differs(f"argument {place}: relative difference {error:.2e}")


def measured(files: KernelFiles, case: Case, rounds: int) -> tuple[float, list[str]]:
    """Returns the ratio of a case and its row."""
    arguments = case.arguments()
    launches = {package.__name__: launch_of(files, package, case, arguments) for package in (tegula, triton)}
    compiled: list[Any] = []
    results: list[list[torch.Tensor]] = []
    for name, launch in launches.items():
        compiled.append(first_launch(name, launch))
        results.append(taken(case, arguments))
    compare(case, *results)
    results.clear()
    times: dict[str, list[float]] = {name: [] for name in launches}
    for _ in range(rounds):
        for name, launch in launches.items():
            times[name].append(do_bench(launch, WARMUP, COUNTED, return_mode="median"))
    ratio = statistics.median(theirs / ours for ours, theirs in zip(times["tegula"], times["triton"]))
    microseconds = [f"{statistics.median(each) * 1e3:.1f}" for each in times.values()]
    spilled = [str(kernel.n_spills * WORD) if kernel.n_spills else "" for kernel in compiled]
    registers = [str(kernel.n_regs) for kernel in compiled]
    return ratio, [case.name, str(case.warps), *microseconds, f"{ratio:.3f}", *registers, *spilled]


def chosen(names: list[str]) -> list[Case]:
    cases = all_cases()
    unknown = [name for name in names if not any(case.name.startswith(name) for case in cases)]
    if unknown:
        sys.exit(f"error: no case begins with {', '.join(unknown)}; there are {', '.join(case.name for case in cases)}")
    return [case for case in cases if not names or any(case.name.startswith(name) for name in names)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    cases = chosen(asked.names)
    files = KernelFiles(FOLDER)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, Triton {triton.__version__}\n")
    columns = ("µs", "registers", "spilled bytes")
    times, registers, spilled = ([f"{side} {column}" for side in ("Tegula", "Triton")] for column in columns)
    head = ["case", "warps", *times, "ratio", *registers, *spilled]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    ratios: list[float] = []
    differ = False
    for case in cases:
        torch.manual_seed(0)  # a case has the same arguments whichever others are measured
        try:
            ratio, row = measured(files, case, asked.rounds)
            ratios.append(ratio)
            print("| " + " | ".join(row) + " |", flush=True)
        except Failed as failure:
            print(f"warning: {case.name}: {failure}", file=sys.stderr)
        except Differs as difference:
            differ = True
            print(f"error: {case.name}: {difference}", file=sys.stderr)
        gc.collect()  # a failure's traceback holds arguments in a cycle
        torch.cuda.empty_cache()
    if ratios:
        slower = sum(ratio < SLOWER for ratio in ratios)
        print(f"\nGeometric mean of {len(ratios)} cases: {statistics.geometric_mean(ratios):.3f}; below {SLOWER}: {slower}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
