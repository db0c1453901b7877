#!/usr/bin/env python3
"""Fails on a word of our own where the field has one, on a doc comment that opens without a verb or a name, and on a
field's term that no file explains.

    words.py [--folders FOLDER ...]

A reader who knows CUTLASS, Triton and MLIR should not have to translate. WORDS holds words that were ours, each with what
to say instead. A doc comment (`///`, a file's head, a docstring, a `summary`) names its thing or begins with a verb:
"Returns ...", "Finds ...". TERMS says where a reader who greps for a term of the field finds it explained. Without
`--folders` it checks the whole tree, and looks for the terms.
"""

import argparse
import ast
import os
import re
import sys

import tree

FOLDERS = ["."]
# These name the words themselves.
EXEMPT = {"tools/check/words.py", "test/tools/check/words.test"}

# What not to write, as a regular expression, and what to write instead.
WORDS = [
    (r"(bulk )?copy engine", "TMA"),
    (r"[Rr]esidency", "occupancy"),
    (r"[Ss]peakers?", "elected thread"),
    (r"[Ii]dle ?[Cc]ounters?", "dead induction variables"),
    (r"[Dd]ead ?[Ll]anes?", "demanded elements"),
    (r"[Kk]eep[Ff]lying|[Ff]lying\w*|(?<!in )\b[Ff]lights?", "in flight"),
    (r"[Hh]idden ?[Pp]arameters?", "implicit argument"),
    (r"(come|came|comes|coming) round", "repeats, or a back edge"),
    (r"[Ll]ate ?[Pp]roducts?|delayProduct", "overlapped product"),
    (r"(load|loads) for the others|warps that only load", "producer warps"),
    (r"[Nn]obody", "no thread, no caller, not ..."),
    (r"[Ww]hoever|[Ss]omebody|[Ss]omeone", "the caller, the thread, the user"),
    (r"(?<![-.\"'/])[Bb]eside(?![-.;(=/\"'])", "next to, with, besides"),
]
WORD = re.compile("|".join(rf"\b(?P<w{index}>{word})\b" for index, (word, _) in enumerate(WORDS)))

OPENING = re.compile(r"(What|How|Of|Where|Who|Whose|Which|Whether|Behind|Beside|That)\b")
SUMMARY = re.compile(r'\blet summary = "((?i:what|how|of|where|who|whose|which|whether|behind|beside)\b[^"]*)')

# A term of the field, and the file that explains it.
TERMS = {
    "TMA": "dialect/image/TensorMap.h",
    "tensor map": "dialect/image/TensorMap.h",
    "wgmma": "runtime/emulator/async/GroupProducts.h",
    "mbarrier": "runtime/emulator/async/Mbarriers.h",
    "phase": "runtime/emulator/async/Mbarriers.h",
    "async proxy": "runtime/emulator/memory/Clocks.h",
    "happens-before": "runtime/emulator/memory/Clocks.h",
    "warp group": "runtime/emulator/async/GroupProducts.h",
    "producer warp": "dialect/tgpu/ProducerOps.td",
    "consumer warp": "compiler/spec/Feature.h",
    "warp-specialised": "compiler/spec/Feature.h",
    "warp specialisation": "compiler/schedule/README.md",
    "persistent kernel": "compiler/schedule/README.md",
    "software pipelining": "compiler/schedule/README.md",
    "prologue": "compiler/schedule/pipeline/SoftwarePipeliner.h",
    "epilogue": "compiler/schedule/pipeline/SoftwarePipeliner.h",
    "in flight": "dialect/tgpu/README.md",
    "occupancy": "compiler/schedule/README.md",
    "bank conflict": "dialect/layout/SharedLayout.h",
    "swizzle": "dialect/layout/SharedLayout.h",
    "coalesce": "compiler/distribute/README.md",
    "broadcast": "dialect/tile/ops/ShapeOps.td",
    "predicate": "compiler/lower/code/InlinePtx.h",
}


def sources(folders):
    """Returns the paths of the files in `folders`."""
    endings = (".h", ".cpp", ".c", ".in", ".td", ".py", ".pyi", ".md", ".mlir", ".test", ".txt", ".cmake")
    return [name for name in tree.names_of(*folders) if name.endswith(endings) and name not in EXEMPT]


def wrong_words(path, text):
    """Yields the words of our own in a file."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in WORD.finditer(line):
            instead = WORDS[int(match.lastgroup[1:])][1]
            yield f"{path}:{number}: `{match.group()}`: the field says: {instead}"


def openings_of_code(text):
    """Yields (line, text) of the first line of each doc comment in C++ or TableGen, the file's head among them."""
    before = None
    for number, line in enumerate(text.splitlines(), 1):
        comment = re.match(r"\s*(///|//)(?!/) ?(.*)", line)
        kind = comment and comment.group(1)
        if kind and kind != before and (kind == "///" or number == 1):
            yield number, comment.group(2)
        before = kind
        if summary := SUMMARY.search(line):
            yield number, summary.group(1).capitalize()


def openings_of_python(text):
    """Yields (line, text) of the first line of each docstring."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            yield node.body[0].lineno, ast.get_docstring(node)


def wrong_openings(path, text):
    """Yields the doc comments of a file that open with a noun clause."""
    if path.endswith((".h", ".cpp", ".td")):
        found = openings_of_code(text)
    elif path.endswith((".py", ".pyi")) and not path.startswith("test/"):
        found = openings_of_python(text)
    else:
        return
    for number, opening in found:
        if match := OPENING.match(opening):
            yield f"{path}:{number}: a doc comment begins with `{match.group()}`: begin with a verb, or name the thing"


def wrong_terms(terms):
    """Yields the terms that their file does not hold."""
    for term, path in terms.items():
        text = tree.text_of(path) if os.path.exists(path) else ""
        if not re.search(rf"\b{re.escape(term)}", text, re.I):
            yield f"{path}:1: expected the term `{term}` to be explained here"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folders", nargs="+", default=FOLDERS, help="instead of the whole tree")
    options = parser.parse_args()
    files, wrong = sources(options.folders), []
    for path in files:
        text = tree.text_of(path)
        wrong += [*wrong_words(path, text), *wrong_openings(path, text)]
    if options.folders == FOLDERS:
        wrong += wrong_terms(TERMS)
    print(*wrong, f"words: {len(files)} files, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
