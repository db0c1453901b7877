"""Which Triton is imitated: `install_as_triton(version=)`, TEGULA_TRITON_VERSION, the command."""

import importlib.metadata
import os
import subprocess
import sys

import pytest

import tegula
from tegula import imitated
from tegula.runtime.cache import triton_key

#: Where `tegula` of this process is, for children that have no installed package.
HOME = os.path.dirname(os.path.dirname(os.path.abspath(tegula.__file__)))


def python(*words, expect=0, **variables):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [HOME, os.environ.get("PYTHONPATH")]))}
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, env={**environment, **variables})
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout + done.stderr


ASKS = '''
import importlib.metadata, subprocess, sys
{first}
import triton
print(triton.__version__, importlib.metadata.version("triton"))
sys.stdout.flush()
child = "import triton, importlib.metadata as m; print(triton.__version__, m.version('triton'))"
print(subprocess.run([sys.executable, "-c", child], capture_output=True, text=True).stdout)
'''


@pytest.mark.parametrize("version", ["3.6", "3.7", "3.8", "3.9"])
def test_the_stand_in_says_the_version_that_was_asked_for(version):
    code = ASKS.format(first=f"import tegula; tegula.install_as_triton(version={version!r})")
    assert python("-c", code).split() == [f"{version}.0"] * 4
    code = ASKS.format(first="import tegula; tegula.install_as_triton()")
    assert python("-c", code, TEGULA_TRITON_VERSION=version).split() == [f"{version}.0"] * 4
    said = python("-m", "tegula.as_triton", f"--triton-version={version}", "-c", "import triton; print(triton.__version__)")
    assert said.strip() == f"{version}.0"


def test_the_package_itself_says_it_too(monkeypatch):
    assert tegula.triton_version == "3.6.0" and tegula.__version__ == tegula.version() == "0.1.0"
    key = triton_key()
    monkeypatch.setenv("TEGULA_TRITON_VERSION", "3.8")
    assert tegula.triton_version == "3.8.0" and imitated.version() == "3.8"
    assert triton_key() != key


def test_an_unknown_version_is_an_error_that_lists_the_known_ones(monkeypatch):
    words = "unknown version '4.2' of Triton; known: 3.6, 3.7, 3.8, 3.9"
    with pytest.raises(ValueError, match=words):
        tegula.install_as_triton(version="4.2")
    assert words in python("-m", "tegula.as_triton", "--triton-version=4.2", "-c", "pass", expect=2)
    monkeypatch.setenv("TEGULA_TRITON_VERSION", "4.2")
    with pytest.raises(ValueError, match=words):
        tegula.triton_version


def test_another_version_than_the_one_that_stands_in_is_refused():
    code = '''
import tegula
tegula.install_as_triton(version="3.7")
tegula.install_as_triton(version="3.7")
tegula.install_as_triton()
try:
    tegula.install_as_triton(version="3.8")
except RuntimeError as error:
    print(error)
'''
    assert "stands in for Triton 3.7 already" in python("-c", code)


def test_kernels_are_compiled_for_the_version_of_their_first_launch(monkeypatch):
    import numpy as np

    import tegula.language as tl

    @tegula.jit
    def says(out, N: tl.constexpr):
        tl.store(out, 38 if tl.constexpr(N) > 0 and tegula.__version__ == "3.8.0" else 36)

    if tegula.get_device().properties()["kind"] == "cuda":
        pytest.skip("needs arrays on the GPU")
    out = np.zeros(1, np.int32)
    says[(1,)](out, 1)
    monkeypatch.setenv("TEGULA_TRITON_VERSION", "3.8")
    says[(1,)](out, 1)
    assert out[0] == 36
    says[(1,)](out, 2)
    assert out[0] == 38
