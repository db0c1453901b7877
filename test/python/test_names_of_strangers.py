"""Names of Triton's that libraries import or read: each is there, or says what there is instead. The lists come from what FlagGems,
Liger-Kernel, flash-linear-attention, attorch, Helion, vLLM, SGLang, unsloth, torchao, xformers, aiter, jax_triton, PyTorch and Triton's own
tests write."""

import hashlib
import os
import subprocess
import sys

import pytest

import tegula
from tegula import _utils, knobs
from tegula.backends.compiler import GPUTarget
from tegula.backends.nvidia.compiler import CUDABackend, min_dot_size
from tegula.compiler.compiler import IRSource
from tegula.runtime import cache
from tegula.runtime.build import compile_module_from_src
from tegula.runtime.jit import JITCallable
from tegula.testing import _summarize_statistics

NAMES = {
    "triton": "Config JITFunction KernelInterface MockTensor OutOfResources TensorWrapper TritonError autotune cdiv compile "
              "constexpr_function heuristics jit knobs language must_use_result next_power_of_2 reinterpret runtime set_allocator "
              "testing tools AsyncCompileMode FutureKernel CompilationError InterpreterError",
    "triton.runtime": "Autotuner Config Heuristics InterpreterError JITFunction KernelInterface MockTensor OutOfResources PTXASError "
                      "TensorWrapper autotune autotuner cache driver errors heuristics interpreter jit reinterpret build",
    "triton.runtime.jit": "ConstexprFunction JITCallable JITFunction JitFunctionInfo KernelInterface KernelParam MockTensor "
                          "TensorWrapper constexpr_function get_jit_fn_file_line jit mangle_type native_specialize_impl reinterpret "
                          "type_canonicalisation_dict",
    "triton.runtime.autotuner": "Autotuner Config Heuristics OutOfResources PTXASError autotune driver heuristics",
    "triton.runtime.cache": "CacheManager FileCacheManager _base32 get_cache_key get_cache_manager get_dump_manager "
                            "get_override_manager triton_key",
    "triton.runtime.driver": "active driver set_active reset_active",
    "triton.runtime.errors": "AutotunerError InterpreterError OutOfResources PTXASError",
    "triton.runtime.build": "_build compile_module_from_src",
    "triton.runtime.interpreter": "InterpretedFunction",
    "triton.runtime._allocation": "NullAllocator _allocator set_allocator set_profile_allocator",
    "triton.runtime._async_compile": "AsyncCompileMode FutureKernel active_mode",
    "triton.compiler": "ASTSource CompilationError CompiledKernel IRSource LazyDict compile compiler get_cache_key make_backend",
    "triton.compiler.compiler": "ASTSource CompiledKernel GPUTarget IRSource LazyDict compile make_backend max_shared_mem",
    "triton.compiler.errors": "CompilationError CompileTimeAssertionFailure UnsupportedLanguageConstruct",
    "triton.compiler.code_generator": "ast_to_ttir",
    "triton.backends": "backends Backend BaseBackend",
    "triton.backends.compiler": "BaseBackend GPUTarget",
    "triton.backends.driver": "DriverBase GPUDriver",
    "triton.backends.nvidia.compiler": "CUDABackend CUDAOptions get_ptxas get_ptxas_version min_dot_size sm_arch_from_capability",
    "triton.backends.nvidia.driver": "CudaDriver CudaUtils include_dirs libcuda_dirs libraries library_dirs",
    "triton._C.libtriton": "get_cache_invalidating_env_vars getenv getenv_bool ir native_specialize_impl nvidia",
    "triton._utils": "BITWIDTH_DICT TRITON_MAX_TENSOR_NUMEL apply_with_path canonicalize_dtype canonicalize_ptr_dtype find_paths_if "
                     "get_iterable_path get_primitive_bitwidth is_iterable is_namedtuple is_power_of_two set_iterable_path "
                     "type_canonicalisation_dict validate_block_shape",
    "triton.knobs": "CompileTimes HookChain NvidiaTool amd autotuning base_knobs build cache compilation env env_base env_bool env_int "
                    "env_opt_bool env_opt_str env_str getenv language nvidia propagate_env proton redis refresh_knobs runtime setenv",
    "triton.testing": "Benchmark Mark _summarize_statistics assert_close do_bench do_bench_cudagraph get_dram_gbps "
                      "get_max_simd_tflops get_max_tensorcore_tflops nvsmi perf_report",
    "triton.tools.disasm": "get_sass", "triton.tools.mxfp": "MXFP4Tensor MXScaleTensor",
    "triton.tools.tensor_descriptor": "TensorDescriptor",
    "triton.tools.ragged_tma": "create_ragged_descriptor load_ragged store_ragged to_ragged_indices",
    "triton.language": "PropagateNan TRITON_MAX_TENSOR_NUMEL block_type constexpr constexpr_type const core dtype extra math "
                       "pointer_type random range standard static_range target_info tensor tensor_descriptor tuple tuple_type",
    "triton.language.core": "_aggregate _unwrap_if_constexpr base_type base_value builtin constexpr is_builtin str_to_ty tensor",
    "triton.language.math": "abs ceil cos div_rn erf exp exp2 fdiv floor fma log log2 rsqrt sin sqrt sqrt_rn umulhi",
    "triton.language.random": "pair_uniform_to_normal philox philox_impl rand rand4x randint randint4x randn uint_to_uniform_float",
    "triton.language.standard": "_log2 argmax argmin cdiv cumsum flip max min ravel sigmoid softmax sort sum swizzle2d topk zeros",
    "triton.language.target_info": "cuda_capability_geq current_target is_cuda is_hip is_hip_cdna3 is_hip_cdna4 is_hip_gfx1250",
    "triton.language.extra": "cuda libdevice",
    "triton.language.extra.libdevice": "exp fast_expf pow rsqrt tanh",
    "triton.language.extra.cuda": "gdc_launch_dependents gdc_wait globaltimer libdevice num_threads num_warps smid",
    "triton.language.extra.cuda.gdc": "gdc_launch_dependents gdc_wait",
    "triton.language.extra.cuda.libdevice": "exp pow tanh",
    "triton.language.extra.cuda.utils": "globaltimer num_threads num_warps smid",
}
HOME = os.path.dirname(os.path.dirname(os.path.abspath(tegula.__file__)))


