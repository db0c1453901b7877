"""The parts of Triton's extension module that programs use: `ir`, by which they have a kernel's IR made, to walk it (see
`compiler/walk`), and a few functions. Parts of Triton's own compiler are not here, and the error says what there is
instead."""

from __future__ import annotations

import os
from typing import Any

from .._environment import getenv, getenv_bool
from ..runtime.launch.specialization import native_specialize_impl
from . import nvidia

__all__ = ["get_cache_invalidating_env_vars", "getenv", "getenv_bool", "ir", "native_specialize_impl", "nvidia"]

#: Variables that decide about the code of kernels.
_DECIDE = ("TEGULA_ARCH", "TEGULA_WITHOUT", "TEGULA_TRITON_VERSION", "TRITON_ALLOW_NON_CONSTEXPR_GLOBALS", "TRITON_DEBUG",
           "TRITON_DEFAULT_FP_FUSION", "TRITON_F32_DEFAULT", "TRITON_OVERRIDE_ARCH", "TRITON_SANITIZE_OVERFLOW")


def get_cache_invalidating_env_vars() -> dict[str, str]:
    """The variables that decide about the code of kernels, those that are set."""
    return {name: os.environ[name] for name in _DECIDE if name in os.environ}


class context:
    """The library makes its own at each compilation; this one is handed through."""


class ir:
    """Namespace."""

    context = context

    @staticmethod
    def load_dialects(into: Any) -> None:
        """The library has loaded them."""


_INSTEAD = {
    "passes": "kernels are compiled by `triton.compile(ASTSource(...))`, whose `asm` has the texts of all stages",
    "llvm": "kernels are compiled by `triton.compile(ASTSource(...))`, whose `asm[\"llir\"]` is LLVM's IR",
    "interpreter": "kernels run on Tegula's interpreter with TEGULA_DEVICE=interpret or TRITON_INTERPRET=1",
    "gluon_ir": "Gluon is not compiled: kernels are written in `triton.language`",
    "linear_layout": "`asm[\"ttgir\"]` tells the layouts of a kernel",
    "amd": "kernels are compiled for GPUs of NVIDIA",
    "proton": "`knobs.runtime` has hooks for profilers",
}


def __getattr__(name: str) -> Any:
    if name in _INSTEAD:
        raise ImportError(f"`{name}` belongs to Triton's own compiler, and Tegula is in its place: {_INSTEAD[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
