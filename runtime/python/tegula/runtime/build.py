"""C that programs bring along, compiled to a module of Python and kept in the folder of the cache. Kernels need none of it."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sysconfig
import tempfile
from types import ModuleType
from typing import Sequence

from .. import knobs
from .cache import get_cache_manager


def _compiler() -> str:
    """The C compiler: CC, or the first of the usual ones. RuntimeError where there is none."""
    found = knobs.build.cc or next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if found is None:
        raise RuntimeError("there is no C compiler: expected one on the path, or the environment variable CC")
    return found


def _build(name: str, src: str, srcdir: str, library_dirs: Sequence[str] = (), include_dirs: Sequence[str] = (),
           libraries: Sequence[str] = (), ccflags: Sequence[str] = ()) -> str:
    """Compiles the C file `src` to the module `name` in `srcdir`, and gives its path. `knobs.build.impl` may do it instead."""
    if knobs.build.impl is not None:
        return knobs.build.impl(name, src, srcdir, list(library_dirs), list(include_dirs), list(libraries))
    path = os.path.join(srcdir, name + (sysconfig.get_config_var("EXT_SUFFIX") or ".so"))
    headers = [sysconfig.get_paths()["include"], srcdir, *include_dirs, *sorted(knobs.build.backend_dirs)]
    command = [_compiler(), src, "-O3", "-shared", "-fPIC", "-Wno-psabi", "-o", path]
    command += [f"-l{library}" if not library.startswith("lib") else f"-l:{library}" for library in libraries]
    command += [f"-L{folder}" for folder in library_dirs] + [f"-I{folder}" for folder in headers] + list(ccflags)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{name}: the C compiler failed:\n{' '.join(command)}\n{done.stderr}")
    return path


def _loaded(name: str, path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RuntimeError(f"expected a module of Python at {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_module_from_src(src: str, name: str, library_dirs: Sequence[str] | None = None, include_dirs: Sequence[str] | None = None,
                            libraries: Sequence[str] | None = None, ccflags: Sequence[str] | None = None) -> ModuleType:
    """The module `name` that this C text defines; compiled once, also for later processes. What is kept and cannot be loaded is
    compiled again."""
    options = [list(given or ()) for given in (library_dirs, include_dirs, libraries, ccflags)]
    suffix = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
    manager = get_cache_manager(hashlib.sha256(repr((src, name, options, suffix)).encode()).hexdigest())
    kept = manager.get_file(name + suffix)
    if kept is not None:
        try:
            return _loaded(name, kept)
        except (ImportError, RuntimeError, OSError):
            pass
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, name + ".c")
        with open(file, "w") as text:
            text.write(src)
        with open(_build(name, file, folder, *options), "rb") as built:
            return _loaded(name, manager.put(built.read(), name + suffix, binary=True))
