"""A process that runs pytest's tests one by one as it is asked: `pytest_worker.py ROOT OPTION... COMPILER`.

The files of a process are sessions of pytest in one interpreter, so that PyTorch and the compiler are imported once.
"""

from __future__ import annotations

import os
import pathlib
import sys

import pytest

from compared_tests import Worker


class PytestWorker(Worker):
    """A plugin of pytest, too: a session begins when a file is opened, and ends when another one is."""

    def __init__(self, root: str, options: list[str]):
        self.root, self.options = root, options
        self.later: dict | None = None  # the question that ended a session
        self.collected: list[pytest.CollectReport] = []
        self.reports: list[pytest.TestReport] = []

    def question(self) -> dict | None:
        question, self.later = self.later, None
        return question or super().question()

    def answer(self, question: dict) -> None:
        if "run" in question:
            return super().answer(question)
        self.collected, self.is_told, self.items = [], False, {}
        path = pathlib.Path(self.root, question["open"])
        own = sys.modules.get(path.stem)
        if own is not None and getattr(own, "__file__", None) != str(path):
            del sys.modules[path.stem]  # a file of this name in another folder
        status = pytest.main([str(path), "--rootdir", self.root, "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:randomly",
                              "-qq", "--no-summary", "--tb=short", *self.options], plugins=[self])
        if not self.is_told:
            self.tell({"how": "cannot be read", "said": "" if status == pytest.ExitCode.USAGE_ERROR else f"pytest: {status}"})

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.is_told = True
        self.tell(self._read() if self.collected and not self.items else {"names": list(self.items)})
        while (question := self.question()) is not None and "run" in question:
            super().answer(question)
        self.later = question
        return True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if not report.passed:
            self.collected.append(report)

    def _read(self) -> dict:
        """Returns how a file without tests ended."""
        report = self.collected[0]
        text = report.longreprtext if report.failed else str(report.longrepr[2])
        return {"how": "cannot be read" if report.failed else "skipped", "said": text[-6000:]}

    def outcome(self, name: str) -> dict:
        item = self.items.get(name)
        if item is None:
            return {"how": "is not there", "said": ""}
        self.reports = []
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return _outcome(self.reports)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.reports.append(report)


def _outcome(reports: list[pytest.TestReport]) -> dict:
    failed = next((report for report in reports if report.failed), None)
    if failed:
        printed = "".join(f"\n--- {title} ---\n{text[-1500:]}" for title, text in failed.sections)
        return {"how": "fails", "said": failed.longreprtext[-6000:], "printed": printed[-4000:]}
    skipped = next((report for report in reports if report.skipped), None)
    if skipped is None:
        return {"how": "passes", "said": ""}
    if hasattr(skipped, "wasxfail"):
        return {"how": "fails as expected", "said": skipped.wasxfail}
    why = skipped.longrepr[2] if isinstance(skipped.longrepr, tuple) else str(skipped.longrepr)
    return {"how": "skipped", "said": why}


def main() -> int:
    root, *options, compiler = sys.argv[1:]
    sys.path[0] = os.getcwd()  # as `python -m pytest`; this folder's modules have been imported
    return PytestWorker(root, options).serve(compiler)


if __name__ == "__main__":
    sys.exit(main())
