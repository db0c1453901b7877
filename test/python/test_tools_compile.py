"""`triton.tools.compile` and `link`: C sources that launch a kernel, compiled and run against a driver that writes down its calls."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import tegula as triton
import tegula.tools
from tegula.tools import compile as compiler
from tegula.tools import link as linker

KIND = triton.get_device().properties()["kind"]
FAKE = pathlib.Path(os.environ["TEGULA_BUILD_DIR"]) / "lib"
CC = shutil.which("cc") or shutil.which("clang-22") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(KIND != "emulator", reason="once is enough, and the interpreter compiles nothing")

KERNEL = """
import triton
import triton.language as tl
import helpers

@triton.jit
def scale(out, x, n, step, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, helpers.times(tl.load(x + at * step, mask=at < n), factor), mask=at < n)
"""
HELPERS = """
import triton

@triton.jit
def times(x, y):
    return x * y
"""
#: What of cuda.h the sources use.
CUDA = """
#pragma once
#include <stddef.h>
typedef int CUresult;
enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };
typedef struct CUstream_st *CUstream;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef unsigned long long CUdeviceptr;
CUresult cuModuleLoadDataEx(CUmodule *, const void *, unsigned, int *, void **);
CUresult cuModuleUnload(CUmodule);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *);
CUresult cuFuncSetAttribute(CUfunction, int, int);
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "kernels.py").write_text(KERNEL)
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "cuda.h").write_text(CUDA)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compile_by_path(signature, *more):
    """As build scripts do: by the file's path, in a process of its own."""
    script = pathlib.Path(tegula.tools.__file__).parent / "compile.py"
    return subprocess.run([sys.executable, script, "-n", "scale", "--signature", signature, "--out-name", "scaled", "-w", "2",
                           "-g", "(n + 63) / 64, 1, 1", "--target", "cuda:80:32", "kernels.py", *more], text=True, capture_output=True)


def refused(capsys, *words):
    """The message of a command line that is refused."""
    assert compiler.main(["-n", "scale", "--target", "cuda:80:32", *words]) == 1
    return capsys.readouterr().err.strip()


@pytest.mark.skipif(CC is None, reason="there is no C compiler")
def test_a_c_program_launches_the_variant_whose_hints_hold(folder):
    for signature in ("*fp32:16, *fp32:16, i32:16, i32:1, fp32, 64", "*fp32, *fp32, i32, i32:1, fp32, 64",
                      "*fp32, *fp32, i32, i32:1, fp32, 32"):
        done = compile_by_path(signature)
        assert done.returncode == 0, done.stderr
    headers = sorted(folder.glob("scaled.*.h"))
    assert len(headers) == 3
    assert linker.main([*map(str, headers), "-o", "scaled"]) == 0
    (folder / "main.c").write_text("""
#include "scaled.h"
#include <stdio.h>
const char *fakeCalls(void);
void fakeReadsParameters(int);
int main(void) {
  fakeReadsParameters(0);
  printf("%d algorithms\\n", scaled_get_num_algos());
  load_scaled();
  if (scaled_default(NULL, 4096, 8192, 128, 1, 2.5f) || scaled_default(NULL, 4096, 8192, 100, 1, 2.5f) ||
      scaled(NULL, 4096, 8192, 64, 1, 2.5f, 1) || scaled_default(NULL, 4096, 8192, 0, 1, 2.5f))
    return 1;
  if (scaled(NULL, 4096, 8192, 64, 1, 2.5f, 2) != CUDA_ERROR_INVALID_VALUE ||
      scaled(NULL, 4096, 8192, 64, 2, 2.5f, 1) != CUDA_ERROR_INVALID_VALUE)
    return 2;
  unload_scaled();
  puts(fakeCalls());
}
""")
    subprocess.run([CC, "-Wall", "-Wextra", "-Werror", "-Iinclude", *map(str, folder.glob("*.c")), "-o", "program", "-L", FAKE,
                    "-ltegula_fake_cuda"], check=True)
    said = subprocess.run(["./program"], env={**os.environ, "LD_LIBRARY_PATH": str(FAKE)}, text=True, stdout=subprocess.PIPE, check=True).stdout
    assert said.startswith("2 algorithms\n")
    assert said.count("cuModuleLoadDataEx") == said.count("cuModuleUnload") == 3
    launches = [line for line in said.splitlines() if line.startswith("cuLaunchKernel")]
    assert [line.split("shared")[0] for line in launches] == ["cuLaunchKernel(grid 2,1,1 block 64,1,1 ", "cuLaunchKernel(grid 2,1,1 block 64,1,1 ",
                                                             "cuLaunchKernel(grid 1,1,1 block 64,1,1 "]


