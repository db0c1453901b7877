"""Results as text: for a terminal, as Markdown, CSV and JSON."""

from __future__ import annotations

import dataclasses
from typing import Any

from cases import BANDWIDTH, COMPUTE, Case, shape_text
from random_shapes import geometric_mean, least_ratios, summary
from results import ErrorResults, Results, Row, Side
from texts import Table, exact, json_text

UNITS = (BANDWIDTH, COMPUTE)
COUNTS_ARE_NO_TIMES = ("counts of one launch: instructions of warps, sectors of 32 bytes and the least possible; "
                       "no times")
#: Names of counts here by those of `tegula run --report=json`.
COUNTS = {"warpInstructions": "warp_instructions", "threadInstructions": "thread_instructions",
          "loadRequests": "load_requests", "loadSectors": "load_sectors", "loadSectorsIdeal": "load_sectors_least",
          "loadBytes": "load_bytes", "storeRequests": "store_requests", "storeSectors": "store_sectors",
          "storeSectorsIdeal": "store_sectors_least", "storeBytes": "store_bytes", "sharedRequests": "shared_requests",
          "sharedBytes": "shared_bytes", "bankConflicts": "bank_conflicts"}


def _case_cells(case: Case) -> list[str]:
    """The shape with the sign for times, as people write it."""
    return [case.name, case.dtype, "×".join(map(str, case.shape))]


def _rate_text(rate: float) -> str:
    """Three digits or more: 4120, 88.1, 0.312."""
    return f"{rate:.{0 if rate >= 100 else 1 if rate >= 10 else 3}f}"


def _comparison(results: Results, unit: str) -> Table:
    """A row for each case, a column for the rate of each side and one for its ratio to ours."""
    sides = results.sides_of(unit)

    def ratio_text(side: Side | None) -> str:
        return f"{side.ratio:.3f}" if side and side.ratio is not None else "-"

    def cells(row: Row) -> list[str]:
        found = [row.side(name) for name in sides]
        return [*_case_cells(row.case), *(_rate_text(row.rate(side)) if side else "-" for side in found),
                *map(ratio_text, found[1:])]

    return Table(["kernel", "type", "shape", *(f"{side} {unit}" for side in sides), *(f"to {side}" for side in sides[1:])],
                 [cells(row) for row in results.rows_of(unit)], 3)


def _alone(results: Results, unit: str) -> Table:
    """Our side alone: the rate with its quantiles, and what the kernel takes."""

    def cells(row: Row) -> list[str]:
        side = row.sides[0]
        # The quantiles are those of the time: the greater time is the lower rate.
        rates = [_rate_text(row.case.rate(time)) for time in dataclasses.astuple(side.times)]
        return [*_case_cells(row.case), *rates, f"{side.times.median:.4f}", *map(str, dataclasses.astuple(row.resources)),
                side.config + (" (chosen earlier)" if row.is_chosen_earlier else "")]

    return Table(["kernel", "type", "shape", unit, "at 0.2", "at 0.8", "ms", "registers", "spilled", "shared", "config"],
                 [cells(row) for row in results.rows_of(unit)], 3)


def _counted(results: Results) -> Table:
    shown = {"warp_instructions": "instructions", "load_sectors": "load sectors", "load_sectors_least": "least",
             "store_sectors": "store sectors", "store_sectors_least": "least", "bank_conflicts": "bank conflicts"}
    return Table(["kernel", "type", "shape", *shown.values()],
                 [[*_case_cells(row.case), *(str(row.counts[name]) for name in shown)] for row in results.rows], 3)


def _random_head(results: Results) -> str:
    return f"{len(results.rows)} random shapes of seed {results.seed}"


def _random_tables(results: Results) -> list[Table]:
    return [table for table in (summary(results), least_ratios(results)) if table.rows]


def _table_of(results: Results, unit: str) -> Table:
    return _comparison(results, unit) if len(results.sides_of(unit)) > 1 else _alone(results, unit)


def _means(results: Results) -> str:
    """ "matmul to cuBLAS: geometric mean 0.594, least 0.541 of 7", a line for each kernel and peer."""
    ratios: dict[str, dict[str, list[float]]] = {}
    for row in results.rows:
        for side in row.sides:
            if side.ratio is not None:
                ratios.setdefault(row.case.name, {}).setdefault(side.name, []).append(side.ratio)
    return "".join(f"{name} to {side}: geometric mean {geometric_mean(found):.3f}, "
                   f"least {min(found):.3f} of {len(found)}\n" for name, sides in ratios.items() for side, found in sides.items())


def text_of(results: Results) -> str:
    """A table for each unit with rates and ratios, or counts, and what there is to say of all rows together."""
    text = f"{results.head}: {COUNTS_ARE_NO_TIMES}\n" if results.is_counted else f"{results.head}\n"
    tables = [_counted(results)] if results.is_counted else [_table_of(results, unit) for unit in UNITS if results.rows_of(unit)]
    text += "".join(table.plain() for table in tables) + _means(results)
    if results.seed is not None:
        text += f"{_random_head(results)}\n" + "".join(table.plain() for table in _random_tables(results))
    for what, labels in (("not measured", results.failed), ("left out for time", results.left),
                         ("wrong results, not compared with", results.wrong_peers)):
        text += f"{what}: {', '.join(labels)}\n" if labels else ""
    return text


