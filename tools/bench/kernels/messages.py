"""Messages of a run to the user, besides its results."""

from __future__ import annotations

import os
import sys

# Libraries may print: what they say goes to standard error from here on.
_out = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)


class Unavailable(Exception):
    """The machine lacks what the command line asks for."""


class WrongFile(Exception):
    """A file that cannot be read or written."""


def write_out(text: str) -> None:
    """To what was standard output."""
    _out.write(text)
    _out.flush()


def colour_messages() -> None:
    """Has `note` colour "error:" and "warning:" from here on, as the command does."""
    global _colours
    _colours = {"error: ": "31", "warning: ": "35"}


_colours: dict[str, str] = {}


def note(text: str) -> None:
    """A line on standard error."""
    progress("")
    for word, colour in _colours.items():
        if text.startswith(word):
            text = f"\x1b[1;{colour}m{word.strip()}\x1b[0m \x1b[1m{text[len(word):]}\x1b[0m"
    print(text, file=sys.stderr, flush=True)


def progress(step: str) -> None:
    """Shows which step is at work, in place of the one before, where standard error is a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{step}")
        sys.stderr.flush()


def first_lines(error: BaseException) -> str:
    """Returns what the error says, or its type, cut where it gets long."""
    return (str(error).strip() or type(error).__name__)[:400]
