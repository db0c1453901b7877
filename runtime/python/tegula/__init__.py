"""Tegula: kernels written in Triton's language, compiled by a compiler of its own.

    import tegula as triton
    import tegula.language as tl

Arrays of NumPy run on the emulator (TEGULA_DEVICE=emulator, or no GPU) and on the reference interpreter
(TEGULA_DEVICE=interpret); tensors of PyTorch and whatever has `__cuda_array_interface__` or DLPack on the GPU.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # checkers take it for true; `typing` itself would be most of the time of this import
if TYPE_CHECKING:
    from typing import Any

    from . import (backends as backends, compiler as compiler, knobs as knobs, language as language, runtime as runtime,
                   testing as testing, tools as tools)
    from .compiler import CompilationError as CompilationError
    from .compiler.compiler import compile as compile
    from .errors import TritonError as TritonError
    from .language._aggregates import _aggregate as aggregate
    from .language.core import must_use_result as must_use_result
    from .rounding import cdiv as cdiv, next_power_of_2 as next_power_of_2
    from .runtime._allocation import set_allocator as set_allocator
    from .runtime.ahead import (cache_stats as cache_stats, freeze as freeze, is_frozen as is_frozen,
                                load_bundle as load_bundle, thaw as thaw)
    from .runtime._async_compile import AsyncCompileMode as AsyncCompileMode, FutureKernel as FutureKernel
    from .runtime.explanation import Explanation as Explanation, explain as explain
    from .runtime.autotuner import Autotuner as Autotuner, autotune as autotune
    from .runtime.launch.compiled import compiled_kernels as compiled_kernels
    from .runtime.tune.config import Config as Config
    from .runtime.program.constexpr_function import constexpr_function as constexpr_function
    from .runtime.devices import get_device as get_device, set_device as set_device
    from .runtime.errors import (FrozenError as FrozenError, InterpreterError as InterpreterError,
                                 KernelFault as KernelFault, OutOfResources as OutOfResources)
    from .runtime.tune.heuristics import heuristics as heuristics
    from .runtime.jit import JITFunction as JITFunction, jit as jit
    from .runtime.program.kernel_interface import KernelInterface as KernelInterface
    from .runtime.program.tensors import (MockTensor as MockTensor, TensorWrapper as TensorWrapper,
                                          reinterpret as reinterpret)
    from .stand_in import install_as_triton as install_as_triton

    #: The version of Tegula, and that of Triton which is imitated.
    __version__: str
    triton_version: str

#: By this name the compiler knows the module.
__tegula_name__ = "triton"

#: Where the public names come from. They are imported when they are first asked for, so that `import tegula` is quick.
_HOMES = {
    "AsyncCompileMode": "runtime._async_compile", "Autotuner": "runtime.autotuner",
    "CompilationError": "compiler.errors", "Config": "runtime.tune.config", "Explanation": "runtime.explanation", "FrozenError": "runtime.errors",
    "FutureKernel": "runtime._async_compile",
    "InterpreterError": "runtime.errors", "JITFunction": "runtime.jit", "KernelFault": "runtime.errors",
    "KernelInterface": "runtime.program.kernel_interface", "MockTensor": "runtime.program.tensors", "OutOfResources": "runtime.errors",
    "TensorWrapper": "runtime.program.tensors", "TritonError": "errors", "aggregate": "language.core", "autotune": "runtime.autotuner", "cache_stats": "runtime.ahead", "cdiv": "rounding",
    "compile": "compiler.compiler", "compiled_kernels": "runtime.launch.compiled",
    "constexpr_function": "runtime.program.constexpr_function", "explain": "runtime.explanation", "freeze": "runtime.ahead",
    "get_device": "runtime.devices", "heuristics": "runtime.tune.heuristics", "install_as_triton": "stand_in",
    "is_frozen": "runtime.ahead", "jit": "runtime.jit", "load_bundle": "runtime.ahead", "must_use_result": "language.core", "next_power_of_2": "rounding",
    "reinterpret": "runtime.program.tensors", "set_allocator": "runtime._allocation", "set_device": "runtime.devices",
    "thaw": "runtime.ahead",
}
_MODULES = ("backends", "compiler", "errors", "knobs", "language", "runtime", "testing", "tools")

__all__ = [*_HOMES, *_MODULES, "triton_version", "version"]


def version() -> str:
    """The version of Tegula: `__version__`."""
    from . import _native  # the library, which `import tegula` does not load

    return _native.version()


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module("." + _HOMES[name], __name__), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name == "__version__":
        return version()
    if name == "triton_version":
        from .imitated import full_version  # as all names: `import tegula` is to be quick

        return full_version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
