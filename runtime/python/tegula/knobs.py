"""Settings from outside, under Triton's names: `tegula.knobs.autotuning.print = True`.

An unset knob is read from its environment variable at each use: a variable that decides about code counts for what is
compiled from then on, a knob that is set also for kernels compiled before. A value that a program sets is written to the
variable too, for child processes, unless `propagate_env` is false. A knob of Triton's that changes nothing here says so
once (UserWarning). The groups `amd`, `proton` and `redis` are about parts of Triton that are not here, and `build` about C
that is not compiled: their values are kept and have no effect.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import types
from typing import Any, Callable, Protocol

from . import _environment, _native
from ._environment import (Env, NvidiaTool, base_knobs, env, env_base, env_bool, env_class, env_int, env_nvidia_tool, env_opt_bool,
                           env_opt_str, env_str, env_str_callable_default, getenv, getenv_bool, setenv, toenv)

__all__ = ["CompilationListener", "CompileTimes", "Env", "HookChain", "NvidiaTool", "amd", "autotuning", "base_knobs", "build", "cache",
           "compilation", "env", "env_base", "env_bool", "env_class", "env_int", "env_nvidia_tool", "env_opt_bool", "env_opt_str",
           "env_str", "env_str_callable_default", "getenv", "getenv_bool", "language", "nvidia", "propagate_env", "proton", "redis",
           "refresh_knobs", "runtime", "setenv", "toenv"]

propagate_env: bool


class HookChain:
    """Functions that are called one after another; false while there are none, so that launches need not ask more."""

    def __init__(self, reversed: bool = False):
        self.calls: list[Callable[..., Any]] = []
        self.reversed = reversed

    def add(self, func: Callable[..., Any]) -> None:
        if func not in self.calls:
            self.calls.append(func)

    def remove(self, func: Callable[..., Any]) -> None:
        if func in self.calls:
            self.calls.remove(func)

    def __bool__(self) -> bool:
        return bool(self.calls)

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        for call in self.calls[::-1] if self.reversed else list(self.calls):
            call(*args, **kwargs)


@dataclasses.dataclass(frozen=True)
class CompileTimes:
    """Times of a compilation, in microseconds. The library compiles in one go: its time is that of the stage `ptx`, and
    there is none where the result was on disk."""

    ir_initialization: int  #: collecting the sources of the kernel and of what it calls
    lowering_stages: list[tuple[str, int]]
    store_results: int

    @property
    def total_lowering(self) -> int:
        return sum(duration for _, duration in self.lowering_stages)

    @property
    def total(self) -> int:
        return self.ir_initialization + self.total_lowering + self.store_results


class CompilationListener(Protocol):
    """Type of `knobs.compilation.listener`."""

    def __call__(self, *, src: Any, metadata: dict[str, Any], metadata_group: dict[str, str], times: CompileTimes,
                 cache_hit: bool) -> None: ...


_NO_TRITON_IR = "kernels are not compiled through Triton's IR"
_NO_OPTIONS = "the assembler is not given options"


class build_knobs(base_knobs):
    cc = env_opt_str("CC")
    cudacrt_path = env_opt_str("TRITON_CUDACRT_PATH")
    cudart_path = env_opt_str("TRITON_CUDART_PATH")
    impl: Any = None

    @property
    def backend_dirs(self) -> set[str]:
        return {path for path in (self.cudacrt_path, self.cudart_path) if path is not None}


class redis_knobs(base_knobs):
    key_format = env_str("TRITON_REDIS_KEY_FORMAT", "triton:{key}:{filename}")
    host = env_str("TRITON_REDIS_HOST", "localhost")
    port = env_int("TRITON_REDIS_PORT", 6379)


class _CacheDir(env_str_callable_default):
    """Two variables say it: ours counts where it is there, and is written then, too."""

    def get(self) -> str:
        return os.environ["TEGULA_CACHE_DIR"] if "TEGULA_CACHE_DIR" in os.environ else super().get()

    def __set__(self, group: Any, value: Any) -> None:
        super().__set__(group, value)
        if isinstance(value, str) and "TEGULA_CACHE_DIR" in os.environ:
            setenv("TEGULA_CACHE_DIR", value)


def _cache_dir() -> str:
    if os.environ.get("TRITON_HOME") or "home_dir" in vars(cache):
        return cache.get_triton_dir("cache")
    folder, home = os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", "")
    if folder.startswith("/"):  # the specification of the XDG folders has relative paths ignored
        return os.path.join(folder, "tegula")
    return os.path.join(home, ".cache", "tegula") if home else ""


class cache_knobs(base_knobs):
    home_dir = env_str("TRITON_HOME", os.path.expanduser("~/"))
    #: The folder that keeps what was compiled, assembled and tuned, for later processes; "" keeps nothing.
    dir = _CacheDir("TRITON_CACHE_DIR", _cache_dir)
    dump_dir = env_str_callable_default("TRITON_DUMP_DIR", lambda: cache.get_triton_dir("dump"))
    override_dir = env_str_callable_default("TRITON_OVERRIDE_DIR", lambda: cache.get_triton_dir("override"))
    #: Manager of files that programs keep next to kernels (`runtime.cache.get_cache_manager`).
    manager_class = env_class("TRITON_CACHE_MANAGER", "CacheManager")
    remote_manager_class = env_class("TRITON_REMOTE_CACHE_BACKEND", "RemoteCacheBackend",
                                     unused="kernels are kept in a folder of this machine")

    def get_triton_dir(self, dirname: str) -> str:
        return os.path.join(self.home_dir or "", ".triton", dirname)


class compilation_knobs(base_knobs):
    #: Whether the folder of the cache is left alone: each process compiles what it needs, and keeps nothing.
    always_compile = env_bool("TRITON_ALWAYS_COMPILE")
    dump_ir = env_bool("TRITON_KERNEL_DUMP", unused="set TEGULA_DUMP_DIR to the folder that gets the texts of all stages")
    override = env_bool("TRITON_KERNEL_OVERRIDE", unused=_NO_TRITON_IR)
    dump_ir_extract_di_local_variables = env_bool("LLVM_EXTRACT_DI_LOCAL_VARIABLES", unused="LLVM is told of lines, not of variables")
    store_binary_only = env_bool("TRITON_STORE_BINARY_ONLY")  # as it is anyway
    use_ir_loc = env_opt_str("USE_IR_LOC", unused="lines are always those of the kernel's file")
    enable_asan = env_bool("TRITON_ENABLE_ASAN", unused="run the kernel on the emulator, which checks every access")
    disable_line_info = env_bool("TRITON_DISABLE_LINE_INFO", unused="the lines of a kernel are always told: they cost nothing")
    front_end_debugging = env_bool("TRITON_FRONT_END_DEBUGGING", unused="the front end has no frames in Python")
    allow_non_constexpr_globals = env_bool("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS")
    instrumentation_mode = env_str("TRITON_INSTRUMENTATION_MODE", "", unused="no instrumentation is known: the emulator checks for races")
    #: What the compiler does without, as `tegula compile --without` lists it: "wgmma".
    without: env_base[str] = env_base("", lambda: os.environ.get("TEGULA_WITHOUT", ""))
    listener: env_base[CompilationListener | None] = env_base("", lambda: None, unused="compilations are not timed stage by stage")


class autotuning_knobs(base_knobs):
    #: Whether the choices of all tuners are kept on disk, not only of those with `cache_results`.
    cache = env_bool("TRITON_CACHE_AUTOTUNING")
    #: Whether each choice is printed.
    print = env_bool("TRITON_PRINT_AUTOTUNING")
    #: Called once for each choice, with the keywords `fn`, `key`, `best_config`, `configs_timings` (empty where a model
    #: chose), `duration` (None where nothing was measured) and `cache_hit`.
    listener: Callable[..., Any] | None = None


class runtime_knobs(base_knobs):
    #: Whether kernels run on the interpreter.
    interpret = env_bool("TRITON_INTERPRET")
    #: Whether kernels are compiled with `tl.device_assert`.
    debug = env_bool("TRITON_DEBUG")
    sanitize_overflow = env_bool("TRITON_SANITIZE_OVERFLOW", True)
    override_arch = env_opt_str("TRITON_OVERRIDE_ARCH")
    #: Whether launches stand in NVTX ranges; asked when the first kernel is decorated.
    nvtx = env_bool("TEGULA_NVTX")
    #: Called without arguments for what is about to be compiled: its (key, hash) join the keys of kernels.
    add_stages_inspection_hook: env_base[Callable[[], tuple[str, str]] | None] = env_base("", lambda: None)
    launch_enter_hook: HookChain | None
    launch_exit_hook: HookChain | None
    kernel_load_start_hook: HookChain
    kernel_load_end_hook: HookChain
    #: Called with module, function, name, metadata_group and hash when a loaded kernel is given up.
    kernel_unload_hook: HookChain
    jit_cache_hook: Callable[..., Any] | None = None
    jit_post_compile_hook: Callable[..., Any] | None = None

    def __init__(self) -> None:
        self.__dict__.update(launch_enter_hook=HookChain(), launch_exit_hook=HookChain(reversed=True), kernel_load_start_hook=HookChain(),
                             kernel_load_end_hook=HookChain(reversed=True), kernel_unload_hook=HookChain(), jit_cache_hook=None, jit_post_compile_hook=None)


class language_knobs(base_knobs):
    #: The precision of products of float32 that say none.
    fp32_default = env_opt_str("TRITON_F32_DEFAULT")
    default_fp_fusion = env_bool("TRITON_DEFAULT_FP_FUSION", True)


class nvidia_knobs(base_knobs):
    ptxas = env_nvidia_tool("ptxas")
    ptxas_blackwell = env_nvidia_tool("ptxas-blackwell")
    cuobjdump = env_nvidia_tool("cuobjdump")
    nvdisasm = env_nvidia_tool("nvdisasm")
    dump_nvptx = env_bool("NVPTX_ENABLE_DUMP", unused="what a launch returns has the PTX, `asm['ptx']`")
    disable_ptxas_opt = env_bool("DISABLE_PTXAS_OPT", unused=_NO_OPTIONS)
    ptxas_options = env_opt_str("PTXAS_OPTIONS", unused=_NO_OPTIONS)
    mock_ptx_version = env_opt_str("TRITON_MOCK_PTX_VERSION", unused="PTX has the version that its instructions need")
    dump_ptxas_log = env_bool("TRITON_DUMP_PTXAS_LOG", unused=_NO_OPTIONS)
    libdevice_path = env_opt_str("TRITON_LIBDEVICE_PATH", unused="the functions of libdevice are Tegula's own")
    libcuda_path = env_opt_str("TRITON_LIBCUDA_PATH")


class amd_knobs(base_knobs):
    use_buffer_ops = env_bool("AMDGCN_USE_BUFFER_OPS", True)
    use_buffer_atomics = env_bool("AMDGCN_USE_BUFFER_ATOMICS", True)
    buffer_ops_analyze_small_tensor_range = env_bool("AMDGCN_ANALYZE_SMALL_TENSOR_RANGE")
    dump_amdgcn = env_bool("AMDGCN_ENABLE_DUMP")
    libhip_path = env_opt_str("TRITON_LIBHIP_PATH")
    use_block_pingpong = env_opt_bool("TRITON_HIP_USE_BLOCK_PINGPONG")
    use_in_thread_transpose = env_opt_bool("TRITON_HIP_USE_IN_THREAD_TRANSPOSE")
    use_async_copy = env_bool("TRITON_HIP_USE_ASYNC_COPY")
    scalarize_packed_fops = env_bool("AMDGCN_SCALARIZE_PACKED_FOPS")


class proton_knobs(base_knobs):
    disable = env_bool("TRITON_PROTON_DISABLE")
    cupti_lib_dir = env_opt_str("TRITON_CUPTI_LIB_PATH")
    enable_nvtx = env_bool("TRITON_ENABLE_NVTX", True)


build = build_knobs()
redis = redis_knobs()
cache: cache_knobs = cache_knobs()
compilation = compilation_knobs()
autotuning = autotuning_knobs()
runtime = runtime_knobs()
language = language_knobs()
nvidia = nvidia_knobs()
amd = amd_knobs()
proton = proton_knobs()

#: Groups whose variables count where kernels are compiled for GPUs of NVIDIA.
_HEEDED = ("cache", "compilation", "autotuning", "runtime", "language", "nvidia")
for _subject in (*_HEEDED, "build", "redis", "amd", "proton"):
    type(globals()[_subject]).subject = _subject
del _subject


def refresh_knobs() -> None:
    """Triton reads some knobs once, and again by this; here all are read when they are used."""


def warn_of_variables() -> None:
    """Says once, before the first compilation, which variables of the environment are not heeded."""
    for subject in _HEEDED:
        _environment.warn_of_variables(globals()[subject])


class _Knobs(types.ModuleType):
    """This module: what is assigned to some of its names is needed elsewhere."""

    @property
    def propagate_env(self) -> bool:
        return _environment.propagate

    @propagate_env.setter
    def propagate_env(self, value: bool) -> None:
        _environment.propagate = value

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, base_knobs):
            if name == "runtime":
                _native.set_launch_hooks(vars(value))  # launches look for hooks there
            _native.look_up_again()


sys.modules[__name__].__class__ = _Knobs
