"""Functions of libraries of bitcode: `core.extern_elementwise`, `@core.extern` and `extern_libs`."""

import pathlib

import numpy as np
import pytest
from harness import INTERPRETED, array, empty, numbers, same

import tegula as triton
import tegula.language as tl
from tegula import knobs
from tegula.language import core

pytestmark = pytest.mark.skipif(INTERPRETED, reason="the interpreter runs no code of libraries")

#: A library as text, which LLVM reads as it reads bitcode. `count` adds to memory, and says what was there.
SOURCE = """
target triple = "nvptx64-nvidia-cuda"
define float @axpy(float %a, float %b) {
  %r = call float @llvm.fma.f32(float %a, float FACTOR, float %b)
  ret float %r
}
declare float @llvm.fma.f32(float, float, float)
define i32 @count(ptr %place, i32 %by) {
  %old = atomicrmw add ptr %place, i32 %by syncscope("device") monotonic
  ret i32 %old
}
define void @put(ptr %place, i64 %value) {
  store volatile i64 %value, ptr %place
  ret void
}
define i32 @where() convergent {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %t
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define bfloat @same(bfloat %x) { ret bfloat %x }
"""


@pytest.fixture
def library(tmp_path):
    path = tmp_path / "library.ll"
    path.write_text(SOURCE.replace("FACTOR", "2.0"))
    return {"mine": str(path)}


@core.extern
def axpy(a, b, _semantic=None):
    """Scalars and tensors of fp32."""
    return core.extern_elementwise("", "", [a, b], {(core.dtype("fp32"), core.dtype("fp32")): ("axpy", core.dtype("fp32"))},
                                   is_pure=True, _semantic=_semantic)


@core.extern
def count(place, by, _builder=None):
    return core.extern_elementwise(
        "", "", [place, by], {(core.pointer_type(core.int32), core.int32): ("count", core.int32)}, is_pure=False, _builder=_builder)


@core.extern
def put(place, value, _semantic=None):
    return core.extern_elementwise("", "", [place, value], {(core.int64, core.int64): ("put", core.int32)}, is_pure=False,
                                   _semantic=_semantic)


@core.extern
def where(_semantic=None):
    return core.extern_elementwise("", "", [], {tuple(): ("where", core.int32)}, is_pure=False, _semantic=_semantic)


@triton.jit
def sums(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, axpy(tl.load(x + i), tl.load(y + i)))


def launch(kernel, library, *given, **constants):
    arguments = [each.argument() for each in given]
    made = kernel[(1,)](*arguments, extern_libs=library, **constants)
    for each, argument in zip(given, arguments):
        each.take_back(argument)
    return made


@pytest.mark.parametrize("size", [1, 32, 512])
def test_tensors_of_any_size(library, size):
    x, y, out = numbers("float32", size), numbers("float32", size, seed=1), empty("float32", size)
    launch(sums, library, x, y, out, N=size)
    same(out, np.float32(x.values.astype(np.float64) * 2 + y.values))


@triton.jit
def broadcasts(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i[:, None] * N + i[None, :], axpy(tl.load(x + i)[:, None], i[None, :]))


def test_arguments_broadcast_and_take_the_type_they_have_in_common(library):
    x, out = array("float32", np.arange(8)), empty("float32", (8, 8))
    launch(broadcasts, library, x, out, N=8)
    same(out, np.float32(np.arange(8)[:, None] * 2 + np.arange(8)[None, :]))


@triton.jit
def counts(total, olds, N: tl.constexpr):
    count(total, 1)
    i = tl.arange(0, N)
    tl.store(olds + i, count(total + 1 + i * 0, 2))
    count(total + 2, 3)
    count(total + 2, 3)


def test_effects_happen_once_in_each_thread_and_for_each_element(library):
    total, olds = array("int32", [0, 0, 0]), empty("int32", 128)
    launch(counts, library, total, olds, N=128, num_warps=4)
    # Of scalars once in each thread; equal calls are not one.
    same(total, np.array([128, 256, 2 * 3 * 128], np.int32))
    assert sorted(olds.values) == list(range(0, 256, 2))


@triton.jit
def orders(p, out):
    places = p + tl.arange(0, 32)
    tl.store(places, 1)
    put(places.to(tl.int64), 5)
    first = tl.load(places)
    nothing = put(places.to(tl.int64), 6)
    tl.store(out + tl.arange(0, 32), first + nothing)
    tl.store(out + 32 + tl.arange(0, 32), tl.load(places))


