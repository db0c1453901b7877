"""The emulator counts sectors as the counters of a GPU do. Needs a GPU whose counters may be read, and its toolkit's profiler."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import pytest

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"

PATTERNS = '''
import triton
import triton.language as tl


@triton.jit
def strided(x, y, OFFSET: tl.constexpr, STRIDE: tl.constexpr):
    i = tl.program_id(0) * 512 + tl.arange(0, 512)
    tl.store(y + i * STRIDE, tl.load(x + OFFSET + i * STRIDE))


@triton.jit
def masked(x, y, PERIOD: tl.constexpr):
    i = tl.program_id(0) * 512 + tl.arange(0, 512)
    tl.store(y + i, tl.load(x + i, mask=i % PERIOD != 0, other=0.0), mask=i % PERIOD == 1)


@triton.jit
def gathered(x, numbers, y):
    i = tl.program_id(0) * 512 + tl.arange(0, 512)
    tl.store(y + i, tl.load(x + tl.load(numbers + i)))


@triton.jit
def turned(x, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    tile = tl.load(x + row[:, None] * COLUMNS + column[None, :])
    tl.store(y + column[:, None] * ROWS + row[None, :], tl.trans(tile))


@triton.jit
def looked_up(x, numbers, y):
    i = tl.arange(0, 512)
    tl.store(y + i, tl.gather(tl.load(x + i), tl.load(numbers + i), axis=0))
'''


def explained(folder, *words):
    """The counts of the emulator, and those of the device."""
    result = subprocess.run(["tegula", "explain", *words, "--measure", "--json=-"], cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr + result.stdout
    document = json.loads(result.stdout)
    if reason := document["measured"].get("whyNoCounts"):
        pytest.skip(reason)
    counters = document["counters"]
    return dict(zip(counters["columns"], counters["total"])), document["measured"]["counts"]


@pytest.fixture(scope="module", autouse=True)
def device():
    if not os.environ.get("TEGULA_DEVICE", "").startswith("cuda"):
        pytest.skip("needs a GPU")
    if not shutil.which("ncu") and not pathlib.Path("/usr/local/cuda/bin/ncu").exists():
        pytest.skip("needs the profiler of a CUDA toolkit")


def documented():
    """The launches in the docstrings of the bundled kernels."""
    for path in sorted(KERNELS.glob("*.py")):
        text = re.match(r'"""(.*?)"""', path.read_text(), re.S)
        for words in re.findall(r"^ *tegula run (.*)$", text[1].replace("\\\\\n", " "), re.M) if text else []:
            words = re.sub(r"--print \S+", "", words)
            yield pytest.param([word for word in shlex.split(words) if not word.startswith(("--report", "--device"))],
                               id=f"{path.stem}-{words.split()[2]}")


@pytest.mark.parametrize("without", ["", "tma,stores"])
@pytest.mark.parametrize("words", list(documented()))
def test_bundled_kernels_move_the_sectors_that_are_counted(words, without):
    ours, theirs = explained(KERNELS.parent, *words, *([f"--without={without}"] if without else []))
    assert theirs["loadSectors"] == ours["loadSectors"]
    if "histogram" not in words[0]:  # of an atomic without an answer the device counts each half of a sector
        assert theirs["storeSectors"] == ours["storeSectors"]
    # Barriers and atomics in shared memory are in the way of each other now and then, which depends on time.
    assert abs(theirs["bankConflicts"] - ours["bankConflicts"]) <= 64 + ours["bankConflicts"] // 8


@pytest.mark.parametrize("dtype", ["fp16", "fp32", "fp64"])
@pytest.mark.parametrize("options", [
    *(f"-k strided --arg x=randn:{{0}}[70000] --arg y=zeros:{{0}}[70000] -D OFFSET={offset} -D STRIDE={stride}"
      for offset, stride in ((0, 1), (1, 1), (3, 2), (0, 3), (8, 5), (0, 8), (2, 33))),
    "-k masked --arg x=randn:{0}[2048] --arg y=zeros:{0}[2048] -D PERIOD=3",
    "-k masked --arg x=randn:{0}[2048] --arg y=zeros:{0}[2048] -D PERIOD=64",
    "-k gathered --arg x=randn:{0}[9000] --arg numbers=randint(0,8999):i32[2048] --arg y=zeros:{0}[2048]",
])
def test_patterns_of_accesses_move_the_sectors_that_are_counted(tmp_path, options, dtype):
    (tmp_path / "patterns.py").write_text(PATTERNS)
    ours, theirs = explained(tmp_path, "patterns.py", "--grid=4", *options.format(dtype).split())
    assert (theirs["loadSectors"], theirs["storeSectors"]) == (ours["loadSectors"], ours["storeSectors"])


@pytest.mark.parametrize("options", [
    *(f"-k turned --arg x=randn:{dtype}[{rows},{columns}] --arg y=zeros:{dtype}[{columns},{rows}] -D ROWS={rows} -D COLUMNS={columns}"
      for dtype in ("fp16", "fp32") for rows, columns in ((32, 32), (64, 64), (16, 128), (128, 8))),
    "-k looked_up --arg x=randn:fp32[512] --arg numbers=randint(0,511):i32[512] --arg y=zeros:fp32[512]",
])
def test_passes_over_banks_are_those_that_are_counted(tmp_path, options):
    (tmp_path / "patterns.py").write_text(PATTERNS)
    ours, theirs = explained(tmp_path, "patterns.py", "--grid=1", *options.split())
    assert abs(theirs["bankConflicts"] - ours["bankConflicts"]) <= 2 + ours["bankConflicts"] // 16
