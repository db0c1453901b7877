"""The suites of tests that `strangers.py` knows, and how each is run."""

from __future__ import annotations

import dataclasses
import fnmatch
import json
import pathlib
from typing import Mapping


@dataclasses.dataclass(frozen=True)
class Suite:
    """Tests of a checkout by pytest, which is started at its root. Paths are relative to that."""
    tests: tuple[str, ...]  # folders and files
    files: str = "test_*.py"  # what files of tests are called
    options: tuple[str, ...] = ()  # of pytest
    environment: Mapping[str, str] = dataclasses.field(default_factory=dict)
    path: tuple[str, ...] = (".",)  # PYTHONPATH
    left_out: Mapping[str, str] = dataclasses.field(default_factory=dict)  # patterns of names of tests -> why

    def files_in(self, checkout: pathlib.Path) -> list[str]:
        """The largest first: what takes longest had better not begin last."""
        roots = [checkout / part for part in self.tests]
        found = {file for root in roots for file in ([root] if root.is_file() else root.rglob(self.files))}
        if missing := [str(root) for root in roots if not root.exists()]:
            raise SystemExit(f"there is no {', no '.join(missing)}")
        return [str(file.relative_to(checkout)) for file in sorted(found, key=lambda file: (-file.stat().st_size, file))]

    def reason_without(self, name: str) -> str | None:
        """Why a test is left out, if it is."""
        return next((why for pattern, why in self.left_out.items() if fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))), None)


SUITES = {
    # Triton 3.6, python/test/unit. Its benchmarks, its other back ends and Gluon have folders of their own.
    "triton": Suite(
        tests=("python/test/unit",), path=(),
        left_out={
            "*/test_gpuhello.py::*": "loads a pass plugin into Triton's LLVM, which its wheel does not have",
            "*/test_triton_to_gluon.py::*": "translates kernels into Gluon, a language of layouts, which is not imitated"}),
    "triton_kernels": Suite(
        tests=("python/triton_kernels/tests",), path=("python/triton_kernels",),
        left_out={"*/test_distributed.py::*": "wants several GPUs"}),
    "flaggems": Suite(tests=("tests",), path=("src", "."), options=("--mode=quick",)),
    "liger": Suite(tests=("test/transformers",), path=("src", ".")),
    "fla": Suite(tests=("tests/ops", "tests/modules")),
    "attorch": Suite(tests=("tests",), options=("--subset",)),
    # Without a search Helion takes its default config for each kernel.
    "helion": Suite(tests=("test",), environment={"HELION_AUTOTUNE_EFFORT": "none"},
                    left_out={"*/test_examples_dist.py::*": "wants several GPUs", "*distributed*": "wants several GPUs"}),
    "jax_triton": Suite(tests=("tests",), files="*_test.py", environment={"XLA_PYTHON_CLIENT_PREALLOCATE": "false"},
                        left_out={"*/gluon_test.py::*": "Gluon, a language of layouts, is not imitated"}),
}


def suite_of(name: str) -> Suite:
    """A suite of SUITES, or one that a file of JSON describes."""
    if name in SUITES:
        return SUITES[name]
    if not name.endswith(".json"):
        raise SystemExit(f"expected {', '.join(SUITES)} or a file of JSON that describes a suite, found {name}")
    told = json.loads(pathlib.Path(name).read_text())
    return Suite(**{key: tuple(value) if isinstance(value, list) else value for key, value in told.items()})
