"""Launching and tuning. Names are imported when they are first asked for.

`runtime.driver` is the module; it has what Triton's object of that name has (`active`, `set_active`).
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from .._aliases import MovedFinder

if TYPE_CHECKING:
    from . import driver as driver
    from .autotuner import Autotuner as Autotuner, autotune as autotune
    from .tune.config import Config as Config
    from .errors import InterpreterError as InterpreterError, OutOfResources as OutOfResources, PTXASError as PTXASError
    from .tune.heuristics import Heuristics as Heuristics, heuristics as heuristics
    from .jit import JITFunction as JITFunction
    from .program.kernel_interface import KernelInterface as KernelInterface
    from .program.tensors import MockTensor as MockTensor, TensorWrapper as TensorWrapper, reinterpret as reinterpret

__tegula_name__ = "triton.runtime"

_HOMES = {
    "Autotuner": "autotuner", "Config": "tune.config", "Heuristics": "tune.heuristics", "InterpreterError": "errors",
    "JITFunction": "jit", "KernelInterface": "program.kernel_interface", "MockTensor": "program.tensors", "OutOfResources": "errors",
    "PTXASError": "errors", "TensorWrapper": "program.tensors", "autotune": "autotuner", "heuristics": "tune.heuristics",
    "reinterpret": "program.tensors",
}
_MODULES = ("autotuner", "build", "cache", "driver", "errors", "interpreter", "jit")

#: Where modules are now that stood in this folder, and are named by pickles.
_MOVED = {
    "launch": ("compilation", "compiled"),
    "program": ("constexpr_function", "parameters", "source", "tensors", "tuples"),
    "tune": ("config", "heuristics"),
}
sys.meta_path.append(MovedFinder({f"{__name__}.{name}": f"{__name__}.{room}.{name}" for room, names in _MOVED.items()
                                  for name in names}))

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
