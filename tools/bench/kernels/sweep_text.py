"""Writes what a sweep over configs found."""

from __future__ import annotations

import itertools
import math

from results import Results, Row

#: So many of the best are shown.
SHOWN = 6


def _best_of(row: Row) -> str:
    measured = sorted(((trial.times.median, trial) for trial in row.trials if trial.times), key=lambda each: each[0])
    text = f"{row.case.label}: {len(row.trials)} configs, {len(row.trials) - len(measured)} skipped\n"
    for median, trial in measured[:SHOWN]:
        text += (f"  {row.case.rate(median):.1f} {row.case.unit}, {trial.resources.registers} registers, "
                 f"{trial.resources.spilled} bytes spilled, {trial.resources.shared} shared: {trial.config.name}\n")
    return text


def _overall(name: str, rows: list[Row]) -> str:
    """The configs that every shape has, by the geometric mean of their part of each shape's best."""
    shares: dict[str, list[float]] = {}
    for row in rows:
        medians = {trial.config.name: trial.times.median for trial in row.trials if trial.times}
        for config, median in medians.items():
            shares.setdefault(config, []).append(min(medians.values()) / median)
    common = [(math.exp(sum(map(math.log, found)) / len(rows)), config) for config, found in shares.items()
              if len(found) == len(rows)]
    lines = [f"  {share:.3f} of each shape's best: {config}\n" for share, config in sorted(common, reverse=True)[:SHOWN]]
    return f"{name}, over {len(rows)} shapes:\n" + "".join(lines)


def sweep_text(results: Results) -> str:
    """The best configs of each shape, and those that lose least over all shapes of a kernel."""
    groups = [(name, list(rows)) for name, rows in itertools.groupby(results.rows, key=lambda row: row.case.name)]
    return "".join(map(_best_of, results.rows)) + "".join(_overall(name, rows) for name, rows in groups if len(rows) > 1)
