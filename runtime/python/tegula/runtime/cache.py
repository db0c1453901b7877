"""The disk cache: where it is, the key of this compiler in it, and how Triton's files are named.

What is in it is the library's business (`tegula cache` lists and trims it); of Python there are only the choices of tuners,
see `tuning_store`.
"""

from __future__ import annotations

import base64
import functools
import os
import sys

from .. import _native, knobs

_told: str | None = None


@functools.lru_cache(maxsize=None)
def triton_key() -> str:
    """A text that changes with every build of the compiler, and that stock Triton never gives."""
    return f"tegula-{_native.version()}-{_native.build_id()}"


def folder_in_use() -> str:
    """The folder that the knobs name now; "" where nothing is to be kept. In a folder that is Triton's it is one of our
    own, so that it is the user's alone, whoever may write beside it."""
    folder = "" if knobs.compilation.always_compile else os.fspath(knobs.cache.dir or "")
    is_triton_s = folder and "dir" not in vars(knobs.cache) and "TEGULA_CACHE_DIR" not in os.environ and \
        folder == os.environ.get("TRITON_CACHE_DIR")
    return os.path.join(folder, "tegula") if is_triton_s else folder


def tell_library() -> None:
    """Tells the library which folder the knobs name. Called before each compilation: a knob may have changed."""
    global _told
    folder = folder_in_use()
    if folder != _told:
        _native.set_cache_folder(folder)
        if _told is None:
            _native.set_assembler_folders(assembler_folders())
        _told = folder


def assembler_folders() -> tuple[str, ...]:
    """Where wheels have put nvJitLink, beside PyTorch: "nvidia/cu13/lib", or "nvidia/nvjitlink/lib" up to CUDA 12."""
    folders = (os.path.join(place, "nvidia", package, "lib") for package in ("cu13", "nvjitlink") for place in sys.path)
    return tuple(dict.fromkeys(folder for folder in folders if os.path.isdir(folder)))


def _base32(key: str) -> str:
    """A hash in hexadecimal digits as letters and digits for file names, without padding."""
    return base64.b32encode(bytes.fromhex(key)).decode().rstrip("=")
