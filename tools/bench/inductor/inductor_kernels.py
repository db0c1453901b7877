"""Kernels that Inductor has written, each by Tegula and by Triton on the same arguments: do they agree, how long do they run?

    python3 tools/bench/inductor/inductor_kernels.py FOLDER [--processes 14] [--slower 1.1]

FOLDER holds the files of an Inductor cache, at any depth, written under TORCHINDUCTOR_BENCHMARK_KERNEL=1: such files make
arguments for their kernel. Both compilers are asked in several processes at a time, each kernel with the first of its
configs; then, one process after the other, each kernel is timed in a graph of launches. Printed are those that fail, that
differ, and that run longer than `--slower` times what Triton's takes. After `--limit` seconds it goes on with what has
been computed by then.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

COMPILERS = ("tegula", "triton")
#: How far results may differ, relative to the largest, by the type: sums are made in other orders.
TOLERANCES = {"torch.float64": 1e-11, "torch.float32": 2e-5, "torch.float16": 4e-3, "torch.bfloat16": 2e-2}
LAUNCHES = 20  # in a graph


#--- in a process of its own ---


def loaded(path: pathlib.Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def computed(torch, path: pathlib.Path, to: pathlib.Path):
    """Runs a kernel once and keeps all its arguments; what launches it again."""
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    module = loaded(path)
    for kernel in vars(module).values():
        if isinstance(kernel, CachingAutotuner):
            kernel.configs = kernel.configs[:1]  # no benchmark on a GPU that others use, and the same for both
    torch.manual_seed(0)
    args = module.get_args()
    module.call(args)
    torch.cuda.synchronize()
    part, whole = to / f"{path.stem}.part", to / f"{path.stem}.pt"
    torch.save([arg.cpu() for arg in args if isinstance(arg, torch.Tensor)], part)
    part.rename(whole)  # a killed process leaves no half of it
    return lambda: module.call(args)


def microseconds(torch, launch) -> float:
    """Returns the time of a launch among many in a graph."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(LAUNCHES):
            launch()
    graph.replay()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    times = []
    for _ in range(5):
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3 / LAUNCHES)
    return statistics.median(times)


def worker(compiler: str, folder: pathlib.Path, files: list[str]) -> int:
    """Runs the files, says `ready`, waits for a line, times them; prints a line of JSON for each of both."""
    if compiler == "tegula":
        import tegula

        tegula.install_as_triton()
    import torch

    launches = {}
    for file in files:
        path, start = folder / file, time.perf_counter()
        told = {"file": file}
        try:
            launches[file] = computed(torch, path, folder)
        except Exception as error:
            told["error"] = f"{type(error).__name__}: {error}"[:4000]
        told["seconds"] = time.perf_counter() - start
        print(json.dumps(told), flush=True)
    print("ready", flush=True)
    sys.stdin.readline()
    for file, launch in launches.items():
        try:
            print(json.dumps({"file": file, "us": microseconds(torch, launch)}), flush=True)
        except Exception as error:
            print(json.dumps({"file": file, "not_timed": f"{type(error).__name__}: {error}"[:500]}), flush=True)
    print("ready", flush=True)
    return 0


#--- the whole ---


class Worker:
    """A process, and what it tells; a thread listens to it, so that it never waits for us."""

    def __init__(self, compiler: str, folder: pathlib.Path, files: list[str]):
        self.compiler, self.told, self.is_ready = compiler, {}, threading.Event()
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker", compiler, str(folder), *files], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.process.stdout:
            if line == "ready\n":
                self.is_ready.set()
            elif line.startswith("{"):
                told = json.loads(line)
                self.told.setdefault(told["file"], {}).update(told)
        self.is_ready.set()  # one that dies says no more: what it has not told is missing

    def time(self, limit: float) -> None:
        self.is_ready.clear()
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return
        self.is_ready.wait(limit)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def difference(torch, ours: pathlib.Path, theirs: pathlib.Path) -> str:
    """Says how two results differ; empty where they agree."""
    for place, (a, b) in enumerate(zip(torch.load(ours), torch.load(theirs), strict=True)):
        if not a.dtype.is_floating_point or str(a.dtype) not in TOLERANCES:
            a, b = (t.view(torch.uint8) if t.dtype.is_floating_point else t for t in (a, b))
            if not torch.equal(a, b):
                return f"argument {place} ({a.dtype}) differs in {(a != b).sum().item()} of {a.numel()} places"
            continue
        tolerance, (a, b) = TOLERANCES[str(a.dtype)], (a.double(), b.double())
        same = (a == b) | (a.isnan() & b.isnan())
        scale = b[b.isfinite()].abs().amax().item() if b.isfinite().any() else 1.0
        off = torch.where(same, 0.0, (a - b).abs()).nan_to_num(torch.inf).amax().item() if a.numel() else 0.0
        if off > tolerance * scale:
            return f"argument {place} is off by {off / scale:.3g} of the largest"
    return ""


