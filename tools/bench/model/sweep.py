"""Measures kernels with many configs on many shapes, for the model that ranks configs to be fitted on and judged by.

    python3 tools/bench/model/sweep.py --output sweep.json
    python3 tools/bench/model/sweep.py --output unseen.json --seed 30

Products of random shapes, some of which have few tiles and a long K, attention, and kernels over rows, each launched with its L2 flushed, as tuners launch them. It
needs the package, PyTorch and a GPU. The file has for each case its kernel, its configs by their number in `configs`, and
the median time of each in microseconds; a config that failed has the reason instead. `judge.py` reads it.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import math
import os
import random
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

import tegula

tegula.install_as_triton()  # before PyTorch, which looks for a `triton`

import torch  # noqa: E402
from calls import call_of  # noqa: E402

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "kernels")

#: Elements of the largest matrix of a random product, so that a case fits any GPU.
MOST_ELEMENTS = 1 << 27
#: Products larger than this take longer than they teach.
MOST_TERMS = 1 << 40


def own_configs() -> list[tuple[dict[str, int], int, int]]:
    """The configs of kernels/matmul.py and others around them: sizes, warps and stages."""
    matmul = importlib.import_module("matmul")
    found = [(dict(config.kwargs), config.num_warps, config.num_stages) for config in matmul.CONFIGS]
    for m, n, k, warps, stages in (
            (64, 64, 32, 4, 4), (64, 64, 64, 4, 5), (64, 64, 128, 4, 3), (64, 64, 64, 8, 3), (64, 128, 32, 4, 4),
            (64, 128, 128, 4, 3), (64, 128, 64, 8, 4), (128, 64, 32, 4, 5), (128, 64, 128, 4, 3), (128, 64, 64, 8, 4),
            (128, 128, 64, 4, 4), (128, 128, 64, 8, 4), (128, 128, 128, 8, 3), (128, 128, 32, 8, 5), (64, 256, 64, 8, 4),
            (64, 256, 32, 4, 4), (256, 64, 64, 4, 4), (256, 64, 64, 8, 3), (128, 256, 32, 8, 4), (256, 128, 32, 8, 4),
            (256, 128, 64, 8, 4), (128, 256, 64, 4, 3), (32, 64, 64, 4, 4), (32, 128, 64, 4, 4), (64, 32, 64, 4, 4),
            (16, 128, 128, 4, 4), (16, 64, 128, 4, 4), (32, 32, 128, 4, 4)):
        one = ({"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k, "GROUP_M": 8}, warps, stages)
        if one not in found:
            found.append(one)
    return found


def random_products(count: int, rng: random.Random) -> list[dict[str, Any]]:
    """Log-uniform sides, most of them multiples of 16 as programs have them; the second matrix also by columns."""
    found = []
    while len(found) < count:
        sides = [2 ** rng.uniform(math.log2(least), 14) for least in (16, 16, 64)]
        step = rng.choice([1, 8, 16, 64, 64, 128])
        m, n, k = (max(step, round(side / step) * step) for side in sides)
        if m * n * k <= MOST_TERMS and max(m * n, m * k, k * n) <= MOST_ELEMENTS:
            found.append({"kernel": "matmul", "shape": [m, n, k], "by_columns": rng.random() < 0.3})
    return found


def long_products(count: int, rng: random.Random) -> list[dict[str, Any]]:
    """Few tiles and a long K, where the blocks of a cluster share each program's loop."""
    found = []
    for _ in range(count):
        m, n = (round(2 ** rng.uniform(8, 10.6) / 64) * 64 for _ in range(2))
        k = round(2 ** rng.uniform(11.5, 14) / 64) * 64
        found.append({"kernel": "matmul", "shape": [m, n, k], "by_columns": rng.random() < 0.3})
    return found


def goal_products() -> list[dict[str, Any]]:
    """The shapes of the tables in kernels/README.md."""
    shapes = ((1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192), (8192, 1024, 4096),
              (256, 8192, 8192), (4096, 4096, 16384), (512, 512, 16384), (768, 768, 8192), (512, 1024, 4096))
    return [{"kernel": "matmul", "shape": list(shape), "by_columns": False} for shape in shapes]


def attentions() -> list[dict[str, Any]]:
    return [{"kernel": "attention", "shape": [heads, n, d], "causal": causal}
            for heads, n, d in ((64, 1024, 64), (16, 4096, 64), (16, 4096, 128), (4, 16384, 128), (8, 1000, 64), (32, 512, 128))
            for causal in (False, True)]


def rows() -> list[dict[str, Any]]:
    return [{"kernel": kernel, "shape": [m, n], "type": dtype}
            for kernel in ("softmax", "layernorm") for dtype in ("float32", "bfloat16")
            for m, n in ((65536, 256), (32768, 1024), (16384, 4096), (8192, 16384), (4096, 12345), (512, 8192), (100, 2048))]


def array_of(pool: dict[Any, Any], name: str, elements: int, dtype: str) -> Any:
    """The first elements of an array that all cases share."""
    kept = pool.get((name, dtype))
    if kept is None or kept.numel() < elements:
        kept = pool[name, dtype] = torch.randn(elements, device="cuda", dtype=torch.float32).to(getattr(torch, dtype))
    return kept[:elements]


def launch_of(case: dict[str, Any], pool: dict[Any, Any]) -> Callable[[dict[str, int], int, int], Any]:
    """Returns a function that launches a case with a config."""
    call = call_of(case, functools.partial(array_of, pool))
    return lambda sizes, *config: call.kernel[call.grid(sizes)](*call.arguments, **call.options(sizes, *config))


