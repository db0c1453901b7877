"""A file of PyTorch's own tests by Tegula, and what does not pass by Triton too: do the two differ?

    python3 tools/bench/inductor_tests.py test_triton_kernels.py [--match NAME] [--processes 16] [--seconds 90]

The file is one of PyTorch's `test/inductor`, which its wheel does not have. Its tests are shared out among processes; one
that crashes, or takes longer than `--seconds`, costs its process and no other test. A quarter of the processes ask Triton
meanwhile. What passes by Triton alone is asked once more of both, each test in a process of its own, since some depend on
what ran before them. Printed are the numbers and, of each test that does not pass, the last lines of both; `--json` keeps
what each said. After `--limit` seconds it ends with what is known by then; `--but` leaves out what the `--json` of such a
run has.
"""

from __future__ import annotations

import argparse
import collections
import io
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from inductor_kernels import COMPILERS, loaded

BAD = ("fails", "crashes", "takes too long")
MARK = "inductor-tests: "


#--- in a process of its own ---


def module_of(path: pathlib.Path):
    """The file's tests. Some import neighbours of theirs, which lie beside them or are not there."""
    sys.path.insert(0, str(path.parent))
    return loaded(path)


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


def worker(path: pathlib.Path, compiler: str) -> int:
    """Runs the tests whose names come by lines; tells all names first."""
    if compiler == "tegula":
        import tegula

        tegula.install_as_triton()
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what tests print
    tests = tests_of(module_of(path))
    told.write(MARK + json.dumps(sorted(tests)) + "\n")
    told.flush()
    for line in sys.stdin:
        start = time.monotonic()
        found = outcome(tests[line.strip()])
        told.write(MARK + json.dumps({**found, "seconds": time.monotonic() - start}) + "\n")
        told.flush()
    return 0


#--- the whole ---


class Process:
    """A worker, and lines from it with a time limit."""

    def __init__(self, path: pathlib.Path, compiler: str):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.log = open(os.path.join(self.folder.name, "log"), "w+", errors="replace")
        environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": f"{self.folder.name}/inductor", "TEGULA_CACHE_DIR":
                       f"{self.folder.name}/tegula", "TRITON_CACHE_DIR": f"{self.folder.name}/triton", "TMPDIR": self.folder.name}
        self.process = subprocess.Popen([sys.executable, __file__, str(path), "--worker", compiler], text=True, env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, start_new_session=True)
        self.lines: queue.Queue = queue.Queue()
        self.ending, self.has_ended = threading.Lock(), False  # a thread and what waits for it may both end a process
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.process.stdout:
            if line.startswith(MARK):
                self.lines.put(json.loads(line[len(MARK):]))
        self.lines.put(None)

    def answer(self, seconds: float):
        """None where the process has ended; queue.Empty where it takes too long."""
        return self.lines.get(timeout=seconds)

    def run(self, name: str, seconds: float) -> dict:
        try:
            self.process.stdin.write(name + "\n")
            self.process.stdin.flush()
            found = self.answer(seconds)
        except BrokenPipeError:
            found = None
        except queue.Empty:
            return {"how": "takes too long", "said": "", "ended": True}
        if found is None:
            return {"how": "crashes", "said": f"{self.process.wait()}: {self.said()}", "ended": True}
        return found

    def said(self) -> str:
        """The end of what it printed."""
        with self.ending:
            if self.log.closed:
                return ""
            self.log.seek(0)
            return self.log.read()[-4000:]

    def end(self) -> None:
        with self.ending:
            if self.has_ended:
                return
            self.has_ended = True
            try:
                os.killpg(self.process.pid, 9)
            except ProcessLookupError:
                pass
            self.process.wait()
            self.log.close()
            self.folder.cleanup()


