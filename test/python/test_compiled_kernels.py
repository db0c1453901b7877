"""Kernels of `triton.compile` as programs take them apart: files, pickles, launchers of their own."""

import copy
import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from tegula import knobs
from tegula.backends.compiler import GPUTarget
from tegula.compiler import ASTSource, CompiledKernel
from tegula.runtime.cache import _base32

HOST_ONLY = pytest.mark.skipif(triton.get_device().properties()["kind"] == "cuda", reason="needs arrays on the GPU")
NO_INTERPRETER = pytest.mark.skipif(triton.get_device().properties()["kind"] == "interpret", reason="it runs no PTX")


@triton.jit
def row_sums(x, out, n, width, bias, N: tl.constexpr):
    i = tl.arange(0, N)
    row = tl.program_id(0)
    total = tl.sum(tl.load(x + row * N + i, mask=i < n, other=0.0), axis=0)
    if bias is not None:
        total += tl.load(bias)
    tl.store(out + row * width, total)


def compiled_row_sums(**options):
    source = ASTSource(row_sums, {"x": "*fp32", "out": "*fp32", "n": "i32", "width": "constexpr", "bias": "constexpr",
                                  "N": "constexpr"}, {"width": 1, "bias": None, "N": 128},
                       {(0,): [["tt.divisibility", 16]]})
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)


def test_others_may_launch_it():
    """One block for each program, the warps that were asked for, and no parameter but the kernel's."""
    compiled = compiled_row_sums()
    ptx = compiled.asm["ptx"]
    assert ".reqntid 128" in ptx and "// implicit" not in ptx and "// programs 1 in a block" in ptx
    entry = ptx[ptx.index(".entry row_sums("):]
    assert entry[:entry.index(")")].count(".param") == 3
    assert compiled.num_warps == compiled.metadata.num_warps == 4 and compiled.packed_metadata == (4, 1, compiled.shared)


def launched(compiled):
    x, out = np.arange(256, dtype=np.float32).reshape(2, 128), np.zeros(2, np.float32)
    compiled[(2,)](x, out, 128, 1, None, 128)
    np.testing.assert_array_equal(out, x.sum(1))
    for args in ((x, out, 128, 1, None), (x, out, 128, 1, None, 128)):  # without what is `tl.constexpr`, and with it
        out[:] = 0
        compiled[(2, 1)](*args)
        np.testing.assert_array_equal(out, x.sum(1))
    out[:] = 0
    compiled.run(2, 1, 1, 0, compiled.function, compiled.packed_metadata, None, None, None, x, out, 128, 1, None, 128)
    np.testing.assert_array_equal(out, x.sum(1))


@HOST_ONLY
def test_it_is_loaded_when_it_is_launched():
    compiled = compiled_row_sums()
    assert compiled.module is None and compiled.function is None and compiled.n_regs is None and compiled.n_spills is None
    launched(compiled)
    assert compiled.module is not None and compiled.n_regs is not None and compiled.n_spills is not None
    with pytest.raises(TypeError, match=r"row_sums\(\) takes 6 positional arguments, or 5 without those .* but 1 were given"):
        compiled[(1,)](1)


@HOST_ONLY
@NO_INTERPRETER
def test_it_travels_as_a_pickle():
    compiled = compiled_row_sums()
    twin = pickle.loads(pickle.dumps(compiled))
    assert isinstance(twin, CompiledKernel) and twin.module is None and twin.hash == compiled.hash
    assert twin.metadata == compiled.metadata and twin.asm["ptx"] == compiled.asm["ptx"] and twin.src.fn is row_sums
    assert "tile" in compiled.asm and "tile" not in twin.asm and list(twin.asm)[0] == "ptx"
    with pytest.raises(KeyError):
        twin.asm["tile"]
    launched(twin)
    launched(pickle.loads(pickle.dumps(twin)))


@HOST_ONLY
@NO_INTERPRETER
def test_it_can_be_put_together_from_its_parts():
    """As PyTorch does with kernels of its workers: plain data, with the metadata as a dict."""
    compiled = compiled_row_sums()
    compiled._init_handles()
    state = {**compiled.__dict__, "metadata": compiled.metadata._asdict(), "module": None, "function": None, "run": None}
    state = pickle.loads(pickle.dumps(state))
    twin = CompiledKernel.__new__(CompiledKernel)
    twin.__dict__.update({**state, "metadata": type(compiled.metadata)(**state["metadata"])})
    assert twin.module is None
    twin._init_handles()
    twin._init_handles()
    launched(twin)
    assert copy.deepcopy(twin).hash == compiled.hash


@HOST_ONLY
def test_hooks_hear_of_launches_by_its_launcher():
    compiled, heard = compiled_row_sums(), []
    assert compiled.launch_metadata((1, 1, 1), 0) is None
    with knobs.runtime.scope():
        knobs.runtime.launch_enter_hook = knobs.HookChain()
        knobs.runtime.launch_enter_hook.add(lambda told: heard.append(told.get()["name"]))
        x, out = np.ones((1, 128), np.float32), np.zeros(1, np.float32)
        args = (x, out, 128, 1, None, 128)
        told = compiled.launch_metadata((1, 1, 1), 0, *args)
        compiled.run(1, 1, 1, 0, compiled.function, compiled.packed_metadata, told, knobs.runtime.launch_enter_hook,
                     lambda told: heard.append("done"), *args)
    assert heard == ["row_sums", "done"] and out[0] == 128


