"""Runs the tests of another program by Tegula, and those that do not pass by Triton too: do the two differ?

    python3 tools/bench/strangers/strangers.py SUITE CHECKOUT [--share 0.2 --part 0] [--seconds 120] [--processes 16] [--json FILE]

SUITE is one of `stranger_suites.py`, or a file of JSON with the fields of a `Suite`; CHECKOUT is where its files lie. pytest
runs the tests in `--processes` processes with Tegula as `triton`. A test that crashes, or takes longer than `--seconds`,
costs its process and no other test. A quarter of the processes ask Triton meanwhile about what does not pass, and about one
test of each kind that is skipped; what passes by Triton alone is asked once more of Tegula.

`--share 0.2` takes a fifth of the tests, the same one each time; `--part 0` to `--part 4` take them all. After `--limit`
seconds it ends with what is known by then, which `--json` keeps from the first seconds on. `--but` leaves out what the `--json`
of such a run has; `--tell` prints what such files say together and runs nothing. Printed are, of each kind of failure, how
many tests have it and the last lines of both compilers for one of them; then the table.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import re
import sys
import tempfile
import time
import zlib

from compared_tests import BAD, COMPILERS, Comparison, Plan, by_triton_alone, last
from stranger_suites import SUITES, Suite, suite_of

Found = dict[str, dict[str, dict]]
PASSED = ("passes", "fails as expected")


def kind_of(name: str, test: dict) -> tuple[str, str]:
    """Returns what failures have in common: the test without its parameters, and its message without its numbers."""
    lines = [line.strip() for line in test["said"].splitlines() if line.strip()]
    return name.partition("[")[0], re.sub(r"0x[0-9a-f]+|\d+(\.\d+)?(e[-+]\d+)?", "N", f"{test['how']} {lines[-1] if lines else ''}")


def tell_failures(found: Found) -> None:
    """Those that matter most come last: where little of what is printed can be seen, that is its end."""
    ours, theirs = (found[compiler] for compiler in COMPILERS)
    alone = set(by_triton_alone(found))
    kinds: dict[tuple, list[str]] = collections.defaultdict(list)
    for name in sorted({name for name, test in ours.items() if test["how"] in BAD} | alone):
        own = ours.get(name) or ours[theirs[name]["file"]]
        kinds[(name in alone, *kind_of(name, own))].append(name)
    for (is_alone, *_), names in sorted(kinds.items(), key=lambda kind: (kind[0][0], len(kind[1]), kind[1])):
        name = names[0]
        own, other = ours.get(name) or ours[theirs[name]["file"]], theirs.get(name, {"how": "was not asked", "said": ""})
        print(f"{'BY TEGULA ALONE ' if is_alone else ''}{len(names)} x {name}\n  tegula {own['how']} {last(own['said'])}\n"
              f"  triton {other['how']} {last(other['said'])}")


def row(found: Found, names: set[str], alone: set[str]) -> list[int]:
    """Numbers of tests: run, passed, skipped, failed by both compilers, passed by Triton alone, not asked of Triton."""
    ours, theirs = (found[compiler] for compiler in COMPILERS)
    own = {name: ours[name]["how"] for name in names if name in ours}
    bad = {name for name, how in own.items() if how in BAD}
    asked = {*theirs, *(test["file"] for test in theirs.values())}  # a file that Tegula cannot read, or its tests
    return [len(own), sum(how in PASSED for how in own.values()), sum(how == "skipped" for how in own.values()),
            len(bad & set(theirs) - alone), len(names & alone), len(bad - asked)]


def tell_table(title: str, found: Found) -> None:
    alone = set(by_triton_alone(found))
    files: dict[str, set[str]] = collections.defaultdict(set)
    for tests in found.values():
        for name, test in tests.items():
            files[test["file"]].add(name)
    print("\n| | run | pass | skipped | fail by both | by Triton alone | not asked of Triton |\n|---|---|---|---|---|---|---|")
    for file, names in sorted(files.items()):
        numbers = row(found, names, alone)
        if any(numbers[3:]):
            print("|", " | ".join([file, *map(str, numbers)]), "|")
    print("|", " | ".join([f"**{title}**", *map(str, row(found, set().union(*files.values()), alone))]), "|")


def choice(suite: Suite, arguments, told: set[str]):
    """Names that are asked for: all that match, less those that the suite leaves out, and of these the share."""
    parts, wanted = max(1, round(1 / arguments.share)), arguments.match.split(",")

    def chosen(names: list[str]) -> list[str]:
        return [name for name in names if name not in told and any(part in name for part in wanted)
                and suite.reason_without(name) is None and zlib.crc32(name.encode()) % parts == arguments.part % parts]
    return chosen


def compared(suite: Suite, arguments) -> Found:
    until, root = time.monotonic() + arguments.limit, arguments.checkout
    here = pathlib.Path(__file__).resolve().parent
    told = {name for file in arguments.but for name in json.loads(file.read_text())["tegula"]}
    path = [str(root / part) for part in suite.path] + [os.environ.get("PYTHONPATH", "")]
    environment = {"TRITON_CACHE_DIR": "{compiler}/triton", "TEGULA_CACHE_DIR": "{compiler}/tegula",
                   "TORCHINDUCTOR_CACHE_DIR": "{compiler}/inductor", "PYTHONPATH": os.pathsep.join(filter(None, path)),
                   "PYTHONDONTWRITEBYTECODE": "1", **suite.environment}
    files = [file for file in suite.files_in(root) if suite.reason_without(f"{file}::") is None]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        plan = Plan([sys.executable, str(here / "pytest_worker.py"), str(root), *suite.options], files, arguments.seconds,
                    choice(suite, arguments, told), environment, folder, cwd=str(root))
        comparison = Comparison(plan, until, arguments.json)
        comparison.run(arguments.processes, apart=False, again=("tegula",))
        return comparison.found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", metavar="SUITE", help=f"{', '.join(SUITES)}, or a file of JSON")
    parser.add_argument("checkout", type=lambda text: pathlib.Path(text).resolve(), metavar="CHECKOUT")
    parser.add_argument("--share", type=float, default=1.0, help="of the tests, 1/N of them")
    parser.add_argument("--part", type=int, default=0, metavar="K", help="which share, from 0 on")
    parser.add_argument("--match", default="", help="names that have this in them; several with commas")
    parser.add_argument("--but", type=pathlib.Path, action="append", default=[], metavar="JSON", help="not the tests told there")
    parser.add_argument("--tell", type=pathlib.Path, action="append", default=[], metavar="JSON", help="what is told there")
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=120, help="for one test")
    parser.add_argument("--limit", type=float, default=1e6, help="seconds for all")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    suite = suite_of(arguments.suite)
    found: Found = {compiler: {} for compiler in COMPILERS}
    for file in arguments.tell:
        for compiler, tests in json.loads(file.read_text()).items():
            found[compiler].update(tests)
    if not arguments.tell:
        found = compared(suite, arguments)
    tell_failures(found)
    tell_table(pathlib.Path(arguments.suite).stem, found)
    for pattern, why in suite.left_out.items():
        print(f"left out: {pattern}: {why}")
    return int(bool(by_triton_alone(found)))


if __name__ == "__main__":
    sys.exit(main())
