"""Functions of the language that read and write memory: loads, stores, block pointers, descriptors, atomics."""

from __future__ import annotations

from typing import Any, Sequence

from ._stub import builtin
from ._tensor import Value, tensor, tensor_descriptor


@builtin
def load(pointer: tensor, mask: Value | None = None, other: Value | None = None,
         boundary_check: Sequence[int] = (), padding_option: str = "", cache_modifier: str = "",
         eviction_policy: str = "", volatile: bool = False) -> tensor:
    """What lies at `pointer`, a pointer or a block of pointers.

    Where `mask` is false nothing is read, and the result is `other`, or undefined without one. Both are broadcast
    to the shape of `pointer`. `cache_modifier` is "", ".ca", ".cg", ".cs" or ".cv" and `eviction_policy` "",
    "evict_first" or "evict_last", as in PTX.

    For a block pointer `boundary_check` lists the dimensions whose bounds are checked, and `padding_option` ("",
    "zero", "nan") is what is found beyond them.
    """


@builtin
def store(pointer: tensor, value: Value, mask: Value | None = None, boundary_check: Sequence[int] = (),
          cache_modifier: str = "", eviction_policy: str = "") -> None:
    """Writes `value`, converted to what `pointer` points to, where `mask` holds.

    `value` and `mask` are broadcast to the shape of `pointer`. `cache_modifier` is "", ".wb", ".cg", ".cs" or ".wt".
    """


@builtin
def make_block_ptr(base: tensor, shape: Sequence[Value], strides: Sequence[Value], offsets: Sequence[Value],
                   block_shape: Sequence[int], order: Sequence[int]) -> tensor:
    """A pointer to a block of `block_shape` at `offsets` within a tensor of `shape` and `strides`, in elements.
    `order` lists the dimensions from the one whose elements lie next to each other."""


@builtin
def advance(base: tensor, offsets: Sequence[Value]) -> tensor:
    """A block pointer moved by `offsets` elements; `base` stays where it was."""


@builtin
def make_tensor_descriptor(base: tensor, shape: Sequence[Value], strides: Sequence[Value],
                           block_shape: Sequence[int], padding_option: str = "zero") -> tensor_descriptor:
    """A descriptor of a tensor at `base` (aligned to 16 bytes) of one to five dimensions, the last of stride 1, that
    is read and written by blocks of `block_shape`, on GPUs that have it by their copy unit."""


@builtin
def load_tensor_descriptor(desc: tensor_descriptor, offsets: Sequence[Value]) -> tensor:
    """As `desc.load(offsets)`."""


@builtin
def store_tensor_descriptor(desc: tensor_descriptor, offsets: Sequence[Value], value: tensor) -> None:
    """As `desc.store(offsets, value)`."""


_ATOMIC = """

    Returns what was there before. Nothing is done where `mask` is false. `sem` orders it among accesses to memory:
    "acq_rel" (the default), "acquire", "release" or "relaxed"; `scope` says for whom: "gpu" (the default), "cta" or
    "sys".
    """


def _atomic(fn: Any) -> Any:
    fn.__doc__ += _ATOMIC
    return builtin(fn)


@_atomic
def atomic_add(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Adds `val` to what lies at `pointer`, as one step that no other access divides."""


@_atomic
def atomic_max(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Replaces what lies at `pointer` by the larger of it and `val`, as one step."""


@_atomic
def atomic_min(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Replaces what lies at `pointer` by the smaller of it and `val`, as one step."""


@_atomic
def atomic_and(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Replaces what lies at `pointer` by the bits that it shares with `val`, as one step."""


@_atomic
def atomic_or(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
              scope: str | None = None) -> tensor:
    """Sets the bits of `val` in what lies at `pointer`, as one step."""


@_atomic
def atomic_xor(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Flips the bits of `val` in what lies at `pointer`, as one step."""


@_atomic
def atomic_xchg(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
                scope: str | None = None) -> tensor:
    """Puts `val` in the place of what lies at `pointer`, as one step."""


@builtin
def atomic_cas(pointer: tensor, cmp: Value, val: Value, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Writes `val` to `pointer` where `cmp` lies there, as one step, and returns what lay there. For elements of 16, 32
    or 64 bits; `sem` and `scope` as of `atomic_add`."""


@builtin
def atomic_load(pointer: tensor, mask: Value | None = None, sem: str | None = None, scope: str | None = None) -> tensor:
    """Elements of 32 or 64 bits as one step that no other access comes between; `sem` is "acquire", its default, or
    "relaxed". Where `mask` is false the result is undefined."""


@builtin
def atomic_store(pointer: tensor, value: Value, mask: Value | None = None, sem: str | None = None,
                 scope: str | None = None) -> None:
    """Writes elements of 32 or 64 bits so; `sem` is "release", its default, or "relaxed"."""


@builtin
def atomic_poll(pointer: tensor, expected_value: Value, sem: str | None = None, scope: str | None = None,
                timeout_ns: int | None = None) -> tensor:
    """Waits until `expected_value` lies at `pointer`."""