def compared(folder: pathlib.Path, processes: int, limit: float) -> list[dict]:
    """Returns the findings for each file, by both compilers."""
    import torch

    # Models share kernels, whose files have names made of their contents.
    files = {path.name: path for path in sorted(folder.rglob("*.py")) if "def get_args" in path.read_text()}
    shards = [list(files)[start::max(processes // 2, 1)] for start in range(max(processes // 2, 1))]
    with tempfile.TemporaryDirectory() as temporary:
        homes = {compiler: pathlib.Path(temporary, compiler) for compiler in COMPILERS}
        for home in homes.values():
            # Each compiler has a copy: Inductor keeps the config it chose next to the file.
            home.mkdir()
            for name, path in files.items():
                shutil.copy(path, home / name)
        workers = [Worker(compiler, homes[compiler], shard) for shard in shards if shard for compiler in COMPILERS]
        end = time.monotonic() + limit
        for worker_ in workers:
            if not worker_.is_ready.wait(max(end - time.monotonic(), 0)):
                worker_.end()  # its kernels are not timed, and what it still does would disturb the others
        for worker_ in workers:
            if worker_.process.poll() is None:
                worker_.time(max(end + limit / 2 - time.monotonic(), 0))
            worker_.end()
        told = {compiler: {file: found for worker_ in workers if worker_.compiler == compiler
                           for file, found in worker_.told.items()} for compiler in COMPILERS}
        rows = []
        for name, path in files.items():
            row = {"file": str(path.relative_to(folder)),
                   **{compiler: told[compiler].get(name, {"missing": True}) for compiler in COMPILERS}}
            saved = [homes[compiler] / f"{path.stem}.pt" for compiler in COMPILERS]
            if all(map(pathlib.Path.exists, saved)):
                row["difference"] = difference(torch, *saved)
            rows.append(row)
        return rows


def report(rows: list[dict], slower: float) -> None:
    failed = [row for row in rows if "error" in row["tegula"] and "error" not in row["triton"]]
    differing = [row for row in rows if row.get("difference")]
    timed = [row for row in rows if "us" in row["tegula"] and "us" in row["triton"]]
    ratios = [row["tegula"]["us"] / row["triton"]["us"] for row in timed]
    missing = sum("missing" in row[compiler] for row in rows for compiler in COMPILERS)
    print(f"{missing} results are missing" if missing else "no result is missing")
    print(f"{len(rows)} kernels: {len(failed)} fail that Triton compiles and runs, {len(differing)} differ, "
          f"{sum('difference' in row for row in rows) - len(differing)} agree")
    for row in failed:
        print(f"FAILED {row['file']}: {row['tegula']['error'][:600]}")
    for row in differing:
        print(f"DIFFERS {row['file']}: {row['difference']}")
    if timed:
        print(f"{len(timed)} are timed: {statistics.geometric_mean(ratios):.3f} of Triton's time in the geometric mean; "
              f"all together {sum(row['tegula']['us'] for row in timed) / sum(row['triton']['us'] for row in timed):.3f}")
    print("| kernel | us | Triton us | ratio |\n|---|---|---|---|")
    for ratio, row in sorted(zip(ratios, timed), key=lambda pair: -pair[0]):
        if ratio > slower:
            print(f"| {row['file']} | {row['tegula']['us']:.2f} | {row['triton']['us']:.2f} | {ratio:.2f} |")


def main() -> int:
    if sys.argv[1:2] == ["--worker"]:
        return worker(sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--processes", type=int, default=14)
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--slower", type=float, default=1.1)
    parser.add_argument("--json", type=pathlib.Path, help="write all that was found there")
    arguments = parser.parse_args()
    rows = compared(arguments.folder, arguments.processes, arguments.limit)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    report(rows, arguments.slower)
    return int(any("error" in row["tegula"] and "error" not in row["triton"] or row.get("difference") for row in rows))


if __name__ == "__main__":
    sys.exit(main())
