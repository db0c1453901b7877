"""The version of Triton that is imitated: the one that TEGULA_TRITON_VERSION names, or 3.6.

It is read at each use, as a variable that decides about code counts for what is compiled from then on.
"""

from __future__ import annotations

import os

VARIABLE = "TEGULA_TRITON_VERSION"


def versions() -> dict[str, str]:
    """Those that may be, the default first: {"3.6": "3.6.0", ...}."""
    from . import _native  # the library, which `install_as_triton` need not wait for

    return _native.triton_versions()


def version() -> str:
    """The version by the name that the compiler knows it by: "3.8". ValueError where the variable names no version."""
    return checked(os.environ.get(VARIABLE) or next(iter(versions())))


def full_version() -> str:
    """Returns `triton.__version__`: "3.8.0"."""
    return versions()[version()]


def choose(name: str) -> None:
    """From now on this version is imitated, here and in child processes. ValueError where there is none of that name."""
    os.environ[VARIABLE] = checked(name)


def checked(name: str) -> str:
    """`name`, which is that of a version. ValueError where it is none."""
    known = versions()
    if name not in known:
        raise ValueError(f"unknown version {name!r} of Triton; known: {', '.join(known)}")
    return name
