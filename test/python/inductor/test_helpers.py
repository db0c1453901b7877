"""What Inductor's kernels use beyond the language, without PyTorch: helpers that run inside Triton's compiler."""

import sys
import types

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl

if triton.get_device().properties()["kind"] == "cuda":
    pytest.skip("needs arrays on the GPU", allow_module_level=True)


def triton_builtin(function):
    """As Inductor marks them: what is called takes `_semantic`, and has another name."""

    def wrapper(*args, _semantic, **kwargs):
        raise AssertionError(f"Tegula has no compiler in Python that {function} could run in")

    wrapper.__module__ = function.__module__
    wrapper.__triton_builtin__ = True
    return wrapper


@pytest.fixture
def helpers(monkeypatch):
    made = types.ModuleType("torch._inductor.runtime.triton_helpers")

    def if_mask(mask, val, *, _builder=None):
        """Not for us."""

    def constexpr_next_power_of_2(n, *, _builder=None):
        """Not for us."""

    def unknown(x, *, _builder=None):
        """A helper that is not Triton's."""

    for function in (if_mask, constexpr_next_power_of_2, unknown):
        function.__module__ = made.__name__
        setattr(made, function.__name__, triton_builtin(function))
    monkeypatch.setitem(sys.modules, made.__name__, made)
    monkeypatch.setitem(globals(), "triton_helpers", made)
    return made


def test_functions_that_run_inside_the_compiler(helpers):
    @triton.jit
    def kernel(x, out, n, N: tl.constexpr, MASKED: tl.constexpr):
        BLOCK: tl.constexpr = triton_helpers.constexpr_next_power_of_2(N)  # noqa: F821
        i = tl.arange(0, BLOCK)
        mask = i < n if MASKED else None
        v = tl.load(x + i, mask, other=triton_helpers.if_mask(mask, 7.0))  # noqa: F821
        tl.store(out + i, v)

    x, out = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    kernel[(1,)](x, out, 10, N=13, MASKED=True)
    np.testing.assert_array_equal(out, np.where(np.arange(16) < 10, x, 7))
    kernel[(1,)](x, out, 10, N=13, MASKED=False)
    np.testing.assert_array_equal(out, x)


def test_others_are_an_error_with_their_name(helpers):
    @triton.jit
    def kernel(out):
        tl.store(out, triton_helpers.unknown(1.0))  # noqa: F821

    with pytest.raises(triton.CompilationError, match="unknown"):
        kernel[(1,)](np.zeros(1, np.float32))


def test_a_kernel_as_inductor_writes_it():
    @triton.jit
    def triton_per_fused_add_sum_0(in_ptr0, in_ptr1, out_ptr0, xnumel, r0_numel, XBLOCK: tl.constexpr):
        xnumel = 5
        r0_numel = 100
        R0_BLOCK: tl.constexpr = 128
        rnumel = r0_numel  # noqa: F841
        xoffset = tl.program_id(0) * XBLOCK
        xindex = xoffset + tl.arange(0, XBLOCK)[:, None]
        xmask = xindex < xnumel
        r0_index = tl.arange(0, R0_BLOCK)[None, :]
        r0_mask = r0_index < r0_numel
        r0_1 = r0_index
        x0 = xindex
        tmp0 = tl.load(in_ptr0 + (r0_1 + 100 * x0), r0_mask & xmask, eviction_policy='evict_first', other=0.0)
        tmp1 = tl.load(in_ptr1 + (0))
        tmp2 = tl.broadcast_to(tmp1, [XBLOCK, R0_BLOCK])
        tmp3 = tl.full([XBLOCK, R0_BLOCK], 5, tl.int64)
        tl.device_assert(((0 <= tmp3) & (tmp3 < 50)) | ~(xmask), "index out of bounds: 0 <= tmp3 < 50")
        tmp4 = tmp0 + tmp2
        tmp5 = tl.broadcast_to(tmp4, [XBLOCK, R0_BLOCK])
        tmp6 = tl.where(r0_mask & xmask, tmp5, 0)
        tmp7 = tl.sum(tmp6, 1)[:, None]
        tl.store(out_ptr0 + (x0), tmp7, xmask)

    source = triton.compiler.ASTSource(
        triton_per_fused_add_sum_0, {"in_ptr0": "*fp32", "in_ptr1": "*fp32", "out_ptr0": "*fp32", "xnumel": "i32",
                                     "r0_numel": "i32", "XBLOCK": "constexpr"}, {"XBLOCK": 2},
        {(0,): [["tt.divisibility", 16]], (1,): [["tt.divisibility", 16]], (2,): [["tt.divisibility", 16]]})
    options = {"num_warps": 2, "num_stages": 1, "debug": True, "sanitize_overflow": False, "enable_fp_fusion": True}
    compiled = triton.compile(source, options=options)
    x, bias, out = np.random.default_rng(0).random((5, 100), np.float32), np.full(1, 0.5, np.float32), np.zeros(5, np.float32)
    compiled[(3,)](x, bias, out, 5, 100, 2)
    np.testing.assert_allclose(out, (x + 0.5).sum(1), rtol=1e-5)
    assert compiled.packed_metadata == (2, 1, compiled.shared) and compiled.src.constants == {(5,): 2}


def test_errors_of_configs_travel():
    import copy
    import pickle

    from tegula.runtime.autotuner import OutOfResources, PTXASError

    error = OutOfResources(300000, 232448, "shared memory")
    for twin in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert (twin.required, twin.limit, twin.name) == (300000, 232448, "shared memory") and "out of resource" in str(twin)
    assert "refused" in str(pickle.loads(pickle.dumps(PTXASError("refused"))))