def test_it_lies_where_triton_would_keep_it(tmp_path, monkeypatch):
    compiled = compiled_row_sums()
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    compiled = compiled_row_sums()
    folder = tmp_path / _base32(compiled.hash)
    names = sorted(os.listdir(folder))
    assert {"row_sums.json", "row_sums.ptx"} <= set(names) <= {"row_sums.json", "row_sums.ptx", "row_sums.cubin"}
    assert (folder / "row_sums.ptx").read_text() == compiled.asm["ptx"]
    told = json.loads((folder / "row_sums.json").read_text())
    assert told["num_warps"] == 4 and told["target"] == {"backend": "cuda", "arch": 90, "warp_size": 32}
    assert told["hash"] == compiled.hash and told["global_scratch_size"] == told["profile_scratch_size"] == 0
    if "row_sums.cubin" in names:
        assert (folder / "row_sums.cubin").read_bytes() == compiled.asm["cubin"]
    before = (folder / "row_sums.ptx").stat().st_mtime_ns
    compiled_row_sums()
    assert (folder / "row_sums.ptx").stat().st_mtime_ns == before and sorted(os.listdir(folder)) == names


def test_a_name_that_a_program_has_changed_is_the_code_s():
    @triton.jit
    def placeholder(out):
        tl.store(out, 1.0)

    placeholder.__name__ = "triton_poi_fused_0"
    compiled = triton.compile(ASTSource(placeholder, {"out": "*fp32"}), target=GPUTarget("cuda", 80, 32))
    assert ".entry triton_poi_fused_0(" in compiled.asm["ptx"] and compiled.name == "triton_poi_fused_0"


def test_device_asserts_without_overflow_checks():
    @triton.jit
    def checked(out, n):
        tl.device_assert(n < 5, "too many")
        tl.store(out, n * n + n)

    def ptx(**options):
        return triton.compile(ASTSource(checked, {"out": "*i32", "n": "i32"}), target=GPUTarget("cuda", 90, 32),
                              options=options).asm["ptx"]

    assert "too many" not in ptx() and "overflow" not in ptx()
    both, asserts = ptx(debug=True), ptx(debug=True, sanitize_overflow=False)
    assert len(asserts) < len(both) and both.count("__assertfail") > asserts.count("__assertfail") > 0


@HOST_ONLY
@NO_INTERPRETER
def test_a_worker_compiles_and_sends_what_it_made(tmp_path):
    """As Inductor's workers do: what decorates the function stays there, the code is sent."""
    (tmp_path / "kernels.py").write_text("""
import tegula as triton
import tegula.language as tl
@triton.jit
def fill(out, value):
    tl.store(out, value)
""")
    worker = """
import pickle, sys, threading
import tegula as triton
from tegula.compiler import ASTSource
from tegula.backends.compiler import GPUTarget
from kernels import fill
compiled = triton.compile(ASTSource(fill, {"out": "*fp32", "value": "fp32"}), target=GPUTarget("cuda", 90, 32))
fn = compiled.src.fn
fn.fn, fn.__globals__, fn.used_global_vals, fn._hash_lock, fn.repr = None, None, None, None, None
assert "torch" not in sys.modules
sys.stdout.buffer.write(pickle.dumps(compiled))
"""
    home = os.path.dirname(os.path.dirname(os.path.abspath(triton.__file__)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([home, str(tmp_path)])}
    done = subprocess.run([sys.executable, "-c", worker], capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr.decode()
    compiled = pickle.loads(done.stdout)
    assert compiled.src.fn.fn is None and compiled.src.fn.arg_names == ["out", "value"] and "tl.store" in compiled.src.fn.src
    out = np.zeros(1, np.float32)
    compiled[(1,)](out, 5.0)
    assert out[0] == 5


@triton.jit
def row_means(x, out, width, N: tl.constexpr):
    i = tl.arange(0, N)
    row = tl.program_id(0)
    tl.store(out + row, tl.sum(tl.load(x + row * width + i, mask=i < width, other=0.0), axis=0) / width)


@HOST_ONLY
@NO_INTERPRETER
def test_what_a_launch_returns_can_be_launched_by_others():
    """The launch runs several programs a block, and is told how many there are: for others that would be garbage."""
    x, out = np.arange(8 * 100, dtype=np.float32).reshape(8, 100), np.zeros(8, np.float32)
    kernel = row_means[(8,)](x, out, 100, N=128)
    np.testing.assert_allclose(out, x.mean(1), rtol=1e-6)
    assert "// implicit" in kernel.asm["ptx"] and "// programs 1 in a block" not in kernel.asm["ptx"]
    assert kernel.num_warps == kernel.metadata.num_warps == kernel.packed_metadata[0] == 4
    others = kernel._for_others.stage("ptx").decode()
    assert ".reqntid 128" in others and "// implicit" not in others and "// programs 1 in a block" in others
    assert kernel._for_others is kernel._for_others
    again = pickle.loads(pickle.dumps(kernel.asm))
    assert again["ptx"] == kernel.asm["ptx"]
