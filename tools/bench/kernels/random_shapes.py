"""Random shapes of products, and what their ratios come to.

A side is as likely to lie between 16 and 32 as between 8192 and 16384. Of three shapes one has sides that are multiples of 16,
one sides that are multiples of 8 and not of 16, and one odd sides: how rows are aligned decides how they can be loaded.
"""

from __future__ import annotations

import math
import random

from cases import Shape, shape_text
from results import Results
from texts import Table

LEAST_SIDE, MOST_SIDE = 16, 16384
#: The kinds of sides, by the remainder that they leave and of what.
KINDS = {"multiples of 16": (0, 16), "multiples of 8": (8, 16), "odd": (1, 2)}
#: How many of the shapes with the least ratios are listed.
LISTED = 10


def kind_of(shape: Shape) -> str:
    """Returns the key of KINDS that the sides of a random shape have in common."""
    return next(kind for kind, (remainder, step) in KINDS.items() if all(side % step == remainder for side in shape))


def random_shapes(count: int, seed: int) -> list[Shape]:
    """Returns `count` shapes MxNxK, the kinds by turns; the first ones of a seed do not depend on `count`."""
    chance = random.Random(seed)
    shapes = []
    for number in range(count):
        remainder, step = list(KINDS.values())[number % len(KINDS)]
        sides = (2 ** chance.uniform(math.log2(LEAST_SIDE), math.log2(MOST_SIDE)) for _ in range(3))
        # Rounding to the nearest may leave the range.
        most = (MOST_SIDE - remainder) // step * step + remainder
        shapes.append(tuple(min(most, max(LEAST_SIDE + remainder, round((side - remainder) / step) * step + remainder))
                            for side in sides))
    return shapes


def worst_tenth(ratios: list[float]) -> float:
    """Returns the ratio that nine tenths of them reach."""
    return sorted(ratios)[len(ratios) // 10]


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def _ratios(results: Results) -> dict[tuple[str, str], dict[str, list[float]]]:
    """Returns the ratios by kernel and peer, then by kind of sides."""
    found: dict[tuple[str, str], dict[str, list[float]]] = {}
    for row in results.rows:
        for side in row.sides:
            if side.ratio is not None:
                kinds = found.setdefault((row.case.name, side.name), {"all": []})
                kinds["all"].append(side.ratio)
                kinds.setdefault(kind_of(row.case.shape), []).append(side.ratio)
    return found


def summary(results: Results) -> Table:
    """Returns a row for each kernel, peer and kind of sides."""
    heads = ["kernel", "to", "sides", "shapes", "geometric mean", "worst tenth", "least"]
    return Table(heads, [[name, peer, kind, str(len(ratios)), f"{geometric_mean(ratios):.3f}", f"{worst_tenth(ratios):.3f}",
                          f"{min(ratios):.3f}"]
                         for (name, peer), kinds in _ratios(results).items() for kind, ratios in kinds.items()], 3)


def least_ratios(results: Results) -> Table:
    """Returns the shapes with the least ratios to each peer, and our config there."""
    found = sorted((side.ratio, row.case.name, side.name, shape_text(row.case.shape).replace("x", "×"), row.sides[0].config)
                   for row in results.rows for side in row.sides if side.ratio is not None)
    listed = [each for peer in dict.fromkeys(each[2] for each in found)
              for each in [each for each in found if each[2] == peer][:LISTED]]
    return Table(["kernel", "to", "shape", "ratio", "config"],
                 [[name, peer, shape, f"{ratio:.3f}", config] for ratio, name, peer, shape, config in listed], 3)
