"""The figures of runtime/python/INDUCTOR.md: its tables, and sentences that sum them up, made of `figures.json` in this
folder. Without options it fails where the document says something else.

    python3 tools/bench/inductor/inductor.py --cores 1 --steps 20 --json run.json
    python3 tools/bench/inductor/figures.py --take steps run.json --write
    python3 tools/bench/inductor/inductor.py --models llama --cores 4,16 --steps 0 --json one.json      # and two.json
    python3 tools/bench/inductor/figures.py --take cores one.json two.json --write

`--take` puts what inductor.py has found in place of what was recorded of the same models. Other tables are recorded by hand,
row by row, as the commands print them that the document names.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import statistics
import sys
from collections.abc import Iterable
from typing import Any, Callable

RECORD = pathlib.Path(__file__).with_name("figures.json")
DOCUMENT = pathlib.Path(__file__).resolve().parents[3] / "runtime" / "python" / "INDUCTOR.md"

NUMBERS = ("", "", "two", "three", "four", "five", "six")
NOTES = {"products": " (every config tried)", "flex attention": " (every config tried)"}
#: The measures of a model's steps: the name in inductor.py's findings, and the form of a number.
STEPS = {"first_step_s": ".1f", "compile_s": ".2f", "step_ms": "#.3g"}

Rows = list[dict[str, Any]]


#--- the document ---

def table(heads: list[str], rows: Iterable[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("".join(f"| {cell} " if cell else "| " for cell in line).replace("| --- ", "|---") + "|\n" for line in lines)


def number_word(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def ratio_of_sums(measured: list[list[float]]) -> float:
    return sum(ours for ours, *_ in measured) / sum(theirs for _, theirs, *_ in measured)


def joined(numbers: Iterable[float], form: str) -> str:
    return ", ".join(format(number, form) for number in numbers)


def steps_text(rows: Rows) -> str:
    """A row for each model: our time, Triton's and their ratio, for each measure."""

    def cells(row: dict[str, Any]) -> list[str]:
        found = [row["model"] + NOTES.get(row["model"], "")]
        for name, form in STEPS.items():
            measured = row.get(name)
            found += [joined(measured[:2], form), f"{measured[2]:.2f}"] if measured else \
                ["by several threads at a time", ""]
        return [*found, f"{row['gpu_ratio']:.2f}"]

    heads = ["model", "first step s, Triton's", "ratio", "in `triton.compile` s, Triton's", "ratio", "later step ms, Triton's",
             "ratio", "on the GPU, ratio"]
    compiled = [row["compile_s"] for row in rows if row.get("compile_s")]
    steps = {row["model"]: row["step_ms"][0] / row["step_ms"][1] for row in rows}
    mean, others = (statistics.geometric_mean(found) for found in
                    (steps.values(), [ratio for model, ratio in steps.items() if model not in NOTES]))
    return table(heads, map(cells, rows)) + (
        f"\nIn all, `triton.compile` takes {ratio_of_sums(compiled[:2]):.2f} of Triton's time for the first two and "
        f"{ratio_of_sums(compiled):.2f} for the first {number_word(len(compiled))}; later steps {mean:.3f} in the\n"
        f"geometric mean, {others:.3f} without the products, for which the two compilers' configs differ from run to run.\n")


def cores_text(rows: Rows) -> str:
    """A row for each model and number of cores, with first steps of one run or several."""

    def cells(row: dict[str, Any]) -> list[str]:
        ours, theirs = row["tegula"], row["triton"]
        runs = f", {number_word(len(ours))} runs" if len(ours) > 1 else row.get("note", "")
        return [row["model"] + NOTES.get(row["model"], "") + runs, str(row["cores"]),
                joined(ours, ".1f"), joined(theirs, ".1f"), joined((a / b for a, b in zip(ours, theirs)), ".2f")]

    return table(["model", "cores", "Tegula s", "Triton s", "ratio"], map(cells, rows))


TEXTS: dict[str, Callable[[Rows], str]] = {"steps": steps_text, "cores": cores_text}


def text_of(name: str, recorded: Any) -> str:
    return TEXTS[name](recorded) if name in TEXTS else table(recorded["heads"], recorded["rows"])