def test_accesses_keep_their_place_around_calls(library):
    """A result of a function that gives none is zero, as programs of NVSHMEM ask for it."""
    p, out = array("int64", np.zeros(32)), empty("int64", 64)
    launch(orders, library, p, out, num_warps=1)
    same(out, np.repeat([5, 6], 32))


@triton.jit
def threads(out):
    if where() == 3:
        tl.store(out + where() * 0 + tl.program_id(0), 7)


def test_a_scalar_call_is_made_by_each_thread(library):
    compiled = launch(threads, library, array("int32", [0]), num_warps=1)
    assert "%tid.x" in compiled.asm["ptx"]


def test_the_key_has_the_bytes_of_the_library(library, monkeypatch, tmp_path):
    monkeypatch.setenv("TEGULA_CACHE_DIR", str(tmp_path / "cache"))
    x, y, out = numbers("float32", 4), numbers("float32", 4, seed=1), empty("float32", 4)
    path = pathlib.Path(library["mine"])
    for factor in (2, 4):
        path.write_text(SOURCE.replace("FACTOR", f"{factor}.0"))
        # In another process it is another kernel; here each function has its own.
        launch(triton.jit(sums.fn), library, x, y, out, N=4)
        same(out, np.float32(x.values.astype(np.float64) * factor + y.values))


def test_options_of_the_kernel_name_its_libraries(library):
    x, y, out = numbers("float32", 4), numbers("float32", 4, seed=1), empty("float32", 4)
    compiled = launch(sums, library, x, y, out, N=4)
    assert compiled.metadata.extern_libs == tuple(library.items())
    assert compiled.asm["ttir"].count("tile.extern_call") == 1
    again = launch(sums, tuple(library.items()), x, y, out, N=4)
    assert again.asm["ptx"] == compiled.asm["ptx"]


class WithLibraries(triton.runtime.jit.KernelInterface):
    """Hands the libraries to each launch, as PyTorch's `requires_nvshmem` does."""

    def __init__(self, function, libraries):
        self.jit_func = function
        self.libraries = libraries

    def run(self, *args, **kwargs):
        return self.jit_func.run(*args, **kwargs, extern_libs=self.libraries)


def test_a_hook_gets_the_module_before_the_first_launch(library):
    x, y, out = array("float32", np.ones(4)), array("float32", np.ones(4)), array("float32", np.zeros(4))
    held = [each.argument() for each in (x, y, out)]
    seen = []

    def initialise(*args, **told):
        function = told["fn"].jit_function
        kernel = function.device_caches[told["compile"]["device"]][0].get(told["key"], None)
        kernel.run
        if not seen:
            out.take_back(held[2])
            assert not out.values.any(), "it is told before the launch"
        seen.append((kernel.module, kernel))

    function = triton.jit(sums.fn)
    with knobs.runtime.scope():
        knobs.runtime.jit_post_compile_hook = initialise
        made = WithLibraries(function, library)[(1,)](*held, N=4)
    out.take_back(held[2])
    same(out, np.full(4, 3, np.float32))
    (module, kernel), = seen
    assert module is not None and kernel is made and kernel.module == module


def test_what_is_wrong_names_the_function_and_the_line(library):
    x, y, out = numbers("float32", 4), numbers("float32", 4, seed=1), empty("float32", 4)
    with pytest.raises(triton.CompilationError, match=r"`axpy` is a function of a library, and the launch has no"):
        launch(sums, None, x, y, out, N=4)
    with pytest.raises(triton.CompilationError, match=r"test_extern.py:\d+:\d+: error: cannot read `/nowhere.bc`"):
        launch(sums, {"absent": "/nowhere.bc"}, x, y, out, N=4)


@pytest.mark.parametrize("wrong", [{"mine": 3}, {3: "x.bc"}])
def test_libraries_are_names_and_paths(wrong):
    with pytest.raises(TypeError, match="expected names and paths in `extern_libs`"):
        sums.warmup(*[np.zeros(4, np.float32)] * 3, N=4, grid=(1,), extern_libs=wrong)


def test_a_library_has_a_name_and_a_path():
    with pytest.raises(ValueError, match="expected a name and a path of each library of `extern_libs`, found `` and `x.bc`"):
        sums.warmup(*[np.zeros(4, np.float32)] * 3, N=4, grid=(1,), extern_libs={"": "x.bc"})


def test_python_cannot_call_them():
    with pytest.raises(ValueError, match="`axpy` is part of the language of kernels"):
        axpy(1.0, 2.0)
    assert core.is_builtin(axpy) and axpy.__doc__ == "Scalars and tensors of fp32."