def test_names_are_triton_s(folder):
    done = compile_by_path("*fp32:16, *fp32, i32:16, i32:1, fp32, 64")
    assert done.returncode == 0, done.stderr
    (header,) = folder.glob("*.h")
    digest = header.name.split(".")[1]
    # The digest of the entries, the warps and the stages.
    import hashlib
    said = "*fp32:16 *fp32 i32:16 i32:1 fp32 64 warps2xstages3"
    assert digest == hashlib.sha256(said.encode()).hexdigest()[:8] + "_0d12d3c45"
    text = header.read_text()
    assert f"CUresult scaled_{digest}(CUstream stream, CUdeviceptr out, CUdeviceptr x, int32_t n, float factor);" in text
    assert (f"// tt-linker: scaled_{digest}:CUdeviceptr out, CUdeviceptr x, int32_t n, int32_t step, float factor:"
            "1x64_warps2xstages3\n") in text


def test_the_module_runs_as_triton_s(folder):
    done = subprocess.run([sys.executable, "-m", "tegula.as_triton", "-m", "triton.tools.compile", "-n", "scale", "-s",
                           "*fp32, *fp32, i32, i32, fp32, 64", "-g", "1, 1, 1", "-t", "cuda:80:32", "kernels.py"], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert len(list(folder.glob("scale.*.c"))) == 1


@pytest.mark.parametrize("words, message", [
    (["-s", "i32", "-g", "1,1,1", "nowhere.py"], "error: there is no file `nowhere.py`"),
    (["-s", "*fp32, *fp32, i32, i32, fp32", "-g", "1,1,1", "kernels.py"],
     "error: kernel `scale` has 6 parameters, and the signature 5 entries: `BLOCK` has none"),
    (["-s", "*fp32, *fp32, i32, i32, fp32, 64, 3", "-g", "1,1,1", "kernels.py"],
     "error: kernel `scale` has 6 parameters, and the signature 7 entries: `3` is one too many"),
    (["-s", "*fp32, *fp32, i32:8, i32, fp32, 64", "-g", "1,1,1", "kernels.py"],
     "error: kernel `scale`: expected 1 or 16 after `:` of the parameter `n`, found `8`"),
    (["-s", "*fp32, *fp32, i32, i32, fp16, 64", "-g", "1,1,1", "kernels.py"],
     "error: kernel `scale`: C has no type for the parameter `factor`, which is `fp16`"),
    (["-s", "*fp32, *fp32, i32, i32, fp32, 64", "-g", "1,1", "kernels.py"], "error: expected a grid of three expressions, found `1,1`"),
    (["-s", "*fp32, *fp32, i32, i32, fp32, 64", "-g", "1,1,1", "-t", "hip:gfx942:64", "kernels.py"],
     "error: expected a target such as `cuda:80:32`, found `hip:gfx942:64`"),
    (["-s", "*fp32, *fp32, i32, i32, fp32, 64", "-g", "1,1,1", "-n", "scales", "kernels.py"],
     "error: `kernels.py` has no kernel `scales`; it has `scale`"),
])
def test_mistakes(folder, capsys, words, message):
    assert refused(capsys, *words) == message
    assert not list(folder.glob("*.c"))


@pytest.mark.parametrize("text, message", [
    ("", "expected headers that `compile` has made, found none in `one.h`"),
    ("// tt-linker: scaled:int32_t n:1_warps1xstages3\n", "one.h: `scaled` is no name that `compile` gives"),
    ("// tt-linker: scaled_00ff_1d:int32_t n:1_warps1xstages3\n", "`1d` is no suffix of a kernel with 1 arguments"),
    ("// tt-linker: scaled_00ff_0:int32_t:1_warps1xstages3\n", "one.h: `int32_t` is no list of parameters"),
    ("// tt-linker: k_00ff_0:int32_t n:1_warps1xstages3\n// tt-linker: k_00fe_0:int64_t n:1_warps1xstages3\n",
     "the variants of kernel `k` differ in their parameters:\n  k_00ff_0(int32_t n)\n  k_00fe_0(int64_t n)"),
])
def test_headers_that_do_not_link(folder, capsys, text, message):
    pathlib.Path("one.h").write_text(text)
    assert linker.main(["one.h", "-o", "out"]) == 1
    assert capsys.readouterr().err.strip() == f"error: {message}"
    assert linker.main(["two.h", "-o", "out"]) == 1
    assert "cannot read `two.h`: No such file or directory" in capsys.readouterr().err


def test_a_parameter_that_c_has_no_name_for(folder, capsys):
    (folder / "kernels.py").write_text("import triton\n@triton.jit\ndef scale(code, arguments, short):\n    pass\n")
    assert refused(capsys, "-s", "*fp32, i32, i32", "-g", "1,1,1", "kernels.py") == \
        "error: kernel `scale`: no parameter of a C function can be called `short`"
    # Names that the source uses itself are free.
    assert compiler.main(["-n", "scale", "-s", "*fp32, i32, 3", "-g", "arguments,1,1", "-t", "cuda:80:32", "kernels.py"]) == 0
    if CC:
        subprocess.run([CC, "-Wall", "-Wextra", "-Werror", "-Iinclude", "-c", *map(str, folder.glob("*.c"))], check=True)


def test_suffixes_with_more_than_ten_parameters():
    assert linker.hints_of("0d123c456789d10c11", 12) == (16, None, None, 1, None, None, None, None, None, 16, 1, None)
