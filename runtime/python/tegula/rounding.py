"""Whole numbers rounded up: for grids and block sizes, on the host and in kernels."""

from __future__ import annotations

from typing import Any

from .language.core import _unwrap_if_constexpr


def cdiv(x: Any, y: Any) -> Any:
    """`x` divided by `y`, rounded up."""
    x, y = _unwrap_if_constexpr(x), _unwrap_if_constexpr(y)
    return (x + y - 1) // y


def next_power_of_2(n: Any) -> int:
    """The least power of two that is at least `n`; 0 for 0."""
    n = int(_unwrap_if_constexpr(n))
    return 1 << (n - 1).bit_length() if n > 0 else 0


cdiv.__tegula_name__ = "triton.cdiv"  # type: ignore[attr-defined]
next_power_of_2.__tegula_name__ = "triton.next_power_of_2"  # type: ignore[attr-defined]
