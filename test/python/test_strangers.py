"""tools/bench/strangers/strangers.py on a suite of our own, whose `triton` is a small stand-in: what does it say that Tegula alone fails?"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "tools" / "bench" / "strangers" / "strangers.py"
pytestmark = pytest.mark.skipif(os.environ.get("TEGULA_DEVICE", "").startswith("cuda"), reason="its arrays are on the host")

TRITON = '''
"""Runs `add_one` of the tests below, and nothing else."""

class _Kernel:
    def __init__(self, function):
        self.function = function

    def __getitem__(self, grid):
        def launch(x, out, N):
            out[:] = x + 1
        return launch


def jit(function):
    return _Kernel(function)
'''

CONFTEST = '''
import pytest

def pytest_addoption(parser):
    parser.addoption("--size", type=int, default=0)

@pytest.fixture
def size(request):
    return request.config.getoption("--size")
'''

KERNELS = '''
import os
import sys
import time

import numpy as np
import pytest
import triton
import triton.language as tl

OURS = "tegula" in sys.modules
seen = []


@triton.jit
def add_one(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i) + 1)


@pytest.mark.parametrize("dtype", ["float32", "int32", "float64"])
def test_adds(dtype, size):
    seen.append(dtype)
    x = np.arange(size).astype(dtype)
    out = np.zeros_like(x)
    add_one[(1,)](x, out, N=size)
    assert (out == x + 1).all() and os.read(0, 1) == b""


def test_a_passes_once_more():
    if OURS and not os.path.exists(os.environ["SEEN"]):
        open(os.environ["SEEN"], "w").close()
        raise RuntimeError("the first time")


@pytest.mark.parametrize("number", range(3))
def test_b_fails_by_us(number):
    print("what it printed")
    assert not OURS, f"number {number}"


def test_c_fails():
    assert False, "as it does everywhere"


@pytest.mark.xfail
def test_d_is_to_fail():
    assert False


def test_e_crashes_by_us():
    if OURS:
        os._exit(3)


def test_f_is_skipped():
    pytest.skip("everywhere")


def test_g_is_skipped_by_us():
    if OURS:
        pytest.skip("this compiler lacks it")


def test_h_is_slow():
    time.sleep(60)


def test_i_is_left_out():
    assert False
'''

UNREADABLE = '''
import sys
if "tegula" in sys.modules:
    raise ImportError("cannot import name 'anything' from 'triton'")


def test_would_pass():
    pass
'''


@pytest.fixture
def suite(tmp_path):
    files = {"fake/triton/__init__.py": TRITON, "fake/triton/language.py": "constexpr = None\n", "tests/conftest.py": CONFTEST,
             "tests/a/test_kernels.py": KERNELS, "tests/b/test_unreadable.py": UNREADABLE,
             "tests/b/test_kernels.py": "import pytest\npytest.skip('no such GPU', allow_module_level=True)\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "own.json").write_text(json.dumps({
        "tests": ["tests"], "path": ["fake"], "options": ["--size=16"], "environment": {"SEEN": str(tmp_path / "seen")},
        "left_out": {"*/test_kernels.py::test_i_*": "it is not to be run"}}))
    return tmp_path


def said(suite, *options, expect):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, BENCH, suite / "own.json", suite, "--json", suite / "kept.json", *options], text=True,
                          capture_output=True, timeout=200, env=environment)
    assert not done.stderr and done.returncode == expect, done.stdout + done.stderr
    return done.stdout, json.loads((suite / "kept.json").read_text())


def test_what_only_we_fail_is_told_apart_and_no_test_costs_another(suite):
    text, found = said(suite, "--processes", "2", "--seconds", "10", expect=1)
    own = {name.rpartition("::")[2]: test["how"] for name, test in found["tegula"].items() if "a/test_kernels" in name}
    assert own == {
        "test_adds[float32]": "passes", "test_adds[int32]": "passes", "test_adds[float64]": "passes",
        "test_a_passes_once_more": "passes", "test_b_fails_by_us[0]": "fails", "test_b_fails_by_us[1]": "fails",
        "test_b_fails_by_us[2]": "fails", "test_c_fails": "fails", "test_d_is_to_fail": "fails as expected",
        "test_e_crashes_by_us": "crashes", "test_f_is_skipped": "skipped", "test_g_is_skipped_by_us": "skipped",
        "test_h_is_slow": "takes too long"}
    assert found["triton"]["tests/b/test_unreadable.py::test_would_pass"]["how"] == "passes"
    assert found["triton"]["tests/b/test_kernels.py"]["said"].endswith("no such GPU")
    alone = {line.split()[5].rpartition("/")[2]: int(line.split()[3])
             for line in text.splitlines() if line.startswith("BY TEGULA ALONE")}
    assert alone == {"test_kernels.py::test_b_fails_by_us[0]": 3, "test_kernels.py::test_e_crashes_by_us": 1,
                     "test_kernels.py::test_g_is_skipped_by_us": 1, "test_unreadable.py::test_would_pass": 1}
    assert "what it printed" in found["tegula"]["tests/a/test_kernels.py::test_b_fails_by_us[1]"]["printed"]
    assert "AssertionError: number 0" in text and "as it does everywhere" in text and "tegula crashes 3" in text
    assert "| tests/a/test_kernels.py | 13 | 5 | 2 | 2 | 5 | 0 |" in text and "| **own** | 15 | 5 | 3 | 2 | 6 | 0 |" in text
    assert "left out: */test_kernels.py::test_i_*: it is not to be run" in text


def test_shares_together_are_all_tests_and_none_is_asked_twice(suite):
    parts = [said(suite, "--share", "0.5", "--part", part, "--match", "test_adds", "--processes", "1", expect=0)[1]["tegula"]
             for part in "01"]
    names = [name.rpartition("[")[2] for part in parts for name in part if "test_adds" in name]
    assert sorted(names) == ["float32]", "float64]", "int32]"]
    (suite / "first.json").write_text((suite / "kept.json").read_text())
    _, rest = said(suite, "--match", "test_adds", "--but", str(suite / "first.json"), "--processes", "1", expect=0)
    assert {name for name in rest["tegula"] if "test_adds" in name} == {name for name in parts[0] if "test_adds" in name}


def test_what_was_found_until_the_limit_is_kept_and_told_again(suite):
    options = "--match", "test_adds,test_c,test_h"
    _, found = said(suite, *options, "--processes", "2", "--limit", "12", expect=0)
    assert "tests/a/test_kernels.py::test_h_is_slow" not in found["tegula"]
    text, _ = said(suite, "--tell", str(suite / "kept.json"), expect=0)
    assert "as it does everywhere" in text and "| **own** | 4 | 3 | 0 | 1 | 0 | 0 |" in text


def test_an_unknown_suite_is_told_the_known_ones():
    done = subprocess.run([sys.executable, BENCH, "flagems", "."], text=True, capture_output=True)
    assert done.returncode == 1 and "expected triton, triton_kernels, flaggems" in done.stderr
    done = subprocess.run([sys.executable, BENCH, "liger", "."], text=True, capture_output=True)
    assert done.returncode == 1 and "test/transformers" in done.stderr
