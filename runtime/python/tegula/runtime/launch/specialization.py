"""Facts about an argument that a launch would find, for programs that prepare a compilation by themselves: its type in the
spelling of signatures, and the fact that kernels are compiled for."""

from __future__ import annotations

from typing import Any

from ...backends.compiler import BaseBackend
from ...language.core import constexpr
from ...tools.tensor_descriptor import TensorDescriptor
from ..program.dtypes import spelled
from ..program.kernel_interface import KernelInterface


def native_specialize_impl(backend: Any, arg: Any, is_const: bool, specialize_value: bool,
                           align: bool) -> tuple[Any, Any]:
    """The type and the fact: "D" where the value or the address is a multiple of 16, "" where it is not, None where nothing
    is asked. What is known when compiling has the type "constexpr", and its value for a fact."""
    if arg is None:
        return "constexpr", None
    if isinstance(arg, constexpr):
        return "constexpr", arg
    if isinstance(arg, KernelInterface):
        return "constexpr", getattr(arg, "cache_key", None)
    if isinstance(arg, TensorDescriptor):
        return f"tensordesc<{spelled(arg.base.dtype)}{list(arg.block_shape)}>", None
    if isinstance(arg, tuple):
        pairs = [native_specialize_impl(backend, item, False, True, True) for item in arg]
        again: Any = getattr(type(arg), "_make", tuple)  # named tuples stay what they are
        return again(kind for kind, _ in pairs), again(fact for _, fact in pairs)
    if hasattr(arg, "data_ptr"):
        kind = ("*k" if is_const else "*") + spelled(arg.dtype)
        return kind, backend.get_tensor_specialization(arg, align=align) if specialize_value else None
    if isinstance(arg, bool):
        return "u1", None
    if isinstance(arg, int):
        return _of_integer(backend, arg, specialize_value, align)
    if isinstance(arg, float):
        return "fp32", None
    raise TypeError(f"failed to specialize argument of type: {type(arg).__name__}")


def _of_integer(backend: Any, value: int, specialize_value: bool, align: bool) -> tuple[str, Any]:
    if value == 1 and specialize_value:
        return "constexpr", 1
    if not -2**63 <= value < 2**64:
        raise OverflowError("integer to be specialized too large to represent")
    kind = "i32" if -2**31 <= value < 2**31 else "i64" if value < 2**63 else "u64"
    return kind, backend.get_int_specialization(value, align=align) if specialize_value else None


def mangle_type(arg: Any, specialize: bool = False) -> Any:
    """The type of an argument in the spelling of signatures."""
    return native_specialize_impl(BaseBackend, arg, False, specialize, True)[0]