class Tests:
    """The tests of a file by one compiler, shared out among processes. The first that has read the file tells their names:
    reading it takes most of a minute, so all read at once. With `names` it is only those, and a process reads the file when
    there is one for it; `apart`, each test in a process of its own. What does not pass is put before `second`, too."""

    def __init__(self, arguments, compiler: str, until: float, names: list[str] | None = None, apart: bool = False,
                 second: Tests | None = None):
        self.path, self.compiler, self.seconds, self.until = arguments.file, compiler, arguments.seconds, until
        self.names, self.apart, self.second = names, apart, second
        self.left = collections.deque(names or ())
        self.is_complete = True  # no name is to come
        self.found: dict[str, dict] = {}
        self.chosen, self.lock = arguments.chosen, threading.Lock()
        self.processes: list[Process] = []
        self.complaint = ""
        if second:
            second.is_complete = False

    def run(self, processes: int) -> None:
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, self.until - time.monotonic()))
        self.found = dict(self.found)  # what is ended now says nothing any more
        for process in self.processes:
            process.end()
        if self.second:
            self.second.is_complete = True

    def _serve(self) -> None:
        """Takes names until there are none, with a new process wherever one is lost."""
        process, found = self._started() if self.names is None else None, self.found
        while (name := self._next()) is not None:
            process = process or self._started()
            if process is None:
                return
            found[name] = process.run(name, self.seconds)
            if self.second and found[name]["how"] in BAD:
                self.second.left.append(name)
            if found[name].pop("ended", False) or self.apart:
                process.end()
                process = None
        if process:
            process.end()

    def _next(self) -> str | None:
        while time.monotonic() < self.until:
            is_complete = self.is_complete  # before the look: the last name comes first
            try:
                return self.left.popleft()
            except IndexError:
                if is_complete:
                    return None
                time.sleep(0.1)
        return None

    def _started(self) -> Process | None:
        process = Process(self.path, self.compiler)
        self.processes.append(process)
        try:
            names = process.answer(max(0.0, self.until - time.monotonic()))
        except queue.Empty:
            names = None
        if names is None:
            self.complaint = process.said()
            process.end()
            return None
        with self.lock:
            if self.names is None:
                self.names = self.chosen(names)
                self.left.extend(self.names)
        return process


def last(said: str) -> str:
    return " / ".join(line.strip() for line in said.strip().splitlines() if line.strip())[-300:]


def by_triton_alone(found: dict[str, dict[str, dict]]) -> list[str]:
    ours, theirs = (found[compiler] for compiler in COMPILERS)
    return [name for name, test in ours.items() if test["how"] in BAD and name in theirs and theirs[name]["how"] not in BAD]


def report(path: pathlib.Path, names: list[str], found: dict[str, dict[str, dict]]) -> int:
    """How many tests pass by Triton alone."""
    ours, theirs = (found[compiler] for compiler in COMPILERS)
    alone = by_triton_alone(found)
    print(f"{path.name}: {len(ours)} of {len(names)} tests run:", dict(collections.Counter(test["how"] for test in ours.values())))
    for name, test in sorted(ours.items()):
        if test["how"] not in BAD:
            continue
        other = theirs.get(name, {"how": "was not run", "said": ""})
        print(f"{'BY TEGULA ALONE ' if name in alone else ''}{name}\n  tegula {test['how']} {last(test['said'])}\n"
              f"  triton {other['how']} {last(other['said'])}")
    return len(alone)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--match", default="", help="names that have this in them; several with commas")
    parser.add_argument("--but", type=pathlib.Path, action="append", default=[], metavar="JSON", help="not the tests told there")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th test")
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=90, help="for one test")
    parser.add_argument("--limit", type=float, default=1e6, help="seconds for all")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--worker", choices=COMPILERS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return worker(arguments.file, arguments.worker)
    until, wanted = time.monotonic() + arguments.limit, arguments.match.split(",")
    told = {name for file in arguments.but for name in json.loads(file.read_text())["tegula"]}
    arguments.chosen = lambda names: [
        name for name in names if name not in told and any(part in name for part in wanted)][::arguments.every]
    found: dict[str, dict[str, dict]] = {compiler: {} for compiler in COMPILERS}

    def ask(tests: Tests, processes: int) -> None:
        tests.run(processes)
        found[tests.compiler].update(tests.found)

    def keep() -> None:
        if arguments.json:
            arguments.json.write_text(json.dumps(found, indent=1))

    theirs = Tests(arguments, "triton", until, [])
    ours = Tests(arguments, "tegula", until, second=theirs)
    beside = max(1, arguments.processes // 4)
    thread = threading.Thread(target=ask, args=(theirs, beside))
    thread.start()
    ask(ours, max(1, arguments.processes - beside))
    thread.join()
    keep()
    if ours.names is None:
        raise SystemExit(f"{arguments.file} cannot be read:\n{ours.complaint}")
    for compiler in COMPILERS:
        alone = by_triton_alone(found)
        ask(Tests(arguments, compiler, until, alone, apart=True), min(arguments.processes, len(alone)))
    keep()
    return int(report(arguments.file, ours.names, found) > 0)


if __name__ == "__main__":
    sys.exit(main())
