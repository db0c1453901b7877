"""`AsyncCompileMode`: within it `kernel.warmup(...)` compiles on the threads of an executor.

    with ThreadPoolExecutor() as threads, triton.AsyncCompileMode(threads):
        for block in (64, 128, 256):
            kernel.warmup(x, y, n, BLOCK=block, grid=(1,))

Launches are what they are: one whose kernel is under way waits for it.
"""

from __future__ import annotations

import functools
from concurrent.futures import Executor, Future
from contextvars import ContextVar
from typing import Any, Callable

from .driver import driver

active_mode: ContextVar[AsyncCompileMode | None] = ContextVar("active_mode", default=None)


class FutureKernel:
    """A `CompiledKernel` that is being compiled. Whatever is asked of it waits."""

    asked: Any = None

    def __init__(self, future: Future[Any]):
        self.future = future

    def result(self, ignore_errors: bool = False) -> Any:
        """The kernel, or None where compiling failed and that is no matter."""
        if ignore_errors and self.future.exception() is not None:
            return None
        return self.future.result()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.result(), name)

    def __getitem__(self, grid: Any) -> Any:
        return self.result()[grid]


class AsyncCompileMode:
    """Leaving it waits for all submitted kernels, and raises the first error unless `ignore_errors` says that launches will
    meet it soon enough. One is active at a time, in a thread or task."""

    def __init__(self, executor: Executor, *, ignore_errors: bool = False):
        self.executor = executor
        self.ignore_errors = ignore_errors
        self._pending: list[FutureKernel] = []
        self._by_key: dict[Any, FutureKernel] = {}

    def submit(self, compile: functools.partial[Any]) -> FutureKernel:
        """Begins a call, unless one with the same arguments was begun."""
        key = _key_of(compile)
        if key in self._by_key:
            return self._by_key[key]

        active: Any = driver.active
        device = active.get_current_device()

        def on_this_device() -> Any:
            active.set_current_device(device)  # which is a thread's own
            return compile()

        kernel = FutureKernel(self.executor.submit(on_this_device))
        kernel.asked = compile  # what the key takes by its identity lives as long
        self._pending.append(kernel)
        self._by_key[key] = kernel
        return kernel

    def __enter__(self) -> AsyncCompileMode:
        if active_mode.get() is not None:
            raise RuntimeError("Another AsyncCompileMode is already active")
        active_mode.set(self)
        return self

    def __exit__(self, kind: type[BaseException] | None = None, *raised: Any) -> None:
        active_mode.set(None)
        pending, self._pending, self._by_key = self._pending, [], {}
        if kind is not None:  # unstarted work need not start, and perhaps no thread is left for it
            pending = [kernel for kernel in pending if not kernel.future.cancel()]
        for kernel in pending:
            kernel.future.exception()  # none is left behind at the error of another
        for kernel in pending if kind is None else ():
            kernel.result(self.ignore_errors)


def _key_of(call: functools.partial[Any]) -> Any:
    """Returns a key that distinguishes calls: plain values by type and value, all others by their identity."""
    values = [*call.args, *call.keywords.values()]
    plain = [value if isinstance(value, (int, float, str, type(None))) else id(value) for value in values]
    return call.func, tuple(call.keywords), tuple(zip(map(type, values), plain))
