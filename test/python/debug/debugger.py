"""Runs `tegula debug` on kernels that tests have written."""

import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

#: What a kernel's file begins with.
HEAD = "import triton\nimport triton.language as tl\n\n\n"


def program():
    """The executable of the build, or of the installed package."""
    build = os.environ.get("TEGULA_BUILD_DIR")
    found = os.path.join(build, "bin", "tegula") if build else shutil.which("tegula", path=os.path.dirname(sys.executable))
    if not found or not os.path.exists(found):
        pytest.skip("there is no executable `tegula`")
    return found


def debug(folder, source, words, commands=(), script=None, reference=None, tolerance="", status=0):
    """Returns all that the debugger says. `reference` are arrays by name; `script` goes to its standard input."""
    file = folder / "kernel.py"
    file.write_text(source)
    line = [program(), "debug", "kernel.py", *words, *(f"--command={one}" for one in commands)]
    for name, array in (reference or {}).items():
        np.save(folder / f"{name}.npy", array)
        line.append(f"--expect={name}=@{name}.npy{',' if tolerance else ''}{tolerance}")
    done = subprocess.run(line, input=script or "", capture_output=True, text=True, timeout=120, cwd=folder)
    assert done.returncode == status, done.stderr + done.stdout
    return done.stdout + (done.stderr if status else "")


def places(text):
    """The lines at which the debugger has stopped, in order."""
    return [int(line) for line in re.findall(r"^program \(\d+, \d+, \d+\), kernel\.py:(\d+)", text, re.M)]
