"""The order of configs by a model, which compiles and launches none of them."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Callable, NamedTuple, Sequence

from .config import Config

#: The values of TEGULA_TUNE: take the model's first choice, or measure all.
MODEL, MEASURE = "model", "measure"

#: Compute capabilities, as 90 for 9.0, of GPUs on which the model was judged (`tools/bench/model`): where TEGULA_TUNE says
#: nothing it chooses there. On others configs are measured.
JUDGED = (90,)


def asked() -> str | None:
    """Returns what TEGULA_TUNE says; None where it says nothing. ValueError where it says something else."""
    told = os.environ.get("TEGULA_TUNE", "")
    if told not in ("", MODEL, MEASURE):
        raise ValueError(f"expected `{MODEL}` or `{MEASURE}` as TEGULA_TUNE, found `{told}`")
    return told or None


class Ranked(NamedTuple):
    """A config with what the model says of it."""
    config: Config
    cycles: float  # infinite where it fits no device of this kind
    terms: str

    def order(self) -> tuple[float, str]:
        """Equal estimates come in the order of their texts: the order in which the configs are given does not count."""
        return self.cycles, str(self.config)


class Ranking(NamedTuple):
    """Configs, the best first; and those that the front end refuses."""
    ranked: list[Ranked]
    failures: dict[Config, BaseException]
    unknown: str  # why the model does not know, else empty: then nothing is ranked


def rank(configs: Sequence[Config], estimate: Callable[[Config], tuple[float, str]],
         refusals: tuple[type[BaseException], ...]) -> Ranking:
    """Orders `configs` by the estimates of each. What it raises of `refusals` takes a config out."""
    ranked: list[Ranked] = []
    failures: dict[Config, BaseException] = {}
    for config in configs:
        try:
            cycles, told = estimate(config)
        except refusals as failure:
            failures[config] = failure
            continue
        terms: dict[str, Any] = json.loads(told)
        if math.isnan(cycles):
            return Ranking([], failures, terms["unknown"])
        ranked.append(Ranked(config, cycles, terms["text"]))
    return Ranking(sorted(ranked, key=Ranked.order), failures, "")