def markdown_of(results: Results) -> dict[str, str]:
    """The sections of a document by name."""
    if results.is_counted:
        return {"counts": f"{results.head}: {COUNTS_ARE_NO_TIMES}.\n\n{_counted(results).markdown()}"}
    if results.seed is not None:
        tables = "\n".join(table.markdown() for table in _random_tables(results))
        wrong = f"\nWrong results, not compared with: {', '.join(results.wrong_peers)}.\n" if results.wrong_peers else ""
        return {"random": f"{results.head}; {_random_head(results)}.\n\n{tables}{wrong}"}
    return {"products" if unit == COMPUTE else "memory": f"{results.head}.\n\n{_table_of(results, unit).markdown()}"
            for unit in UNITS if results.rows_of(unit)}


def _side_numbers(case: Case, side: Side) -> dict[str, float]:
    return {"rate": case.rate(side.times.median), "rate_at_0.2": case.rate(side.times.low),
            "rate_at_0.8": case.rate(side.times.high), "ms": side.times.median}


def _resources(row: Row) -> dict[str, int]:
    return {"registers": row.resources.registers, "spill_bytes": row.resources.spilled, "shared_bytes": row.resources.shared}


def csv_of(results: Results) -> str:
    """A line for each side of each row, or each row where things were counted."""
    heads = ["device", "kernel", "type", "shape"]
    first = {id(row): [results.device, row.case.name, row.case.dtype, shape_text(row.case.shape)] for row in results.rows}
    if results.is_counted:
        return Table([*heads, *COUNTS.values()], [[*first[id(row)], *map(str, row.counts.values())] for row in results.rows]).csv()
    heads += ["side", "unit", "rate", "rate_at_0.2", "rate_at_0.8", "ms", "ratio", "registers", "spill_bytes", "shared_bytes",
              "config"]
    rows = []
    for row in results.rows:
        for side in row.sides:
            numbers = [exact(number) for number in _side_numbers(row.case, side).values()]
            resources = [str(number) if side is row.sides[0] else "" for number in _resources(row).values()]
            rows.append([*first[id(row)], side.name, row.case.unit, *numbers, "" if side.ratio is None else exact(side.ratio),
                         *resources, side.config])
    return Table(heads, rows).csv()


def _json_side(case: Case, side: Side) -> dict[str, Any]:
    made: dict[str, Any] = {"side": side.name, **_side_numbers(case, side)}
    more = {"ratio": side.ratio, "config": side.config or None}
    return made | {name: value for name, value in more.items() if value is not None}


def _json_row(row: Row) -> dict[str, Any]:
    made: dict[str, Any] = {"kernel": row.case.name, "type": row.case.dtype, "shape": row.case.shape}
    if row.counts:
        return {**made, "counts": row.counts}
    sides = [_json_side(row.case, side) for side in row.sides]
    return {**made, "unit": row.case.unit, "sides": sides, "chosen_earlier": row.is_chosen_earlier, **_resources(row)}


def json_of(results: Results) -> str:
    head: dict[str, Any] = {"device": results.device, "versions": results.versions, "failed": results.failed,
                            "left_out": results.left, "wrong_peers": results.wrong_peers}
    if results.seed is not None:
        head["seed"] = results.seed
    return json_text(head, [_json_row(row) for row in results.rows])


#--- errors ---

def _error_table(results: ErrorResults) -> Table:
    heads = ["kernel", "type", "shapes", "mean error", "PyTorch's", "worst ratio of means", "at", "worst ratio of largest",
             "at", ""]
    return Table(heads, [[row.kernel, row.type, str(row.shapes), f"{row.mean:.3g}", f"{row.pytorch_mean:.3g}",
                          f"{row.worst_mean_ratio:.3f}", row.worst_mean_at, f"{row.worst_largest_ratio:.3f}",
                          row.worst_largest_at, "" if row.good else "beyond"] for row in results.rows], 2)


def _error_summary(results: ErrorResults) -> str:
    """ "0 of 12 beyond 1.05 of ..." """
    beyond = sum(not row.good for row in results.rows)
    text = f"{beyond} of {len(results.rows)} beyond {results.margins}\n"
    return text + (f"failed: {', '.join(results.failed)}\n" if results.failed else "")


def error_text_of(results: ErrorResults) -> str:
    return f"{results.head}\n{_error_table(results).plain()}{_error_summary(results)}"


def error_markdown_of(results: ErrorResults) -> dict[str, str]:
    return {"errors": f"{results.head}; {_error_summary(results)}\n{_error_table(results).markdown()}"}


def error_csv_of(results: ErrorResults) -> str:
    table = _error_table(results)
    table.heads = ["kernel", "type", "shapes", "mean", "pytorch_mean", "worst_mean_ratio", "worst_mean_at",
                   "worst_largest_ratio", "worst_largest_at", "beyond"]
    return table.csv()


def error_json_of(results: ErrorResults) -> str:
    head = {"device": results.device, "versions": results.versions, "failed": results.failed, "good": results.is_good}
    return json_text(head, [dataclasses.asdict(row) for row in results.rows])
