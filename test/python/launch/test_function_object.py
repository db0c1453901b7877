"""What a decorated function is to programs: attributes, copies, pickles, hooks."""

import copy
import json
import os
import pickle
import signal
import threading
import time

import pytest

import helpers_elsewhere
import tegula as triton
import tegula.language as tl
from arrays import ON_GPU, numbers, zeros
from tegula import _native
from tegula.runtime import devices
from tegula.runtime.jit import get_jit_fn_file_line


@triton.jit
def put(out_ptr, value, FACTOR: tl.constexpr = 2):
    """Stores a number."""
    tl.store(out_ptr, value * FACTOR)


def test_attributes():
    assert put.__name__ == "put" and put.__doc__ == "Stores a number." and put.__module__ == __name__
    assert put.arg_names == ["out_ptr", "value", "FACTOR"] and put.constexprs == [2]
    assert put.src.startswith("def put(out_ptr") and put.raw_src[0].startswith("def put")
    assert put.fn.__name__ == "put" and put.__globals__ is globals()
    assert list(put.signature.parameters) == put.arg_names
    factor = put.params[2]
    assert factor.num == 2 and factor.is_constexpr and factor.has_default and factor.default == 2
    assert put.repr(None) == "put" and "put" in repr(put)
    assert isinstance(put, triton.JITFunction) and isinstance(put, triton.KernelInterface)
    assert triton.jit(put) is put


def test_where_a_function_stands():
    @triton.jit
    def inner(x):
        pass

    with open(__file__) as file:
        lines = file.readlines()
    for function, line in ((put, "def put("), (inner, "    def inner(")):
        assert function.file_name == __file__
        assert lines[function.def_file_line_number - 1].startswith(line)
    assert put.def_file_col_number == 1 and inner.def_file_col_number == 5


def test_where_a_kernel_stands():
    tuned = triton.autotune(configs=[triton.Config({"FACTOR": 3})], key=[])(put)
    file, line = get_jit_fn_file_line(tuned)
    assert os.path.samefile(file, __file__) and get_jit_fn_file_line(put) == (file, line)
    with open(file) as text:
        assert text.readlines()[line - 1].startswith("def put(")
    with pytest.raises(TypeError, match="expected a kernel, found int"):
        get_jit_fn_file_line(3)


def test_source_is_not_assigned():
    with pytest.raises(AttributeError, match="Cannot set attribute 'src' directly"):
        put.src = "def put(): pass"


def test_unsafe_update_src():
    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, 1)

    out, key = zeros(1), kernel.cache_key
    kernel[(1,)](out)
    kernel._unsafe_update_src(kernel.src.replace("1)", "5)"))
    kernel[(1,)](out)
    assert numbers(out)[0] == 5 and kernel.cache_key != key


def test_cache_key_tells_sources_apart():
    def kernel_of(value):
        @triton.jit
        def inner():
            return value

        @triton.jit
        def kernel(out_ptr):
            tl.store(out_ptr, helpers_elsewhere.doubled(inner()))

        return kernel

    assert put.cache_key == put.cache_key and len(put.cache_key) == 64
    assert kernel_of(tl.constexpr(1)).cache_key != put.cache_key


def test_pickle_by_name_and_by_source():
    assert pickle.loads(pickle.dumps(put)) is put

    @triton.jit
    def local(out_ptr, n):
        tl.store(out_ptr, n)

    twin = pickle.loads(pickle.dumps(local))
    assert twin is not local and twin.fn is None and twin.src == local.src and twin.arg_names == local.arg_names
    # As torch's workers do it.
    worker = copy.deepcopy(local)
    worker.fn = worker.__globals__ = worker.used_global_vals = worker._hash_lock = None
    worker.repr = None
    assert pickle.loads(pickle.dumps(worker)).src == local.src


def test_deep_copy_launches():
    out = zeros(1)
    copy.deepcopy(put)[(1,)](out, 4.0)
    assert numbers(out)[0] == 8


def test_hash_and_equality():
    assert {put: 1}[put] == 1 and put != helpers_elsewhere.doubled


def test_pre_run_hooks():
    @triton.jit
    def kernel(out_ptr, value):
        tl.store(out_ptr, value)

    seen = []
    kernel.add_pre_run_hook(lambda *args, **kwargs: seen.append((args[1:], kwargs)))
    kernel[(1,)](zeros(1), 2.0)
    kernel[(1,)](zeros(1), value=3.0)
    assert seen == [((2.0,), {}), ((), {"value": 3.0})]


