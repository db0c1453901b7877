"""Judges the model that ranks configs on a sweep: what share of the best config's rate its first choice reaches. Needs no GPU.

    python3 tools/bench/model/judge.py [SWEEP]

One product in three, attention and layernorm took no part in fitting (`fit-model`).
"""

from __future__ import annotations

import json
import math
import os
import statistics
import sys
from typing import Any, Callable

import terms

SWEEP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sweep.json")

#: The configs of kernels/matmul.py, which come first in the sweep.
OWN_CONFIGS = 10


def share_of(case: dict[str, Any], configs: list[Any]) -> float:
    """The best time among `configs`, divided by that of the model's first choice."""
    measured = {place: case["times"].get(str(place)) for place in range(len(configs))}
    known = [place for place, time in measured.items() if isinstance(time, float)]
    first = min(known, key=lambda place: terms.estimate(case, *configs[place])[0])
    return min(measured[place] for place in known) / measured[first]


def shares(sweep: dict[str, Any], counts: Callable[[int, dict[str, Any]], bool], most: int = 1000) -> list[float]:
    """The shares of the cases that count, least first. Those that something disturbed while they were measured do not."""
    return sorted(share_of(case, sweep["configs"][case["kernel"]][:most]) for number, case in enumerate(sweep["cases"])
                  if number not in sweep["disturbed"] and counts(number, case))


def main() -> None:
    with open(sys.argv[1] if len(sys.argv) > 1 else SWEEP) as file:
        sweep = json.load(file)
    is_fitted = lambda number: number % 3 != 0
    rows: list[tuple[str, list[float]]] = []
    for most, which in ((OWN_CONFIGS, "own configs"), (1000, "all configs")):
        rows += [(f"products, {which}, fitted", shares(sweep, lambda i, case: case["kernel"] == "matmul" and is_fitted(i), most)),
                 (f"products, {which}, not seen", shares(sweep, lambda i, case: case["kernel"] == "matmul" and not is_fitted(i), most))]
    for kernel in ("softmax", "layernorm", "attention"):
        seen = "fitted" if kernel == "softmax" else "not seen"
        rows.append((f"{kernel}, {seen}", shares(sweep, lambda i, case, kernel=kernel: case["kernel"] == kernel)))
    print(f"{sweep['device']}: the first choice's share of the best, disturbed cases {sweep['disturbed']} left out")
    for name, found in rows:
        print(f"{name:32} {len(found):4} cases: mean {statistics.geometric_mean(found):.3f}, "
              f"worst tenth {found[math.floor(len(found) / 10)]:.3f}, worst {found[0]:.3f}")


if __name__ == "__main__":
    main()
