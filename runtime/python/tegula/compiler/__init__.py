"""Compiling without a launch, and what compiling raises. Names are imported when they are first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..runtime.launch.compiled import CompiledKernel as CompiledKernel, LazyDict as LazyDict
    from .compiler import (ASTSource as ASTSource, IRSource as IRSource, compile as compile, get_cache_key as get_cache_key,
                           make_backend as make_backend, max_shared_mem as max_shared_mem)
    from .errors import (CompilationError as CompilationError, CompileTimeAssertionFailure as CompileTimeAssertionFailure,
                         UnsupportedLanguageConstruct as UnsupportedLanguageConstruct)

_HOMES = {
    "ASTSource": ".compiler", "IRSource": ".compiler", "get_cache_key": ".compiler", "CompilationError": ".errors", "CompileTimeAssertionFailure": ".errors",
    "CompiledKernel": "..runtime.launch.compiled", "LazyDict": "..runtime.launch.compiled",
    "UnsupportedLanguageConstruct": ".errors", "compile": ".compiler", "make_backend": ".compiler",
    "max_shared_mem": ".compiler",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name], __name__), name)
        globals()[name] = value
        return value
    if name in ("code_generator", "compiler", "errors"):
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
