"""A file of PyTorch's own tests by Tegula, and what does not pass by Triton too: do the two differ?

    python3 tools/bench/strangers/inductor_tests.py test_triton_kernels.py [--match NAME] [--processes 16] [--seconds 90]

The file is one of PyTorch's `test/inductor`, which its wheel does not have. Its tests are shared out among processes; one
that crashes, or takes longer than `--seconds`, costs its process and no other test. A quarter of the processes ask Triton
meanwhile. What passes by Triton alone is asked once more of both, each test in a process of its own, since some depend on
what ran before them. Printed are the numbers and, of each test that does not pass, the last lines of both; `--json` keeps
what each said. After `--limit` seconds it ends with what is known by then; `--but` leaves out what the `--json` of such a
run has.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import pathlib
import sys
import tempfile
import time
import unittest

from compared_tests import BAD, COMPILERS, Comparison, Plan, Worker, by_triton_alone, counted, last


#--- in a process of its own ---


def module_of(path: pathlib.Path):
    """Imports the file's tests. Some import their neighbours, which lie in the same folder or are missing."""
    sys.path.insert(0, str(path.parent))
    return importlib.import_module(path.stem)


def tests_of(module) -> dict[str, unittest.TestCase]:
    found: dict[str, unittest.TestCase] = {}
    left = [unittest.defaultTestLoader.loadTestsFromModule(module)]
    while left:
        for test in left.pop():
            if isinstance(test, unittest.TestSuite):
                left.append(test)
            else:
                found[f"{type(test).__name__}.{test._testMethodName}"] = test
    return found


def outcome(test: unittest.TestCase) -> dict:
    text = io.StringIO()
    result = unittest.TextTestRunner(stream=text, verbosity=0).run(unittest.TestSuite([test]))
    bad = [*result.failures, *result.errors]
    if bad:
        return {"how": "fails", "said": bad[0][1][-6000:]}
    if result.skipped:
        return {"how": "skipped", "said": result.skipped[0][1]}
    if result.expectedFailures:
        return {"how": "fails as expected", "said": ""}
    return {"how": "fails" if result.unexpectedSuccesses else "passes", "said": ""}


class UnitTests(Worker):
    """Tests of `unittest`."""

    def names(self, file: str) -> list[str]:
        self.tests = tests_of(module_of(pathlib.Path(file)))
        return sorted(self.tests)

    def outcome(self, name: str) -> dict:
        return outcome(self.tests[name]) if name in self.tests else {"how": "is not there", "said": ""}


#--- the whole ---


def report(path: pathlib.Path, names: list[str], found: dict[str, dict[str, dict]]) -> int:
    """Prints the differences, and returns how many tests pass by Triton alone."""
    ours, theirs = (found[compiler] for compiler in COMPILERS)
    alone = by_triton_alone(found)
    print(f"{path.name}: {len(ours)} of {len(names)} tests run:", counted(ours))
    for name, test in sorted(ours.items()):
        if test["how"] not in BAD and name not in alone:
            continue
        other = theirs.get(name, {"how": "was not run", "said": ""})
        print(f"{'BY TEGULA ALONE ' if name in alone else ''}{name}\n  tegula {test['how']} {last(test['said'])}\n"
              f"  triton {other['how']} {last(other['said'])}")
    return len(alone)


def main() -> int:
    if "--worker" in sys.argv:
        return UnitTests().serve(sys.argv[-1])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--match", default="", help="names that have this in them; several with commas")
    parser.add_argument("--but", type=pathlib.Path, action="append", default=[], metavar="JSON", help="not the tests told there")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th test")
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=90, help="for one test")
    parser.add_argument("--limit", type=float, default=1e6, help="seconds for all")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    until, wanted = time.monotonic() + arguments.limit, arguments.match.split(",")
    told = {name for file in arguments.but for name in json.loads(file.read_text())["tegula"]}

    def chosen(names: list[str]) -> list[str]:
        left = [name for name in names if name not in told and any(part in name for part in wanted)]
        return left[::arguments.every]

    environment = {"TORCHINDUCTOR_CACHE_DIR": "{process}/inductor", "TEGULA_CACHE_DIR": "{process}/tegula",
                   "TRITON_CACHE_DIR": "{process}/triton"}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        plan = Plan([sys.executable, __file__, "--worker"], [str(arguments.file)], arguments.seconds, chosen, environment, folder)
        comparison = Comparison(plan, until, arguments.json)
        comparison.run(arguments.processes, apart=True, again=COMPILERS)
    names = comparison.names.get(str(arguments.file))
    if names is None:
        answer = comparison.found["tegula"].get(str(arguments.file), {"said": "the time was over"})
        raise SystemExit(f"{arguments.file} cannot be read:\n{answer['said']}")
    return int(report(arguments.file, names, comparison.found) > 0)


if __name__ == "__main__":
    sys.exit(main())
