"""`ir`: the part of Triton's extension module by which programs have a kernel's IR made, to walk it; see `compiler/walk`."""

from __future__ import annotations

from typing import Any


class context:
    """The library makes its own at each compilation; this one is handed through."""


class ir:
    """Namespace."""

    context = context

    @staticmethod
    def load_dialects(into: Any) -> None:
        """The library has loaded them."""
