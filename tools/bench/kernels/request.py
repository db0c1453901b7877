"""Reads and checks what the command line of `tegula bench` asks for."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from typing import Any

from cases import PRODUCT_SIDES, Entry, Shape, UsageError
from catalogue import CATALOGUE

PEERS = ["triton", "cublas", "cudnn", "torch", "copy"]
SWEPT = ["BLOCK_M", "BLOCK_N", "BLOCK_K", "num_warps", "num_stages"]
MOST_SIDE = 1 << 31  # leaves room to compute with


@dataclass
class Request:
    """The options by their names, as the command passes them, and what becomes of them."""
    kernels: list[str]
    dtypes: list[str]
    again: bool
    sweep: bool
    dry_run: bool
    errors: bool
    csv: str
    json: str
    svg: str
    markdown: str
    device: str
    folder: str  # of the kernels' files
    command: str  # the executable `tegula`
    entries: list[Entry]  # in the catalogue's order
    shapes: list[Shape]
    sizes: list[int]
    random_count: int  # of random shapes instead of the usual ones; 0 for none
    seed: int
    swept: dict[str, list[int]]
    peers: list[str]
    rounds: int  # in which all sides take turns
    budget: int | None  # seconds after which no new case begins
    milliseconds: int  # of launches, for each config
    least_ratio: float | None  # of `check`; None where nothing is checked


def did_you_mean(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, 1, 2 / 3)
    return f"; did you mean `{near[0]}`?" if near else ""


def _expect_known(what: str, names: list[str], known: list[str]) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"expected {what} {', '.join(known)}, found `{name}`{did_you_mean(name, known)}")


def _count(text: str, expected: str, option: str, least: int = 0) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= MOST_SIDE):
        raise UsageError(f"expected {expected} for {option}, found `{text}`")
    return int(text)


def _entries(told: dict[str, Any]) -> list[Entry]:
    names = told["kernels"]
    _expect_known("a bundled kernel:", names, [entry.name for entry in CATALOGUE])
    chosen = []
    for entry in CATALOGUE:
        unfit = [f"--{option}" for option, fits in (("sweep", entry.can_sweep), ("errors", entry.has_errors))
                 if told[option] and not fits]
        if entry.name in names and unfit:
            raise UsageError(f"`{unfit[0]}` is for products, which `{entry.name}` is not")
        if entry.name in names or not names and not unfit:
            chosen.append(entry)
    return chosen


def _shape(text: str) -> Shape:
    sides = text.split("x")
    if not all(side.isascii() and side.isdigit() and 1 <= int(side) <= MOST_SIDE for side in sides):
        raise UsageError(f"expected whole numbers from 1 with `x` between for --shape, found `{text}`")
    return tuple(map(int, sides))


def _swept(told: dict[str, Any]) -> dict[str, list[int]]:
    if told["swept"] and not told["sweep"]:
        raise UsageError("`--set` is for `--sweep`")
    swept: dict[str, list[int]] = {}
    for text in told["swept"]:
        name, equals, values = text.partition("=")
        if not equals:
            raise UsageError(f"expected NAME=VALUE for --set, found `{text}`")
        if name not in SWEPT:
            raise UsageError(f"expected one of {', '.join(SWEPT)} for --set, found `{name}`{did_you_mean(name, SWEPT)}")
        if not all(value.isascii() and value.isdigit() and int(value) for value in values.split(",")):
            raise UsageError(f"expected values from 1 for --set, found `{text}`")
        swept.setdefault(name, []).extend(map(int, values.split(",")))
    return swept


def _random_count(told: dict[str, Any], entries: list[Entry]) -> int:
    if not told["random"]:
        return 0
    count = _count(told["random"], "a whole number from 1", "--random", 1)
    if told["shapes"] or told["sizes"] or told["errors"]:
        raise UsageError("expected at most one of --random, --shape, --n and --errors")
    unfit = next((entry for entry in entries if entry.sides != PRODUCT_SIDES), None)
    if unfit:
        raise UsageError(f"`--random` is for kernels with shapes {PRODUCT_SIDES}, `{unfit.name}` has {unfit.sides}; "
                         "expected the names of such kernels")
    return count


def _least_ratio(told: dict[str, Any]) -> float | None:
    if not told["check"]:
        return None
    try:
        ratio = float(told["check"])
    except ValueError:
        ratio = -1
    if not ratio >= 0:
        raise UsageError(f"expected a ratio such as 0.9 for --check, found `{told['check']}`")
    if ratio > 0 and not told["beside"]:
        raise UsageError("`--check=RATIO` needs `--beside`: there is no peer to compare with")
    return ratio


def _peers(told: dict[str, Any]) -> list[str]:
    peers = PEERS if told["beside"] == "all" else told["beside"].split(",") if told["beside"] else []
    _expect_known("peers out of", peers, PEERS)
    return list(peers)


def read_request(text: str) -> Request:
    """Reads the object of JSON that the command makes of its options. UsageError where something is wrong."""
    told = json.loads(text)
    entries = _entries(told)
    known = list(dict.fromkeys(dtype for entry in entries for dtype in (*entry.dtypes, *entry.other_dtypes)))
    if not told["errors"]:  # which has more types
        _expect_known("a type that a chosen kernel is measured with:", told["dtypes"], known)
    sizes = [_count(size, "a whole number from 1", "--n", 1) for size in told["sizes"]]
    shapes = [_shape(shape) for shape in told["shapes"]]
    peers = _peers(told)
    rounds = _count(told["rounds"], "a whole number", "--rounds")
    if rounds == 0:
        raise UsageError("expected at least 1 round")
    budget = _count(told["budget"], "a whole number", "--budget") if told["budget"] else None
    random_count = _random_count(told, entries)
    seed = _count(told["seed"], "a whole number", "--seed")
    swept = _swept(told)
    milliseconds = _count(told["milliseconds"], "a whole number", "--time")
    least_ratio = _least_ratio(told)
    if told["errors"] + told["sweep"] + told["dry_run"] + bool(peers) > 1 and not (told["sweep"] and told["dry_run"]):
        raise UsageError("expected at most one of --beside, --errors, --sweep and --dry-run")
    same = ("kernels", "dtypes", "again", "sweep", "dry_run", "errors", "csv", "json", "svg", "markdown", "device", "folder",
            "command")
    return Request(**{name: told[name] for name in same}, entries=entries, shapes=shapes, sizes=sizes, random_count=random_count,
                   seed=seed, swept=swept, peers=peers,
                   rounds=rounds, budget=budget, milliseconds=milliseconds, least_ratio=least_ratio)
