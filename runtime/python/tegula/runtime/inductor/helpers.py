"""Functions of PyTorch's Inductor that kernels call: what they get here of those that run inside Triton's compiler, and of
those that say in many steps what the compiler has one for."""

from __future__ import annotations

import hashlib
from typing import Any

import tegula.language as tl

from ...rounding import next_power_of_2
from ..jit import JITFunction, jit
from ..program.constexpr_function import constexpr_function

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


def _butterfly(input: Any, axis: Any, mask: Any = None) -> Any:
    """In kernels: elements whose places along `axis` differ by the bits of `mask` change places."""


def _axis_index(input: Any, axis: Any = None) -> Any:
    """In kernels: each element's number along `axis`."""


for function in (_butterfly, _axis_index):
    function.__tegula_name__ = f"triton.language.{function.__name__}"  # type: ignore[attr-defined]


@jit
def _compare_and_swap_with_index(x, idxs, rnumel, flip, i, n_dims, stable, descending):  # type: ignore[no-untyped-def]
    # PyTorch's finds the two of a pair by sums of products with masks, four for each step. Here they change places.
    axis: tl.constexpr = len(x.shape) - 1  # type: ignore[assignment]
    bit: tl.constexpr = 1 << (n_dims - i - 1)
    is_right = (_axis_index(x, axis) & bit) != 0
    other = _butterfly(x, axis, bit)
    other_index = _butterfly(idxs, axis, bit)
    left, right = tl.where(is_right, other, x), tl.where(is_right, x, other)
    left_index, right_index = tl.where(is_right, other_index, idxs), tl.where(is_right, idxs, other_index)
    if descending:
        swaps = left < right
    else:
        swaps = left > right
    if x.dtype.is_floating():
        # NaN is larger than all numbers.
        left_is_nan, right_is_nan = left != left, right != right
        if descending:
            swaps = swaps | (right_is_nan & ~left_is_nan if stable else right_is_nan)
        else:
            swaps = swaps | (left_is_nan & ~right_is_nan if stable else left_is_nan)
    if stable:
        same = left == right
        if x.dtype.is_floating():
            same = same | (left_is_nan & right_is_nan)
        swaps = swaps | (same & (left_index > right_index))
    if rnumel is not None:
        # Padding of the block comes after everything that is sorted.
        left_counts, right_counts = left_index < rnumel, right_index < rnumel
        swaps = (right_counts & ~left_counts) | ((right_counts == left_counts) & swaps)
    swaps = (swaps ^ flip).to(tl.int1)
    return tl.where(swaps, other, x), tl.where(swaps, other_index, idxs)


#: Functions of PyTorch's that are written anew, by name and by a digest of the source that does the same: PyTorch 2.11's.
_REWRITTEN = {("_compare_and_swap_with_index", "1ae46a8badb50e35"): _compare_and_swap_with_index}


def digest_of(function: JITFunction[Any]) -> str:
    return hashlib.sha256(function.src.encode()).hexdigest()[:16]


def rewrite_for_inductor(function: JITFunction[Any]) -> JITFunction[Any]:
    """Returns our version of a function of Inductor's helpers; itself where it is no such function or another version of
    it."""
    if function.__module__ != _HELPERS:
        return function
    found: JITFunction[Any] = _REWRITTEN.get((function.__name__, digest_of(function)), function)
    return found


def counterpart(value: Any) -> Any:
    """Returns the stand-in for a function marked as `__triton_builtin__`; itself where it is none of these functions."""
    # The decorator leaves a function without a name of its own round the one that has it.
    cells = (cell.cell_contents for cell in getattr(value, "__closure__", None) or ())
    for inner in (value, *cells):
        found = _OURS.get((getattr(inner, "__module__", ""), getattr(inner, "__name__", "")))
        if found is not None:
            return found
    return value
