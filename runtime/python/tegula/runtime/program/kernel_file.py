"""The file of a kernel, for programs that read kernels from files; of a notebook's cell one that is made."""

from __future__ import annotations

import inspect
import linecache
import os
import pathlib
import types
from typing import Any, Iterator

from .kernel_interface import unwrapped


def file_of(function: Any, folder: str) -> str:
    """The path of the file that has the function of `jit`. Where it is in none, a file in `folder` with the text that Python
    knows, as it does that of a notebook's cell: lines keep their numbers, and what other cells say follows them. TypeError where
    there is no text."""
    path = function.fn.__code__.co_filename
    if os.path.exists(path):
        return str(path)
    lines = linecache.getlines(path, function.fn.__globals__)
    if not lines:
        raise TypeError(f"`{function.__name__}` is in no file that could be read: {path}")
    own = "".join(lines)
    file = pathlib.Path(folder) / "cell.py"
    file.write_text("\n".join([own, *_names_of(function, own, {function.__name__})]) + "\n", encoding="utf-8")
    return str(file)


def _names_of(function: Any, text: str, known: set[str]) -> Iterator[str]:
    """Statements for the names of a function that `text` may not have: modules, constants, functions of `jit`."""
    names = function.fn.__globals__
    used = set(function.fn.__code__.co_names)
    for name, value in names.items():
        if name in known or name not in used and not (isinstance(value, types.ModuleType) and f"{name}." in text):
            continue
        known.add(name)
        inner = unwrapped(value)
        if isinstance(value, types.ModuleType):
            yield f"import {value.__name__} as {name}"
        elif isinstance(value, (bool, int, float, str)):
            yield f"{name} = {value!r}"
        elif type(value).__name__ == "constexpr" and isinstance(value.value, (bool, int, float, str)):
            yield f"import tegula.language\n{name} = tegula.language.constexpr({value.value!r})"
        elif inner is not None and f"def {inner.__name__}(" not in text:
            yield inspect.getsource(inner.fn)
            yield from _names_of(inner, text, known)
