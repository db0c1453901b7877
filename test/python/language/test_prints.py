"""`tl.device_print` and `print` compared with what Triton 3.6 printed on an H200 (`prints-triton-3.6.txt`)."""

from __future__ import annotations

import importlib.util
import pathlib
from collections import Counter

import numpy as np
import pytest

from harness import INTERPRETED, ON_GPU, array

RECORDED = pathlib.Path(__file__).with_name("prints-triton-3.6.txt")
KERNEL = """import tegula as triton
import tegula.language as tl


@triton.jit
def kernel(x, n, f):
    i = tl.arange(0, 16)
    v = tl.load(x + i)
    {}
"""


def cases():
    found = []
    for line in RECORDED.read_text().splitlines():
        if line.startswith("  "):
            found[-1][-1].append(line[2:])
        elif line and not line.startswith("#"):
            kind, expression, programs, warps, lines, distinct = line.split(" | ")
            found.append((kind, expression, int(programs), int(warps), int(lines), int(distinct), []))
    return found


def values(kind):
    """What `v` was when it was recorded."""
    if kind == "bool":
        return array("int1", np.arange(16) != 0)
    return array(kind, np.arange(16) - (0 if kind.startswith("uint") else 3))


@pytest.mark.skipif(ON_GPU, reason="the driver prints by itself")
@pytest.mark.parametrize("kind, expression, programs, warps, lines, distinct, first", cases())
def test_prints_as_triton(kind, expression, programs, warps, lines, distinct, first, tmp_path, capsys):
    path = tmp_path / "printing.py"
    path.write_text(KERNEL.format(expression))
    spec = importlib.util.spec_from_file_location("printing", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.kernel[(programs,)](values(kind).argument(), 42, 2.5, num_warps=warps)
    found = Counter(capsys.readouterr().out.splitlines())
    assert not [line for line in first if line not in found] and len(found) == distinct
    threads = 1 if INTERPRETED else 32 * warps
    for line, count in found.items():  # an element of a tensor is printed once, not by each thread that holds it
        assert count == (threads if "idx ()" in line or "idx" not in line else 1)
