"""What programs are told of compilations and launches, and what they may say: hooks, `repr`, NVTX, another `run`."""

import json
import types
import warnings

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from arrays import KIND, numbers, zeros
from tegula import knobs
from tegula.runtime.launch import nvtx


def fresh():
    """A kernel that nothing was compiled of."""

    @triton.jit
    def kernel(out_ptr, value, bias, FACTOR: tl.constexpr):
        tl.store(out_ptr, value * FACTOR if bias is None else value + bias)

    return kernel


@pytest.fixture
def runtime():
    with knobs.runtime.scope():
        knobs.runtime.__init__()  # chains of its own
        yield knobs.runtime


def test_hooks_of_compilations(runtime):
    seen = []
    runtime.jit_cache_hook = lambda **told: seen.append(("before", told))
    runtime.jit_post_compile_hook = lambda **told: seen.append(("after", told))
    kernel, out = fresh(), zeros(1)
    kernel[(1,)](out, 32, None, FACTOR=3, num_warps=2)
    kernel[(1,)](out, 48, None, FACTOR=3, num_warps=2)
    assert [when for when, _ in seen] == ["before", "after"] and numbers(out)[0] == 144
    told = seen[0][1]
    assert told["fn"].name == kernel.__qualname__ and told["fn"].jit_function is kernel
    assert told["fn"].module == __name__
    assert told["is_manual_warmup"] is False and told["already_compiled"] is False
    compiled = told["compile"]
    assert compiled["signature"] == {"out_ptr": "*fp32", "value": "i32", "bias": "constexpr", "FACTOR": "constexpr"}
    assert compiled["constants"] == {(2,): None, (3,): 3}
    assert compiled["num_warps"] == 2 and compiled["num_stages"] == 3 and compiled["num_ctas"] == 1
    assert compiled["configs"] == [{(0,): [["tt.divisibility", 16]], (1,): [["tt.divisibility", 16]]}]
    assert compiled["key"] == told["key"] == seen[1][1]["key"]
    assert told["repr"].endswith("(out_ptr: *fp32, value: i32, bias: constexpr, FACTOR: constexpr)")
    kernel.warmup(out, 7.0, None, FACTOR=3, grid=(1,))
    assert len(seen) == 4 and seen[2][1]["is_manual_warmup"] is True and seen[2][1]["key"] != told["key"]


def test_a_hook_that_says_no(runtime):
    runtime.jit_cache_hook = lambda **told: True
    kernel, out = fresh(), zeros(1)
    assert kernel[(1,)](out, 2.0, None, FACTOR=3) is None and numbers(out)[0] == 0
    assert kernel.warmup(out, 2.0, None, FACTOR=3, grid=(1,)) is None
    runtime.jit_cache_hook = None
    assert kernel[(1,)](out, 2.0, None, FACTOR=3) is not None and numbers(out)[0] == 6


def test_a_hook_that_raises(runtime):
    def refuse(**told):
        raise LookupError("not now")

    runtime.jit_cache_hook = refuse
    with pytest.raises(LookupError, match="not now"):
        fresh()[(1,)](zeros(1), 2.0, None, FACTOR=3)


def test_what_a_hook_is_told_can_be_preloaded(runtime):
    told = []
    runtime.jit_cache_hook = lambda **each: told.append(each["compile"]["specialization_data"])
    kernel, out = fresh(), zeros(1)
    compiled = kernel[(1,)](out, 1, None, FACTOR=3, num_warps=2)
    again = kernel.preload(told[0])
    assert again.num_warps == 2 and again.asm["ptx"] == compiled.asm["ptx"]
    assert json.loads(told[0])["constant_vals"] == [1, None, 3] and json.loads(told[1]) == json.loads(told[0])


def test_hooks_of_loads(runtime):
    seen = []
    runtime.kernel_load_start_hook.add(lambda *told: seen.append(("start", told[2])))
    runtime.kernel_load_end_hook.add(lambda *told: seen.append(("end", told[2])))
    fresh()[(1,)](zeros(1), 2.0, None, FACTOR=3)
    assert seen == [("start", "kernel"), ("end", "kernel")]


def test_hooks_of_launches_are_told_late(runtime):
    computed = []

    @triton.jit(launch_metadata=lambda grid, kernel, args: computed.append(grid) or {"flops": args["value"]})
    def kernel(out_ptr, value):
        tl.store(out_ptr, value)

    seen = []
    runtime.launch_enter_hook.add(lambda told: None)
    kernel[(2,)](zeros(1), 5.0)
    assert computed == []
    runtime.launch_enter_hook.add(lambda told: seen.append(told.get()))
    kernel[(2,)](zeros(1), 5.0)
    assert computed == [(2, 1, 1)] and seen[0]["flops"] == 5.0 and seen[0]["name"] == "kernel"


def test_repr_names_the_kernel():
    @triton.jit(repr=lambda told: f"put_{told.signature['value']}_{told.constants['N']}")
    def kernel(out_ptr, value, N: tl.constexpr):
        tl.store(out_ptr, value + N)

    out = zeros(1)
    first, second = kernel[(1,)](out, 2.0, N=3), kernel[(1,)](out, 2, N=3)
    assert numbers(out)[0] == 5
    assert first.name == first.metadata.name == "put_fp32_3" and second.name == "put_i32_3"
    if KIND != "interpret":
        assert ".entry put_fp32_3(" in first.asm["ptx"]
    assert kernel[(1,)](out, 4.0, N=3) is first


def test_nvtx_ranges_stand_around_launches(runtime):
    calls = []
    assert nvtx.install((calls.append, lambda: calls.append(None)))
    fresh()[(1,)](zeros(1), 2.0, None, FACTOR=3)
    assert calls == ["kernel", None]


