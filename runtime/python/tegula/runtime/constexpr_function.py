"""`constexpr_function`: functions of Python that kernels call while they are compiled."""

from __future__ import annotations

import dis
import functools
import inspect
import textwrap
from typing import Any, Callable, Iterator

from .kernel_interface import JITCallable


class ConstexprFunction(JITCallable):
    """A function of Python that kernels call with values known when they are compiled."""

    __name__: str

    def __init__(self, fn: Callable[..., Any]):
        self.fn = fn
        functools.update_wrapper(self, fn)

    @property
    def src(self) -> str:
        try:
            return textwrap.dedent(inspect.getsource(self.fn))
        except (OSError, TypeError):  # typed in, or not written in Python
            return repr(self.fn)

    def names_used(self) -> Iterator[tuple[dict[str, Any], str]]:
        """The globals that the function may read."""
        inner = inspect.unwrap(self.fn)
        if not inspect.isfunction(inner):
            return
        codes = [inner.__code__]
        for code in codes:
            read = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
            yield from ((inner.__globals__, name) for name in sorted(read) if name in inner.__globals__)
            codes += [const for const in code.co_consts if inspect.iscode(const)]

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """As a method, which functions of the host call with `self`; kernels call those of the class."""
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from ..language.core import _unwrap_if_constexpr

        return self.fn(*map(_unwrap_if_constexpr, args),
                       **{name: _unwrap_if_constexpr(value) for name, value in kwargs.items()})


def constexpr_function(fn: Callable[..., Any]) -> ConstexprFunction:
    """Decorates a function of Python: kernels call it while they are compiled, with known values."""
    return ConstexprFunction(fn)
