"""A function of the language as Python sees it: a name, a signature, a docstring, and an error when called."""

from __future__ import annotations

import functools
import sys
from typing import Any, Callable, NoReturn, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

#: Modules in which a name is found under a dotted name of its own; the others make up `triton.language`.
_OWN_NAMESPACE = ("math", "target_info", "extra.cuda", "extra.libdevice")


def outside_kernel(name: str) -> NoReturn:
    """Says that what `name` stands for exists only while a kernel is compiled. ValueError, as in Triton."""
    raise ValueError(f"`{name}` is part of the language of kernels: it works only inside a function decorated "
                     "with `@jit` (did you forget the decorator?)")


def _namespace(module: str) -> str:
    """The dotted name under which the compiler finds what `tegula.language.X` defines."""
    part = module.partition("tegula.language.")[2]
    return f"triton.language.{part}." if part in _OWN_NAMESPACE else "triton.language."


def builtin(fn: F) -> F:
    """Makes of a signature with a docstring a function of the language.

    Called by Python it raises ValueError. `__tegula_name__` is the name by which the compiler knows it; a function
    that is decorated outside of this package has none, and a kernel that uses it is told so by the compiler.
    """
    shown = _shown_name(fn.__module__, fn.__qualname__)

    @functools.wraps(fn)
    def stub(*args: Any, **kwargs: Any) -> NoReturn:
        outside_kernel(shown)

    stub.__triton_builtin__ = True  # type: ignore[attr-defined]
    name_in_language(stub, fn.__module__)
    return stub  # type: ignore[return-value]


def extern(fn: F) -> F:
    """Decorates a function that kernels call to call a function of a library, by `core.extern_elementwise`.

    Called by Python it raises ValueError. Its source is compiled into kernels, with `_semantic` and `_builder` as None.
    """

    @functools.wraps(fn)
    def stub(*args: Any, **kwargs: Any) -> NoReturn:
        outside_kernel(fn.__qualname__)

    stub.__triton_builtin__ = True  # type: ignore[attr-defined]
    stub.__tegula_extern__ = fn  # type: ignore[attr-defined]
    return stub  # type: ignore[return-value]


def must_use_result(x: Any, s: Any = True) -> Any:
    """Decorates a function whose result a kernel should use: bare, or with a message. A kernel that does not is refused, of
    methods from Triton 3.7 on."""
    if isinstance(x, str):
        return lambda fn: must_use_result(fn, x)
    x._must_use_result = s
    return x


def _shown_name(module: str, qualified: str) -> str:
    space = _namespace(module)[len("triton.language."):] if module.startswith("tegula.") else ""
    return ("tl." if module.startswith("tegula.") else "") + space + qualified


def name_in_language(value: Any, module: str) -> Any:
    """Gives a function or a class of this package the name by which the compiler knows it, and the module in
    which users find it: those whose name begins with `_` only divide `core`."""
    if not module.startswith("tegula.language"):
        return value
    value.__tegula_name__ = _namespace(module) + value.__qualname__
    if module.rpartition(".")[2].startswith("_"):
        value.__module__ = "tegula.language.core"
    return value


C = TypeVar("C", bound=type)


def language_class(cls: C) -> C:
    """A class that kernels know by its name."""
    return name_in_language(cls, cls.__module__)


def language_name(value: Any) -> "str | None":
    """The dotted name ("triton.language.math.exp") under which the compiler knows a function, a class, a module or
    a member of an enumeration of the language; None for every other object, instances of its classes too."""
    if type(value) is type(sys) or isinstance(value, type) or callable(value):
        return getattr(value, "__dict__", {}).get("__tegula_name__")
    owner = type(value).__dict__.get("__tegula_name__")
    name = getattr(value, "_name_", None)  # of a member of an enumeration
    return f"{owner}.{name}" if owner and name else None
