"""Measuring and comparing: `do_bench`, `do_bench_cudagraph`, `perf_report`, `assert_close`, and what GPUs can reach.

PyTorch, NumPy, pandas and Matplotlib are used where they are found; only `do_bench_cudagraph` needs the first and
`assert_close` the second.
"""

from __future__ import annotations

import contextlib
import gc
from typing import Any, Callable, Iterator, Sequence

from .runtime.driver import driver
from .runtime.fabric import Fabric
from .runtime.measure.reporting import Benchmark, Mark, perf_report
from .runtime.measure.timing import RETURN_MODES, clock, summary, timed

__all__ = ["Benchmark", "Mark", "assert_close", "cuda_graph_without_gc", "do_bench", "do_bench_cudagraph",
           "do_bench_cudagraph_proton", "do_bench_proton", "fabric", "get_dram_gbps", "get_max_simd_tflops",
           "get_max_tensorcore_tflops", "nvsmi", "perf_report"]


def _summarize_statistics(times: Any, quantiles: Sequence[float] | None, return_mode: str) -> Any:
    """Returns the result of a benchmark from its times; also for programs that time by themselves."""
    _require_mode(return_mode)
    return summary([float(time) for time in times], quantiles, return_mode)


def _require_mode(return_mode: str) -> None:
    if return_mode not in RETURN_MODES:
        raise ValueError(f"expected `return_mode` to be one of {', '.join(RETURN_MODES)}, found {return_mode!r}")


def do_bench(fn: Callable[[], Any], warmup: float = 25, rep: float = 100, grad_to_none: Any = None,
             quantiles: Sequence[float] | None = None, return_mode: str = "mean") -> Any:
    """Measures `fn` in milliseconds: the mean over about `rep` milliseconds of calls and flushes, after `warmup`
    milliseconds.

    Before each call the L2 cache is flushed and the gradients of the tensors `grad_to_none` are dropped. `quantiles`
    asks for those in place of the mean, `return_mode` for "min", "max", "median" or "all" times. Measured with CUDA
    events; on the emulator and the interpreter with the host's clock, which says nothing about a GPU.
    """
    _require_mode(return_mode)
    time: Any = clock()
    fn()
    time.wait()

    def prepare() -> None:
        for tensor in grad_to_none or ():
            tensor.grad = None

    # `warmup` and `rep` are times of whole turns, the flush included, which may take far longer than the call.
    begin = time.mark()
    timed(time, 5, fn)
    end = time.mark()
    time.wait()
    estimate = max(time.between(begin, end) / 5, 1e-6)
    for _ in range(max(1, int(warmup / estimate))):
        fn()
    return summary(timed(time, max(1, int(rep / estimate)), fn, prepare), quantiles, return_mode)


def do_bench_cudagraph(fn: Callable[[], Any], rep: float = 20, grad_to_none: Any = None,
                       quantiles: Sequence[float] | None = None, return_mode: str = "mean") -> Any:
    """As `do_bench`, with the calls recorded in a CUDA graph, so that the host's part in a launch is not measured and
    the L2 cache stays as `fn` leaves it. Needs PyTorch and a GPU."""
    _require_mode(return_mode)
    import torch

    with torch.cuda.stream(torch.cuda.Stream()):
        fn()
        for tensor in grad_to_none or ():
            tensor.detach_()
            tensor.requires_grad_(True)
            tensor.grad = None

        def record(count: int) -> Any:
            graph = torch.cuda.CUDAGraph()
            with cuda_graph_without_gc(graph):
                for _ in range(count):
                    for tensor in grad_to_none or ():
                        tensor.grad = None
                    fn()
            torch.cuda.synchronize()
            return graph

        def replay(graph: Any) -> float:
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            return begin.elapsed_time(end)

        first = record(5)
        replay(first)
        estimate = max(replay(first) / 5, 1e-6)
        count = max(1, int(rep / estimate))
        graph = record(count)
        return summary([replay(graph) / count for _ in range(10)], quantiles, return_mode)


@contextlib.contextmanager
def cuda_graph_without_gc(*args: Any, **kwargs: Any) -> Iterator[Any]:
    """`torch.cuda.graph(...)` with Python's collector off: what it would free while the graph is recorded, an event or a
    block of memory, ends the recording."""
    import torch

    was_on = gc.isenabled()
    gc.disable()
    try:
        with torch.cuda.graph(*args, **kwargs) as graph:
            yield graph
    finally:
        if was_on:
            gc.enable()


def do_bench_proton(fn: Callable[[], Any], warmup: float = 25, rep: float = 100, grad_to_none: Any = None,
                    quantiles: Sequence[float] | None = None, return_mode: str = "mean") -> Any:
    """`do_bench`: Triton's profiler Proton, whose times of kernels Triton takes here, is no part of Tegula."""
    return do_bench(fn, warmup, rep, grad_to_none, quantiles, return_mode)


def do_bench_cudagraph_proton(fn: Callable[[], Any], rep: float = 20, grad_to_none: Any = None,
                              quantiles: Sequence[float] | None = None, return_mode: str = "mean") -> Any:
    """`do_bench_cudagraph`, likewise."""
    return do_bench_cudagraph(fn, rep, grad_to_none, quantiles, return_mode)


