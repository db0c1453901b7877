"""torch.compile with Tegula in the place of Triton, where PyTorch and a GPU are. Each program has a process, a cache and a
compiler of its own."""

import ast
import os
import pathlib
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("needs a GPU", allow_module_level=True)

HERE = pathlib.Path(__file__).parent
CASES, MODELS, OPERATORS = HERE / "cases.py", HERE / "models.py", HERE / "operators.py"


def names(of, path=CASES):
    """What the tuple `of` in a file lists, which imports nothing here."""
    for statement in ast.parse(path.read_text()).body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", None) == of:
            return [name.id for name in statement.value.elts]
    raise AssertionError(of)


def run(name, folder, path=CASES, **variables):
    environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(folder), "TORCHINDUCTOR_COMPILE_THREADS": "1", **variables}
    environment.pop("TRITON_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-m", "tegula.as_triton", str(path), name], capture_output=True, text=True,
                          env=environment, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "assuming every input is mutated" not in done.stderr
    return int(done.stdout.rsplit("compiled ", 1)[1])


@pytest.mark.parametrize("name", names("CASES") + names("PROGRAMS"))
def test_the_same_as_without_compiling(name, tmp_path):
    assert run(name, tmp_path) > 0, "Tegula compiled nothing"


@pytest.mark.parametrize("name", names("MODELS", MODELS))
def test_models(name, tmp_path):
    assert run(name, tmp_path, MODELS) > 0, "Tegula compiled nothing"


@pytest.mark.parametrize("part", range(8))
def test_operators(part, tmp_path):
    environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(tmp_path), "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    done = subprocess.run([sys.executable, "-m", "tegula.as_triton", str(OPERATORS), str(part), "8"], capture_output=True,
                          text=True, env=environment, timeout=900)
    assert done.returncode == 0, done.stdout


def test_kernels_of_threads(tmp_path):
    assert run("training", tmp_path, TORCHINDUCTOR_COMPILE_THREADS="4") > 0


def test_kernels_of_workers(tmp_path):
    run("training", tmp_path, TORCHINDUCTOR_COMPILE_THREADS="4", TORCHINDUCTOR_WORKER_START="subprocess")


def test_a_later_process_finds_all(tmp_path):
    assert run("layer_norm", tmp_path) > 0
    assert run("layer_norm", tmp_path) == 0, "the graph's kernels were kept and compiled all the same"


def test_what_inductor_imports():
    """Every name of Triton that PyTorch's sources import where they are not told apart by `try`."""
    program = """
import torch, triton
from torch.utils._triton import has_triton, has_triton_package
assert has_triton_package() and has_triton()
import torch._inductor.runtime.triton_compat as compat
import torch._inductor.runtime.triton_heuristics, torch._inductor.runtime.triton_helpers
import torch._inductor.codegen.triton, torch._higher_order_ops.triton_kernel_wrap
from torch._inductor.runtime.triton_compat import ASTSource, CompiledKernel, GPUTarget, triton_key, libdevice, math
assert triton_key().startswith("tegula-")
from torch._inductor.runtime.hints import ATTRS_DESCRIPTOR_VERSION, AttrsDescriptorVersion
assert ATTRS_DESCRIPTOR_VERSION == AttrsDescriptorVersion.V4_DICT
print("all")
"""
    done = subprocess.run([sys.executable, "-m", "tegula.as_triton", "-c", program], capture_output=True, text=True)
    assert done.stdout.split()[-1:] == ["all"], done.stdout + done.stderr
