"""The commands `tegula` and `tegula-lsp`: one executable of the package, which serves under two names.

`python -m tegula` is `tegula`.
"""

from __future__ import annotations

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def executable() -> str:
    """The path of the executable: the wheel's own, or that of the build that the package lies in. FileNotFoundError where there
    is neither."""
    for path in (os.path.join(_HERE, "bin", "tegula"), os.path.join(_HERE, "..", "..", "bin", "tegula")):
        if os.access(path, os.X_OK):
            return os.path.normpath(path)
    raise FileNotFoundError(f"the package in {_HERE} has no executable `tegula`")


def _become(name: str) -> int:
    try:
        os.execv(executable(), [name, *sys.argv[1:]])
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
    return 1


def main() -> int:
    """The command `tegula`, with the arguments of this process, whose place it takes. 1 where it cannot be started."""
    return _become("tegula")


def language_server() -> int:
    """The command `tegula-lsp`, likewise."""
    return _become("tegula-lsp")