def fabric(world: int, *, seed: int = 0, schedules: int = 1, resident_blocks: int = 0, check_pads: bool = True) -> Fabric:
    """Returns `world` ranks in this process, without a GPU: `fabric(4).run(host)` calls `host(group)` for each of them.

    `group.rendezvous(array)` gives what PyTorch's symmetric memory does, so that host code written for that runs unchanged;
    `group.barrier()` and `group.exchange(value)` are for all ranks together. Launches go to the emulator: those of different ranks run
    side by side, and each is done when its host goes on. Accesses of shared arrays that no signal orders are a `KernelFault` with
    both lines and what is missing; so are deadlocks, with what each rank waits for, and with `check_pads` words of signal pads that
    are not zero in the end. `seed` picks the turns, and `schedules` runs all of it under so many seeds from that on.
    `resident_blocks` is how many blocks a device runs at once at most, 0 as many as fit.
    """
    return Fabric(world, seed=seed, schedules=schedules, resident_blocks=resident_blocks, check_pads=check_pads)


def _as_numpy(value: Any) -> Any:
    import numpy

    if hasattr(value, "detach"):  # a tensor of PyTorch
        value = value.detach().cpu()
        if "bfloat16" in str(value.dtype) or "float8" in str(value.dtype):
            value = value.float()
    elif hasattr(value, "get"):  # an array of CuPy
        value = value.get()
    return numpy.asarray(value)


def assert_close(x: Any, y: Any, atol: float | None = None, rtol: float | None = None, err_msg: str = "") -> None:
    """AssertionError unless every |x - y| <= atol + rtol * |y|, for tensors, arrays and numbers; NaNs equal each other.
    `atol` is 0.01 and `rtol` 0 by default; either may be a function of the dtype."""
    import numpy

    actual, expected = _as_numpy(x), _as_numpy(y)
    tolerance = {}
    for name, given, default in (("atol", atol, 1e-2), ("rtol", rtol, 0.0)):
        tolerance[name] = default if given is None else given(actual.dtype) if callable(given) else given
    if actual.size > 1 or expected.size > 1:
        numpy.testing.assert_allclose(actual, expected, err_msg=err_msg, equal_nan=True, **tolerance)
    elif not numpy.allclose(actual, expected, equal_nan=True, **tolerance):
        raise AssertionError(f"{err_msg} {x} is not close to {y} (atol={tolerance['atol']}, rtol={tolerance['rtol']})")


def _properties(device: int | None) -> dict[str, int]:
    return driver.active.get_device_properties(device)  # type: ignore[attr-defined]


def nvsmi(attrs: Sequence[str]) -> list[int]:
    """Returns properties of the first GPU by `nvidia-smi`, as whole numbers: ["clocks.sm", "clocks.mem"]. OSError without
    it."""
    import subprocess

    command = ["nvidia-smi", "-i", "0", f"--query-gpu={','.join(attrs)}", "--format=csv,noheader,nounits"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [int(word) for word in said.replace(",", " ").split()]


def get_dram_gbps(device: int | None = None) -> float:
    """Returns the peak bandwidth of a device's memory, in GB/s, by its clock and the width of its bus."""
    found = _properties(device)
    return found["mem_clock_rate"] * found["mem_bus_width"] * 2 / 1e6 / 8


# Multiply-adds in a clock and multiprocessor by compute capability, of the matrix units with dense 16-bit floats
# and of the float32 units; from NVIDIA's tables of the architectures.
_MATRIX_16BIT = {75: 512, 80: 1024, 86: 512, 89: 512, 90: 2048, 100: 4096, 120: 512}
_FLOAT32 = {75: 64, 80: 64, 86: 128, 89: 128, 90: 128, 100: 128, 120: 128}


def _tflops(table: dict[int, int], share: float, clock_rate: float, device: int | None) -> float:
    found = _properties(device)
    major, minor = driver.active.get_device_capability(device)  # type: ignore[attr-defined]
    known = [capability for capability in table if capability <= major * 10 + minor]
    if not known:
        raise RuntimeError(f"nothing is known about devices of capability {major}.{minor}")
    return 2 * table[max(known)] * share * found["multiprocessor_count"] * clock_rate / 1e9


def _bits(dtype: Any) -> int:
    text = str(dtype)
    if any(name in text for name in ("float8", "fp8", "int8")):
        return 8
    return 16 if "16" in text else 32


def get_max_tensorcore_tflops(dtype: Any, clock_rate: float, device: int | None = None) -> float:
    """Returns the peak rate of a device's matrix units at `clock_rate` kHz with operands of `dtype`, in 10**12 operations
    a second; 32 bits mean tf32."""
    return _tflops(_MATRIX_16BIT, 16 / _bits(dtype), clock_rate, device)


def get_max_simd_tflops(dtype: Any, clock_rate: float, device: int | None = None) -> float:
    """Returns the peak rate of a device's float32 units at `clock_rate` kHz, in 10**12 operations a second; twice that
    with 16 bits."""
    return _tflops(_FLOAT32, 2 if _bits(dtype) == 16 else 1, clock_rate, device)
