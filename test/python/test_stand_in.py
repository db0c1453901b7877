"""Tegula in the place of `triton`: in this process, in children, by `python -m tegula.as_triton`."""

import os
import subprocess
import sys

import pytest

#: Where `tegula` of this process is, for children that have no installed package.
HOME = os.path.dirname(os.path.dirname(os.path.abspath(__import__("tegula").__file__)))


def python(*words, code=None, folder=None, expect=0):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [HOME, os.environ.get("PYTHONPATH")]))}
    command = [sys.executable, *words] + (["-c", code] if code else [])
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout + done.stderr


KERNEL = '''
import numpy as np
import triton
import triton.language as tl


@triton.jit
def add_one(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i) + 1)
'''
HOST_ONLY = pytest.mark.skipif(os.environ.get("TEGULA_DEVICE", "").startswith("cuda"), reason="needs arrays on the GPU")


@HOST_ONLY
def test_a_script_runs_unchanged(tmp_path):
    (tmp_path / "neighbour.py").write_text("VALUE = 5\n")
    (tmp_path / "script.py").write_text(KERNEL + '''
import sys
import neighbour
x, out = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
add_one[(1,)](x, out, N=16)
assert (out == x + 1).all()
import tegula
print(triton.__version__, tegula.compiled_kernels(), sys.argv, neighbour.VALUE, __name__)
''')
    text = python("-m", "tegula.as_triton", str(tmp_path / "script.py"), "a", "-b")
    assert text.split() == ["3.6.0", "1", f"['{tmp_path}/script.py',", "'a',", "'-b']", "5", "__main__"]


def test_children_see_it_too():
    code = '''
import tegula
tegula.install_as_triton()
import subprocess, sys
child = "import triton, tegula.stand_in as s; print(triton.__file__.startswith(s.FOLDER), triton.__version__)"
print(subprocess.run([sys.executable, "-c", child], capture_output=True, text=True).stdout)
'''
    assert python(code=code).split() == ["True", "3.6.0"]


def test_modules_are_the_same_objects():
    code = '''
import tegula
tegula.install_as_triton()
tegula.install_as_triton()
import triton, triton.language as tl, triton.testing, triton.runtime.driver
import triton.language.extra.cuda.libdevice as cuda_libdevice
from triton.language.extra import libdevice
from triton.runtime.autotuner import Autotuner, Config, OutOfResources, PTXASError, Heuristics, autotune
from triton.runtime.jit import JITFunction, JitFunctionInfo, KernelInterface, ConstexprFunction
from triton.runtime.interpreter import InterpretedFunction
from triton.compiler import CompiledKernel, ASTSource, CompilationError
from triton.compiler.compiler import make_backend
from triton.compiler.errors import CompileTimeAssertionFailure, UnsupportedLanguageConstruct
from triton.backends.compiler import GPUTarget
from triton.backends import backends
from triton.runtime.cache import triton_key, _base32
from triton.tools.tensor_descriptor import TensorDescriptor
from triton import Config as Config2, knobs, JITFunction as JITFunction2, cdiv, next_power_of_2, set_allocator
from triton.language.standard import _log2
assert tl is tegula.language and triton.testing is tegula.testing and libdevice is cuda_libdevice
assert Config is Config2 is tegula.Config and JITFunction is JITFunction2 is tegula.JITFunction
assert triton.language.__spec__.name == "tegula.language" and triton.language.__name__ == "tegula.language"
assert tl.load.__module__ == "triton.language.core" and tl.dtype.__module__ == "triton.language.core"
assert libdevice.tanh.__module__ == "triton.language.extra.libdevice"
assert triton.runtime.driver.active is tegula.runtime.driver.active
import pickle
assert pickle.loads(pickle.dumps((tl.float32, tl.load, tl.dtype)))[0] is tl.float32
import importlib.metadata, importlib.util
assert importlib.metadata.version("triton") == "3.6.0" and importlib.util.find_spec("triton").name == "triton"
for absent in ("triton.tools.experimental_descriptor", "triton.ops"):
    try:
        __import__(absent)
        raise SystemExit(absent + " is there")
    except ModuleNotFoundError as error:
        assert absent in str(error)
assert not issubclass(JITFunction, InterpretedFunction)
assert not hasattr(triton.compiler.compiler, "AttrsDescriptor") and not hasattr(tl.extra, "tlx")
assert not hasattr(triton.backends.compiler, "AttrsDescriptor") and not hasattr(triton.runtime.jit, "create_specialize_impl")
assert not hasattr(tl.extra.cuda, "experimental_device_tensormap_create2d") and not hasattr(triton.runtime.cache, "_base64")
assert triton._C.libtriton.ir.context is not None and triton._utils.find_paths_if is not None
from triton._C.libtriton import ir
from triton._utils import get_iterable_path
assert ir is triton._C.libtriton.ir
print("same")
'''
    assert python("-W", "error", code=code).split() == ["same"]


def test_what_was_asked_for_is_found_at_once_again():
    """Inductor asks for `set_allocator` twice before each launch."""
    code = "import triton\nassert 'set_allocator' not in vars(triton)\nassert hasattr(triton, 'set_allocator')\n" \
        "print(vars(triton)['set_allocator'] is triton.set_allocator)"
    assert python("-m", "tegula.as_triton", "-c", code).split() == ["True"]


def test_another_triton_is_not_replaced(tmp_path):
    (tmp_path / "triton.py").write_text("jit = None\n")
    code = '''
import triton, tegula
try:
    tegula.install_as_triton()
except RuntimeError as error:
    print(error)
'''
    assert "another `triton` is imported already" in python(code=code, folder=tmp_path)


def test_a_module_and_a_command(tmp_path):
    (tmp_path / "program.py").write_text("import sys, triton; print(triton.__version__, sys.argv[1:], __name__)\n")
    assert python("-m", "tegula.as_triton", "-m", "program", "x", folder=tmp_path).split() == ["3.6.0", "['x']", "__main__"]
    text = python("-m", "tegula.as_triton", "-c", "import sys, triton; print(triton.__version__, sys.argv)", "x")
    assert text.split() == ["3.6.0", "['-c',", "'x']"]


def test_usage(tmp_path):
    assert "python -m tegula.as_triton script.py" in python("-m", "tegula.as_triton", expect=2)
    assert "python -m tegula.as_triton script.py" in python("-m", "tegula.as_triton", "--help")
    assert "there is no file 'missing.py'" in python("-m", "tegula.as_triton", "missing.py", folder=tmp_path, expect=1)


def test_import_is_light():
    # Neither PyTorch nor NumPy, nor what only compiling needs.
    code = "import sys, tegula; print(sorted({'torch', 'numpy', 'tegula.language', 'ctypes'} & set(sys.modules)))"
    assert python(code=code).strip() == "[]"
