"""Kernels of Tegula and of Triton: the same file under each, launched alike."""

import concurrent.futures
import contextlib
import functools
import importlib.util
import os
import sys

import tegula
import torch

from arrays import TYPES
from cases import Tensor


def use_device(plan):
    """Makes the GPU of the plan this thread's."""
    torch.cuda.set_device(plan["device"])


@contextlib.contextmanager
def imported_as_triton(package):
    """Within it `import triton` finds `package`."""
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "triton"}
    sys.modules.update({"triton": package, "triton.language": package.language})
    try:
        yield
    finally:
        for name in ("triton", "triton.language"):
            del sys.modules[name]
        sys.modules.update(kept)


@functools.lru_cache(maxsize=None)
def load_kernel_file(folder, name, package=tegula):
    """A file of kernels and their host sides, for which `package` is Triton. One for the whole run: it has what was
    compiled, and a driver takes longer to assemble than a case to measure."""
    spec = importlib.util.spec_from_file_location(name, os.path.join(folder, f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    with imported_as_triton(package):
        spec.loader.exec_module(module)
    return module


def kernel_of(plan, case, package):
    """Without its configs, which are gone through here and say what its heuristics would compute."""
    kernel = getattr(load_kernel_file(plan["kernels"], case.file, package), case.entry)
    while isinstance(kernel, (package.runtime.Autotuner, package.runtime.Heuristics)):
        kernel = kernel.fn
    return kernel


def options_of(config):
    return {**dict(config.constants), "num_warps": config.warps, "num_stages": config.stages}


def launches_of(plan, case, buffers, package=tegula):
    """A function for each config that launches the kernel, and returns what `package` has compiled."""
    kernel = kernel_of(plan, case, package)
    values = [buffers[name] if isinstance(value, Tensor) else value for name, value in case.arguments.items()]
    return [lambda c=c: kernel[c.programs](*values, **options_of(c)) for c in case.configs]


def warm_up(plan, cases):
    """Compiles and loads all configs of ours, on all cores. What is wrong with one its launch says again."""
    def compile_one(case, config):
        values = [tegula.MockTensor(getattr(torch, TYPES[value.dtype])) if isinstance(value, Tensor) else value
                  for value in case.arguments.values()]
        kernel_of(plan, case, tegula).warmup(*values, grid=config.programs, **options_of(config))

    for name in {case.file for case in cases}:
        load_kernel_file(plan["kernels"], name)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count(), initializer=use_device, initargs=(plan,)) as pool:
        jobs = [pool.submit(compile_one, case, config) for case in cases for config in case.configs]
    return len([job for job in jobs if not job.exception()])
