"""Classes of things launched as `kernel[grid](...)`: functions of `jit`, and the tuners and heuristics round them."""

from __future__ import annotations

import functools
from typing import Any, Callable, Generic, TypeVar

from ... import _native
from .._async_compile import active_mode
from .tensors import MockTensor

T = TypeVar("T")


class JITCallable:
    """Base of functions that kernels call: those of `jit`, and functions of the host called while a kernel is compiled."""

    #: A digest of the source and of all that it uses.
    cache_key: Any


class KernelInterface(Generic[T]):
    """Whatever is launched as `kernel[grid](...)`: it has `run`."""

    run: Any

    def warmup(self, *args: Any, grid: Any = (1,), **kwargs: Any) -> Any:
        """Compiles for these arguments and launches nothing; a dtype of PyTorch stands for a tensor. In an
        `AsyncCompileMode` others compile it."""
        run = functools.partial(self.run, *map(MockTensor.wrap_dtype, args), grid=grid, warmup=True, **kwargs)
        mode = active_mode.get()
        return run() if mode is None else mode.submit(run)

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)


def unwrapped(value: Any) -> Any:
    """The function of `jit` within tuners and heuristics, None for what is no kernel."""
    while not isinstance(value, _native.Function):
        if not isinstance(value, KernelInterface):
            return None
        value = getattr(value, "fn", None)
    return value