def with_figures(document: str, record: dict[str, Any]) -> str:
    """The document with each section between its two lines made anew. ValueError where it has no such lines."""
    for name, recorded in record.items():
        first, last = f"<!-- figures: {name} -->\n", f"<!-- end of figures: {name} -->\n"
        between = re.compile(re.escape(first) + ".*?" + re.escape(last), re.S)
        if not between.search(document):
            raise ValueError(f"expected the lines\n{first}{last}around the figures that are to be replaced")
        document = between.sub(lambda _: f"{first}\n{text_of(name, recorded)}\n{last}", document)
    return document


#--- taking ---

def pairs(found: Rows) -> dict[tuple[str, int], tuple[dict[str, Any], dict[str, Any]]]:
    """Returns what inductor.py has found by model and cores: ours and Triton's. ValueError where one of them failed."""
    by_compiler = {(row["model"], row["cores"], row["compiler"]): row for row in found}
    if failed := [row for row in found if "error" in row]:
        raise ValueError(f"{failed[0]['model']} by {failed[0]['compiler']} failed: {failed[0]['error']}")
    return {(model, cores): (row, by_compiler[model, cores, "triton"])
            for (model, cores, compiler), row in by_compiler.items() if compiler == "tegula"}


def steps_taken(runs: list[Rows]) -> Rows:
    rows = []
    for (model, _), (ours, theirs) in pairs(runs[-1]).items():
        measures = [name for name in STEPS if not (name == "compile_s" and model in NOTES)]
        rows.append({"model": model, **{name: [ours[name], theirs[name], ours[name] / theirs[name]] for name in measures},
                     "gpu_ratio": ours["gpu_ms"] / theirs["gpu_ms"]})
    return rows


def cores_taken(runs: list[Rows]) -> Rows:
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for run in runs:
        for (model, cores), both in pairs(run).items():
            row = rows.setdefault((model, cores), {"model": model, "cores": cores, "tegula": [], "triton": []})
            for found in both:
                row[found["compiler"]].append(found["first_step_s"])
    return list(rows.values())


TAKEN: dict[str, Callable[[list[Rows]], Rows]] = {"steps": steps_taken, "cores": cores_taken}


def merged(recorded: Rows, taken: Rows) -> Rows:
    """`recorded` with the rows of the same model and cores replaced, and new ones behind."""
    fresh = {(row["model"], row.get("cores")): row for row in taken}
    return [fresh.pop((row["model"], row.get("cores")), row) for row in recorded] + list(fresh.values())


def record_text(record: dict[str, Any]) -> str:
    """JSON with a line for each row."""
    parts = []
    for name, recorded in record.items():
        rows = recorded if isinstance(recorded, list) else recorded["rows"]
        lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        head = "" if isinstance(recorded, list) else f'{{"heads": {json.dumps(recorded["heads"])}, "rows": '
        parts.append(f"  {json.dumps(name)}: {head}[\n{lines}\n  ]{'}' if head else ''}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def update(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Takes, compares and writes as the options say. ValueError where a run or the document is no good."""
    record = json.loads(arguments.record.read_text())
    if arguments.take:
        name, *files = arguments.take
        if name not in TAKEN or not files:
            parser.error(f"expected one of {', '.join(TAKEN)} and a file for --take, found `{' '.join(arguments.take)}`")
        record[name] = merged(record[name], TAKEN[name]([json.loads(pathlib.Path(file).read_text()) for file in files]))
        arguments.record.write_text(record_text(record))
    document = arguments.document.read_text()
    made = with_figures(document, record)
    if arguments.write:
        arguments.document.write_text(made)
    elif made != document:
        print(f"{arguments.document} has other figures than {arguments.record}: --write makes them anew", file=sys.stderr)
        return 1
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the document instead of comparing with it")
    parser.add_argument("--take", nargs="+", metavar=("steps|cores", "FILE"), help="what inductor.py --json wrote")
    parser.add_argument("--record", type=pathlib.Path, default=RECORD)
    parser.add_argument("--document", type=pathlib.Path, default=DOCUMENT)
    arguments = parser.parse_args()
    try:
        return update(arguments, parser)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
