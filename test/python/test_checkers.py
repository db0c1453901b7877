"""Files of kernels under mypy, as users check them: what is known at compile time may stand for a number, and all names are exported."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(os.environ.get("TEGULA_BUILD_DIR", ROOT / "build" / "release")) / "python"
MYPY = shutil.which("mypy")
pytestmark = pytest.mark.skipif(MYPY is None, reason="mypy is not installed")

KERNELS = '''
from typing import Any

import tegula as triton
import tegula.language as tl
from tegula.compiler import ASTSource, CompiledKernel
from tegula.runtime import Autotuner, driver
from tegula.tools.tensor_descriptor import TensorDescriptor


@triton.autotune(configs=[triton.Config({"BM": 64, "BN": 64}, num_warps=4)], key=["m", "n"])
@triton.heuristics({"EVEN": lambda args: bool(args["m"] % 16 == 0)})
@triton.jit
def product(a: Any, b: Any, c: Any, m: Any, n: Any, k: Any, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
            EVEN: tl.constexpr = False) -> None:
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for at in range(0, k, BK):
        x = tl.load(a + i[:, None] * k + (at + tl.arange(0, BK))[None, :])
        y = tl.load(b + (at + tl.arange(0, BK))[:, None] * n + j[None, :])
        total = tl.dot(x, y, total)
    if EVEN:
        total = tl.maximum(total, 0.0)
    size: tl.constexpr = BM * BN
    one: tl.constexpr = 1
    rows = tl.sum(total, axis=1) / size
    for step in tl.static_range(BK // 4):
        rows += step
    tl.store(c + i[:, None] * n + j[None, :], total.to(tl.float16), mask=(i[:, None] < m) & (j[None, :] < n))


@triton.jit
def halves(x: tl.tensor, shift: tl.int32, N: tl.constexpr, KIND: tl.constexpr = tl.float32) -> tl.tensor:
    low, high = tl.split(tl.reshape(x, (N // 2, 2)))
    low = (low.to(tl.int32) + (shift << 1)).to(tl.float32)
    return tl.where(low > 0, high, tl.exp(low)) + tl.full([N // 2], 1, KIND)


product[lambda meta: (triton.cdiv(5, meta["BM"]),)](1, 2, 3, 4, 5, 6, BK=16)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One for all, since mypy keeps there what it knows of the package."""
    return tmp_path_factory.mktemp("checked")


def checked(tmp_path, text, *options):
    file = tmp_path / "kernels.py"
    file.write_text(text)
    environment = {**os.environ, "MYPYPATH": str(PACKAGE)}
    done = subprocess.run([MYPY, "--config-file=", "--follow-imports=silent", f"--cache-dir={tmp_path / 'cache'}", *options, file],
                          capture_output=True, text=True, env=environment, cwd=tmp_path)
    return done.stdout + done.stderr


def test_kernels_with_annotations_are_right_in_the_strictest_mode(folder):
    assert checked(folder, KERNELS, "--strict").startswith("Success")


def test_the_readme_s_first_kernel_is_right(folder):
    text = (ROOT / "README.md").read_text().partition("```python add.py\n")[2].partition("```")[0]
    assert "tl.arange(0, BLOCK)" in text
    # It imports NumPy: the one of the interpreter that runs the tests, not of the one that mypy runs in.
    assert checked(folder, text, "--check-untyped-defs", f"--python-executable={sys.executable}").startswith("Success")


def test_what_is_wrong_is_still_found(folder):
    said = checked(folder, KERNELS + '\ntl.arange("0", 4)\ntl.lod(1)\n', "--strict")
    assert 'Argument 1 to "arange" has incompatible type "str"' in said and '"lod"' in said
