"""What PyTorch's static launcher of kernels reads of one, without PyTorch: enough to launch the machine code by hand."""

import os

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from tegula import _native, knobs
from tegula.backends.compiler import GPUTarget
from tegula.compiler import ASTSource
from tegula.runtime.cache import _base32

HOST_ONLY = pytest.mark.skipif(triton.get_device().properties()["kind"] == "cuda", reason="needs arrays on the GPU")

#: The codes of types by which the launcher reads arguments.
CODES = {"i1": "i", "i8": "b", "i16": "h", "i32": "i", "i64": "l", "u1": "I", "u8": "B", "u16": "H", "u32": "I", "u64": "K",
         "fp16": "f", "bf16": "f", "fp32": "f", "fp64": "d"}


class StaticLauncher:
    """Reads a kernel as PyTorch's class does that takes its place, with nothing else of it."""

    def __init__(self, kernel, cubin):
        kernel._cubin_path = cubin
        self.name = kernel.src.fn.__name__
        self.hash, self.arg_names, self.constexprs = kernel.hash, kernel.src.fn.arg_names, list(kernel.src.fn.constexprs)
        for hook in (knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook):
            assert hook is None or isinstance(hook, knobs.HookChain) and len(hook.calls) == 0
        assert not kernel.metadata.launch_pdl and not kernel.metadata.launch_cooperative_grid
        assert kernel.num_ctas == 1 and kernel.cluster_dims == kernel.metadata.cluster_dims == (1, 1, 1)
        self.num_warps, self.shared = kernel.metadata.num_warps, kernel.shared
        scratches = ("global_scratch_size", "profile_scratch_size")
        assert all(getattr(kernel.metadata, name) == 0 for name in scratches if hasattr(kernel.metadata, name))
        index = {name: place for place, name in enumerate(self.arg_names)}
        signature = {index[name]: kind for name, kind in kernel.src.signature.items()}
        constants = {path[0] for path in kernel.src.constants}
        self.arg_tys = "".join("O" if kind[0] == "*" else CODES[kind] for place, kind in sorted(signature.items())
                               if kind != "constexpr" and place not in constants)
        self.ptx = kernel.asm["ptx"]


@triton.jit
def every_type(p, a: tl.int8, b, c, d, e, f, g, known, none, N: tl.constexpr):
    tl.store(p + tl.arange(0, N), a + b + c + d + e + f + g + known)
    tl.static_assert(none is None)


SIGNATURE = {"p": "*fp64", "a": "i8", "b": "i16", "c": "i32", "d": "i64", "e": "u32", "f": "fp32", "g": "fp64",
             "known": "constexpr", "none": "constexpr", "N": "constexpr"}


def compiled(monkeypatch, folder):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(folder))
    source = ASTSource(every_type, SIGNATURE, {"known": 1, "none": None, "N": 4}, {(0,): [["tt.divisibility", 16]]})
    kernel = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 2, "waves_per_eu": 3})
    return kernel, os.path.join(folder, _base32(kernel.hash), f"{kernel.src.fn.__name__}.cubin")


def test_types_and_places_of_arguments(tmp_path, monkeypatch):
    launcher = StaticLauncher(*compiled(monkeypatch, tmp_path))
    assert launcher.arg_tys == "ObhilIfd" and launcher.name == "every_type" and launcher.num_warps == 2
    assert launcher.constexprs == [10]
    entry = launcher.ptx[launcher.ptx.index(f".entry {launcher.name}("):]
    sizes = [line.split()[1] for line in entry[:entry.index(")")].splitlines() if ".param" in line]
    assert [size.lstrip(".usbf") for size in sizes] == ["64", "8", "16", "32", "64", "32", "32", "64"]
    assert ".reqntid 64" in launcher.ptx


def test_the_machine_code_lies_where_it_is_looked_for(tmp_path, monkeypatch):
    kernel, path = compiled(monkeypatch, tmp_path)
    try:
        code = kernel.asm["cubin"]
    except RuntimeError:
        pytest.skip("there is no assembler")
    with open(path, "rb") as file:
        assert file.read() == code == kernel.asm.get("cubin")


@pytest.mark.skipif(_native.current_device().properties()["kind"] != "emulator", reason="runs the PTX on the emulator")
def test_what_it_launches_is_the_kernel(tmp_path, monkeypatch):
    launcher = StaticLauncher(*compiled(monkeypatch, tmp_path))
    device, out = _native.current_device(), np.zeros(4)
    variant = _native.load(device, launcher.ptx, None)
    variant.launch(device, (1, 1, 1), (out, -1, 2, 3, 4, 5, 0.5, 0.25), 0)
    np.testing.assert_array_equal(out, [-1 + 2 + 3 + 4 + 5 + 0.5 + 0.25 + 1] * 4)


@triton.jit
def added(p, a: tl.uint8, b: tl.uint16, c: tl.uint32, d: tl.int64):
    tl.store(p, tl.load(p) + a + b + c + d)


@HOST_ONLY
def test_kernels_of_launches_can_be_launched_statically():
    out = np.zeros(1, np.int64)
    kernel = added[(1,)](out, 50, 51, 52, 53)
    launcher = StaticLauncher(kernel, "somewhere")
    assert out[0] == 206 and launcher.arg_tys == "OBHIl" and f".entry {launcher.name}(" in launcher.ptx
    if _native.current_device().properties()["kind"] == "emulator":
        device, again = _native.current_device(), np.zeros(1, np.int64)
        _native.load(device, launcher.ptx, None).launch(device, (1, 1, 1), (again, 50, 51, 52, 53), 0)
        assert again[0] == 206


@HOST_ONLY
def test_more_shared_memory_can_be_asked_for():
    kernel = added[(1,)](np.zeros(1, np.int64), 50, 51, 52, 53)
    assert kernel.shared == 0
    kernel.shared = 50000
    assert StaticLauncher(kernel, "somewhere").shared == kernel.shared == 50000
