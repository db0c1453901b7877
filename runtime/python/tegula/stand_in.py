"""Tegula in the place of `triton`: every `import triton` of this process and of its children finds Tegula.

A folder with a small package `triton` comes first on the path. Its modules are those of Tegula under other names, so
that a class is the same whichever way it was imported.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import os
import sys
from types import ModuleType
from typing import Any, Callable, Sequence

import tegula

from . import imitated
from ._aliases import spec_of

#: The folder that holds the package `triton`, and for each version that may be imitated a folder with what installers
#: know of it.
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_stand_in")

#: What kernels refer to. Tools that write kernels anew import these by the module that they name.
_SEEN_BY_KERNELS = "tegula.language"


#: The module of PyTorch's that starts workers which compile.
_STARTS_WORKERS = "torch._inductor.async_compile"


class _FollowedLoader(importlib.abc.Loader):
    """Loads a module as its own loader does, and then does something to it."""

    def __init__(self, own: Any, then: Callable[[ModuleType], None]):
        self._own = own
        self._then = then

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self._own.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        self._own.exec_module(module)
        self._then(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)


def _use_threads(async_compile: ModuleType) -> None:
    from .runtime.inductor import threads  # and the whole compiler with them, which only this program needs

    threads.install(async_compile)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds `triton.X` as `tegula.X`, and Inductor's workers as threads."""

    def find_spec(self, name: str, path: Sequence[str] | None = None,
                  target: ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
        if name == _STARTS_WORKERS:
            others = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
            spec = next((found for found in others if found is not None), None)
            if spec is not None and spec.loader is not None:
                spec.loader = _FollowedLoader(spec.loader, _use_threads)
            return spec
        if not name.startswith("triton."):
            return None
        return spec_of(name, "tegula." + name[len("triton."):])


def become_triton(module: ModuleType) -> None:
    """Called by the package `triton` of FOLDER when it is imported."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    module.__version__ = imitated.full_version()  # type: ignore[attr-defined]
    module.__doc__ = tegula.__doc__
    module.__all__ = list(getattr(tegula, "__all__", []))  # type: ignore[attr-defined]
    setattr(module, "__getattr__", lambda name: _attribute(module, tegula, name))
    setattr(module, "__dir__", lambda: sorted({*vars(module), *dir(tegula)}))
    importlib.import_module(_SEEN_BY_KERNELS)
    for name, part in list(sys.modules.items()):
        if name == _SEEN_BY_KERNELS or name.startswith(_SEEN_BY_KERNELS + "."):
            _rename(part)


#: Modules that programs take from `triton` without importing them.
_UNASKED = ("_C.libtriton", "_utils", "runtime.driver")


def _attribute(triton: ModuleType, tegula: ModuleType, name: str) -> Any:
    """Returns an attribute of `triton` on its first use. `triton` keeps it: Inductor asks for `set_allocator` twice a
    launch."""
    for module in _UNASKED:
        if module.partition(".")[0] == name:
            importlib.import_module("triton." + module)
    try:
        value = getattr(tegula, name)
    except AttributeError:
        raise AttributeError(f"module 'triton' has no attribute {name!r}") from None
    setattr(triton, name, value)
    return value


def _rename(part: ModuleType) -> None:
    """Lets functions and classes of a module say that they come from `triton`."""
    for value in vars(part).values():
        home = getattr(value, "__dict__", {}).get("__module__") if isinstance(value, type) else \
            getattr(value, "__module__", None)
        if callable(value) and isinstance(home, str) and home.startswith("tegula."):
            try:
                value.__module__ = "triton." + home[len("tegula."):]
            except (AttributeError, TypeError):
                continue


def _prepend_to_children(folders: Sequence[str]) -> None:
    kept = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder and folder not in folders]
    os.environ["PYTHONPATH"] = os.pathsep.join([*folders, *kept])


def install_as_triton(version: str | None = None) -> None:
    """From now on `import triton` is Tegula, here and in child processes, in the place of this version of Triton, "3.8";
    without one of that which TEGULA_TRITON_VERSION names, or of 3.6. ValueError for a version that is not known.
    RuntimeError where another Triton has been imported already, or Tegula in the place of another version: what was
    imported would be mixed with what is to come."""
    wanted = imitated.version() if version is None else imitated.checked(version)
    loaded = sys.modules.get("triton")
    if loaded is not None:
        if getattr(loaded, "__path__", None) and os.path.dirname(list(loaded.__path__)[0]) == FOLDER:
            if wanted != imitated.version():
                raise RuntimeError(f"Tegula stands in for Triton {imitated.version()} already: ask for {wanted} before "
                                   "anything imports `triton`")
            return
        raise RuntimeError("another `triton` is imported already: call `tegula.install_as_triton()` before anything "
                           "imports it, or run the program by `python -m tegula.as_triton`")
    if version is not None:
        imitated.choose(version)
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [FOLDER, os.path.join(FOLDER, wanted)]
    if os.path.basename(home) not in ("site-packages", "dist-packages"):
        folders.append(home)  # an installed package is found anyway
    sys.path[:0] = folders[:2]
    _prepend_to_children(folders)
    importlib.invalidate_caches()
    importlib.import_module("triton")
    _forget_probes()
    if _STARTS_WORKERS in sys.modules:
        _use_threads(sys.modules[_STARTS_WORKERS])


def _forget_probes() -> None:
    """PyTorch keeps for ever whether it has seen a Triton: if it has looked before, let it look again."""
    probes = sys.modules.get("torch.utils._triton")
    for probe in vars(probes).values() if probes else ():
        if hasattr(probe, "cache_clear"):
            probe.cache_clear()
