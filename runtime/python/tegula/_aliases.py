"""Modules under other names than their own: a class is the same whichever way it was imported."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
from types import CodeType, ModuleType
from typing import Mapping, Sequence


class AliasLoader(importlib.abc.Loader):
    """Loads the module `own` by another name."""

    def __init__(self, own: str):
        self._own = own

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._own)
        # The import machinery is about to write what `exec_module` puts back.
        spec.loader_state = (module.__spec__, getattr(module, "__loader__", None))
        return module

    def get_code(self, fullname: str) -> CodeType | None:
        """Returns the code of the module, which `python -m` runs as a program."""
        spec = importlib.util.find_spec(self._own)
        loader = spec.loader if spec is not None else None
        return loader.get_code(self._own) if isinstance(loader, importlib.abc.InspectLoader) else None

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        if spec is not None and spec.loader is self:
            module.__spec__, loader = spec.loader_state
            module.__loader__ = loader


def spec_of(name: str, own: str) -> importlib.machinery.ModuleSpec | None:
    """Returns the spec by which the import system finds the module `own` under `name`. None where there is no such
    module."""
    try:
        found = importlib.util.find_spec(own)
    except (ModuleNotFoundError, ValueError):
        return None
    if found is None:
        return None
    return importlib.machinery.ModuleSpec(name, AliasLoader(own), origin=found.origin,
                                          is_package=found.submodule_search_locations is not None)


class MovedFinder(importlib.abc.MetaPathFinder):
    """Finds modules by the names that they had: pickles of earlier versions have those."""

    def __init__(self, moved: Mapping[str, str]):
        self._moved = moved

    def find_spec(self, name: str, path: Sequence[str] | None = None,
                  target: ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
        return spec_of(name, self._moved[name]) if name in self._moved else None