def test_every_name_that_libraries_import_is_there():
    code = f"""
import importlib
import tegula
tegula.install_as_triton()
missing = []
for module, names in {NAMES!r}.items():
    for name in names.split():
        try:
            exec(f"from {{module}} import {{name}}", {{}})
        except ImportError as error:
            missing.append(f"{{module}}.{{name}}: {{error}}")
print("\\n".join(missing))
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [HOME, os.environ.get("PYTHONPATH")]))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == "" and done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name, instead", [("passes", "triton.compile"), ("llvm", r'asm\["llir"\]'), ("interpreter", "TEGULA_DEVICE=interpret"),
                                           ("gluon_ir", "triton.language"), ("amd", "GPUs of NVIDIA"), ("linear_layout", "ttgir")])
def test_what_belongs_to_triton_s_compiler_says_what_there_is_instead(name, instead):
    with pytest.raises(ImportError, match=f"`{name}` belongs to Triton's own compiler.*{instead}"):
        exec(f"from tegula._C.libtriton import {name}", {})


def test_a_source_of_triton_s_ir_is_refused():
    with pytest.raises(NotImplementedError, match="kernel.ttir: Triton's IR is not compiled here; `tegula compile FILE`"):
        IRSource("kernel.ttir", None, None)
    with pytest.raises(NotImplementedError, match="kernel.ttgir: Triton's IR is not compiled here"):
        tegula.compile("kernel.ttgir")


MODULE = """
#include <Python.h>
static PyObject *answer(PyObject *self, PyObject *args) { return PyLong_FromLong(%d); }
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "asked", NULL, -1, methods};
PyMODINIT_FUNC PyInit_asked(void) { return PyModule_Create(&definition); }
"""


@pytest.fixture
def own_cache(tmp_path):
    with knobs.cache.scope(), knobs.build.scope():
        knobs.cache.dir = str(tmp_path)
        yield tmp_path


def test_c_that_a_program_brings_along_is_compiled_once(own_cache):
    try:
        module = compile_module_from_src(MODULE % 42, "asked")
    except RuntimeError as error:  # no C compiler, or no header of Python's
        pytest.skip(str(error))
    assert module.answer() == 42
    knobs.build.cc = "/nowhere/cc"
    assert compile_module_from_src(MODULE % 42, "asked").__file__ == module.__file__
    with pytest.raises((RuntimeError, OSError)):
        compile_module_from_src(MODULE % 43, "asked")


def test_a_program_may_compile_c_itself(own_cache):
    seen = []

    def built(name, src, srcdir, library_dirs, include_dirs, libraries):
        seen.append((name, library_dirs, include_dirs, libraries))
        raise RuntimeError("not this time")

    knobs.build.impl = built
    with pytest.raises(RuntimeError, match="not this time"):
        compile_module_from_src(MODULE % 44, "asked", ["/lib"], ["/include"], ["m"])
    assert seen == [("asked", ["/lib"], ["/include"], ["m"])]
    knobs.build.impl = None


class Elsewhere(cache.FileCacheManager):
    def _make_path(self, filename):
        return super()._make_path("elsewhere-" + filename)


def test_files_beside_kernels_are_kept_as_a_program_says(own_cache):
    key = hashlib.sha256(b"key").hexdigest()
    knobs.cache.manager_class = Elsewhere
    try:
        path = cache.get_cache_manager(key).put("text", "file", binary=False)
        assert os.path.basename(path) == "elsewhere-file" and path.startswith(str(own_cache))
        knobs.cache.dump_dir, knobs.cache.override_dir = str(own_cache / "dumped"), str(own_cache / "over")
        assert cache.get_dump_manager(key).put(b"", "file").startswith(str(own_cache / "dumped"))
        assert cache.get_override_manager(key).put(b"", "file").startswith(str(own_cache / "over"))
    finally:
        del knobs.cache.manager_class


def test_a_key_of_a_compilation_changes_with_all_that_decides():
    class Source:
        def hash(self):
            return "source"

    backend = CUDABackend(GPUTarget("cuda", 90, 32))
    keys = {cache.get_cache_key(Source(), backend, backend.parse_options(options), variables)
            for options in ({}, {"num_warps": 8}) for variables in ({}, {"TRITON_DEBUG": "1"})}
    assert len(keys) == 4 and all(key.startswith("tegula-") for key in keys)


def test_spellings_and_places():
    import numpy as np

    import tegula.language as tl

    assert _utils.canonicalize_dtype(np.dtype("float32")) == "fp32" and _utils.canonicalize_ptr_dtype(tl.int8, True) == "*ki8"
    assert _utils.get_primitive_bitwidth("bf16") == 16 and _utils.validate_block_shape([4, 8]) == 32
    for shape, error in (([3], "Shape element 0 must be a power of 2, found 3"), ([1 << 21], "at most 1048576 elements, found 2097152")):
        with pytest.raises(ValueError, match=error):
            _utils.validate_block_shape(shape)
    with pytest.raises(TypeError, match="integers, found 'a' at place 1"):
        _utils.validate_block_shape([1, "a"])
    places = [[1, 2], 3]
    _utils.set_iterable_path(places, (0, 1), 5)
    assert places == [[1, 5], 3] and not _utils.is_namedtuple((1,)) and not _utils.is_power_of_two(0)
    assert min_dot_size(GPUTarget("cuda", 90, 32))(tl.float16, tl.float16) == (1, 1, 16)
    assert min_dot_size(GPUTarget("cuda", 90, 32))(tl.int8, tl.int8) == (1, 1, 32)
    assert _summarize_statistics([3, 1, 2], None, "median") == 2.0 and _summarize_statistics([1, 3], [0.5], "mean") == 2.0


def test_what_kernels_call_is_told_apart():
    from tegula.language import target_info

    assert isinstance(tegula.constexpr_function(len), JITCallable)
    assert issubclass(tegula.JITFunction, JITCallable) and target_info.is_hip_cdna3() is False is target_info.is_hip_cdna4()
