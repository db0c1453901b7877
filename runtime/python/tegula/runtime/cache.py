"""The disk cache: where it is, the key of this compiler in it, and how Triton's files are named.

What is in it is the library's business (`tegula cache` lists and trims it); of Python there are only the choices of tuners,
see `tune/store`. Kernels of `compile` are written as Triton's files too, for programs that load them from there.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from .. import _native, imitated, knobs
from .file_cache import (CacheManager, FileCacheManager, _base32, get_cache_manager, get_dump_manager, get_override_manager,
                         write_whole)

__all__ = ["CacheManager", "FileCacheManager", "get_cache_key", "get_cache_manager", "get_dump_manager", "get_override_manager",
           "triton_key"]

_library_cache_dir: str | None = None


def triton_key() -> str:
    """A text that changes with every build of the compiler and with the version that is imitated, and that stock Triton
    never gives."""
    return f"tegula-{_native.version()}-{_native.build_id()}-{imitated.version()}"


def get_cache_key(src: Any, backend: Any, backend_options: Any, env_vars: Any) -> str:
    """Returns a compilation's key: of the compiler, the source, the target, its options, and the environment."""
    return f"{triton_key()}-{src.hash()}-{backend.hash()}-{backend_options.hash()}-{sorted(env_vars.items())}"


def folder_in_use() -> str:
    """Returns the folder that the knobs name now; "" where nothing is to be kept. In a folder of Triton's it is one of our
    own, which is the user's alone, whatever other users may write around it."""
    folder = "" if knobs.compilation.always_compile else os.fspath(knobs.cache.dir or "")
    is_triton_s = folder and "dir" not in vars(knobs.cache) and "TEGULA_CACHE_DIR" not in os.environ and \
        folder == os.environ.get("TRITON_CACHE_DIR")
    return os.path.join(folder, "tegula") if is_triton_s else folder


def set_library_cache_dir() -> None:
    """Sets the library's cache folder to that of the knobs. Called before each compilation: a knob may have changed."""
    global _library_cache_dir
    folder = folder_in_use()
    if folder != _library_cache_dir:
        _native.set_cache_folder(folder)
        if _library_cache_dir is None:
            _native.set_assembler_folders(assembler_folders())
            knobs.warn_of_variables()
        _library_cache_dir = folder


def assembler_folders() -> tuple[str, ...]:
    """Returns where PyTorch's wheels have put ptxas ("torch/bin", else that of Triton's), and those that it installs nvJitLink:
    "nvidia/cu13/lib", or "nvidia/nvjitlink/lib" up to CUDA 12."""
    parts = (("torch", "bin"), ("nvidia", "cu13", "bin"), ("triton", "backends", "nvidia", "bin"), ("nvidia", "cu13", "lib"),
             ("nvidia", "nvjitlink", "lib"))
    folders = (os.path.join(place, *part) for part in parts for place in sys.path)
    return tuple(dict.fromkeys(folder for folder in folders if os.path.isdir(folder)))


#: File systems take names of 255 bytes; Triton cuts those of its files there.
_LONGEST_NAME = 150


def keep_as_triton(compiled: Any) -> None:
    """Puts a kernel of `compile` where programs look for Triton's: a folder of TRITON_CACHE_DIR, by the kernel's hash, with
    `NAME.cubin`, `NAME.ptx` and what is known of it in `NAME.json`. Nothing without that variable; no machine code without an
    assembler. What is there already stays."""
    root = os.environ.get("TRITON_CACHE_DIR")
    if not root:
        return
    folder = os.path.join(root, _base32(compiled.hash))
    stem = compiled.name[:_LONGEST_NAME]
    os.makedirs(folder, exist_ok=True)
    metadata = {**compiled.metadata._asdict(), "target": compiled.metadata.target._asdict()}
    texts = {"ptx": compiled.asm["ptx"].encode(), "json": json.dumps(metadata).encode()}
    try:
        texts["cubin"] = compiled.asm["cubin"]
    except RuntimeError:  # loading the kernel finds none, and takes its PTX
        pass
    for kind, content in texts.items():
        path = os.path.join(folder, f"{stem}.{kind}")
        if not os.path.exists(path):
            write_whole(path, content)
