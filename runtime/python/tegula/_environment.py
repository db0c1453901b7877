"""Attributes that are what a program assigned to them, else what an environment variable says: the parts that `knobs` is made of.

What is assigned is written to the variable too, so that child processes find it there, unless `propagate` is off. A knob that changes
nothing here says so, once, when a program assigns it or when its variable is set and a kernel is compiled.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import os
import re
import warnings
from typing import Any, Callable, Generic, Iterator, TypeVar, overload

from . import _native

T = TypeVar("T")
G = TypeVar("G", bound="base_knobs")

#: Whether assignments reach the environment; `knobs.propagate_env`.
propagate = True


class Env:
    """Assigned to a knob it stands for its environment variable."""


env = Env()


def getenv(name: str, default: Any = None) -> Any:
    return os.environ.get(name, default)


def getenv_bool(name: str, default: Any = False) -> Any:
    """Returns True if a variable is "1", "true", "on" or "yes", in any case."""
    text = os.environ.get(name)
    return default if text is None else text.lower() in ("1", "true", "on", "yes", "y")


def setenv(key: str, value: str | None) -> None:
    """Writes a variable, where assignments are to reach the environment; None removes it."""
    if not propagate:
        return
    if value is None:
        os.environ.pop(key, None)
    else:
        os.environ[key] = value


def toenv(value: Any) -> tuple[str | None] | None:
    """A value as text of a variable, (None,) where that has to go; None for what no text holds."""
    if value is None:
        return (None,)
    if isinstance(value, bool):
        return ("1" if value else "0",)
    return (str(value),) if isinstance(value, (str, int)) else None


class env_base(Generic[T]):
    """An attribute that is what was assigned, else what `get` finds in the environment. `key` is the variable that is written;
    `unused` says why it changes nothing, where that is so."""

    def __init__(self, key: str, read: Callable[[], T] | None = None, unused: str = ""):
        self.key = key
        self.unused = unused
        self._read = read

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def get(self) -> T:
        if self._read is None:
            raise NotImplementedError(f"{type(self).__name__} says how it is read")
        return self._read()

    def transform(self, value: Any) -> Any:
        """Returns the value that a program reads of the one that was assigned."""
        return value

    @overload
    def __get__(self, group: None, owner: type) -> env_base[T]: ...
    @overload
    def __get__(self, group: object, owner: type) -> T: ...

    def __get__(self, group: Any, owner: type) -> Any:
        if group is None:
            return self
        return self.transform(group.__dict__[self.name]) if self.name in group.__dict__ else self.get()

    def __set__(self, group: Any, value: Any) -> None:
        if isinstance(value, Env):
            group.__dict__.pop(self.name, None)
        else:
            group.__dict__[self.name] = value
            text = toenv(value) if self.key else None
            if text is not None:
                setenv(self.key, text[0])
            if self.unused and value:
                warn_unused(f"knobs.{group.subject}.{self.name}", self.unused)
        _native.look_up_again()

    def __delete__(self, group: Any) -> None:
        group.__dict__.pop(self.name, None)
        _native.look_up_again()


class env_bool(env_base[bool]):
    def __init__(self, key: str, default: bool = False, unused: str = ""):
        super().__init__(key, lambda: getenv_bool(key, default), unused)


class env_int(env_base[int]):
    def __init__(self, key: str, default: int = 0, unused: str = ""):
        super().__init__(key, None, unused)
        self.default = default

    def get(self) -> int:
        text = os.environ.get(self.key)
        try:
            return self.default if text is None else int(text)
        except ValueError:
            raise RuntimeError(f"expected an integer in the environment variable {self.key}, found {text!r}") from None


class env_str(env_base["str | None"]):
    """An empty variable is none."""

    def __init__(self, key: str, default: str | None = None, unused: str = ""):
        super().__init__(key, lambda: os.environ.get(key) or default, unused)


class env_str_callable_default(env_base[str]):
    def __init__(self, key: str, default_factory: Callable[[], str], unused: str = ""):
        super().__init__(key, lambda: os.environ[key] if key in os.environ else default_factory(), unused)


env_opt_str = env_str


class env_opt_bool(env_base["bool | None"]):
    def __init__(self, key: str, unused: str = ""):
        super().__init__(key, lambda: getenv_bool(key, None), unused)


class env_class(env_base["type | None"]):
    """A class that a variable names as MODULE:CLASS; one of its bases has the name `type`."""

    def __init__(self, key: str, type: str, unused: str = ""):
        super().__init__(key, None, unused)
        self.type = type

    def get(self) -> type | None:
        text = os.environ.get(self.key)
        if text is None:
            return None
        module, _, name = text.partition(":")
        if not name:
            raise RuntimeError(f"expected MODULE:CLASS in the environment variable {self.key}, found {text!r}")
        found: type = getattr(importlib.import_module(module), name)
        if all(base.__name__ != self.type for base in found.__mro__):
            raise RuntimeError(f"expected a {self.type} in the environment variable {self.key}, found {text!r}")
        return found


@dataclasses.dataclass(frozen=True)
class NvidiaTool:
    """A program of the CUDA toolkit."""

    path: str
    version: str  #: as it says itself: "13.0"

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def from_path(path: str) -> NvidiaTool | None:
        """The tool at this path, None where nothing there says its version."""
        import subprocess

        try:
            said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10).stdout
        except (OSError, subprocess.SubprocessError):
            return None
        found = re.search(r"release (\d+\.\d+)", said)
        return NvidiaTool(path, found[1]) if found else None


#: Where a toolkit lies if no variable says so.
TOOLKIT = "/usr/local/cuda"


class env_nvidia_tool(env_base[NvidiaTool]):
    """The program at the path that is assigned or that a variable says, else the one on the path or in the toolkit. RuntimeError
    where there is none."""

    def __init__(self, binary: str, unused: str = ""):
        super().__init__(f"TRITON_{binary.upper().replace('-', '_')}_PATH", None, unused)
        self.binary = binary

    def get(self) -> NvidiaTool:
        return self.transform(os.environ.get(self.key))

    def transform(self, value: Any) -> Any:
        import shutil

        if isinstance(value, NvidiaTool):
            return value
        homes = (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), TOOLKIT)
        candidates = [value, shutil.which(self.binary), *(os.path.join(home, "bin", self.binary) for home in homes if home)]
        for path in candidates:
            tool = NvidiaTool.from_path(path) if path else None
            if tool is not None:
                return tool
        raise RuntimeError(f"Cannot find {self.binary}")


class base_knobs:
    """Knobs of one subject. What was assigned can be undone: all by `reset`, that of a block of code by `scope`."""

    #: Its name in `knobs`.
    subject = ""

    @property
    def knob_descriptors(self) -> dict[str, env_base[Any]]:
        """Those that have environment variables, by their names."""
        return {name: it for cls in reversed(type(self).__mro__) for name, it in vars(cls).items() if isinstance(it, env_base)}

    @property
    def knobs(self) -> dict[str, Any]:
        """Returns the present values by their names."""
        return {name: getattr(self, name) for name in self.knob_descriptors}

    def __setattr__(self, name: str, value: Any) -> None:
        if self.subject and not hasattr(type(self), name) and name not in self.__dict__:
            warn_unused(f"knobs.{self.subject}.{name}", "no knob has this name")
        super().__setattr__(name, value)

    def reset(self: G) -> G:
        """From now on the environment counts for all that has a variable."""
        for name in self.knob_descriptors:
            self.__dict__.pop(name, None)
        _native.look_up_again()
        return self

    def copy(self: G) -> G:
        twin = type(self)()
        twin.__dict__.update(self.__dict__)
        return twin

    @contextlib.contextmanager
    def scope(self) -> Iterator[None]:
        """After it everything is as before, environment variables included."""
        before = dict(self.__dict__)
        variables = {knob.key: os.environ.get(knob.key) for knob in self.knob_descriptors.values() if knob.key}
        try:
            yield
        finally:
            self.__dict__.clear()
            self.__dict__.update(before)
            for key, text in variables.items():
                if text is None:
                    os.environ.pop(key, None)
                else:
                    os.environ[key] = text
            _native.look_up_again()


_warned: set[str] = set()


def warn_unused(what: str, why: str) -> None:
    """Says once that something that a program or the environment asks for changes nothing."""
    if what not in _warned:
        _warned.add(what)
        warnings.warn(f"{what} changes nothing: {why}", UserWarning, stacklevel=4)


def warn_of_variables(group: base_knobs) -> None:
    """Says so of the variables that are set and not heeded."""
    for knob in group.knob_descriptors.values():
        if knob.unused and os.environ.get(knob.key, "").lower() not in ("", "0", "false", "off", "no", "n"):
            warn_unused(f"the environment variable {knob.key}", knob.unused)
