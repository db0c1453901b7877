"""Kernels, tuners and compiled kernels in other places: pickles, copies, forked processes."""

import copy
import os
import pickle

import pytest

import tegula as triton
import tegula.language as tl
from arrays import ON_GPU, numbers, zeros


@triton.jit
def put(out_ptr, value, bias, N: tl.constexpr):
    tl.store(out_ptr, value + N if bias is None else value)


@triton.autotune([triton.Config({"N": 2}), triton.Config({"N": 2}, num_warps=2)], key=["value"])
@triton.jit
def tuned(out_ptr, value, N: tl.constexpr):
    tl.store(out_ptr, value * N)


def stored(launch):
    out = zeros(1)
    launch(out)
    return numbers(out)[0]


@pytest.mark.parametrize("value", [2.5, 7, 1])
def test_compiled_kernels_are_compiled_again(value):
    compiled = put[(1,)](zeros(1), value, None, N=4, num_warps=2)
    twin = pickle.loads(pickle.dumps(compiled))
    assert twin.name == compiled.name and twin.num_warps == 2 and twin.asm["ttir"] == compiled.asm["ttir"]
    assert stored(lambda out: twin[(1,)](out, value, None, 4)) == value + 4
    assert copy.deepcopy(compiled) is compiled and copy.copy(compiled) is compiled


@pytest.mark.filterwarnings("ignore:the emulator and the interpreter")
def test_tuners():
    tuned[(1,)](zeros(1), 3.0)
    for twin in (pickle.loads(pickle.dumps(tuned)), copy.deepcopy(tuned)):
        assert [str(config) for config in twin.configs] == [str(config) for config in tuned.configs]
        assert twin.keys == tuned.keys and str(twin.best_config) == str(tuned.best_config)
        assert stored(lambda out: twin[(1,)](out, 5.0)) == 10


@pytest.mark.parametrize("module, name, home", [
    ("runtime.config", "Config", triton.Config), ("runtime.compiled", "LoadedKernel", None),
    ("runtime.compilation", "Compilation", None), ("runtime.tuples", "DescriptorForm", None),
    ("runtime.parameters", "KernelParam", None), ("runtime.source", "FunctionText", None),
])
def test_pickles_of_earlier_versions_find_their_classes(module, name, home):
    found = pickle.loads(f"ctegula.{module}\n{name}\n.".encode())
    assert found.__name__ == name and found.__module__ != f"tegula.{module}" and home in (None, found)
    assert pickle.loads(pickle.dumps(found)) is found


@pytest.mark.skipif(ON_GPU, reason="a context of CUDA does not survive a fork")
@pytest.mark.filterwarnings("ignore:the emulator and the interpreter")
def test_all_survive_a_fork():
    compiled = put[(1,)](zeros(1), 2.5, None, N=4)
    tuned[(1,)](zeros(1), 3.0)
    child = os.fork()
    if child == 0:
        try:
            found = [stored(lambda out: put[(1,)](out, 8.5, None, N=4)), stored(lambda out: tuned[(1,)](out, 6.0)),
                     stored(lambda out: compiled[(1,)](out, 1.5, None, 4))]
            os._exit(0 if found == [12.5, 12.0, 5.5] else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
