"""`triton.compile`: a kernel from the types of its arguments."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from tegula.backends.compiler import GPUTarget
from tegula.compiler import ASTSource


@triton.jit
def scaled(x, out, factor, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i) * factor)


@triton.jit
def wrong(x, N: tl.constexpr):
    tl.store(x, no_such_name)  # noqa: F821


SIGNATURE = {"x": "*fp32", "out": "*fp32", "factor": "fp32", "N": "constexpr"}


def source(**kwargs):
    return ASTSource(scaled, SIGNATURE, {"N": 64}, **kwargs)


def test_the_source():
    found = source(attrs={(0,): [["tt.divisibility", 16]]})
    assert found.name == "scaled" and found.constants == {(3,): 64} and found.ext == "ttir"
    assert found.spelled(("x", "out")) == {"x": "*fp32:16", "out": "*fp32"}
    assert source(attrs={(2,): [["tt.divisibility", 16]]}).spelled(("factor",)) == {"factor": "fp32"}
    assert found.hash() == source(attrs={(0,): [["tt.divisibility", 16]]}).hash() != source().hash()
    assert ASTSource(scaled, SIGNATURE, {(3,): 64}).constants == {(3,): 64}
    with pytest.raises(TypeError, match="expected names of parameters in `signature`, found 0"):
        ASTSource(scaled, {0: "*fp32"})


def test_a_parameter_without_a_type_and_a_value_without_a_parameter_are_named():
    with pytest.raises(ValueError, match="parameter `factor` of kernel `scaled` has no type in `signature`"):
        triton.compile(ASTSource(scaled, {"x": "*fp32", "out": "*fp32"}, {"N": 64}), target=GPUTarget("cuda", 80, 32))
    with pytest.raises(ValueError, match="kernel `scaled` has no parameter `M`"):
        ASTSource(scaled, SIGNATURE, {"M": 64})


def test_compile():
    compiled = triton.compile(source(attrs={(0,): [["tt.divisibility", 16]]}), target=GPUTarget("cuda", 80, 32),
                              options={"num_warps": 2, "num_stages": 1})
    assert ".visible .entry scaled" in compiled.asm["ptx"] and ".target sm_80" in compiled.asm["ptx"]
    assert "tile.load" in compiled.asm["ttir"]
    assert compiled.metadata.num_warps == compiled.num_warps == 2 and compiled.metadata.target.arch == 80
    assert compiled.src.fn is scaled and compiled.metadata.name == "scaled" and len(compiled.hash) == 64


@pytest.mark.skipif(triton.get_device().properties()["kind"] == "cuda", reason="needs arrays on the GPU")
def test_what_was_compiled_can_be_launched():
    compiled = triton.compile(source())
    x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    compiled[(1,)](x, out, 3.0, 64)
    np.testing.assert_array_equal(out, x * 3)


def test_a_wrong_source_is_a_compilation_error():
    with pytest.raises(triton.CompilationError, match="no_such_name"):
        triton.compile(ASTSource(wrong, {"x": "*fp32", "N": "constexpr"}, {"N": 1}))


def test_a_wrong_option_is_an_error():
    with pytest.raises(ValueError, match="num_warps must be a power of 2, found 3"):
        triton.compile(source(), options={"num_warps": 3})
