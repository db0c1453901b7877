"""Places in nested tuples and lists, under the names by which programs import them from Triton."""

from __future__ import annotations

from typing import Any, Callable, Iterator

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


def get_iterable_path(iterable: Any, path: Path) -> Any:
    """What is at a place."""
    for place in path:
        iterable = iterable[place]
    return iterable


def apply_with_path(value: Any, fn: Callable[[Path, Any], None]) -> None:
    """Calls `fn(place, value)` for all that is no tuple."""
    for path, leaf in list(_leaves(value, ())):
        fn(path, leaf)
