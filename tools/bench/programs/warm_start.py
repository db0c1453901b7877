"""From a decorated function to a loaded kernel, from nothing and where the disk cache has it, compared with Triton.

    python3 tools/bench/programs/warm_start.py [--modules tegula,triton] [--cases add,softmax,matmul] [--rounds 9] [--cold 1]

Each figure is the median of processes of their own, each with PyTorch on a GPU (else NumPy on the emulator), that have
loaded another kernel before; the caches are folders of this run. Milliseconds.
"""

from __future__ import annotations

import argparse
import importlib
import os
import statistics
import subprocess
import sys
import tempfile
import time


def warm(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, n, mask=offsets < n)


def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def softmax(out_ptr, x_ptr, x_stride, out_stride, rows, columns, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        offsets = tl.arange(0, BLOCK)
        mask = offsets < columns
        x = tl.load(x_ptr + row * x_stride + offsets, mask=mask, other=-float("inf"))
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(out_ptr + row * out_stride + offsets, e / tl.sum(e, axis=0), mask=mask)


def matmul(a_ptr, b_ptr, c_ptr, M, N, K, a_m, a_k, b_k, b_n, c_m, c_n, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr, GROUP: tl.constexpr):
    program = tl.program_id(0)
    across = tl.cdiv(N, BN)
    in_group = GROUP * across
    first = program // in_group * GROUP
    high = min(tl.cdiv(M, BM) - first, GROUP)
    m = first + (program % in_group) % high
    n = (program % in_group) // high
    rows = (m * BM + tl.arange(0, BM)) % M
    columns = (n * BN + tl.arange(0, BN)) % N
    inner = tl.arange(0, BK)
    a_ptrs = a_ptr + rows[:, None] * a_m + inner[None, :] * a_k
    b_ptrs = b_ptr + inner[:, None] * b_k + columns[None, :] * b_n
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=inner[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=inner[:, None] < K - k * BK, other=0.0)
        total = tl.dot(a, b, total)
        a_ptrs += BK * a_k
        b_ptrs += BK * b_k
    rows = m * BM + tl.arange(0, BM)
    columns = n * BN + tl.arange(0, BN)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + c_m * rows[:, None] + c_n * columns[None, :], total.to(tl.float16), mask=mask)


#: Arguments behind the three arrays of a kernel, its compile-time values and options.
CASES = {
    "add": (3, "float32", (4096,), dict(BLOCK=1024)),
    "softmax": (2, "float32", (1024, 1024, 16, 1000), dict(BLOCK=1024, STAGES=2, num_warps=8)),
    "matmul": (3, "float16", (512, 512, 512, 512, 1, 512, 1, 512, 1),
               dict(BM=128, BN=128, BK=64, GROUP=8, num_warps=8, num_stages=3)),
}


def array(dtype):
    try:
        import torch
        if torch.cuda.is_available():
            return torch.zeros(1 << 20, dtype=getattr(torch, dtype), device="cuda")
    except ImportError:
        pass
    import numpy
    return numpy.zeros(1 << 20, dtype)


def load(jit, function, arrays, numbers, options):
    compiled = jit(function).warmup(*arrays, *numbers, grid=(1,), **options)
    compiled._init_handles()


def measure(module, case):
    """One figure, in this process."""
    global tl
    triton = importlib.import_module(module)
    tl = importlib.import_module(module + ".language")
    count, dtype, numbers, options = CASES[case]
    arrays = [array(dtype)] * count
    load(triton.jit, warm, arrays[:1], (64,), dict(BLOCK=64))
    begin = time.perf_counter()
    load(triton.jit, globals()[case], arrays, numbers, options)
    print((time.perf_counter() - begin) * 1e3)


def times(module, case, rounds):
    """The figures of as many processes, one after the other, that share a cache which is empty at first."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TEGULA_CACHE_DIR": folder + "/tegula", "TRITON_CACHE_DIR": folder + "/triton"}
        return [float(subprocess.run([sys.executable, __file__, "--measure", module, case], env=environment, check=True,
                                     capture_output=True, text=True).stdout) for _ in range(rounds)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modules", default="tegula,triton")
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--cold", type=int, default=1, help="how many processes begin with an empty cache")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        return measure(*given.measure)
    for case in given.cases.split(","):
        for module in given.modules.split(","):
            cold = [times(module, case, 1 + (0 if more else given.rounds)) for more in reversed(range(given.cold))]
            warm = cold[-1][1:]
            first = statistics.median(each[0] for each in cold)
            print(f"{case:8} {module:8} cold {first:7.2f}" +
                  (f"  from the cache {statistics.median(warm):6.2f}" if warm else ""), flush=True)
    return None


if __name__ == "__main__":
    main()
