"""torch.compile with Tegula in Triton's place, beside Triton: models of test/python/inductor, each run in a process of its
own with a cold cache.

    python3 tools/bench/inductor.py [--models llama,convolutional] [--cores 1,4,16] [--steps 30] [--check]

A row for each model and number of cores: seconds to the end of the first step (PyTorch is imported and CUDA is there),
seconds in `triton.compile` and calls of it, in this process and in Inductor's workers; milliseconds of a later step, the
median of `--steps`. `--check` compares results with PyTorch's own, `--keep DIR` keeps each process's folder of kernels
and `calls.json`, what `triton.compile` was asked for.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

MODELS = pathlib.Path(__file__).resolve().parents[2] / "test" / "python" / "inductor"
COMPILERS = ("tegula", "triton")


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


def one(arguments) -> dict:
    """Runs a model. What was found, also of a failure."""
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
    found: dict = {"model": arguments.one, "compiler": arguments.compiler, "cores": len(os.sched_getaffinity(0))}
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
        if arguments.steps:
            found["step_ms"] = milliseconds(torch, step, arguments.steps)
    except BaseException:
        found["error"] = traceback.format_exc()
    found["compile_calls"] = len(recorder.calls)
    found["compile_s"] = sum(call["seconds"] for call in recorder.calls)
    found["failed_kernels"] = sorted({call["name"] for call in recorder.calls if "error" in call})
    if arguments.keep:
        pathlib.Path(arguments.keep, "calls.json").write_text(json.dumps(recorder.calls))
    if arguments.compiler == "tegula":
        found["compiled_by_tegula"] = tegula.compiled_kernels()
    return found


def milliseconds(torch, step, steps: int) -> float:
    for _ in range(5):
        step()
    times = []
    for _ in range(steps):
        torch.cuda.synchronize()
        start = time.perf_counter()
        step()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


#--- the whole ---


def measured(arguments, model: str, compiler: str, cores: int) -> dict:
    """What a process found that has `cores` cores and nothing in its caches."""
    with tempfile.TemporaryDirectory() as folder:
        keep = pathlib.Path(arguments.keep, f"{model}-{compiler}-{cores}") if arguments.keep else None
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(keep or folder), "TEGULA_CACHE_DIR": f"{folder}/tegula",
                       "TRITON_CACHE_DIR": f"{keep or folder}/triton"}
        command = ["taskset", "-c", f"0-{cores - 1}"] if cores else []
        command += [sys.executable, __file__, "--one", model, "--compiler", compiler, "--steps", str(arguments.steps)]
        command += ["--check"] if arguments.check else []
        command += ["--keep", str(keep)] if keep else []
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=arguments.timeout)
        except subprocess.TimeoutExpired:
            return {"model": model, "compiler": compiler, "cores": cores, "error": f"no end after {arguments.timeout} s"}
        lines = [line for line in done.stdout.splitlines() if line.startswith("found ")]
        if not lines:
            return {"model": model, "compiler": compiler, "cores": cores, "error": done.stdout + done.stderr}
        return json.loads(lines[-1][len("found "):])


def row(found: dict) -> str:
    def number(name: str, form: str) -> str:
        return format(found[name], form) if name in found else "-"
    said = " ".join(found.get("wrong", [])) or found.get("error", "").strip().splitlines()[-1:] or ""
    return (f"| {found['model']} | {found['compiler']} | {found['cores']} | {number('first_step_s', '.2f')} | "
            f"{number('compile_s', '.2f')} | {number('compile_calls', 'd')} | {number('step_ms', '.3f')} | {said} |")


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
    parser.add_argument("--cores", default="0", help="numbers of cores; 0 for all there are")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--compiler", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print("found " + json.dumps(one(arguments)), flush=True)
        return 0
    print("| model | compiler | cores | first step s | compiling s | calls | step ms | |\n|---|---|---|---|---|---|---|---|")
    failed = False
    for model in arguments.models.split(","):
        for cores in map(int, arguments.cores.split(",")):
            for compiler in arguments.compilers.split(","):
                found = measured(arguments, model, compiler, cores)
                failed |= "error" in found or bool(found.get("wrong"))
                print(row(found), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
