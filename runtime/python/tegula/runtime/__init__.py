"""Launching and tuning. Names are imported when they are first asked for.

`runtime.driver` is the module; it has what Triton's object of that name has (`active`, `set_active`).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import driver
    from .autotuner import Autotuner, autotune
    from .config import Config
    from .errors import InterpreterError, OutOfResources, PTXASError
    from .heuristics import Heuristics, heuristics
    from .jit import JITFunction
    from .kernel_interface import KernelInterface
    from .tensors import MockTensor, TensorWrapper, reinterpret

__tegula_name__ = "triton.runtime"

_HOMES = {
    "Autotuner": "autotuner", "Config": "config", "Heuristics": "heuristics", "InterpreterError": "errors",
    "JITFunction": "jit", "KernelInterface": "kernel_interface", "MockTensor": "tensors", "OutOfResources": "errors",
    "PTXASError": "errors", "TensorWrapper": "tensors", "autotune": "autotuner", "heuristics": "heuristics",
    "reinterpret": "tensors",
}
_MODULES = ("autotuner", "build", "cache", "driver", "errors", "interpreter", "jit")

__all__ = [*_HOMES, "driver"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module("." + _HOMES[name], __name__), name)
        # Not where a module has the same name: the import system puts that one here.
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
