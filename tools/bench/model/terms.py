"""Writes the terms of each case and config of a sweep, for `fit-model` to judge the model on and to fit it. Needs no GPU.

    python3 tools/bench/model/terms.py tools/bench/model/sweep.json terms.jsonl

Each line has the number of the case, its kernel, whether the config is one of the kernel's own, the measured microseconds, and
the terms as the compiler reads them off. Cases that something disturbed while they were measured are left out.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("TEGULA_DEVICE", "emulator")
os.environ.setdefault("TEGULA_ARCH", "sm_90a")

import tegula  # noqa: E402
from calls import call_of  # noqa: E402

tegula.install_as_triton()

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "kernels"))


class Array:
    """Stands for a tensor, of which estimates ask the type and the alignment."""

    def __init__(self, dtype: Any):
        self.dtype = dtype

    def data_ptr(self) -> int:
        return 1 << 20


def estimate(case: dict[str, Any], sizes: dict[str, int], warps: int, stages: int) -> tuple[float, str]:
    """Returns what the model says of a case of `sweep.py` with a config."""
    call = call_of(case, lambda name, elements, dtype: Array(getattr(tegula.language, dtype)))
    return call.kernel.estimate(*call.arguments, **call.options(sizes, warps, stages), grid=call.grid(sizes))


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
