"""Operators of the language in the form of functions."""

from __future__ import annotations

from ._stub import builtin
from ._tensor import Value, tensor


@builtin
def add(x: Value, y: Value, sanitize_overflow: bool = True) -> tensor:
    """`x + y`; with `sanitize_overflow`, kernels compiled for debugging check that integers do not wrap."""


@builtin
def sub(x: Value, y: Value, sanitize_overflow: bool = True) -> tensor:
    """`x - y`; with `sanitize_overflow`, kernels compiled for debugging check that integers do not wrap."""


@builtin
def mul(x: Value, y: Value, sanitize_overflow: bool = True) -> tensor:
    """`x * y`; with `sanitize_overflow`, kernels compiled for debugging check that integers do not wrap."""