def test_launch_hooks(monkeypatch):
    @triton.jit(launch_metadata=lambda grid, kernel, args: {"bytes": args["value"], "grid": grid})
    def kernel(out_ptr, value):
        tl.store(out_ptr, value)

    seen = []
    monkeypatch.setattr(triton.knobs.runtime, "launch_enter_hook", lambda told: seen.append(("enter", told)))
    monkeypatch.setattr(triton.knobs.runtime, "launch_exit_hook", lambda told: seen.append(("exit", told)))
    kernel[(3,)](zeros(1), 2.0)
    assert [when for when, _ in seen] == ["enter", "exit"]
    assert seen[0][1]["name"] == "kernel" and seen[0][1]["bytes"] == 2.0 and seen[0][1]["grid"] == (3, 1, 1)


def test_launch_hooks_that_raise(monkeypatch):
    def refuse(_):
        raise LookupError("not now")

    out = zeros(1)
    monkeypatch.setattr(triton.knobs.runtime, "launch_enter_hook", refuse)
    with pytest.raises(LookupError, match="not now"):
        put[(1,)](out, 1.0)
    assert numbers(out)[0] == 0


def test_subclass_with_its_own_run():
    class Counting(triton.JITFunction):
        count = 0

        def run(self, *args, **kwargs):
            self.count += 1
            return super().run(*args, **kwargs)

    kernel, out = Counting(put.fn), zeros(1)
    kernel[(1,)](out, 2.0)
    assert kernel.count == 1 and numbers(out)[0] == 4


def test_compiled_kernel():
    compiled = put[(1,)](zeros(1), 2.0, num_warps=2)
    assert compiled.name == "put" and compiled.num_warps == 2 and compiled.metadata.num_warps == 2
    assert compiled.metadata.name == "put" and compiled.shared == compiled.metadata.shared == 0
    assert "ptx" in compiled.asm and "no such" not in compiled.asm
    assert ".entry put" in compiled.asm["ptx"] and compiled.asm.get("no such") is None
    assert "tile.store" in compiled.asm["ttir"] and "define" in compiled.asm["llir"]
    assert len(compiled.hash) == 64 and compiled.n_spills == 0
    assert compiled in put.device_caches[0][0].values()


def test_a_compiled_kernel_says_what_it_is_of():
    out = zeros(16)
    compiled = put[(1,)](out, 1, FACTOR=3, num_warps=2, maxnreg=64)
    assert compiled.src.fn is put and compiled.src.signature == {"out_ptr": "*fp32", "value": "constexpr",
                                                                 "FACTOR": "constexpr"}
    assert compiled.src.constants == {(1,): 1, (2,): 3} and compiled.src.attrs == {(0,): [["tt.divisibility", 16]]}
    metadata = compiled.metadata
    assert (metadata.num_ctas, metadata.cluster_dims, metadata.maxnreg, metadata.launch_pdl) == (1, (1, 1, 1), 64, False)
    assert metadata.global_scratch_size == 0 and metadata.warp_size == 32
    again = triton.compile(compiled.src, options={"num_warps": 2, "maxnreg": 64})
    assert again.asm["ptx"] == compiled.asm["ptx"]


def test_compiled_kernel_launches():
    out = zeros(1)
    compiled = put[(1,)](out, 2.0)
    compiled[(1,)](out, 3.5, 2)
    assert numbers(out)[0] == 7
    compiled[1](out, 4.5, 2, stream=0)
    assert numbers(out)[0] == 9
    with pytest.raises(TypeError, match=r"put\(\) takes 3 positional arguments, or 2 without those .* but 1 were given"):
        compiled[(1,)](out)
    with pytest.raises(TypeError, match="failed to specialize argument of type: <class 'str'>"):
        compiled[(1,)](out, "text", 2)
    with pytest.raises(TypeError, match="a compiled kernel takes what is passed at run time only"):
        compiled[(1,)](out, tl.float32, 2)


def test_warmup_compiles_and_launches_nothing():
    out, before = zeros(1), triton.compiled_kernels()

    @triton.jit
    def kernel(out_ptr, value):
        tl.store(out_ptr, value)

    compiled = kernel.warmup(out, 3.0, grid=(1,))
    assert triton.compiled_kernels() == before + 1 and numbers(out)[0] == 0
    assert kernel[(1,)](out, 4.0) is compiled and numbers(out)[0] == 4


def test_static_print_and_warnings(capsys):
    @triton.jit
    def kernel(out_ptr, N: tl.constexpr):
        tl.static_print("compiled for", N)
        tl.store(out_ptr, N)

    kernel[(1,)](zeros(1), 17)
    assert "compiled for 17" in capsys.readouterr().out


