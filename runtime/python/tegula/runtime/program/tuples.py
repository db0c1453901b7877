"""Tuples and tensor descriptors as arguments of a launch: what they hold is passed one by one, and the kernel puts it
together again.

The form of a tuple is the tuple with RUN_TIME in the place of everything that is passed; what is known when compiling
stays. An element that is passed is a parameter of its own: `t__0`, and `t__1__0` where tuples hold tuples. A descriptor
is the tuple of a DescriptorForm, the base, the sides, and the strides without the last, which is 1.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Iterator, Mapping

from ... import _native


class _RunTime:
    """An argument that a launch passes."""

    def __repr__(self) -> str:
        return "RUN_TIME"

    def __reduce__(self) -> str:
        return "RUN_TIME"


RUN_TIME = _RunTime()
_native.set_run_time_mark(RUN_TIME)


class NamedForm(tuple[Any, ...]):
    """The form of a named tuple. Two of different classes are not the same, though the tuples may be equal."""

    cls: type

    @staticmethod
    def of(value: tuple[Any, ...], form: tuple[Any, ...]) -> tuple[Any, ...]:
        """The form of `value`, which has these items."""
        if not hasattr(type(value), "_fields"):
            return form
        made = NamedForm(form)
        made.cls = type(value)
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedForm) and self.cls is other.cls and tuple.__eq__(self, other)

    def __hash__(self) -> int:
        return hash((self.cls, tuple.__hash__(self)))


_native.set_named_form(NamedForm.of)


@dataclasses.dataclass(frozen=True)
class DescriptorForm:
    """Compile-time facts of a tensor descriptor; the first item of the tuple that stands for one."""

    block_shape: tuple[int, ...]
    padding: str
    rounds: bool = False  #: What is read of float32 has the precision of tf32.


#: What a kernel that puts descriptors together calls `tl.make_tensor_descriptor`.
MAKE_DESCRIPTOR = "tegula__descriptor"
#: ... and what makes one of it whose loads round to tf32, with the name by which the compiler knows that.
ROUNDING, ROUNDING_IN_LANGUAGE = "tegula__rounding", "triton.language._descriptor_rounding"


def _is_descriptor(form: Any) -> bool:
    return isinstance(form, tuple) and bool(form) and isinstance(form[0], DescriptorForm)


def has_descriptor(form: Any) -> bool:
    """Returns True if a descriptor is in it, at any depth."""
    return _is_descriptor(form) or isinstance(form, tuple) and any(has_descriptor(item) for item in form)


def paths(path: tuple[int, ...], name: str, form: Any) -> Iterator[tuple[tuple[int, ...], str, Any]]:
    """Yields the leaves of a value of this form, with their places, from that of the parameter on, and their names:
    RUN_TIME, or the compile-time value."""
    if hasattr(form, "_parts"):
        form = form._parts()
    if not isinstance(form, tuple):
        yield path, name, form
        return
    for place, item in enumerate(form):
        yield from paths((*path, place), f"{name}__{place}", item)


def leaves(name: str, form: Any) -> Iterator[tuple[str, Any]]:
    """The same by names alone."""
    return ((leaf, value) for _, leaf, value in paths((), name, form))


def passed(name: str, form: Any) -> list[str]:
    """The names of the parameters that a value of this form is passed by."""
    return [leaf for leaf, value in leaves(name, form) if value is RUN_TIME]


def known(name: str, form: Any) -> dict[str, Any]:
    """Returns its compile-time values, with the classes of named tuples."""
    return {**dict(_classes(name, form)), **{leaf: value for leaf, value in leaves(name, form)
                                             if value is not RUN_TIME and not isinstance(value, DescriptorForm)}}


#: What a kernel calls the class of the named tuple behind it.
_CLASS = "tegula__class__"


def _classes(name: str, form: Any) -> Iterator[tuple[str, type]]:
    if isinstance(form, NamedForm):
        yield _CLASS + name, form.cls
    for place, item in enumerate(form if isinstance(form, tuple) else ()):
        yield from _classes(f"{name}__{place}", item)


def together(name: str, form: Any) -> str:
    """The expression that makes a value of its leaves."""
    if not isinstance(form, tuple):
        return name
    if _is_descriptor(form):
        rank = len(form[0].block_shape)
        items = [f"{name}__{place}" for place in range(1, len(form))]
        sides, strides = ", ".join(items[1:1 + rank]), ", ".join([*items[1 + rank:], "1"])
        made = f"{MAKE_DESCRIPTOR}({items[0]}, [{sides}], [{strides}], {list(form[0].block_shape)}, {form[0].padding!r})"
        return f"{ROUNDING}({made})" if form[0].rounds else made
    items = [together(f"{name}__{place}", item) for place, item in enumerate(form)]
    if isinstance(form, NamedForm):
        return f"{_CLASS}{name}({', '.join(items)})"
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


_DESCRIPTOR = re.compile(r"tensordesc<(\w+)\[([\d, ]+)\]>")


def descriptor_of(kind: Any) -> tuple[tuple[Any, ...], list[str]] | None:
    """The form of a descriptor ("tensordesc<fp16[64, 32]>") and the types of what launches pass of it; None of other types."""
    told = _DESCRIPTOR.fullmatch(kind) if isinstance(kind, str) else None
    if told is None:
        return None
    block = tuple(int(side) for side in told[2].split(","))
    types = [f"*{told[1]}:16", *["i32"] * len(block), *["i64"] * (len(block) - 1)]
    return (DescriptorForm(block, "zero"), *[RUN_TIME] * len(types)), types


def with_types(name: str, form: Any, types: dict[str, str]) -> Any:
    """The form with the types of its leaves; of what is known "constexpr"."""
    if _is_descriptor(form):
        element = types.get(f"{name}__1", "").removeprefix("*")
        return f"tensordesc<{element}{list(form[0].block_shape)}>"
    if isinstance(form, tuple):
        return tuple(with_types(f"{name}__{place}", item, types) for place, item in enumerate(form))
    return types.get(name, "constexpr")


def from_types(path: tuple[int, ...], name: str, kinds: Any, known: Mapping[tuple[int, ...], Any],
               types: dict[str, str]) -> Any:
    """The form that `with_types` has made `kinds` of, with what is known by its places; puts the types of what is passed
    into `types`."""
    if isinstance(kinds, (tuple, list)):
        return tuple(from_types((*path, place), f"{name}__{place}", kind, known, types) for place, kind in enumerate(kinds))
    descriptor = descriptor_of(kinds)
    if descriptor is not None:
        types.update((f"{name}__{place}", text) for place, text in enumerate(descriptor[1], 1))
        return descriptor[0]
    if kinds == "constexpr":
        return known.get(path)
    types[name] = f"{kinds}={known[path]}" if path in known else kinds
    return RUN_TIME
