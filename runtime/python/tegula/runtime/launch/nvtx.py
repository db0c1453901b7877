"""NVTX ranges around launches, for profilers' time lines: TEGULA_NVTX=1, or `install` at any time."""

from __future__ import annotations

import ctypes
import sys
import warnings
from typing import Any, Callable

from ... import knobs

#: Begins and ends a range.
Ranges = tuple[Callable[[str], Any], Callable[[], Any]]


def find_ranges() -> Ranges | None:
    """Those of PyTorch where it is imported, of the package `nvtx`, or of the library itself; None without any."""
    torch = sys.modules.get("torch")
    found = getattr(getattr(torch, "cuda", None), "nvtx", None)
    if found is not None:
        return found.range_push, found.range_pop
    try:
        import nvtx  # type: ignore[import]
    except ImportError:
        pass
    else:
        return nvtx.push_range, nvtx.pop_range
    for name in ("libnvToolsExt.so.1", "libnvToolsExt.so"):
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        return lambda text: library.nvtxRangePushA(text.encode()), library.nvtxRangePop
    return None


def install(ranges: Ranges | None = None) -> bool:
    """Lets every launch from now on stand in a range with its kernel's name. False, with a warning, where there is nothing
    to make ranges with."""
    ranges = ranges or find_ranges()
    if ranges is None:
        warnings.warn("NVTX ranges were asked for, and neither PyTorch, the package `nvtx` nor libnvToolsExt is here",
                      stacklevel=2)
        return False
    push, pop = ranges
    enter, leave = knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook
    if not isinstance(enter, knobs.HookChain) or not isinstance(leave, knobs.HookChain):
        raise RuntimeError("the hooks of launches are a program's own: it has to make ranges itself")
    enter.add(lambda told: push(told.get()["name"]))
    leave.add(lambda told: pop())
    return True
