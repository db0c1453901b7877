"""Threads in the place of Inductor's worker processes.

Inductor starts as many processes as there are cores, each of which imports PyTorch, for Triton compiles in Python. Tegula
compiles without the GIL: threads of this process do, at once and without what processes cost. All configs of a kernel
are begun when Inductor first hands its source out; what Inductor does then finds them compiled.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from types import ModuleType
from typing import Any, Callable

from ...compiler import pending
from ...compiler.compiler import ASTSource, GPUTarget, compile_now

#: A program that says how to start workers wants workers.
_WANTS_WORKERS = "TORCHINDUCTOR_WORKER_START"


class InductorThreads(Executor):
    """The executor of `AsyncCompile.process_pool()`. A kernel's configs go to threads; other tasks are short, and done at
    once."""

    def __init__(self, threads: int):
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="tegula-compile")
        # A program that ends waits for what is being compiled, not for all that it was going to try.
        at_exit = getattr(threading, "_register_atexit", None)  # before threads are waited for; `atexit` comes after
        if at_exit is not None:
            at_exit(self._threads.shutdown, wait=False, cancel_futures=True)

    def submit(self, task: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        try:
            if getattr(task, "__name__", "") == "_worker_compile_triton":
                self._begin(future, args[0])
            else:
                future.set_result(task(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def _begin(self, future: Future[Any], load_kernel: Callable[[], Any]) -> None:
        """`future` becomes the kernel and how many microseconds it took, or what was wrong with all of its configs."""
        start, kernel = time.monotonic(), load_kernel()
        begun = [self._begin_config(kernel, config) for config in kernel.configs or ()]
        left, lock = len(begun), threading.Lock()

        def one_is_done(_: Any) -> None:
            nonlocal left
            with lock:
                left -= 1
                if left > 0:
                    return
            if any(each.cancelled() for each in begun):  # the process ends
                return
            errors = [each.exception() for each in begun]
            if begun and all(errors):
                future.set_exception(errors[0])
            else:
                future.set_result((kernel, int((time.monotonic() - start) * 1e6)))

        for each in begun:
            each.add_done_callback(one_is_done)
        if not begun:  # it was compiled before
            one_is_done(None)

    def _begin_config(self, kernel: Any, config: Any) -> Future[Any]:
        told = kernel._create_compile_meta(config)
        src = ASTSource(kernel.fn, told["signature"], told["constants"], told["configs"][0])
        target = GPUTarget(told["device_type"], told["cc"], 32)
        return pending.begin(self._threads, compile_now, src, target, kernel._create_compile_options(config, told))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)


def install(async_compile: ModuleType) -> None:
    """Called with `torch._inductor.async_compile` when it is imported."""
    if _WANTS_WORKERS in os.environ:
        return

    @functools.lru_cache(1)  # as what it stands for: a child of a fork clears it
    def process_pool() -> InductorThreads:
        return InductorThreads(async_compile.get_compile_threads())

    async_compile.AsyncCompile.process_pool = staticmethod(process_pool)
