"""`constexpr_function`: functions of Python that kernels call while they are compiled."""

from __future__ import annotations

import ast
import dis
import functools
import hashlib
import inspect
import textwrap
from typing import Any, Callable, Iterator

from ...language.core import _unwrap_if_constexpr
from .kernel_interface import JITCallable


class ConstexprFunction(JITCallable):
    """A function of Python that kernels call with values known when they are compiled."""

    __name__: str

    def __init__(self, fn: Callable[..., Any]):
        self.fn = fn
        self.hash: str | None = None
        self._text: str | None = None
        functools.update_wrapper(self, fn)

    @property
    def src(self) -> str:
        if self._text is not None:
            return self._text
        try:
            return textwrap.dedent(inspect.getsource(self.fn))
        except (OSError, TypeError):  # typed in, or not written in Python
            return repr(self.fn)

    def _unsafe_update_src(self, new_src: str) -> None:
        """Puts another source into the keys of what calls it; what is called stays the function."""
        self._text = new_src
        self.hash = None

    @property
    def cache_key(self) -> str:
        """A digest of the source, of the functions of this kind that it calls and of the globals that it reads. RuntimeError where
        it refers to other functions of the host: what they give depends on what no digest knows."""
        if self.hash is None:
            parts = [self.__module__, self.src]
            for space, name in self.names_used():
                value = space[name]
                parts += [name, value.cache_key if isinstance(value, JITCallable) else repr(value)]
            self._refuse_unknown()
            self.hash = hashlib.sha256(repr(parts).encode()).hexdigest()
        return self.hash

    def _refuse_unknown(self) -> None:
        inner = inspect.unwrap(self.fn)
        paths = ast.walk(ast.parse(self.src)) if self.src != repr(self.fn) and inspect.isfunction(inner) else ()
        for node in paths:
            names: list[str] = []
            while isinstance(node, ast.Attribute):
                names.append(node.attr)
                node = node.value
            if isinstance(node, ast.Name) and node.id in inner.__globals__:
                value = inner.__globals__[node.id]
                for name in reversed(names):
                    value = getattr(value, name, None)
                if inspect.isfunction(value) and not isinstance(value, JITCallable) and not hasattr(value, "__tegula_name__"):
                    raise RuntimeError(f"Unsupported function referenced: {value}")

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
        return self.fn(*map(_unwrap_if_constexpr, args),
                       **{name: _unwrap_if_constexpr(value) for name, value in kwargs.items()})


def constexpr_function(fn: Callable[..., Any]) -> ConstexprFunction:
    """Decorates a function of Python: kernels call it while they are compiled, with known values."""
    return ConstexprFunction(fn)
