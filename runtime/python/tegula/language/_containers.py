"""`tl.tuple` and `tl.slice`: Python's, under the names that kernels use. Aggregates."""

from __future__ import annotations

import builtins
from typing import Any

from ._stub import builtin, language_class


@language_class
class tuple(builtins.tuple):
    """Values of different types side by side; in kernels every tuple is one."""


@language_class
class slice:
    """The three numbers of `start:stop:step`."""

    def __init__(self, start: Any, stop: Any, step: Any):
        self.start, self.stop, self.step = start, stop, step


def _aggregate(cls: type) -> type:
    """Marks a class whose objects kernels make and pass about: annotated fields, set in `__init__`, and jit functions."""
    cls.__triton_aggregate__ = True  # type: ignore[attr-defined]
    return cls


@builtin
def aggregate_replace(instance: Any, **changes: Any) -> Any:
    """A value of the same class as `instance`, with other values of the fields that are named."""
