"""Places in nested tuples and lists, and spellings of types, under the names by which programs import them from Triton."""

from __future__ import annotations

from typing import Any, Callable, Iterator

from .runtime.program.dtypes import spelled, type_canonicalisation_dict as type_canonicalisation_dict

Path = tuple[int, ...]


def is_iterable(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if not is_iterable(value):
        yield path, value
        return
    for place, item in enumerate(value):
        yield from _leaves(item, (*path, place))


def find_paths_if(iterable: Any, pred: Callable[[Path, Any], bool]) -> list[Path]:
    """The places of what `pred(place, value)` says yes to, in order."""
    return [path for path, value in _leaves(iterable, ()) if pred(path, value)]


def set_iterable_path(iterable: Any, path: Path, value: Any) -> None:
    """Puts a value at a place of nested lists."""
    get_iterable_path(iterable, path[:-1])[path[-1]] = value


def is_namedtuple(value: Any) -> bool:
    """Returns True for a named tuple, or a class of such."""
    cls = value if isinstance(value, type) else type(value)
    return issubclass(cls, tuple) and hasattr(cls, "_fields")


def is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def canonicalize_dtype(dtype: Any) -> str:
    """The spelling of signatures of a type of elements: "fp32". TypeError where kernels have none such."""
    return spelled(dtype)


def canonicalize_ptr_dtype(dtype: Any, is_const: bool) -> str:
    """Returns the name of a pointer to it: "*fp32", or "*kfp32" to what is not written."""
    return ("*k" if is_const else "*") + canonicalize_dtype(dtype)


def get_primitive_bitwidth(spelled: str) -> int:
    """The bits of a type in that spelling."""
    return BITWIDTH_DICT[spelled]


def validate_block_shape(shape: Any) -> int:
    """The elements of a block of known sides. ValueError or TypeError where the language has no such block."""
    elements = 1
    for place, side in enumerate(shape):
        if not isinstance(side, int):
            raise TypeError(f"expected sides that are integers, found {side!r} at place {place}")
        if not is_power_of_two(side):
            raise ValueError(f"Shape element {place} must be a power of 2, found {side}")
        elements *= side
    if elements > TRITON_MAX_TENSOR_NUMEL:
        raise ValueError(f"expected a block of at most {TRITON_MAX_TENSOR_NUMEL} elements, found {elements}")
    return elements


TRITON_MAX_TENSOR_NUMEL = 1 << 20
BITWIDTH_DICT = {
    **{f"{sign}{bits}": bits for sign in "iu" for bits in (1, 8, 16, 32, 64)}, "fp16": 16, "bf16": 16, "fp32": 32, "fp64": 64,
    **{name: 8 for name in ("fp8e4nv", "fp8e5", "fp8e4b15", "fp8e4b8", "fp8e5b16")}, "void": 0,
}


def get_iterable_path(iterable: Any, path: Path) -> Any:
    """Returns the item at a path."""
    for place in path:
        iterable = iterable[place]
    return iterable


def apply_with_path(value: Any, fn: Callable[[Path, Any], None]) -> None:
    """Calls `fn(place, value)` for all that is no tuple."""
    for path, leaf in list(_leaves(value, ())):
        fn(path, leaf)
