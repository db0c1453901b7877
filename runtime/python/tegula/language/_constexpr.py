"""`tl.constexpr`: what is known when a kernel is compiled, with Python's arithmetic on the host."""

from __future__ import annotations

import operator
from typing import Any, Callable, Generic, TypeVar

from ._stub import language_class
from ._types import base_type

T = TypeVar("T")


class base_value:
    """Base class of every value of the language."""


@language_class
class const:
    """Annotation of a parameter: a pointer to memory that nothing writes while the kernel runs, so that its loads may happen before
    waits for other programs and before stores."""


@language_class
class constexpr_type(base_type):
    """The type of a value known at compile time: the value itself."""

    def __init__(self, value: Any):
        self.value = value

    def mangle(self) -> str:
        return repr(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, constexpr_type) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"constexpr_type[{self.value}]"


@language_class
class constexpr(base_value, Generic[T]):
    """A value known at compile time; as an annotation, a parameter or a local that is one.

    On the host it computes as Python does, and what comes of it is a `constexpr` again. A global of a module that
    kernels read must be one: `BLOCK = tl.constexpr(128)`.
    """

    value: T

    def __init__(self, value: Any):
        while isinstance(value, constexpr):
            value = value.value
        self.value = value

    @property
    def type(self) -> constexpr_type:
        return constexpr_type(self.value)

    def __repr__(self) -> str:
        return f"constexpr[{self.value}]"

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))

    def __index__(self) -> int:
        return operator.index(self.value)  # type: ignore[arg-type]

    def __bool__(self) -> bool:
        return bool(self.value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.value(*args, **kwargs)  # type: ignore[operator]

    def __getitem__(self, *args: Any) -> constexpr:
        keys = tuple(_unwrap_if_constexpr(arg) for arg in args)
        return constexpr(self.value[keys[0] if len(keys) == 1 else keys])  # type: ignore[index]

    def logical_and(self, other: Any) -> constexpr:
        return constexpr(self.value and _unwrap_if_constexpr(other))

    def logical_or(self, other: Any) -> constexpr:
        return constexpr(self.value or _unwrap_if_constexpr(other))

    def _binary(self, other: Any, compute: Callable[[Any, Any], Any]) -> constexpr:
        return constexpr(compute(self.value, _unwrap_if_constexpr(other)))

    def _reflected(self, other: Any, compute: Callable[[Any, Any], Any]) -> constexpr:
        return constexpr(compute(_unwrap_if_constexpr(other), self.value))

    def __add__(self, other: Any) -> constexpr: return self._binary(other, operator.add)
    def __radd__(self, other: Any) -> constexpr: return self._reflected(other, operator.add)
    def __sub__(self, other: Any) -> constexpr: return self._binary(other, operator.sub)
    def __rsub__(self, other: Any) -> constexpr: return self._reflected(other, operator.sub)
    def __mul__(self, other: Any) -> constexpr: return self._binary(other, operator.mul)
    def __rmul__(self, other: Any) -> constexpr: return self._reflected(other, operator.mul)
    def __mod__(self, other: Any) -> constexpr: return self._binary(other, operator.mod)
    def __rmod__(self, other: Any) -> constexpr: return self._reflected(other, operator.mod)
    def __truediv__(self, other: Any) -> constexpr: return self._binary(other, operator.truediv)
    def __rtruediv__(self, other: Any) -> constexpr: return self._reflected(other, operator.truediv)
    def __floordiv__(self, other: Any) -> constexpr: return self._binary(other, operator.floordiv)
    def __rfloordiv__(self, other: Any) -> constexpr: return self._reflected(other, operator.floordiv)
    def __pow__(self, other: Any) -> constexpr: return self._binary(other, operator.pow)
    def __rpow__(self, other: Any) -> constexpr: return self._reflected(other, operator.pow)
    def __lshift__(self, other: Any) -> constexpr: return self._binary(other, operator.lshift)
    def __rlshift__(self, other: Any) -> constexpr: return self._reflected(other, operator.lshift)
    def __rshift__(self, other: Any) -> constexpr: return self._binary(other, operator.rshift)
    def __rrshift__(self, other: Any) -> constexpr: return self._reflected(other, operator.rshift)
    def __and__(self, other: Any) -> constexpr: return self._binary(other, operator.and_)
    def __rand__(self, other: Any) -> constexpr: return self._reflected(other, operator.and_)
    def __or__(self, other: Any) -> constexpr: return self._binary(other, operator.or_)
    def __ror__(self, other: Any) -> constexpr: return self._reflected(other, operator.or_)
    def __xor__(self, other: Any) -> constexpr: return self._binary(other, operator.xor)
    def __rxor__(self, other: Any) -> constexpr: return self._reflected(other, operator.xor)
    def __lt__(self, other: Any) -> constexpr: return self._binary(other, operator.lt)
    def __le__(self, other: Any) -> constexpr: return self._binary(other, operator.le)
    def __gt__(self, other: Any) -> constexpr: return self._binary(other, operator.gt)
    def __ge__(self, other: Any) -> constexpr: return self._binary(other, operator.ge)
    def __eq__(self, other: Any) -> constexpr: return self._binary(other, operator.eq)  # type: ignore[override]
    def __ne__(self, other: Any) -> constexpr: return self._binary(other, operator.ne)  # type: ignore[override]
    def __neg__(self) -> constexpr: return constexpr(-self.value)  # type: ignore[operator]
    def __pos__(self) -> constexpr: return constexpr(+self.value)  # type: ignore[operator]
    def __invert__(self) -> constexpr: return constexpr(~self.value)  # type: ignore[operator]
    def __abs__(self) -> constexpr: return constexpr(abs(self.value))  # type: ignore[arg-type]
    def __not__(self) -> constexpr: return constexpr(not self.value)


def _unwrap_if_constexpr(value: Any) -> Any:
    """The value behind a `constexpr`, in lists and tuples too; everything else as it is."""
    if isinstance(value, constexpr):
        return value.value
    if type(value) in (list, tuple):
        return type(value)(_unwrap_if_constexpr(item) for item in value)
    return value


def _unwrap_shape(shape: Any) -> list:
    """A shape as a list of plain integers."""
    return [_unwrap_if_constexpr(side) for side in _unwrap_if_constexpr(shape)]
