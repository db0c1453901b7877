"""Tuples as arguments of a launch: what they hold is passed one by one, and the kernel puts it together again.

The form of a tuple is the tuple with RUN_TIME in the place of everything that is passed; what is known when compiling
stays. An element that is passed is a parameter of its own: `t__0`, and `t__1__0` where tuples hold tuples.
"""

from __future__ import annotations

from typing import Any, Iterator

from .. import _native


class _RunTime:
    """An argument that a launch passes."""

    def __repr__(self) -> str:
        return "RUN_TIME"

    def __reduce__(self) -> str:
        return "RUN_TIME"


RUN_TIME = _RunTime()
_native.set_run_time_mark(RUN_TIME)


def leaves(name: str, form: Any) -> Iterator[tuple[str, Any]]:
    """What a value of this form holds, with its names: RUN_TIME, or what is known."""
    if not isinstance(form, tuple):
        yield name, form
        return
    for place, item in enumerate(form):
        yield from leaves(f"{name}__{place}", item)


def passed(name: str, form: Any) -> list[str]:
    """The names of the parameters that a value of this form is passed by."""
    return [leaf for leaf, value in leaves(name, form) if value is RUN_TIME]


def known(name: str, form: Any) -> dict[str, Any]:
    """What is known of it when compiling."""
    return {leaf: value for leaf, value in leaves(name, form) if value is not RUN_TIME}


def together(name: str, form: Any) -> str:
    """The expression that makes a value of its leaves."""
    if not isinstance(form, tuple):
        return name
    items = [together(f"{name}__{place}", item) for place, item in enumerate(form)]
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def with_types(name: str, form: Any, types: dict[str, str]) -> Any:
    """The form with the types of its leaves; of what is known "constexpr"."""
    if isinstance(form, tuple):
        return tuple(with_types(f"{name}__{place}", item, types) for place, item in enumerate(form))
    return types.get(name, "constexpr")
