"""`device_caches` and what puts kernels in it: launches, `preload`, hooks; and what takes them out."""

import importlib

import pytest

import tegula as triton
import tegula.language as tl
from arrays import numbers, zeros
from tegula import knobs
from tegula.tools.tensor_descriptor import TensorDescriptor


def fresh():
    @triton.jit
    def put(out_ptr, value, FACTOR: tl.constexpr = 2):
        tl.store(out_ptr, value * FACTOR)

    return put


def cache_of(kernel):
    return kernel.device_caches[0][0]


def test_a_device_without_kernels_has_an_empty_cache():
    assert len(fresh().device_caches[0][0]) == 0


def test_keys_are_those_that_hooks_are_told():
    kernel, told = fresh(), []
    knobs.runtime.jit_cache_hook = lambda *, key, **_: told.append(key)
    try:
        kernel[(1,)](zeros(1), 3)
    finally:
        knobs.runtime.jit_cache_hook = None
    assert list(cache_of(kernel)) == told and len(told) == 1


def test_a_cleared_cache_is_filled_again():
    kernel, out = fresh(), zeros(1)
    first = kernel[(1,)](out, 3)
    kernel.device_caches.clear()
    assert len(cache_of(kernel)) == 0
    again = kernel[(1,)](out, 4)
    assert again is not first and list(cache_of(kernel).values()) == [again] and numbers(out)[0] == 8
    cache_of(kernel).clear()
    assert len(cache_of(kernel)) == 0


def test_what_was_preloaded_is_the_kernel_of_the_launch():
    def clearing():
        @triton.jit
        def clear(out_ptr, N: tl.constexpr):
            tl.store(out_ptr + tl.arange(0, N), 0)

        return clear

    told = []
    knobs.runtime.jit_cache_hook = lambda *, compile, **_: told.append(compile["specialization_data"])
    try:
        clearing()[(1,)](zeros(16), N=16)
        other = clearing()
        kernel = other.preload(told[0])
        assert len(told) == 2 and len(cache_of(other)) == 1
        assert other[(1,)](zeros(16), N=16) is kernel and len(told) == 2, "nothing is compiled anew"
    finally:
        knobs.runtime.jit_cache_hook = None


def test_tuples_and_descriptors_are_preloaded():
    def adding():
        @triton.jit
        def add(pair, box, nested, N: tl.constexpr):
            out, one = pair
            box.store([0], box.load([0]) + (one + nested[0][0] + nested[1]))
            tl.store(out, nested[1] + N)

        return add

    def arguments():
        return ((zeros(1), 1), TensorDescriptor.from_tensor(zeros(16), [16]), ((48,), tl.constexpr(2)))

    told = []
    knobs.runtime.jit_cache_hook = lambda *, compile, **_: told.append(compile["specialization_data"])
    try:
        first = adding()[(1,)](*arguments(), N=16)
        other = adding()
        kernel = other.preload(told[0])
        assert kernel.hash == first.hash
        assert other[(1,)](*arguments(), N=16) is kernel and len(told) == 2, "nothing is compiled anew"
    finally:
        knobs.runtime.jit_cache_hook = None


def test_a_start_hook_is_told_the_hash():
    kernel, seen = fresh(), []
    knobs.runtime.kernel_load_start_hook.add(lambda module, function, name, groups, digest: seen.append((name, digest)))
    try:
        compiled = kernel[(1,)](zeros(1), 3)
    finally:
        knobs.runtime.kernel_load_start_hook.calls.clear()
    assert seen == [(compiled.name, compiled.hash)] and len(compiled.hash) == 64


def test_a_function_passed_to_a_launch_belongs_to_its_kernel():
    @triton.jit
    def doubled(x):
        return x * 2

    @triton.jit
    def apply(out_ptr, value, FUNCTION: tl.constexpr):
        tl.store(out_ptr, FUNCTION(value))

    out = zeros(1)
    apply[(1,)](out, 3, FUNCTION=doubled)
    assert numbers(out)[0] == 6
    doubled._unsafe_update_src(doubled.src.replace("x * 2", "x * 5"))
    apply[(1,)](out, 3, FUNCTION=doubled)
    assert numbers(out)[0] == 15


def test_a_default_by_name_is_what_the_name_meant_at_the_definition():
    global DEFAULT
    DEFAULT = 3

    @triton.jit
    def kernel(out_ptr, value=DEFAULT):
        tl.store(out_ptr, value)

    DEFAULT = 4
    out = zeros(1)
    kernel[(1,)](out)
    assert numbers(out)[0] == 3


def test_a_changed_constexpr_of_the_module_is_an_error():
    space = {"tl": tl, "triton": triton}
    constant = tl.constexpr(2)

    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, constant)

    kernel[(1,)](zeros(1))
    constant.value = 3
    with pytest.raises(RuntimeError, match="Global variable constant has changed since we compiled this kernel"):
        kernel[(1,)](zeros(1))
    assert space


def test_the_module_of_the_driver_may_be_loaded_again():
    from tegula.runtime import driver

    held = driver.driver if hasattr(driver, "driver") else driver
    module = importlib.import_module("tegula.runtime.driver")
    before = module.driver
    assert importlib.reload(module).driver is before and held.active is before.active


@pytest.mark.skipif(triton.get_device().properties()["kind"] == "cuda", reason="a GPU takes its own architecture")
def test_kernels_of_two_architectures_have_two_keys():
    kernel, out = fresh(), zeros(1)
    made = [kernel.warmup(out, 3, grid=(1,), arch=arch) for arch in ("sm80", "sm90")]
    assert set(cache_of(kernel).values()) == set(made)
