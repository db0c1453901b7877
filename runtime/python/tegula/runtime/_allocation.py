"""`set_allocator`: the source of memory that kernels need besides their arguments."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Protocol


class Buffer(Protocol):
    """Memory of the device."""

    def data_ptr(self) -> int: ...


class Allocator(Protocol):
    """Gives `size` bytes aligned to `alignment` for use on `stream`."""

    def __call__(self, size: int, alignment: int, stream: int | None) -> Buffer: ...


class NullAllocator:
    """Stands in until `set_allocator` is called: the first kernel that needs memory says so."""

    def __call__(self, size: int, alignment: int, stream: int | None) -> Buffer:
        raise RuntimeError("the kernel needs memory besides its arguments and has no allocator: call "
                           "`triton.set_allocator` with a function of (size, alignment, stream)")


_NULL_ALLOCATOR = NullAllocator()
_profile_allocator: ContextVar[Any] = ContextVar("_profile_allocator", default=_NULL_ALLOCATOR)
_allocator: ContextVar[Any] = ContextVar("_allocator", default=_NULL_ALLOCATOR)


def set_profile_allocator(allocator: Allocator | None) -> None:
    """Keeps who gives profilers memory. Nothing asks for it: kernels here have no counters of their own."""
    _profile_allocator.set(allocator if allocator is not None else _NULL_ALLOCATOR)


def has_profile_allocator() -> bool:
    """Returns True if `set_profile_allocator` has set one in this context."""
    return _profile_allocator.get() is not _NULL_ALLOCATOR


def set_allocator(allocator: Allocator) -> None:
    """Lets `allocator` give kernels the memory that they need besides their arguments, from now on in this context."""
    _allocator.set(allocator)
