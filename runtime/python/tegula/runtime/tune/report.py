"""A tuner's output on a terminal: its progress and its findings."""

from __future__ import annotations

import math
import os
import sys
from typing import Any, Mapping, Sequence

from ... import knobs
from .config import Config
from .ranking import Ranked

#: Configs in the table; the others were slower.
_SHOWN = 8


def wants_report() -> bool:
    """Returns True if tuning is shown: TEGULA_PRINT_AUTOTUNING says, else TRITON_PRINT_AUTOTUNING."""
    if "TEGULA_PRINT_AUTOTUNING" in os.environ:
        return knobs.getenv_bool("TEGULA_PRINT_AUTOTUNING")
    return knobs.autotuning.print


class Progress:
    """One line that is written over: "tuning matmul: 3 of 10 measured, best 0.213 ms". Nothing where standard error is
    no terminal."""

    def __init__(self, kernel: str, total: int):
        self.kernel, self.total, self.done = kernel, total, 0
        self.shown = sys.stderr is not None and sys.stderr.isatty() and total > 1

    def step(self, what: str, best: float = math.inf) -> None:
        self.done += 1
        if not self.shown:
            return
        bar = "#" * round(20 * self.done / self.total)
        found = f", best {best:.3f} ms" if math.isfinite(best) else ""
        sys.stderr.write(f"\r\x1b[Ktuning {self.kernel}: [{bar:<20}] {self.done} of {self.total} {what}{found}")
        sys.stderr.flush()

    def restart(self) -> None:
        self.done = 0

    def close(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def reason(failure: BaseException) -> str:
    """The first line of why a config failed."""
    return (str(failure).strip() or type(failure).__name__).splitlines()[0]


def ranking_table(kernel: str, key: Any, ranked: Sequence[Ranked], failures: Mapping[Config, BaseException],
                  seconds: float) -> str:
    """The configs that a model puts first, with what it says of them, and why others failed."""
    count = len(ranked) + len(failures)
    lines = [f"chose {kernel} for {key} by a model: the first of {count} configs in {seconds:.3f} s"]
    lines += [f"  {one.config}: {one.terms}" for one in ranked[:_SHOWN]]
    if len(ranked) > _SHOWN:
        lines.append(f"  and {len(ranked) - _SHOWN} slower ones")
    lines += [f"     skipped     {config}: {reason(failure)}" for config, failure in failures.items()]
    return "\n".join(lines)


def table(kernel: str, key: Any, times: Mapping[Config, Any], failures: Mapping[Config, BaseException],
          seconds: float) -> str:
    """The fastest configs with their times, and why others failed."""
    ordered = sorted(times.items(), key=lambda row: row[1][0])
    lines = [f"tuned {kernel} for {key}: {len(times)} of {len(times) + len(failures)} configs in {seconds:.2f} s"]
    for config, row in ordered[:_SHOWN]:
        lines.append(f"  {row[0]:10.4f} ms  {config}")
    if len(ordered) > _SHOWN:
        lines.append(f"  and {len(ordered) - _SHOWN} slower ones")
    lines += [f"     skipped     {config}: {reason(failure)}" for config, failure in failures.items()]
    return "\n".join(lines)
