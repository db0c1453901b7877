"""What a run tells a person, beside its results."""

from __future__ import annotations

import os
import sys

# Libraries may print: what they say goes to standard error from here on.
_out = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)


class Unavailable(Exception):
    """The machine lacks what the command line asks for."""


def write_out(text: str) -> None:
    """To what was standard output."""
    _out.write(text)
    _out.flush()


def note(text: str) -> None:
    """A line on standard error."""
    progress("")
    print(text, file=sys.stderr, flush=True)


def progress(step: str) -> None:
    """Shows which step is at work, in place of the one before, where standard error is a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{step}")
        sys.stderr.flush()


def first_lines(error: BaseException) -> str:
    """What it says, or its type, cut where it gets long."""
    return (str(error).strip() or type(error).__name__)[:400]
