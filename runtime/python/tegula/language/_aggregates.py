"""Aggregates: classes whose objects kernels make and pass about. The compiler reads their source; here are the objects
that Python makes of them."""

from __future__ import annotations

import builtins
import functools
import inspect
import typing
from typing import Any

from ._constexpr import constexpr
from ._containers import tuple
from ._stub import name_in_language


def _aggregate(cls: type) -> type:
    """Marks a class whose objects kernels make and pass about: annotated fields, and functions.

    Without an `__init__` its objects are made of the fields in their order, those of bases first, and do not change.
    """
    cls.__triton_aggregate__ = True  # type: ignore[attr-defined]
    if not any("__init__" in base.__dict__ for base in cls.__mro__[:-1]):
        cls.__init__ = _fill  # type: ignore[misc]
        cls.__setattr__ = _refuse_change  # type: ignore[assignment]
    return cls


def _fields(cls: type) -> list[str]:
    names: dict[str, None] = {}
    for base in reversed(cls.__mro__):
        names.update(dict.fromkeys(inspect.get_annotations(base)))
    return list(names)


@functools.lru_cache(maxsize=None)
def _kinds(cls: type) -> dict[str, Any]:
    """Returns the types of the fields; none where an annotation is an unknown name."""
    try:
        return typing.get_type_hints(cls)
    except NameError:
        return {}


def _held(value: Any) -> Any:
    """Returns what an object stores of an argument: Python's values become constants, in tuples too."""
    if isinstance(value, builtins.tuple):
        names: Any = getattr(value, "_fields", None) or getattr(value, "_names", ())
        return tuple(map(_held, value), names)
    is_python_s = value is None or isinstance(value, (bool, int, float, str, type))
    return constexpr(value) if is_python_s else value


def _fill(self: Any, *args: Any, **kwargs: Any) -> None:
    cls = type(self)
    names, shown = _fields(cls), f"{cls.__name__}.__init__()"
    if len(args) > len(names):
        raise TypeError(f"{shown} takes at most {len(names)} arguments, found {len(args)}")
    given = dict(zip(names, args))
    for name, value in kwargs.items():
        if name not in names:
            raise TypeError(f"{shown} got an unexpected keyword argument {name!r}")
        if name in given:
            raise TypeError(f"{shown} got multiple values for argument {name!r}")
        given[name] = value
    for name in names:
        if name not in given and not hasattr(cls, name):
            raise TypeError(f"{shown} missing required argument: {name!r}")
        value, kind = _held(given.get(name, getattr(cls, name, None))), _kinds(cls).get(name)  # type: ignore[arg-type]
        if isinstance(kind, type) and not isinstance(value, kind):
            raise TypeError(f"expected a {kind.__name__} for the field {name!r} of {cls.__name__}, found {value!r}")
        object.__setattr__(self, name, value)


def _refuse_change(self: Any, name: str, value: Any) -> None:
    raise AttributeError(f"cannot assign to field {name!r} on immutable aggregate {type(self).__name__}: "
                         "make another by `tl.aggregate_replace`")


def aggregate_replace(instance: Any, **changes: Any) -> Any:
    """An object of the same class as `instance`, with other values of the fields that are named."""
    cls = type(instance)
    if not getattr(cls, "__triton_aggregate__", False):
        raise TypeError(f"aggregate_replace() expects an aggregate instance, got {cls.__name__}")
    names = _fields(cls)
    for name in changes:
        if name not in names:
            raise TypeError(f"{cls.__name__} has no field {name!r}")
    return cls(**{**{name: getattr(instance, name) for name in names}, **changes})


aggregate_replace.__triton_builtin__ = True  # type: ignore[attr-defined]
name_in_language(aggregate_replace, __name__)
