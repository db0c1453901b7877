"""tools/bench/inductor/inductor.py on a model that needs no PyTorch: does it measure what its table says, by both compilers?"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]

FILES = {
    "torch/__init__.py": """
from types import SimpleNamespace

float32, float64 = "float32", "float64"
cuda = SimpleNamespace(synchronize=lambda: None)


class zeros:
    def __init__(self, *sides, device):
        pass

    def __matmul__(self, other):
        return self


def compile(function):
    return function
""",
    "torch/profiler.py": """
from types import SimpleNamespace

ProfilerActivity = SimpleNamespace(CUDA="cuda")


class profile:
    def __init__(self, activities):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def key_averages(self):
        return [SimpleNamespace(self_device_time_total=4000.0), SimpleNamespace(self_device_time_total=1000.0)]
""",
    "triton/__init__.py": """
def compile(src, target=None, options=None):
    if src.name == "refused":
        raise RuntimeError("refused, whatever it is")
""",
    "test/python/inductor/models.py": """
import sys
import time
from types import SimpleNamespace

steps = []


def working(compiled, dtype):
    def step():
        if not steps and "tegula" not in sys.modules:
            import triton

            triton.compile(SimpleNamespace(name="kernel"))
        steps.append(0)
        time.sleep(1e-3)

    return step


def refused(compiled, dtype):
    import triton

    return lambda: triton.compile(SimpleNamespace(name="refused"))


MODELS = (working, refused)
""",
}


@pytest.fixture
def bench(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "tools" / "bench" / "inductor").mkdir(parents=True)
    return pathlib.Path(shutil.copy(ROOT / "tools" / "bench" / "inductor" / "inductor.py", tmp_path / "tools" / "bench" / "inductor"))


def ran(bench: pathlib.Path, *options: str) -> tuple[int, list[dict], str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(bench.parents[3]), *filter(None, sys.path)])}
    found = bench.parent / "found.json"
    done = subprocess.run([sys.executable, bench, "--json", found, *options], text=True, capture_output=True, timeout=100,
                          env=environment)
    assert not done.stderr
    return done.returncode, json.loads(found.read_text()), done.stdout


def test_a_row_for_each_compiler_with_every_column(bench):
    code, rows, said = ran(bench, "--models", "working", "--steps", "5", "--warm")
    assert code == 0
    assert [row["compiler"] for row in rows] == ["tegula", "triton"]
    for row in rows:
        assert 1 <= row["step_ms"] < 50
        assert row["gpu_ms"] == 1.0  # 5 ms of 5 steps
        assert row["first_step_s"] > 0 and row["warm_first_step_s"] > 0
    assert [row["compile_calls"] for row in rows] == [0, 1]
    head, _, *lines = said.splitlines()
    assert [line.count("|") for line in lines] == [head.count("|")] * 2
    assert lines[1].startswith("| working | triton | 1 | ") and lines[1].endswith(" | 1.000 |  |")


def test_what_is_refused_is_in_its_row(bench):
    code, rows, said = ran(bench, "--models", "refused", "--compilers", "triton", "--steps", "5")
    assert code == 1
    assert rows[0]["failed_kernels"] == ["refused"] and "step_ms" not in rows[0]
    assert "RuntimeError: refused, whatever it is" in said.splitlines()[-1]