def configs_of(kernel: str) -> list[tuple[dict[str, int], int, int]]:
    if kernel == "matmul":
        return own_configs()
    if kernel == "attention":
        return [(dict(config.kwargs), config.num_warps, config.num_stages)
                for config in importlib.import_module("attention").CONFIGS]
    return [({}, warps, 3) for warps in (1, 2, 4, 8, 16, 32)]


def median_time(launch: Callable[[], Any], flushed: Any) -> float:
    """The median time of a launch in microseconds, L2 written over before each."""
    def times(count: int) -> list[float]:
        events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(count)]
        for begin, end in events:
            flushed.zero_()
            begin.record()
            launch()
            end.record()
        torch.cuda.synchronize()
        return [1000 * begin.elapsed_time(end) for begin, end in events]

    first = min(times(2))
    count = max(4, min(13, int(8000 / first)))
    found = sorted(times(count))
    # The device waits between two events while the host pauses: such times are no launch's.
    return statistics.median(found if found[count // 2] < 1.5 * found[0] else sorted(found + times(count))[:count])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", default=os.path.join(os.environ.get("OUT", "."), "sweep.json"))
    parser.add_argument("--seconds", type=float, default=145)
    parser.add_argument("--products", type=int, default=95, help="of random shapes")
    parser.add_argument("--long-products", type=int, default=20, help="besides those, with few tiles and a long K")
    parser.add_argument("--seed", type=int, default=29, help="of the products' shapes")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 4)
    told = parser.parse_args()
    begin = time.monotonic()
    stop_compiling, stop = begin + 0.55 * told.seconds, begin + 0.95 * told.seconds

    sys.path.insert(0, KERNELS)
    rng = random.Random(told.seed)
    cases = [*attentions(), *rows(), *goal_products(), *random_products(told.products, rng),
             *long_products(told.long_products, rng)]
    configs = {kernel: configs_of(kernel) for kernel in ("matmul", "attention", "softmax", "layernorm")}
    times: list[dict[int, Any]] = [{} for _ in cases]
    torch.cuda.init()
    pool: dict[Any, Any] = {}
    for case in sorted(cases, key=lambda case: -math.prod(case["shape"])):
        launch_of(case, pool)  # so that each array of the pool is as large as any case needs
    launches = [launch_of(case, pool) for case in cases]
    torch.cuda.synchronize()
    print(f"arrays after {time.monotonic() - begin:.0f} s", flush=True)

    # Every pair is launched once by many threads: what a first launch compiles is compiled side by side.
    pairs = [(i, j) for i, case in enumerate(cases) for j in range(len(configs[case["kernel"]]))]

    def try_once(pair: tuple[int, int]) -> None:
        i, j = pair
        if time.monotonic() > stop_compiling:
            return
        try:
            launches[i](*configs[cases[i]["kernel"]][j])
            times[i][j] = None
        except Exception as failure:  # a config that does not fit is a finding
            times[i][j] = type(failure).__name__ + ": " + str(failure).splitlines()[0][:80]

    with ThreadPoolExecutor(told.threads, initializer=lambda: torch.zeros(1, device="cuda")) as threads:
        list(threads.map(try_once, pairs))
    try:
        torch.cuda.synchronize()
    except Exception as failure:  # what was found so far is written all the same
        print(f"a launch failed: {failure}", file=sys.stderr)
    print(f"compiled after {time.monotonic() - begin:.0f} s", flush=True)

    flushed = torch.empty(1 << 28, dtype=torch.int8, device="cuda")
    order = list(range(len(cases)))
    random.Random(1).shuffle(order)
    done = 0
    for i in order:
        if time.monotonic() > stop:
            break
        for j in [j for j, known in times[i].items() if known is None]:
            if time.monotonic() > stop:
                break
            try:
                chosen = configs[cases[i]["kernel"]][j]
                times[i][j] = round(median_time(lambda: launches[i](*chosen), flushed), 2)
                done += 1
            except Exception as failure:
                times[i][j] = type(failure).__name__ + ": " + str(failure).splitlines()[0][:80]
    device = torch.cuda.get_device_properties(0)
    found = {"device": device.name, "multiprocessors": device.multi_processor_count,
             "configs": configs,
             "own": len(importlib.import_module("matmul").CONFIGS),  # of the products' configs, the first ones
             "disturbed": [],  # numbers of cases, filled in by hand where no config explains the times
             "cases": [{**case, "times": {str(j): t for j, t in sorted(times[i].items()) if t is not None}}
                       for i, case in enumerate(cases)]}
    with open(told.output, "w") as file:
        json.dump(found, file, separators=(",", ":"))
    failed = sum(isinstance(t, str) for row in times for t in row.values())
    print(f"{device.name}: {done} of {len(pairs)} pairs measured, {failed} failed, {time.monotonic() - begin:.0f} s")
    reasons = sorted({t for row in times for t in row.values() if isinstance(t, str)})
    for reason in reasons[:12]:
        print("  ", reason)
    for kernel in configs:
        spread = [max(known) / min(known) for i, case in enumerate(cases) if case["kernel"] == kernel
                  for known in [[t for t in times[i].values() if isinstance(t, float)]] if known]
        if spread:
            print(f"  {kernel}: {len(spread)} shapes, slowest to fastest config {statistics.geometric_mean(spread):.2f}")


if __name__ == "__main__":
    main()
