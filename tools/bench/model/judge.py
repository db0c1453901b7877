"""Judges the model that ranks configs on a sweep: what share of the best config's rate its first choice reaches. Needs no GPU.

    python3 tools/bench/model/judge.py [SWEEP]

Without SWEEP it takes `unseen.json`, other random shapes than those of `sweep.json`, which the model was fitted to
(`fit-model`), measured after it was.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import sys
from typing import Any

import terms

SWEEP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "unseen.json")


def share_of(case: dict[str, Any], configs: list[Any]) -> float:
    """The best time among `configs`, divided by that of the model's first choice."""
    measured = {place: case["times"].get(str(place)) for place in range(len(configs))}
    known = [place for place, time in measured.items() if isinstance(time, float)]
    first = min(known, key=lambda place: terms.estimate(case, *configs[place])[0])
    return min(measured[place] for place in known) / measured[first]


def shares(sweep: dict[str, Any], kernel: str, most: int = 1000) -> list[float]:
    """The shares of a kernel's cases, least first. Those that something disturbed while they were measured are left out."""
    return sorted(share_of(case, sweep["configs"][kernel][:most]) for number, case in enumerate(sweep["cases"])
                  if number not in sweep["disturbed"] and case["kernel"] == kernel)


def main() -> None:
    with open(sys.argv[1] if len(sys.argv) > 1 else SWEEP) as file:
        sweep = json.load(file)
    rows = [(f"products, {which}", shares(sweep, "matmul", most)) for most, which in ((sweep["own"], "own configs"), (1000, "all configs"))]
    rows += [(kernel, shares(sweep, kernel)) for kernel in ("attention", "softmax", "layernorm")]
    print(f"{sweep['device']}: the first choice's share of the best, disturbed cases {sweep['disturbed']} left out")
    for name, found in rows:
        print(f"{name:32} {len(found):4} cases: mean {statistics.geometric_mean(found):.3f}, "
              f"worst tenth {found[math.floor(len(found) / 10)]:.3f}, worst {found[0]:.3f}")


if __name__ == "__main__":
    main()
