"""Functions decorated with `core.extern`: they reach the compiler as functions of jit do."""

from __future__ import annotations

from typing import Any, Collection

from .jit import JITFunction


class ExternFunction(JITFunction[Any]):
    """A function that names functions of libraries. Its text may hold dicts, and read all plain globals."""

    #: Of its globals, plain ones too.
    reads_all_globals = True

    def decorator(self, outside: Collection[str] = ()) -> str:
        return "@triton.language.core.extern\n"
