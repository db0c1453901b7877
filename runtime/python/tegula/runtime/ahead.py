"""Kernels compiled ahead of time, and the promise that nothing is compiled any more.

    TEGULA_RECORD=specs.jsonl python serve.py --warm-up        # writes what it compiles
    tegula bundle specs.jsonl --arch=sm_90a -o kernels.tgb

    tegula.load_bundle("kernels.tgb", preload=True)
    tegula.freeze()
"""

from __future__ import annotations

import os

from .. import _native
from .devices import get_device


def load_bundle(path: str | os.PathLike[str], preload: bool | None = None) -> int:
    """Takes kernels from a file that `tegula bundle` wrote, before they are looked for in the cache or compiled. What a kernel
    says and means decides, not where its file is. With `preload`, which after `freeze` is the default, all kernels that are
    compiled for the current device are loaded there now; the result is how many were, else 0.

    Raises `ValueError` for a file that is no bundle, or is of another version of Tegula."""
    _native.load_bundle(os.fspath(path))
    if preload if preload is not None else _native.is_frozen():
        return _native.load_kernels_of_bundles(get_device())
    return 0


def freeze() -> None:
    """From now on a launch must find its kernel compiled, tuned and loaded: `FrozenError` says what is missing. Nothing is
    unloaded. TEGULA_FROZEN=1 freezes from the beginning."""
    _native.freeze()


def thaw() -> None:
    """Ends what `freeze` began."""
    _native.thaw()


def is_frozen() -> bool:
    """Returns True from `freeze` to `thaw`."""
    return _native.is_frozen()


def cache_stats() -> dict[str, int]:
    """Returns counts since the process began: kernels `compiled`, `from_disk` and `from_bundle`; choices `tuned` by measuring
    and `tuned_before`; kernels made again `without_maps` because no tensor map describes an argument. TEGULA_CACHE_STATS=1
    prints each of them as it comes, with its reason."""
    return _native.cache_counts()