@pytest.mark.skipif(ON_GPU, reason="the driver prints by itself")
def test_device_print(capsys):
    @triton.jit
    def kernel(x):
        tl.device_print("x is", x)

    kernel[(1,)](42)
    assert "42" in capsys.readouterr().out


def test_threads_compile_once_each():
    @triton.jit
    def kernel(out_ptr, value, N: tl.constexpr):
        tl.store(out_ptr, value + N)

    results = {}

    def work(i):
        out = zeros(1)
        results[i] = (kernel[(1,)](out, 1.5, N=i % 3), numbers(out)[0])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results[i] == (results[i % 3][0], 1.5 + i % 3) for i in range(12))


def test_threads_that_start_together_open_one_device():
    # Each opened a device of its own and launched there, though another had taken its place.
    opened, begin = [], threading.Barrier(12)

    class Slowly:
        def __new__(cls, kind):
            time.sleep(0.01)
            opened.append(kind)
            return Device(kind)

    def work(i):
        out = zeros(1)
        begin.wait()
        results[i] = (put[(1,)](out, 2.5 + i), numbers(out)[0])

    Device, before, results = _native.Device, dict(devices._opened), {}
    try:
        _native.Device = Slowly
        devices._opened.clear()
        _native.use_device(None)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        _native.Device = Device
        devices._opened.update(before)
        _native.use_device(None)
    assert len(opened) <= 1 and len({id(compiled) for compiled, _ in results.values()}) == 1
    assert [results[i][1] for i in range(12)] == [5 + 2 * i for i in range(12)]


def test_interrupt_while_compiling():
    @triton.constexpr_function
    def slow():
        time.sleep(1.0)
        return 1

    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, slow())

    out, begin = zeros(1), time.monotonic()
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        kernel[(1,)](out)
    assert time.monotonic() - begin < 0.9 and numbers(out)[0] == 0
    kernel[(1,)](out)  # what went on compiling is found, or it is compiled again
    assert numbers(out)[0] == 1


def test_precompile_and_preload():
    out = zeros(16)
    made = put.precompile({"out_ptr": "*fp32:16", "value": "fp32"}, {"FACTOR": 9})
    assert made.name == "put" and put[(1,)](out, 2.0, FACTOR=9).asm["ptx"] == made.asm["ptx"]
    with pytest.raises(TypeError, match=r"put: expected the types of \['out_ptr', 'value'\], found those of \['out_ptr'\]"):
        put.precompile({"out_ptr": "*fp32"}, {"FACTOR": 9})
    told = {"name": put._fn_name, "signature": {"out_ptr": "*fp32", "value": "fp32", "FACTOR": "constexpr"},
            "constant_keys": [[2]], "constant_vals": [11], "attrs_keys": [[0]],
            "attrs_vals": [[["tt.divisibility", 16]]], "options": {"num_warps": 2}, "key": "any"}
    assert put.preload(json.dumps(told)).num_warps == 2
    target = triton.runtime.driver.active.get_current_target()._asdict()
    assert put.preload(json.dumps({**told, "target": target})).num_warps == 2
    with pytest.raises(RuntimeError, match="Specialization data is for {'backend': 'hip'} but trying to preload for"):
        put.preload(json.dumps({**told, "target": {"backend": "hip"}}))
    with pytest.raises(RuntimeError, match="Specialization data is for other but trying to preload for"):
        put.preload(json.dumps({**told, "name": "other"}))


@pytest.mark.skipif(ON_GPU, reason="a context of CUDA does not survive a fork")
def test_fork():
    out = zeros(1)
    put[(1,)](out, 1.0)
    child = os.fork()
    if child == 0:
        try:
            put[(1,)](out, 5.0, FACTOR=3)
            os._exit(0 if out[0] == 15 else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


def test_set_device(monkeypatch):
    kind = triton.get_device().properties()["kind"]
    try:
        triton.set_device("interpret")
        assert triton.get_device().properties()["kind"] == "interpret"
        with pytest.raises((ValueError, RuntimeError), match="toaster"):
            triton.set_device("toaster")
        assert triton.get_device().properties()["kind"] == "interpret"
    finally:
        triton.set_device(None)
    assert triton.get_device().properties()["kind"] == kind


def test_handles_are_not_made_by_hand():
    from tegula import _native

    compiled = put[(1,)](zeros(1), 2.0)
    for handle in (_native.Variant, type(put.program().finish())):
        with pytest.raises(TypeError, match="objects of this type are made by the compiler only"):
            handle()
    assert ON_GPU or isinstance(compiled.module, _native.Variant)
    with pytest.raises((AttributeError, TypeError)):
        _native.Function()[(1,)]()
