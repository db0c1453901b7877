"""torch.compile with Tegula in Triton's place, compared with Triton: models of test/python/inductor, each run in a
process of its own with a cold cache.

    python3 tools/bench/inductor/inductor.py [--models llama,convolutional] [--cores 1,4,16] [--steps 20] [--check]

A row for each model and number of cores:

    first step s    to the end of the first step: PyTorch is imported and CUDA is there
    warm s          the same of another process with the caches that the first left, with `--warm`
    compiling s     in `triton.compile`, waiting for Tegula's threads included, Inductor's worker processes not; its calls
    step ms         a later step: the median of a turn's, and of the turns the shortest
    GPU ms          the kernels of a later step, added up

First steps are taken side by side on cores of their own, later ones by one process at a time, in turns and by both
compilers on the same cores. `--check` compares results with PyTorch's own, `--keep DIR` keeps each process's folder of
kernels and `calls.json`, the arguments of `triton.compile`.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback

MODELS = pathlib.Path(__file__).resolve().parents[3] / "test" / "python" / "inductor"
COMPILERS = ("tegula", "triton")
TURNS = 9  # in which later steps are timed: what one process waits for by chance passes
TURN_SECONDS = 0.3  # at least, however short a step is


#--- in a process of its own ---


class Recorder:
    """`triton.compile` with a clock: what it was asked for, how long it took, what was wrong."""

    def __init__(self, compile):
        self.compile, self.calls = compile, []

    def __call__(self, src, target=None, options=None, **more):
        name, fn = getattr(src, "name", "?"), getattr(src, "fn", None)
        call = {"name": name, "signature": {key: str(kind) for key, kind in getattr(src, "signature", {}).items()},
                "constants": [[list(path), repr(value)] for path, value in getattr(src, "constants", {}).items()],
                "attrs": [[list(path), facts] for path, facts in getattr(src, "attrs", {}).items()],
                "options": {key: repr(value) for key, value in (options or {}).items()},
                "file": getattr(getattr(getattr(fn, "fn", None), "__code__", None), "co_filename", "")}
        self.calls.append(call)
        start = time.perf_counter()
        try:
            made = self.compile(src, target=target, options=options, **more)
            return made
        except BaseException as error:
            call["error"] = f"{type(error).__name__}: {error}"
            raise
        finally:
            call["seconds"] = time.perf_counter() - start


def recording():
    import triton

    recorder = Recorder(triton.compile)
    triton.compile = recorder
    return recorder


def tell(found: dict) -> None:
    print("found " + json.dumps(found), flush=True)


def one(arguments) -> int:
    """Runs a model and tells what was found, also of a failure; then, when a line comes, what it asks of later steps."""
    if arguments.compiler == "tegula":
        import tegula

        tegula.install_as_triton()
    import torch

    torch.zeros(8, 8, device="cuda") @ torch.zeros(8, 8, device="cuda")
    torch.cuda.synchronize()
    recorder = recording()
    sys.path.insert(0, str(MODELS))
    models = importlib.import_module("models")
    make = getattr(models, arguments.one)
    found: dict = {}
    try:
        step = make(torch.compile, torch.float32)
        start = time.perf_counter()
        outputs = step()
        torch.cuda.synchronize()
        found["first_step_s"] = time.perf_counter() - start
        if arguments.check:
            plain = make(lambda function, **_: function, torch.float32)()
            exact = make(lambda function, **_: function, torch.float64)()
            found["wrong"] = models.differences(outputs, plain, exact, getattr(make, "tolerance", 1e-5))
    except BaseException:
        found["error"] = traceback.format_exc()
    found["compile_calls"] = len(recorder.calls)
    found["compile_s"] = sum(call["seconds"] for call in recorder.calls)
    found["failed_kernels"] = sorted({call["name"] for call in recorder.calls if "error" in call})
    if arguments.keep:
        pathlib.Path(arguments.keep, "calls.json").write_text(json.dumps(recorder.calls))
    if arguments.compiler == "tegula":
        found["compiled_by_tegula"] = tegula.compiled_kernels()
    tell(found)
    if arguments.steps and "error" not in found:
        measures = {"step_ms": milliseconds, "gpu_ms": milliseconds_of_kernels}
        for line in sys.stdin:
            tell({line.strip(): measures[line.strip()](torch, step, arguments.steps)})
    return 0


def milliseconds(torch, step, steps: int) -> float:
    """The median of at least so many steps, each waited for."""
    for _ in range(5):
        step()
    times = []
    while len(times) < steps or sum(times) < TURN_SECONDS * 1e3:
        torch.cuda.synchronize()
        start = time.perf_counter()
        step()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def milliseconds_of_kernels(torch, step, steps: int) -> float:
    """Returns the time of all kernels and copies of a step, whichever compiler made them; the mean of so many steps."""
    from torch.profiler import ProfilerActivity, profile

    step()
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA]) as told:
        for _ in range(steps):
            step()
        torch.cuda.synchronize()
    return sum(event.self_device_time_total for event in told.key_averages()) / steps * 1e-3


#--- the whole ---


class Run:
    """A process with a model, a compiler and cores of its own, and nothing in its caches but what an earlier run left there.
    It takes its first step at once, and times later ones when it is told to."""

    def __init__(self, arguments, model: str, compiler: str, cores: int, earlier: Run | None = None):
        self.told: dict = {"model": model, "compiler": compiler, "cores": cores}
        self.cores, self.places = cores, []
        self.temporary = earlier.temporary if earlier else tempfile.TemporaryDirectory()
        self.is_first = earlier is None
        keep = pathlib.Path(arguments.keep, f"{model}-{compiler}-{cores}") if arguments.keep else None
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
        folder = self.temporary.name
        self.environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(keep or folder),
                            "TEGULA_CACHE_DIR": f"{folder}/tegula", "TRITON_CACHE_DIR": f"{keep or folder}/triton"}
        self.command = [sys.executable, __file__, "--one", model, "--compiler", compiler, "--steps", str(arguments.steps)]
        self.command += ["--check"] if arguments.check else []
        self.command += ["--keep", str(keep)] if keep else []
        self.log = open(os.path.join(folder, "warm.log" if earlier else "log"), "w+")

    def start(self, places: list[int]) -> None:
        self.places = places
        self.process = subprocess.Popen(["taskset", "-c", ",".join(map(str, places)), *self.command], text=True,
                                        env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)

    def listen(self) -> None:
        """Until it has told something, or ended."""
        for line in self.process.stdout:
            if line.startswith("found "):
                self.told.update(json.loads(line[len("found "):]))
                return
        self.process.wait()
        self.log.seek(0)
        self.told.setdefault("error", f"ended with {self.process.returncode}: {self.log.read()[-4000:]}")

    def measure(self, what: str) -> None:
        """Asks for `step_ms` or `gpu_ms` of later steps, on the first cores; keeps the smallest answer."""
        if self.process.poll() is not None or "error" in self.told:
            return
        places = sorted(os.sched_getaffinity(0))[:self.cores]
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                os.sched_setaffinity(int(thread), places)
        before = self.told.get(what)
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        self.listen()
        if before is not None:
            self.told[what] = min(before, self.told[what])

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.log.close()
        if self.is_first:
            self.temporary.cleanup()


def first_steps(runs: list[Run]) -> None:
    """As many at a time as there are cores for, those that take the most cores alone at the end."""
    free, left, changed = sorted(os.sched_getaffinity(0)), sorted(runs, key=lambda run: run.cores), threading.Condition()

    def listen(run: Run) -> None:
        run.listen()
        with changed:
            free.extend(run.places)
            changed.notify()

    threads = []
    with changed:
        for run in left:
            wanted = min(run.cores, len(os.sched_getaffinity(0)))
            while len(free) < wanted:
                changed.wait()
            run.start([free.pop() for _ in range(wanted)])
            threads.append(threading.Thread(target=listen, args=(run,)))
            threads[-1].start()
    for thread in threads:
        thread.join()


COLUMNS = {"model": ("model", "s"), "compiler": ("compiler", "s"), "cores": ("cores", "d"), "first step s": ("first_step_s", ".2f"),
           "warm s": ("warm_first_step_s", ".2f"), "compiling s": ("compile_s", ".2f"), "calls": ("compile_calls", "d"),
           "step ms": ("step_ms", ".3f"), "GPU ms": ("gpu_ms", ".3f")}  # by title: what was found, and its form


def row(found: dict) -> str:
    numbers = [format(found[name], form) if name in found else "-" for name, form in COLUMNS.values()]
    said = " ".join([*found.get("wrong", []), *found.get("error", "").strip().splitlines()[-1:]])
    return f"| {' | '.join([*numbers, said])} |"


def names_of_models() -> list[str]:
    """The tuple MODELS of models.py, which imports nothing here."""
    import ast

    for statement in ast.parse((MODELS / "models.py").read_text()).body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "MODELS":
            return [name.id for name in statement.value.elts]
    raise AssertionError("models.py has no MODELS")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=",".join(names_of_models()))
    parser.add_argument("--compilers", default=",".join(COMPILERS))
    parser.add_argument("--cores", default="1", help="numbers of cores")
    parser.add_argument("--steps", type=int, default=20, help="later steps that are timed; 0 for none")
    parser.add_argument("--check", action="store_true", help="compare what is computed with PyTorch's own")
    parser.add_argument("--warm", action="store_true", help="take the first step in a second process, too")
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write all that was found there")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--compiler", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        return one(arguments)
    runs = [Run(arguments, model, compiler, int(cores)) for cores in arguments.cores.split(",")
            for model in arguments.models.split(",") for compiler in arguments.compilers.split(",")]
    first_steps(runs)
    if arguments.warm:
        again = [Run(arguments, run.told["model"], run.told["compiler"], run.cores, run) for run in runs]
        first_steps(again)
        for run, second in zip(runs, again, strict=True):
            run.told.update({f"warm_{name}": second.told[name] for name in ("first_step_s", "compile_s") if name in second.told})
            second.end()
    for run in runs * (TURNS if arguments.steps else 0):
        run.measure("step_ms")
    for run in runs if arguments.steps else ():
        run.measure("gpu_ms")
    print(f"| {' | '.join([*COLUMNS, ''])} |\n|{'---|' * (len(COLUMNS) + 1)}")
    for run in runs:
        run.end()
        print(row(run.told), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps([run.told for run in runs], indent=1))
    return int(any("error" in run.told or run.told.get("wrong") for run in runs))


if __name__ == "__main__":
    sys.exit(main())
