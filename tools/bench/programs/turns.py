"""Sides that are measured in turns on a GPU."""

from __future__ import annotations

from typing import Any, Callable

import torch


def milliseconds(launch: Callable[[], Any], launches: int) -> float:
    """Returns the time of one of so many launches in a row."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(launches):
        launch()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / launches


def in_turns(sides: dict[str, Callable[[], Any]], rounds: int, launches: int) -> dict[str, list[float]]:
    """Returns the milliseconds of each side in each round, of which it has one turn."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, launch in sides.items():
            times[name].append(milliseconds(launch, launches))
    return times
