"""The last turns of configs that are measured: a chip that grows warm slows down whichever comes last, so those that are near
each other are measured once more, in turns, which decides."""

from __future__ import annotations

import statistics
from typing import Callable, Mapping, Sequence, TypeVar

#: Configs slower than the quickest by less than this factor take part, this many at most, in so many turns.
NEAR_ENOUGH, MOST, TURNS = 1.1, 4, 3

Name = TypeVar("Name")


def finalists(medians: Mapping[Name, float]) -> list[Name]:
    """Returns the names that are measured once more, the quickest first; none where the quickest stands alone."""
    if not medians:
        return []
    limit = NEAR_ENOUGH * min(medians.values())
    near = sorted((name for name, median in medians.items() if median <= limit), key=medians.__getitem__)[:MOST]
    return near if len(near) > 1 else []


def in_turns(names: Sequence[Name], measure: Callable[[Name], Sequence[float]]) -> dict[Name, list[float]]:
    """Returns for each of `names` the medians of what `measure` gives in `TURNS` turns, number by number. Every second turn goes
    backwards."""
    rows: dict[Name, list[Sequence[float]]] = {name: [] for name in names}
    for turn in range(TURNS):
        for name in (names if turn % 2 == 0 else names[::-1]):
            rows[name].append(measure(name))
    return {name: [statistics.median(column) for column in zip(*found)] for name, found in rows.items()}
