"""Kernels compiled ahead of time: recorded in one process, bundled, and launched in another that is frozen."""

import os
import pathlib
import subprocess
import sys

import pytest

import tegula as triton

KIND = triton.get_device().properties()["kind"]
COMMAND = pathlib.Path(os.environ["TEGULA_BUILD_DIR"]) / "bin" / "tegula"
pytestmark = pytest.mark.skipif(KIND == "interpret", reason="the interpreter compiles nothing")

#: A program with a tuned kernel, one that calls a constexpr_function, and a plain one. `AFTER` is what a process does.
PROGRAM = """
import sys
import numpy as np
import tegula as triton
import tegula.language as tl

@triton.constexpr_function
def doubled(x):
    return 2 * x

@triton.jit
def scale(out, n, factor: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, at * factor, mask=at < n)

@triton.jit
def scale_by_host(out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, at * doubled(BLOCK), mask=at < n)

@triton.autotune([triton.Config({"BLOCK": 32}, num_warps=1), triton.Config({"BLOCK": 64}, num_warps=2)], key=["n"])
@triton.jit
def tuned(out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, at + 1, mask=at < n)

def array(n):
    if triton.get_device().properties()["kind"] == "cuda":
        import torch
        return torch.zeros(n, dtype=torch.int32, device="cuda")
    return np.zeros(n, np.int32)

def run_all(n):
    out = array(n)
    scale[(triton.cdiv(n, 32),)](out, n, factor=3, BLOCK=32)
    assert out[n - 1] == 3 * (n - 1)
    scale_by_host[(1,)](out, n, BLOCK=64)
    assert out[n - 1] == 128 * (n - 1)
    tuned[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](out, n)
    assert out[n - 1] == n
"""


def run(folder, after, **environment):
    """Runs the program with `after` behind it in a process of its own; returns what it says."""
    (folder / "program.py").write_text(PROGRAM + after)
    done = subprocess.run([sys.executable, "program.py"], cwd=folder, env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recorded")
    run(folder, "run_all(50)\nrun_all(48)\n", TEGULA_RECORD=str(folder / "specs.jsonl"), TEGULA_CACHE_DIR="")
    path = folder / "kernels.tgb"
    done = subprocess.run([COMMAND, "bundle", folder / "specs.jsonl", "--ptx", "-o", path], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return path


def test_a_frozen_process_runs_from_a_bundle_without_compiling(bundle):
    said = run(bundle.parent, f"""
loaded = triton.load_bundle({str(bundle)!r}, preload=True)
assert loaded > 0
triton.freeze()
assert triton.is_frozen()
run_all(50)
run_all(48)
counts = triton.cache_stats()
assert counts["compiled"] == 0 and counts["tuned"] == 0, counts
assert counts["from_bundle"] > 0 and counts["tuned_before"] == 2, counts
print("all there")
""", TEGULA_CACHE_DIR="")
    assert "all there" in said


def test_the_program_may_have_moved(bundle, tmp_path):
    said = run(tmp_path, f"""
triton.load_bundle({str(bundle)!r})
out = array(50)
run_all(50)
assert triton.cache_stats()["compiled"] == 0
scale[(2,)](out, 50, factor=4, BLOCK=32)
assert triton.cache_stats()["compiled"] == 1
print("found")
""", TEGULA_CACHE_DIR="")
    assert "found" in said


def test_what_is_missing_is_named(bundle):
    said = run(bundle.parent, f"""
triton.load_bundle({str(bundle)!r}, preload=True)
run_all(50)
triton.freeze()
out = array(50)
for launch in (lambda: scale[(2,)](out, 50, factor=5, BLOCK=32), lambda: run_all(40)):
    try:
        launch()
        print("nothing was missing")
    except triton.FrozenError as error:
        assert isinstance(error, triton.TritonError)
        print(error)
try:
    tuned[(2,)](out, 33)
except triton.FrozenError as error:
    print(error)
triton.thaw()
run_all(33)
print("thawed")
""", TEGULA_CACHE_DIR="")
    assert "kernel `scale` would have to be compiled after `freeze`, for BLOCK=32 factor=5 n=i32+" in said
    assert "(factor is 5, was 3)" in said
    assert "kernel `tuned` would have to be tuned after `freeze`, for the key (33," in said
    assert "nothing was missing" not in said and "thawed" in said


def test_what_is_missing_is_compared_with_what_the_bundle_has(bundle):
    said = run(bundle.parent, f"""
triton.load_bundle({str(bundle)!r}, preload=True)
triton.freeze()
try:
    scale[(2,)](array(50), 50, factor=5, BLOCK=32)
except triton.FrozenError as error:
    print(error)
""", TEGULA_CACHE_DIR="")
    assert "(factor is 5, in a bundle 3)" in said


def test_a_changed_program_is_told_from_another_specialisation(bundle):
    said = run(bundle.parent, f"""
@triton.jit
def scale(out, n, factor: tl.constexpr, BLOCK: tl.constexpr):
    tl.store(out + n - 1, factor * (n - 1))

triton.load_bundle({str(bundle)!r}, preload=True)
triton.freeze()
try:
    scale[(2,)](array(50), 50, factor=3, BLOCK=32)
except triton.FrozenError as error:
    print(error)
""", TEGULA_CACHE_DIR="")
    assert "(the same as a variant in a bundle, of another program)" in said


def test_frozen_from_the_environment_loads_what_a_bundle_has(bundle):
    said = run(bundle.parent, f"""
assert triton.is_frozen()
try:
    run_all(50)
except triton.FrozenError as error:
    print(error)
assert triton.load_bundle({str(bundle)!r}) > 0
run_all(50)
print("after it was loaded")
""", TEGULA_CACHE_DIR="", TEGULA_FROZEN="1")
    assert "kernel `scale` would have to be compiled after `freeze`" in said
    assert "after it was loaded" in said


def test_the_events_say_why(bundle):
    said = run(bundle.parent, """
out = array(50)
for n in (50, 48):
    scale[(2,)](out, n, factor=3, BLOCK=32)
""", TEGULA_CACHE_DIR="", TEGULA_CACHE_STATS="1")
    assert "tegula: compiled scale in " in said
    assert "n is i32:16+, was i32+" in said
    assert "tegula: 2 compiled, 0 from the cache, 0 from a bundle;" in said


def test_a_file_that_is_no_bundle():
    with pytest.raises(ValueError, match="is no bundle of kernels"):
        triton.load_bundle(__file__)
    with pytest.raises(OSError, match="cannot open `nowhere.tgb`"):
        triton.load_bundle(pathlib.Path("nowhere.tgb"))
