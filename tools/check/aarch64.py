#!/usr/bin/env python3
"""Builds the archive and the wheel for aarch64, and tries them under qemu's user mode.

    aarch64.py [--all] [--built]     --all: the PTX of every architecture, every program of unit tests, and the tests of
                                     the compiler that are text
                                     --built: what is built is up to date

The PTX of the bundled kernels must be, byte for byte, what the build of this machine makes; so must what the emulator counts
and finds. The wheel is imported by Debian's arm64 Python, next to a glibc that has the symbols of 2.28 alone (old_glibc.py).
What qemu cannot show: a driver, and the order in which a processor's memory is seen.
"""

import argparse
import filecmp
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor

import old_glibc

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYSROOT = ROOT / "build/sysroot-aarch64"
CROSS, NATIVE = ROOT / "build/release-aarch64", ROOT / "build/release"
#: Architectures whose code is compared without --all: with `mma.sync` and `cp.async`, and with `wgmma` and TMA.
ARCHITECTURES = ["sm_80", "sm_90a"]
#: Programs of unit tests: what is below the compiler, the parser, the command.
UNIT_TESTS = ["tegula_runtime_tests", "test_dialect", "test_syntax", "tegula_tools_tests"]
ALL_UNIT_TESTS = ["test_frontend", "test_compiler", "tegula_jit_tests", "tegula_api_tests", "tegula_elementwise_tests",
                  "tegula_constructs_tests", "tegula_atomic_tests"]
#: Tests of the wheel, which pytest runs. Those that start other programs are not among them.
PYTHON_TESTS = ["launch/test_launch.py", "launch/test_faults.py"]
ALL_PYTHON_TESTS = ["launch", "language", "test_types.py", "test_tensors.py", "test_errors.py"]
#: Tests of how long something takes, or that start programs of the build by their path, which only the kernel of an aarch64
#: machine can.
LEFT_OUT = ["EvalLimit.KernelsThatExplode"]
#: A signal reaches a kernel on the emulator only when qemu has left the code that it translated, minutes later.
SLOW_PYTHON_TESTS = ["test_interrupt_while_running"]
#: Folders of tests that are text. Those of the commands and kernels take an hour under qemu.
TEXT_TESTS = ["dialect", "compiler"]
#: Kernels that run on the emulator, and what tegula-kernels is told.
KERNELS = [
    ["--n=1", "--n=97", "--n=1024", "vector_add", "gelu", "strided_copy", "transpose"],
    ["--n=97", "softmax", "layernorm", "rmsnorm", "matrix_sums", "cross_entropy", "histogram", "all_reduce"],
    ["--n=64", "--m=32", "--k=32", "matmul", "int8_matmul", "fp8_matmul"],
    ["--n=64", "--m=1", "--k=64", "attention", "attention_causal"],
]
COUNTED = ["run", "kernels/vector_add.py", "--device=emulator", "--grid=4", "-D", "BLOCK_SIZE=1024", "--report",
           "--arg", "x_ptr=randn:fp32[4096]", "--arg", "y_ptr=randn:fp32[4096]", "--arg", "out_ptr=zeros:fp32[4096]",
           "--arg", "n=4096", "--print", "out_ptr"]
FAULTY = ["run", "kernels/vector_add.py", "--device=emulator", "--grid=1", "-D", "BLOCK_SIZE=64",
          "--arg", "x_ptr=zeros:fp32[60]", "--arg", "y_ptr=zeros:fp32[64]", "--arg", "out_ptr=zeros:fp32[64]", "--arg", "n=64"]
#: A file of the sysroot, untouched: it asks for symbols newer than 2.28, so the old glibc must refuse it.
TOO_NEW = SYSROOT / "usr/lib/aarch64-linux-gnu/libstdc++.so.6"


def build(everything):
    tests = UNIT_TESTS + (ALL_UNIT_TESTS if everything else [])
    subprocess.run(["tools/package", "--arch=aarch64"], cwd=ROOT, check=True)
    subprocess.run(["tools/build", "--preset", "release-aarch64", "bundled-code", *tests], cwd=ROOT, check=True)
    subprocess.run(["tools/build", "tegula-package", "bundled-code"], cwd=ROOT, check=True)