def test_nvtx_without_a_library_is_a_warning(monkeypatch):
    monkeypatch.setattr(nvtx, "find_ranges", lambda: None)
    with pytest.warns(UserWarning, match="NVTX ranges were asked for, and neither"):
        assert not nvtx.install()


def test_another_run_in_the_place_of_one(monkeypatch):
    kernel, out, seen = fresh(), zeros(1), []
    monkeypatch.setattr(kernel, "run", lambda *args, **kwargs: seen.append(kwargs["grid"]))
    kernel[(3,)](out, 2.0, None, FACTOR=3)
    assert seen == [(3,)] and numbers(out)[0] == 0
    monkeypatch.undo()
    kernel[(1,)](out, 2.0, None, FACTOR=3)
    assert numbers(out)[0] == 6
    del kernel.run
    kernel[(1,)](out, 4.0, None, FACTOR=3)
    assert numbers(out)[0] == 12


def test_another_run_for_all_kernels(monkeypatch):
    kernel, out, seen = fresh(), zeros(1), []
    plain = type(kernel).__getitem__
    with monkeypatch.context() as patched:
        patched.setattr(triton.JITFunction, "run", lambda self, *args, **kwargs: seen.append(self))
        kernel[(1,)](out, 2.0, None, FACTOR=3)
        assert seen == [kernel] and numbers(out)[0] == 0
    kernel[(1,)](out, 2.0, None, FACTOR=3)
    assert numbers(out)[0] == 6 and type(kernel).__getitem__ is plain


def test_heuristics_see_what_those_before_them_gave():
    seen = []

    @triton.heuristics({"N": lambda args: seen.append(dict(args)) or 3, "M": lambda args: args["N"] + 1})
    @triton.jit
    def kernel(out_ptr, value, N: tl.constexpr, M: tl.constexpr):
        tl.store(out_ptr, value + N * M)

    out = zeros(1)
    kernel[(1,)](out, value=1.0)
    assert numbers(out)[0] == 13 and seen[0]["value"] == 1.0 and "M" not in seen[0]


@pytest.mark.skipif(KIND == "cuda", reason="stands in for a GPU")
def test_cupy_s_device_and_stream_are_followed(monkeypatch):
    import sys

    from tegula import _native
    from tegula.runtime import devices

    followed = []
    cuda = types.SimpleNamespace(
        is_available=lambda: True, get_current_stream=lambda: types.SimpleNamespace(ptr=77),
        runtime=types.SimpleNamespace(getDevice=lambda: 1, getDeviceCount=lambda: 2))
    monkeypatch.setitem(sys.modules, "cupy", types.SimpleNamespace(cuda=cuda))
    monkeypatch.setattr(devices, "requested_kind", lambda: "auto")
    monkeypatch.setattr(devices, "torch_with_cuda", lambda: None)
    monkeypatch.setattr(_native, "use_torch", lambda *told: followed.append(told))
    devices._resolve()
    device, stream, count = followed[0]
    assert device() == 1 and stream(1) == 77 and count == 2


def test_the_first_line_of_a_file_is_the_first():
    import linecache

    source = "def kernel(out_ptr): tl.store(out_ptr, missing_name)\n"
    linecache.cache["<top>"] = (len(source), None, [source], "<top>")
    scope = {"tl": tl}
    exec(compile(source, "<top>", "exec"), scope)
    with pytest.raises(triton.CompilationError, match=r"<top>:1:\d+: error: name `missing_name` is not defined"):
        triton.jit(scope["kernel"])[(1,)](zeros(1))


def test_a_kernel_that_is_given_up_is_told_of(runtime):
    import gc

    told = []
    runtime.kernel_unload_hook.add(lambda *words: told.append(words))
    kernel, out = fresh(), zeros(1)
    made = kernel[(1,)](out, 32, None, FACTOR=3)
    name, digest = made.name, made.hash
    assert all(words[4] != digest for words in told), "only what others have given up"
    del kernel, made
    gc.collect()
    assert [(words[2], words[3], words[4]) for words in told if words[4] == digest] == [(name, {}, digest)]


def test_what_a_program_says_of_stages_joins_the_keys(runtime):
    keys = []
    runtime.jit_post_compile_hook = lambda **told: keys.append((told["key"], told["fn"].jit_function))
    kernel, out = fresh(), zeros(1)
    first = kernel[(1,)](out, 32, None, FACTOR=3)
    runtime.add_stages_inspection_hook = lambda: ("one", "hash of one")
    second = kernel[(1,)](out, 32, None, FACTOR=3)
    assert first.hash != second.hash and len({key for key, _ in keys}) == 2
    # One for Triton 3.6 takes what there is none of.
    runtime.add_stages_inspection_hook = lambda backend, stages, options, language, capability: None
    assert kernel[(1,)](out, 32, None, FACTOR=3).hash == first.hash


@pytest.mark.parametrize("option, value", [("ptx_options", "-v"), ("ir_override", "kernel.ttir"), ("instrumentation_mode", "consan")])
def test_options_without_an_effect_are_said_once(runtime, option, value):
    from tegula.runtime.launch import options

    options._warn_without_effect.cache_clear()
    kernel, out = fresh(), zeros(1)
    with pytest.warns(UserWarning, match=f"the option `{option}` has no effect here"):
        kernel[(1,)](out, 32, None, FACTOR=3, **{option: value})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernel[(1,)](out, 32, None, FACTOR=4, **{option: value}, clc=False, min_shared_mem=None, enable_reflect_ftz=True)
