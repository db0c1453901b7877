"""Triton's names for kernels that run on its interpreter."""

from __future__ import annotations


class InterpretedFunction:
    """The class of functions of `triton.jit` under TRITON_INTERPRET=1 in Triton. Here nothing is one: a `JITFunction` runs
    on the interpreter as it does on a GPU. It is for programs that ask `isinstance`."""
