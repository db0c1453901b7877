#!/usr/bin/env python3
"""Runs the bundled kernels beside Triton on one GPU: same source, same buffers, same run.

    tools/bench/beside_triton.py TEGULA [--kernels softmax layernorm] [--dtypes bf16] [--shapes 4096x32768]
                                 [--rounds 5] [--budget 240] [--json OUT.json]
    tools/bench/beside_triton.py TEGULA --check

TEGULA is the built command. Measuring needs PyTorch, Triton and a CUDA device; `--check` needs neither: it
compiles every configuration and prints how each would be launched, and where there is a ptxas also its
registers and what it spills.

Each side is first timed once in each of its configurations and keeps its best. Those two and a copy of as
many bytes from device to device then take turns round by round, each a median of `triton.testing.do_bench`
(L2 flushed). The table gives medians over the rounds, and of the rounds' ratios, so that drift of the clock
cancels. Before anything is timed both results are compared with PyTorch's.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
BYTES = {"fp32": 4, "bf16": 2, "fp16": 2}
WARPS = (4, 8, 16)
MULTIPROCESSORS = 132  # of an H100 or H200: the persistent kernel's grid is a multiple of it


@dataclass(frozen=True)
class Tensor:
    """An array argument. `fill` is "randn", or "nan" for what the kernel is to write."""
    dtype: str
    shape: tuple
    fill: str = "randn"


@dataclass(frozen=True)
class Config:
    """One way to launch a kernel: compile-time values, warps, the grid (a number, or one along x and y), stages."""
    constants: tuple
    warps: int
    programs: object
    stages: int = 3

    def __str__(self):
        return ", ".join([f"{k}={v}" for k, v in self.constants]
                         + [f"{self.warps} warps", f"{self.stages} stages", f"grid {self.programs}"])


@dataclass
class Case:
    """A kernel on a shape and type: its arguments in order, what it moves, what it is compared with."""
    name: str
    file: str
    entry: str
    dtype: str
    shape: tuple
    arguments: dict  # name -> Tensor, int, float or None
    output: str
    expected: str  # expression over `host`, the kernel's file, and the arguments by name
    moved: int  # bytes
    tolerance: tuple  # relative and absolute
    configs: list = field(default_factory=list)

    def label(self):
        return f"{self.name} {self.dtype} {'x'.join(map(str, self.shape))}"

    def variant(self, config):
        """What is compiled for a config: shapes with the same facts share it."""
        return (self.file, self.entry, tuple((k, type_of(v)) for k, v in self.arguments.items()), config.constants,
                config.warps, config.stages)


#===--- what is measured ---===#

def ceildiv(a, b):
    return -(-a // b)


def block_for(n):
    return 1 << (n - 1).bit_length()


def elementwise_cases():
    configs = [(1024, 4), (2048, 4), (2048, 8), (4096, 8)]
    tolerances = {"fp32": (2e-6, 2e-6), "fp16": (2e-3, 2e-3), "bf16": (2e-2, 2e-2)}
    for name, entry, inputs, expected, sizes in (
            ("vector_add", "add_kernel", ("x_ptr", "y_ptr"), "host.reference(x_ptr, y_ptr)", (1 << 24, 1 << 27)),
            ("gelu", "gelu_kernel", ("x_ptr",), "host.reference(x_ptr)", (1 << 27,))):
        output = "out_ptr" if name == "vector_add" else "y_ptr"
        for dtype in BYTES:
            for n in sizes:
                arguments = {k: Tensor(dtype, (n,)) for k in inputs}
                arguments |= {output: Tensor(dtype, (n,), "nan"), "n": n}
                yield Case(name, name, entry, dtype, (n,), arguments, output, expected,
                           (len(inputs) + 1) * n * BYTES[dtype], tolerances[dtype],
                           [Config((("BLOCK_SIZE", b),), w, ceildiv(n, b)) for b, w in configs])


ROW_SHAPES = {
    dtype: [(65536, 256), (32768, 1024), (16384, 4096), (8192, 16384), (4096, 32768), (4096, odd)]
    for dtype, odd in (("fp32", 12345), ("bf16", 12346))
}
ROW_TOLERANCE = {"fp32": (5e-5, 1e-6), "bf16": (2e-2, 1e-4)}


def softmax_cases():
    for dtype, shapes in ROW_SHAPES.items():
        for rows, n in shapes:
            x, y = Tensor(dtype, (rows, n)), Tensor(dtype, (rows, n), "nan")
            common = dict(file="softmax", dtype=dtype, shape=(rows, n), output="y_ptr",
                          expected="host.reference(x_ptr)", moved=2 * rows * n * BYTES[dtype],
                          tolerance=ROW_TOLERANCE[dtype])
            block = ("BLOCK", block_for(n))
            yield Case(name="softmax", entry="softmax_kernel", **common,
                       arguments={"x_ptr": x, "y_ptr": y, "stride": n, "n": n},
                       configs=[Config((block,), w, rows) for w in WARPS])
            yield Case(name="softmax_persistent", entry="softmax_persistent_kernel", **common,
                       arguments={"x_ptr": x, "y_ptr": y, "stride": n, "n_rows": rows, "n": n},
                       configs=[Config((block, ("STAGES", 2)), w, MULTIPROCESSORS * each)
                                for w in WARPS for each in (2, 4, 8)])


def layernorm_cases():
    for dtype in ROW_SHAPES:
        for rows, n in ((32768, 1024), (16384, 4096), (8192, 16384)):
            arguments = {"x_ptr": Tensor(dtype, (rows, n)), "y_ptr": Tensor(dtype, (rows, n), "nan"),
                         "weight_ptr": Tensor(dtype, (n,)), "bias_ptr": Tensor(dtype, (n,)),
                         "mean_ptr": Tensor("fp32", (rows,), "nan"), "rstd_ptr": Tensor("fp32", (rows,), "nan"),
                         "stride": n, "n": n, "eps": 1e-5}
            yield Case("layernorm", "layernorm", "layernorm_kernel", dtype, (rows, n), arguments, "y_ptr",
                       "host.reference(x_ptr, weight_ptr, bias_ptr, eps)", 2 * rows * n * BYTES[dtype],
                       {"fp32": (1e-4, 1e-5), "bf16": (2e-2, 2e-2)}[dtype],
                       [Config((("BLOCK", block_for(n)),), w, rows) for w in WARPS])


def chosen_cases(options):
    cases = [*softmax_cases(), *layernorm_cases(), *elementwise_cases()]
    cases.sort(key=lambda c: ("softmax", "layernorm", "vector_add", "gelu", "softmax_persistent").index(c.name))
    return [c for c in cases if (not options.kernels or c.name in options.kernels)
            and (not options.dtypes or c.dtype in options.dtypes)
            and (not options.shapes or "x".join(map(str, c.shape)) in options.shapes)]


#===--- our side ---===#

def type_of(value):
    """The type and the facts that Triton would derive from an argument; PyTorch aligns to 16 bytes."""
    if value is None:
        return "none"
    if isinstance(value, Tensor):
        return f"*{value.dtype}:16"
    if isinstance(value, float):
        return "fp32"
    kind = "i32" if -2**31 <= value < 2**31 else "i64"
    return f"{kind}=1" if value == 1 else f"{kind}:16" if value % 16 == 0 else kind


@dataclass
class Compiled:
    """PTX and how to launch it, read from the text."""
    ptx: str
    threads: int
    shared: int  # bytes of dynamic shared memory
    programs_per_block: int

    def blocks(self, programs):
        """The grid along x and y."""
        x, y = programs if isinstance(programs, tuple) else (programs, 1)
        return ceildiv(x, self.programs_per_block), y


def is_bound(value):
    """Whether an argument is known when the kernel is compiled, and so no parameter of it."""
    return value is None or type_of(value).endswith("=1")


def compile_ours(options, case, config):
    command = [options.tegula, "compile", str(KERNELS / f"{case.file}.py"), "-k", case.entry, f"--arch={options.arch}",
               f"--num-warps={config.warps}", f"--num-stages={config.stages}"]
    for name, value in case.arguments.items():
        command += ["-D", f"{name}=None"] if value is None else ["--sig", f"{name}={type_of(value)}"]
    for name, value in config.constants:
        command += ["-D", f"{name}={value}"]
    outputs = []
    for stage in ("ptx", "llvm"):
        done = subprocess.run([*command, f"--emit={stage}"], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{case.label()}: {' '.join(command)}\n{done.stderr}")
        outputs.append(done.stdout)
    ptx, llvm = outputs
    head = ptx[ptx.index(".entry"):].split("{")[0]
    threads = int(re.search(r"\.reqntid (\d+)", head).group(1))
    # The PTX only names the shared memory; its size stands in the stage before.
    shared = re.search(r"@tegula_shared\(.*array<(\d+) x i8>", llvm)
    parameters, expected = head.count(".param"), sum(not is_bound(v) for v in case.arguments.values())
    if parameters not in (expected, expected + 1):
        raise RuntimeError(f"{case.label()}: expected {expected} parameters, found {parameters}")
    # One parameter more is the number of programs: each warp of a block then runs a program of its own.
    return Compiled(ptx, threads, int(shared.group(1)) if shared else 0, threads // 32 if parameters > expected else 1)


def compile_all(options, cases):
    """Everything compiled at once: variant -> Compiled, or the error."""
    jobs = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case in cases:
            for c in case.configs:
                if case.variant(c) not in jobs:
                    jobs[case.variant(c)] = pool.submit(compile_ours, options, case, c)
    return {key: job.exception() or job.result() for key, job in jobs.items()}


def assembled(options, found):
    """Registers and spilled bytes as NVIDIA's assembler counts them; nothing where there is none."""
    ptxas = shutil.which("ptxas", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")
    if not ptxas:
        return ""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(found.ptx)
        file.flush()
        said = subprocess.run([ptxas, "-v", f"-arch={options.arch}", "-o", os.devnull, file.name],
                              capture_output=True, text=True).stderr
    spilled, registers = re.search(r"(\d+) bytes spill stores", said), re.search(r"Used (\d+) registers", said)
    if not spilled or not registers:
        return f", {said}"
    return f", {registers.group(1)} registers, {spilled.group(1)} bytes spilled"


def check_only(options, cases):
    compiled, failed = compile_all(options, cases), 0
    good = {key: found for key, found in compiled.items() if not isinstance(found, Exception)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        costs = dict(zip(good, pool.map(lambda found: assembled(options, found), good.values())))
    for case in cases:
        for c in case.configs:
            found = compiled[case.variant(c)]
            if isinstance(found, Exception):
                failed += 1
                print(f"{case.label()}: {c}: {found}", file=sys.stderr)
                continue
            print(f"{case.label()}: {c}: {'x'.join(map(str, found.blocks(c.programs)))} blocks of {found.threads} threads, "
                  f"{found.programs_per_block} programs each, {found.shared} bytes shared"
                  f"{costs[case.variant(c)]}; "
                  f"{', '.join(f'{k} {type_of(v)}' for k, v in case.arguments.items())}")
    print(f"{len(cases)} cases, {failed} configurations failed")
    return failed != 0


#===--- measuring ---===#

def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tegula")
    parser.add_argument("--kernels", nargs="+", help="vector_add gelu softmax softmax_persistent layernorm")
    parser.add_argument("--dtypes", nargs="+", help="fp32 bf16 fp16")
    parser.add_argument("--shapes", nargs="+", help="as 4096x32768")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=240, help="seconds after which no new case begins (240)")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--json")
    parser.add_argument("--check", action="store_true", help="compile and print launches, without a GPU")
    options = parser.parse_args()
    cases = chosen_cases(options)
    if not cases:
        parser.error("nothing is left to measure")
    if options.check:
        return check_only(options, cases)
    start = time.monotonic()
    compiled = compile_all(options, cases)
    print(f"{len(compiled)} variants compiled in {time.monotonic() - start:.1f} s", flush=True)
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    import beside_triton_measure

    rows = beside_triton_measure.measure_all(options, cases, compiled, start)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
