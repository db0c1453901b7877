"""`tl.tuple` and `tl.slice`: Python's, under the names that kernels use."""

from __future__ import annotations

import builtins
from typing import Any, Iterator

from ._stub import language_class
from ._types import base_type


@language_class
class tuple(builtins.tuple):
    """Values of different types side by side; in kernels every tuple is one. That of a named tuple keeps its names."""

    def __new__(cls, values: Any = (), names: builtins.tuple[str, ...] = ()) -> tuple:
        made = super().__new__(cls, values)
        made.__dict__["_names"] = names
        return made

    def __getattr__(self, name: str) -> Any:
        names = self.__dict__.get("_names", ())
        if name not in names:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self[names.index(name)]


@language_class
class tuple_type(base_type):
    """The types of the values of a tuple, with the names of a named one."""

    def __init__(self, types: Any, fields: Any = None):
        self.types = list(types)
        self.fields = list(fields) if fields else [""] * len(self.types)
        self.name = "[" + ",".join(f"{field}:{kind}" for field, kind in zip(self.fields, self.types)) + "]"

    def __iter__(self) -> Iterator[Any]:
        return iter(self.types)

    def __getitem__(self, index: int) -> Any:
        return self.types[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple_type) and (self.types, self.fields) == (other.types, other.fields)

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def mangle(self) -> str:
        return "T" + "_".join(kind.mangle() for kind in self.types) + "T"


@language_class
class slice:
    """The three numbers of `start:stop:step`."""

    def __init__(self, start: Any, stop: Any, step: Any):
        self.start, self.stop, self.step = start, stop, step
