"""Kernels of Tegula and of Triton: the same file under each, launched alike."""

from __future__ import annotations

import concurrent.futures
import contextlib
import importlib.util
import os
import sys
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Callable

import tegula

from cases import Case, Config, Tensor


def _take_triton() -> dict[str, ModuleType]:
    return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "triton"}


@contextlib.contextmanager
def _imported_as_triton(package: Any) -> Iterator[None]:
    """Within it `import triton` finds `package`. Triton itself stays as it is: it imports parts of its own when it is
    used first, which would be others than those that it has."""
    if sys.modules.get("triton") is package:
        yield
        return
    kept = _take_triton()
    sys.modules.update({"triton": package, "triton.language": package.language})
    try:
        yield
    finally:
        _take_triton()
        sys.modules.update(kept)


def _loaded(name: str, path: str, package: Any) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    with _imported_as_triton(package):
        spec.loader.exec_module(module)
    return module


class KernelFiles:
    """The files of kernels and their host sides. Each is loaded once for the whole run: it has what was compiled, and a
    driver takes longer to assemble than a case to measure."""

    def __init__(self, folder: str):
        self.folder = folder
        self._modules: dict[tuple[str, str], ModuleType] = {}
        self._loading = threading.Lock()

    def path(self, name: str) -> str:
        return os.path.join(self.folder, f"{name}.py")

    def module(self, name: str, package: Any = tegula) -> ModuleType:
        """A file for which `package` is Triton."""
        key = name, package.__name__
        with self._loading:
            if key not in self._modules:
                self._modules[key] = _loaded(name, self.path(name), package)
            return self._modules[key]

    def configs(self, file: str, kernel: str) -> list[Config]:
        """Those of the kernel's `triton.autotune`."""
        tuned = getattr(self.module(file), kernel)
        while not isinstance(tuned, tegula.runtime.Autotuner):
            tuned = tuned.fn
        return [Config({name: value for name, value in config.kwargs.items() if type(value) is int}, config.num_warps,
                       config.num_stages) for config in tuned.configs]

    def kernel(self, case: Case, package: Any = tegula) -> Any:
        """Without its configs, which are gone through here and say what its heuristics would compute."""
        kernel = getattr(self.module(case.file, package), case.kernel)
        while isinstance(kernel, (package.runtime.Autotuner, package.runtime.Heuristics)):
            kernel = kernel.fn
        return kernel

    def launches(self, case: Case, buffers: dict[str, Any], package: Any = tegula) -> list[Callable[[], Any]]:
        """A function for each config that launches the kernel, and returns what `package` has compiled."""
        kernel = self.kernel(case, package)
        values = [buffers.get(name, value) for name, value in case.arguments.items()]
        return [lambda c=config: kernel[c.grid](*values, **_options_of(c))  # type: ignore[misc]
                for config in case.configs]

    def compiled(self, case: Case, config: Config) -> Any:
        """The kernel as a launch on aligned arrays would have it, loaded on the current device."""
        values = [tegula.MockTensor(value.dtype) if isinstance(value, Tensor) else value for value in case.arguments.values()]
        return self.kernel(case).warmup(*values, grid=config.grid, **_options_of(config))

    def compile_all(self, cases: list[Case], begin: Callable[[], Any] | None = None) -> list[concurrent.futures.Future[Any]]:
        """The compiled kernel of each config of each case, on all cores; each thread begins with `begin`."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count(), initializer=begin) as pool:
            return [pool.submit(self.compiled, case, config) for case in cases for config in case.configs]


def _options_of(config: Config) -> dict[str, Any]:
    return {**config.values, "num_warps": config.warps, "num_stages": config.stages}
