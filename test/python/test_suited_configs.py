"""The configs of bundled attention that are tried on an architecture: those whose values all have registers."""

import types

import pytest

import bundled
import tegula as triton
from tegula.backends.compiler import GPUTarget

#: Without products of warp groups.
OTHERS = [75, 80, 86, 89, 100, 103, 120, 121]


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kernels")
    modules = [bundled.load(name, folder) for name in ("attention", "attention_backward")]
    return {key: value for module in modules for key, value in vars(module).items() if key.endswith("_kernel")}


def tried(kernel, monkeypatch, arch, D):
    """The numbers of the configs that are tried on `arch` for heads of `D`."""
    device = types.SimpleNamespace(get_current_target=lambda: GPUTarget("cuda", arch, 32))
    monkeypatch.setattr(triton.runtime.driver.driver, "_active", device)
    kept = kernel.prune_configs({"D": D})
    return [number for number, config in enumerate(kernel.configs) if config in kept]


@pytest.mark.parametrize("name, count, left_out", [("attention_kernel", 7, 6), ("attention_backward_kv_kernel", 5, 2)])
def test_what_would_spill_is_left_out_where_warps_multiply_by_themselves(kernels, monkeypatch, name, count, left_out):
    everything = list(range(count))
    others = [number for number in everything if number != left_out]
    for arch in OTHERS:
        assert tried(kernels[name], monkeypatch, arch, 128) == others
        assert tried(kernels[name], monkeypatch, arch, 64) == everything
    assert tried(kernels[name], monkeypatch, 90, 128) == everything