class Machine:
    """Programs for aarch64 under qemu, with the libraries of a sysroot."""

    def __init__(self, sysroot, work):
        self.sysroot = sysroot
        self.environment = {**os.environ, "TEGULA_CACHE_DIR": "", "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(work)}
        self.environment.pop("PYTHONPATH", None)

    def command(self, program, *words, **variables):
        told = [f"{name}={value}" for name, value in variables.items()]
        return ["qemu-aarch64-static", "-L", str(self.sysroot), *(word for one in told for word in ("-E", one)), str(program),
                *map(str, words)]

    def run(self, program, *words, cwd=ROOT, **variables):
        return subprocess.run(self.command(program, *words, **variables), cwd=cwd, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def python(self, *words, **options):
        """Debian's Python of the sysroot. NumPy's libraries are where update-alternatives would link to."""
        libraries = [f"{self.sysroot}/usr/lib/aarch64-linux-gnu/{name}" for name in ("blas", "lapack")]
        return self.run(f"{self.sysroot}/usr/bin/python3.11", *words, LD_LIBRARY_PATH=":".join(libraries), **options)


class Report:
    def __init__(self):
        self.wrong = 0

    def say(self, what, is_right, detail=""):
        print(f"{'ok   ' if is_right else 'WRONG'} {what}", flush=True)
        if not is_right:
            self.wrong += 1
            print(detail, flush=True)


def check_commands(report, machine, archive):
    """The commands of the archive answer as those of this machine's build do."""
    environment = {**os.environ, "TEGULA_CACHE_DIR": ""}
    for words in (["--version"], ["list", "kernels/attention.py"], COUNTED, FAULTY):
        here = subprocess.run([NATIVE / "bin/tegula", *words], cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        there = machine.run(archive / "bin/tegula", *words)
        same = (here.returncode, here.stdout) == (there.returncode, there.stdout)
        report.say(f"tegula {' '.join(words[:3])}: {there.stdout.partition(chr(10))[0]}", same,
                   f"here:\n{here.stdout}\nthere:\n{there.stdout}")


def all_architectures():
    return re.findall(r'"(sm_\w+)"', (ROOT / "compiler/target/Target.cpp").read_text(encoding="utf-8"))


def check_code(report, machine, work, architectures):
    """The PTX of the bundled kernels is that of this machine's build."""
    here, there = work / "here", work / "there"
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        def one(arch):
            subprocess.run([NATIVE / "bin/bundled-code", here / arch, arch], check=True)
            return machine.run(CROSS / "bin/bundled-code", there / arch, arch)
        results = list(pool.map(one, architectures))
    for arch, result in zip(architectures, results):
        names = sorted({p.name for p in (here / arch).iterdir()} | {p.name for p in (there / arch).iterdir()})
        _, different, missing = filecmp.cmpfiles(here / arch, there / arch, names, shallow=False)
        report.say(f"{arch}: the PTX of {len(names)} kernels is the same byte for byte",
                   not (different or missing or result.returncode) and names, f"{result.stdout}\n{different + missing}")


def check_kernels(report, machine, archive):
    """Bundled kernels on the emulator, compared with their references by the program in C++."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda words: machine.run(archive / "bin/tegula-kernels", "--device=emulator", *words), KERNELS))
    for words, result in zip(KERNELS, results):
        names = " ".join(word for word in words if not word.startswith("-"))
        report.say(f"emulator: {names}, {result.stdout.count(' ok')} runs", result.returncode == 0, result.stdout)


def first_program():
    """The program in Python that the README begins with."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.search(r"^```python add.py\n(.*?)^```", page, re.M | re.S)[1], re.search(r"^\$ python3 add.py\n(.*)$", page, re.M)[1]


def check_wheel(report, machine, old, wheel, work):
    package = work / "wheel"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(package)
    program, expected = first_program()
    (work / "add.py").write_text(program, encoding="utf-8")
    for glibc, on in (("Debian's glibc", machine), ("the symbols of glibc 2.28", old)):
        for device in ("emulator", "interpret"):
            result = on.python("add.py", cwd=work, PYTHONPATH=package, TEGULA_DEVICE=device)
            report.say(f"{wheel.name}, {glibc}, {device}: {result.stdout.strip()}",
                       (result.returncode, result.stdout.strip()) == (0, expected), result.stdout)
    os.chmod(package / "tegula/bin/tegula", 0o755)
    result = old.run(package / "tegula/bin/tegula", "--version")
    report.say(f"the wheel's command, the symbols of glibc 2.28: {result.stdout.strip()}", result.returncode == 0, result.stdout)
    refused = old.python("-c", f"import ctypes; ctypes.CDLL({str(TOO_NEW)!r})")
    report.say(f"the symbols of glibc 2.28 refuse what is newer: {refused.stdout.strip().splitlines()[-1]}",
               refused.returncode != 0 and "GLIBC_2.3" in refused.stdout, refused.stdout)


def check_python(report, machine, work, tests):
    """Tests of the Python package, with the wheel that check_wheel unpacked."""
    names = [ROOT / "test/python" / name for name in tests]
    quick = f"not ({' or '.join(SLOW_PYTHON_TESTS)})"
    result = machine.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", quick, *names, cwd=work,
                            PYTHONPATH=work / "wheel", TEGULA_DEVICE="emulator", TEGULA_BUILD_DIR=CROSS)
    report.say(f"tests of the wheel, {' '.join(tests)}: {result.stdout.strip().splitlines()[-1]}", result.returncode == 0,
               result.stdout[-6000:])


def check_units(report, machine, programs):
    """Programs of unit tests, each in as many processes as there are cores."""
    cores = os.cpu_count()

    def one(task):
        program, shard = task
        return machine.run(CROSS / "bin" / program, "--gtest_brief=1", f"--gtest_filter=*-{':'.join(LEFT_OUT)}",
                           GTEST_TOTAL_SHARDS=cores, GTEST_SHARD_INDEX=shard)

    for program in programs:
        with ThreadPoolExecutor(cores) as pool:
            results = list(pool.map(one, [(program, shard) for shard in range(cores)]))
        counts = [re.search(r"^\[  PASSED  \] (\d+) test", result.stdout, re.M) for result in results]
        is_right = all(counts) and not any(result.returncode for result in results)
        report.say(f"{program}: {sum(int(count[1]) for count in counts if count)} tests", is_right,
                   "\n".join(result.stdout[-6000:] for result in results))


def check_texts(report, machine, work):
    """The tests of lit, with commands that start ours under qemu."""
    folder = work / "bin"
    folder.mkdir()
    for name in ("tegula", "tegula-opt"):
        (folder / name).write_text(f"#!/bin/sh\nexec {shlex.join(machine.command(CROSS / 'bin' / name))} \"$@\"\n")
        (folder / name).chmod(0o755)
    result = subprocess.run(["/usr/lib/llvm-22/bin/lit", f"--param=bin={folder}", *(CROSS / "test" / name for name in TEXT_TESTS)],
                            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    passed = re.search(r"Passed *: *(\d+)", result.stdout)
    report.say(f"tests that are text: {passed[1] if passed else 0}", result.returncode == 0, result.stdout[-6000:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--built", action="store_true")
    options = parser.parse_args()
    if not options.built:
        build(options.all)
    (packed,), (wheel,) = ([*(ROOT / "build").glob(pattern)] for pattern in ("tegula-*-linux-aarch64.tar.xz", "tegula-*aarch64.whl"))
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        with tarfile.open(packed) as archive:
            archive.extractall(work)
        archive = work / packed.name.removesuffix(".tar.xz")
        old_glibc.copy(SYSROOT, work / "sysroot")
        machine, old = Machine(SYSROOT, work), Machine(work / "sysroot", work)
        check_commands(report, machine, archive)
        check_wheel(report, machine, old, wheel, work)
        check_python(report, old, work, ALL_PYTHON_TESTS if options.all else PYTHON_TESTS)
        check_kernels(report, machine, archive)
        check_code(report, machine, work, all_architectures() if options.all else ARCHITECTURES)
        check_units(report, machine, UNIT_TESTS + (ALL_UNIT_TESTS if options.all else []))
        if options.all:
            check_texts(report, machine, work)
    print(f"aarch64: {report.wrong} wrong")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
