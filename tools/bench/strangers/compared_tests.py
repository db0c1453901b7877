"""Tests by Tegula, and what does not pass by Triton too: processes that run them, and how the two compare.

A worker is a program that reads lines of JSON and answers each with one: `{"open": FILE}` with the names of the file's
tests, `{"run": NAME}` with how a test of the file that was opened last ended. `Worker.serve` is its side of that; `Tests`
shares the tests of many files out among such processes, one of which may crash or hang at any time and costs no other test.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import os
import pathlib
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from typing import Callable

COMPILERS = ("tegula", "triton")
BAD = ("fails", "crashes", "takes too long", "cannot be read", "is not there")
MARK = "compared-tests: "
#: How long the end of a run waits between two looks at its processes and two writes of what is known.
LOOK, WRITE = 0.5, 10.0
#: Reading a file of tests imports PyTorch and may ask the GPU.
READING_SECONDS = 180.0
#: The part of the time in which Triton is asked about what failed last, and Tegula once more.
LEFT_FOR_TRITON = 0.15
#: Bytes of the GPU's memory that a process may keep between tests.
KEPT_MEMORY = 1 << 30


#--- in a process of its own ---


class Worker:
    """The output of a kind of tests: `names` of a file, `outcome` of a test of the file that was named last."""

    def names(self, file: str) -> list[str]:
        raise NotImplementedError

    def outcome(self, name: str) -> dict:
        raise NotImplementedError

    def serve(self, compiler: str) -> int:
        """Answers lines until there are none. What tests print goes to the standard error, and they find no input."""
        self._asked, self._told = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        if compiler == "tegula":
            import tegula

            tegula.install_as_triton()
        while (question := self.question()) is not None:
            self.answer(question)
        return 0

    def question(self) -> dict | None:
        line = self._asked.readline()
        return json.loads(line) if line else None

    def tell(self, answer: dict) -> None:
        self._told.write(MARK + json.dumps(answer) + "\n")
        self._told.flush()

    def answer(self, question: dict) -> None:
        if "run" in question:
            return self.tell(self._ran(question["run"]))
        try:
            self.tell({"names": self.names(question["open"])})
        except Exception:
            self.tell({"how": "cannot be read", "said": traceback.format_exc()[-6000:]})

    def _ran(self, name: str) -> dict:
        start = time.monotonic()
        answer = self.outcome(name)
        if ill := _illness():
            answer = {"how": answer["how"], "said": f"{answer['said']}\n{ill}", "ended": True}
        return {**answer, "seconds": round(time.monotonic() - start, 3)}


def _illness() -> str:
    """Why nothing more can be run here: a kernel that faults costs its process the GPU. Memory of the GPU that PyTorch keeps
    for later goes back, since other processes wait for it."""
    torch = sys.modules.get("torch")
    try:
        if torch is not None and torch.cuda.is_initialized():
            torch.cuda.synchronize()
            if torch.cuda.memory_reserved() > KEPT_MEMORY:
                torch.cuda.empty_cache()
    except Exception as error:
        return f"the GPU is lost to this process: {error}"
    return ""


#--- the whole ---


@dataclasses.dataclass
class Plan:
    """The tests to run: `command` starts a worker when the compiler's name is appended. In values of `environment`
    `{process}` is a folder of the process's own, `{compiler}` one that processes with that compiler share.
    """
    command: list[str]
    files: list[str]
    seconds: float  # for one test
    chosen: Callable[[list[str]], list[str]]
    environment: dict[str, str]
    folder: str
    cwd: str | None = None


class Process:
    """A worker, and lines from it with a time limit."""

    def __init__(self, plan: Plan, compiler: str):
        shared = os.path.join(plan.folder, compiler)
        os.makedirs(shared, exist_ok=True)
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True, dir=plan.folder)
        self.log = open(os.path.join(self.folder.name, "log"), "w+", errors="replace")
        own = {name: value.format(process=self.folder.name, compiler=shared) for name, value in plan.environment.items()}
        self.process = subprocess.Popen([*plan.command, compiler], text=True, cwd=plan.cwd, start_new_session=True,
                                        env={**os.environ, "TMPDIR": self.folder.name, **own},
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)
        self.file, self.seconds = "", plan.seconds
        self.lines: queue.Queue = queue.Queue()
        self.ending, self.has_ended = threading.Lock(), False  # a thread and what waits for it may both end a process
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.process.stdout:
            if line.startswith(MARK):
                self.lines.put(json.loads(line[len(MARK):]))
        self.lines.put(None)

    def names(self, file: str) -> dict:
        self.file = file
        return self._asked({"open": file}, max(self.seconds, READING_SECONDS))

    def run(self, name: str) -> dict:
        return self._asked({"run": name}, self.seconds)

    def _asked(self, question: dict, seconds: float) -> dict:
        """The answer. Where it says `ended` the process is of no use any more."""
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            answer = self.lines.get(timeout=seconds)
        except BrokenPipeError:
            answer = None
        except queue.Empty:
            return {"how": "takes too long", "said": f"more than {seconds:g} s", "ended": True}
        return answer or {"how": "crashes", "said": f"{self.process.wait()}: {self.said()}", "ended": True}

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
    """The tests of files by one compiler, shared out among processes. A process stays with its file while tests of it
    are left, then takes an unread file, then helps with the file that has most left; `apart`, each test has a process
    of its own. Tests that do not pass are put before `second`, and one test of each kind that is skipped.
    """

    def __init__(self, plan: Plan, compiler: str, until: float, second: Tests | None = None, apart: bool = False):
        self.plan, self.compiler, self.until, self.second, self.apart = plan, compiler, until, second, apart
        self.unread: collections.deque[str] = collections.deque()
        self.reading: collections.Counter[str] = collections.Counter()
        self.left: dict[str, collections.deque[str]] = {}
        self.names: dict[str, list[str]] = {}  # those that are chosen, of each file that has been read whole
        self.found: dict[str, dict] = {}
        self.is_complete = True  # nothing is to come
        self.is_closed = False
        self.skips: set[tuple[str, str]] = set()
        self.lock = threading.Lock()
        self.processes: list[Process] = []
        self.threads: list[threading.Thread] = []

    def add(self, file: str, name: str | None = None) -> None:
        """A test of a file, or all of them."""
        with self.lock:
            if name is None:
                self.unread.append(file)
            else:
                self.left.setdefault(file, collections.deque()).append(name)

    def pending(self) -> int:
        with self.lock:
            return len(self.unread) + sum(map(len, self.left.values()))

    def start(self, processes: int) -> None:
        for _ in range(processes):
            self.threads.append(threading.Thread(target=self._serve, daemon=True))
            self.threads[-1].start()

    def wait(self, look: Callable[[], None]) -> None:
        """Waits until all are done or it is too late; `look` is called now and then."""
        while any(thread.is_alive() for thread in self.threads) and time.monotonic() < self.until:
            time.sleep(min(LOOK, max(0.0, self.until - time.monotonic())))
            look()
        with self.lock:
            self.is_closed = True  # what is ended now says nothing any more
        for process in list(self.processes):
            process.end()

    def _serve(self) -> None:
        """Takes tests until there are none, with a new process wherever one is lost."""
        process: Process | None = None
        while (work := self._next(process.file if process else "")) is not None:
            file, name = work
            if process is None:
                process = Process(self.plan, self.compiler)
                self.processes.append(process)
            answer = self._read(process, file, name) if name is None or process.file != file else {}
            if name is not None and "how" not in answer:
                answer = process.run(name)
                self._record(file, name, answer)
            elif name is not None:
                self._record(file, name, dict(answer))
            if answer.get("ended") or self.apart:
                process.end()
                process = None
        if process:
            process.end()

    def _next(self, file: str) -> tuple[str, str | None] | None:
        while time.monotonic() < self.until:
            with self.lock:
                is_complete = self.is_complete  # before the look: the last test comes first
                if self.left.get(file):
                    return file, self.left[file].popleft()
                if self.unread:
                    self.reading[self.unread[0]] += 1
                    return self.unread.popleft(), None
                most = max(self.left, key=lambda other: len(self.left[other]), default=None)
                if most is not None and self.left[most]:
                    return most, self.left[most].popleft()
                if self.reading:  # reading takes most of a minute where there is one file: all read it at once
                    least = min(self.reading, key=self.reading.__getitem__)
                    self.reading[least] += 1
                    return least, None
            if is_complete:
                return None
            time.sleep(0.1)
        return None

    def _read(self, process: Process, file: str, name: str | None) -> dict:
        """Lets a process read a file. The first that has read it whole says which tests there are."""
        answer = process.names(file)
        if "how" in answer:
            process.file = ""
            answer["said"] = answer["said"] or process.said()
        if name is not None:
            return answer
        with self.lock:
            self.reading.pop(file, None)
            if "names" in answer and file not in self.names:
                self.names[file] = self.plan.chosen(answer["names"])
                self.left.setdefault(file, collections.deque()).extend(self.names[file])
                self.found.pop(file, None)
        if "how" in answer and file not in self.names:
            self._record(file, None, dict(answer))
        return answer

    def _record(self, file: str, name: str | None, answer: dict) -> None:
        ended = {key: value for key, value in answer.items() if key != "ended"}
        with self.lock:
            if self.is_closed or name is None and file in self.found:
                return
            self.found[name or file] = {**ended, "file": file}
        if self.second and (ended["how"] in BAD or ended["how"] == "skipped" and self._is_new_skip(name or file, ended["said"])):
            self.second.add(file, name)

    def _is_new_skip(self, name: str, why: str) -> bool:
        kind = name.partition("[")[0], re.sub(r"\d+", "N", why)
        with self.lock:
            is_new = kind not in self.skips
            self.skips.add(kind)
        return is_new


class Comparison:
    """All tests by Tegula, and by Triton what does not pass; a quarter of the processes ask Triton meanwhile."""

    def __init__(self, plan: Plan, until: float, kept: pathlib.Path | None):
        self.plan, self.until, self.kept, self.written = plan, until, kept, time.monotonic()
        self.found: dict[str, dict[str, dict]] = {compiler: {} for compiler in COMPILERS}
        self.names: dict[str, list[str]] = {}
        self.running: list[Tests] = []

    def run(self, processes: int, apart: bool, again: tuple[str, ...]) -> None:
        """Then asks the compilers of `again` once more for what passes by Triton alone, `apart`, each test in a process of
        its own, since some tests depend on what ran before them."""
        theirs = Tests(self.plan, "triton", self.until)
        ours_until = self.until - LEFT_FOR_TRITON * (self.until - time.monotonic())
        ours = Tests(self.plan, "tegula", ours_until, second=theirs)
        self.running = [ours, theirs]
        theirs.is_complete = False
        for file in self.plan.files:
            ours.add(file)
        first = max(1, processes // 4)
        theirs.start(first)
        ours.start(max(1, processes - first))
        ours.wait(self._look)
        theirs.is_complete = True
        theirs.start(min(processes - first, theirs.pending()))
        theirs.wait(self._look)
        self.keep()
        self.names = ours.names
        for compiler in again:
            self._again(compiler, processes, apart)

    def _again(self, compiler: str, processes: int, apart: bool) -> None:
        tests = Tests(self.plan, compiler, self.until, apart=apart)
        alone = [name for name in by_triton_alone(self.found) if name in self.found["tegula"]]
        for name in alone:
            file = self.found["triton"][name]["file"]
            tests.add(file, None if name == file else name)
        self.running = [tests]
        tests.start(min(processes, len(alone)))
        tests.wait(self._look)
        self.keep()

    def _look(self) -> None:
        if time.monotonic() - self.written > WRITE:
            self.keep()

    def keep(self) -> None:
        for tests in self.running:
            with tests.lock:
                self.found[tests.compiler].update(tests.found)
        self.written = time.monotonic()
        if self.kept:
            part = self.kept.with_suffix(".part")
            part.write_text(json.dumps(self.found, indent=1))
            part.replace(self.kept)  # a killed process leaves no half of it


#--- what it comes to ---


def by_triton_alone(found: dict[str, dict[str, dict]]) -> list[str]:
    """Returns the tests that Triton passes and Tegula does not, also those of files that Tegula cannot read."""
    ours, theirs = (found[compiler] for compiler in COMPILERS)

    def differs(name: str, test: dict) -> bool:
        own = ours.get(name) or ours.get(test["file"]) or {"how": "passes"}
        return own["how"] in BAD and test["how"] not in BAD or own["how"] == "skipped" and test["how"] == "passes"

    return [name for name, test in theirs.items() if differs(name, test)]


def last(said: str) -> str:
    return " / ".join(line.strip() for line in said.strip().splitlines() if line.strip())[-300:]


def counted(tests: dict[str, dict]) -> dict[str, int]:
    return dict(collections.Counter(test["how"] for test in tests.values()))
