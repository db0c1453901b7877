"""`python -m tegula.as_triton script.py ...`: runs a program whose `import triton` finds Tegula.

    python -m tegula.as_triton script.py ARGUMENT...
    python -m tegula.as_triton -m module ARGUMENT...
    python -m tegula.as_triton -c 'code' ARGUMENT...

--triton-version=3.8 in front of the rest says which Triton; without it TEGULA_TRITON_VERSION does, or it is 3.6.
"""

from __future__ import annotations

import os
import runpy
import sys

from tegula.stand_in import install_as_triton

_VERSION = "--triton-version="


def main(words: list[str]) -> int:
    """Runs what `words` name. 2 where they name nothing, 1 where there is no such file."""
    version = None
    if words and words[0].startswith(_VERSION):
        version, words = words[0][len(_VERSION):], words[1:]
    if not words or words[0] in ("-h", "--help") or words[0] in ("-m", "-c") and len(words) < 2:
        print(__doc__.strip(), file=sys.stdout if words and words[0] in ("-h", "--help") else sys.stderr)
        return 0 if words and words[0] in ("-h", "--help") else 2
    if words[0] not in ("-m", "-c"):
        # As Python itself: the first entry of the path is where the program is looked for.
        sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
    try:
        install_as_triton(version)
    except ValueError as error:
        print(f"python -m tegula.as_triton: {error}", file=sys.stderr)
        return 2
    if words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        code = compile(words[1], "<string>", "exec")
        exec(code, {"__name__": "__main__", "__builtins__": __builtins__})
    else:
        if not os.path.exists(words[0]):
            print(f"python -m tegula.as_triton: there is no file {words[0]!r}", file=sys.stderr)
            return 1
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
