"""Functions of PyTorch's Inductor that run inside Triton's compiler: what kernels that call them get here."""

from __future__ import annotations

from typing import Any

from ..rounding import next_power_of_2
from .jit import constexpr_function, jit

_HELPERS = "torch._inductor.runtime.triton_helpers"


@jit
def if_mask(mask, val):  # type: ignore[no-untyped-def]
    if mask is None:
        return None
    else:
        return val


@constexpr_function
def constexpr_next_power_of_2(n: int) -> int:
    return next_power_of_2(n)


_OURS = {(_HELPERS, "if_mask"): if_mask, (_HELPERS, "constexpr_next_power_of_2"): constexpr_next_power_of_2}


def counterpart(value: Any) -> Any:
    """What stands for `value` in a kernel; `value` itself where it is none of these functions."""
    if not getattr(value, "__triton_builtin__", False):
        return value
    # The decorator leaves a function without a name of its own round the one that has it.
    cells = (cell.cell_contents for cell in getattr(value, "__closure__", None) or ())
    for inner in (value, *cells):
        found = _OURS.get((getattr(inner, "__module__", ""), getattr(inner, "__name__", "")))
        if found is not None:
            return found
    return value
