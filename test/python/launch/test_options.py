"""Options of launches: what a number of warps and stages may be, architectures by their names, libraries."""

import pytest

import tegula as triton
import tegula.language as tl
from arrays import ON_GPU, numbers, zeros
from tegula import _native
from tegula.runtime.errors import OutOfResources
from tegula.runtime.launch.options import architecture


def fresh():
    @triton.jit
    def put(out_ptr, value):
        tl.store(out_ptr, value)

    return put


def test_more_warps_than_a_block_has_are_out_of_resources():
    with pytest.raises(OutOfResources, match="threads"):
        fresh()[(1,)](zeros(1), 1, num_warps=128)


@pytest.mark.parametrize("count", [-4, 0, 3, 2.0])
def test_a_number_of_warps_is_a_power_of_two(count):
    with pytest.raises(ValueError, match="num_warps must be a power of 2"):
        fresh()[(1,)](zeros(1), 1, num_warps=count)


def test_more_stages_than_a_pipeline_has_are_as_many_as_it_has():
    out = zeros(1)
    fresh()[(1,)](out, 1, num_stages=100)
    assert numbers(out)[0] == 1


def test_architectures_by_their_names():
    assert [architecture(name) for name in (90, "90", "sm90", "sm_90a", "sm80", None, "")] == [
        "sm_90a", "sm_90a", "sm_90a", "sm_90a", "sm_80", None, None]
    assert architecture("gfx942") == "gfx942"
    assert _native.architectures()[80] == "sm_80" and _native.architectures()[121] == "sm_121a"


@pytest.mark.skipif(ON_GPU, reason="a GPU takes its own architecture")
def test_an_architecture_may_be_said_as_triton_does():
    compiled = fresh().warmup(zeros(1), 1, grid=(1,), arch="sm80")
    assert ".target sm_80" in compiled.asm["ptx"]


def test_metadata_has_the_libraries_that_were_named():
    assert fresh().warmup(zeros(1), 1, grid=(1,)).metadata.extern_libs == ()


def test_a_parameter_is_a_constexpr_or_not_specialized():
    @triton.jit(do_not_specialize=["N"])
    def kernel(out_ptr, N: tl.constexpr):
        tl.store(out_ptr, N)

    with pytest.raises(triton.CompilationError, match="N marked as constexpr and listed in do_not_specialize"):
        kernel[(1,)](zeros(1), N=1)


def test_clusters_need_hopper():
    with pytest.raises(ValueError, match="num_ctas > 1 requires NVIDIA SM90\\+"):
        fresh()[(1,)](zeros(1), 1, num_ctas=2, arch="sm80")
