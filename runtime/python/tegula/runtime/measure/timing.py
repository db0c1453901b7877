"""Clocks for kernels: CUDA events through PyTorch or through the driver, or the host's clock.

A clock has `mark()`, which notes a moment of the current stream, `between(a, b)` in milliseconds, `wait()` for all work,
and `flush()`, which displaces what the L2 cache holds.
"""

from __future__ import annotations

import ctypes
import time
from typing import Any, Callable, Union

from ...backends.nvidia import cuda
from ...backends.nvidia.driver import device_kind
from ..devices import torch_with_cuda
from ..driver import driver

#: Larger than any L2 cache.
_FLUSHED_BYTES = 256 << 20


class TorchClock:
    """Events of PyTorch on its current stream."""

    def __init__(self, torch: Any):
        self.torch = torch
        self.driver: Any = driver.active
        self.cache = self.driver.get_empty_cache_for_benchmark()

    def mark(self) -> Any:
        event = self.torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def between(self, begin: Any, end: Any) -> float:
        return begin.elapsed_time(end)

    def wait(self) -> None:
        self.torch.cuda.synchronize()

    def flush(self) -> None:
        self.driver.clear_cache(self.cache)


class _CudaEvent(ctypes.c_void_p):
    """An event of the driver, destroyed with the object."""

    def __del__(self) -> None:
        if self:
            cuda.library().cuEventDestroy_v2(self)  # type: ignore[union-attr]


class CudaClock:
    """Events of the driver on the default stream of the current context, or of the first device's where none is."""

    def __init__(self) -> None:
        self.cuda: Any = cuda.library()
        context = ctypes.c_void_p()
        cuda.check(self.cuda.cuCtxGetCurrent(ctypes.byref(context)), "cuCtxGetCurrent")
        if not context:
            cuda.check(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), "cuDevicePrimaryCtxRetain")
            cuda.check(self.cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
        self.cache = ctypes.c_uint64()
        cuda.check(self.cuda.cuMemAlloc_v2(ctypes.byref(self.cache), ctypes.c_size_t(_FLUSHED_BYTES)), "cuMemAlloc")

    def mark(self) -> _CudaEvent:
        event = _CudaEvent()
        cuda.check(self.cuda.cuEventCreate(ctypes.byref(event), 0), "cuEventCreate")
        cuda.check(self.cuda.cuEventRecord(event, None), "cuEventRecord")
        return event

    def between(self, begin: _CudaEvent, end: _CudaEvent) -> float:
        milliseconds = ctypes.c_float()
        cuda.check(self.cuda.cuEventElapsedTime(ctypes.byref(milliseconds), begin, end), "cuEventElapsedTime")
        return milliseconds.value

    def wait(self) -> None:
        cuda.check(self.cuda.cuCtxSynchronize(), "cuCtxSynchronize")

    def flush(self) -> None:
        words = ctypes.c_size_t(_FLUSHED_BYTES // 4)
        cuda.check(self.cuda.cuMemsetD32Async(self.cache, 0, words, None), "cuMemsetD32Async")

    def __del__(self) -> None:
        if getattr(self, "cache", None):
            self.cuda.cuMemFree_v2(self.cache)


class HostClock:
    """The host's clock, where launches return when the kernel has ended."""

    def mark(self) -> float:
        return time.perf_counter()

    def between(self, begin: float, end: float) -> float:
        return (end - begin) * 1e3

    def wait(self) -> None:
        pass

    def flush(self) -> None:
        pass


Clock = Union[TorchClock, CudaClock, HostClock]


def clock() -> Clock:
    """The clock that fits to where kernels run."""
    if device_kind() != "cuda":
        return HostClock()
    torch = torch_with_cuda()
    return TorchClock(torch) if torch else CudaClock()


def timed(watch: Clock, count: int, launch: Callable[[], Any], prepare: Callable[[], Any] | None = None) -> list[float]:
    """Milliseconds of each of so many launches, before which `prepare` is called and the L2 cache flushed."""
    marks: list[tuple[Any, Any]] = []
    for _ in range(count):
        if prepare is not None:
            prepare()
        watch.flush()
        begin = watch.mark()
        launch()
        marks.append((begin, watch.mark()))
    watch.wait()
    return [watch.between(begin, end) for begin, end in marks]


def quantile(times: list[float], share: float) -> float:
    """The value below which `share` of the times lie, between two of them as far as it is between their places."""
    ordered = sorted(times)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def summary(times: list[float], quantiles: Any, return_mode: str) -> Any:
    """Returns the result of a benchmark: the quantiles asked for, one alone as a number, or the statistic
    `return_mode`."""
    if quantiles is not None:
        found = [quantile(times, share) for share in quantiles]
        return found[0] if len(found) == 1 else found
    if return_mode == "all":
        return times
    if return_mode == "mean":
        return sum(times) / len(times)
    return quantile(times, {"min": 0.0, "median": 0.5, "max": 1.0}[return_mode])


RETURN_MODES = ("min", "max", "mean", "median", "all")
