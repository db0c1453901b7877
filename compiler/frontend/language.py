#!/usr/bin/env python3
"""Makes of the description of the language what is needed of it elsewhere.

The description is `builtins/*.pyi`, functions that handlers in C++ carry out, and `library/*.py`, functions that are written
in the language itself: each a `def` with types, defaults and a docstring. The words around them are in `README.md`.

    language.py table FILE.pyi OUT    the functions of one file as a table in C++, for the file of its handlers
    language.py stubs FOLDER OUT      the modules of Python's package; those in FOLDER, `*.py.in`, are completed
    language.py page OUT              what the page of the language's names says of each, as a table in C++
"""

import ast
import copy
import pathlib
import re
import sys
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent

#: Where a name may be found, and how the compiler calls that. What is found in a module of `tl` is found in `tl`, too.
HOMES = {
    "tl": "InLanguage", "tl.math": "InLanguage | InMath", "tl.standard": "InLanguage", "tl.random": "InLanguage",
    "tl.target_info": "InTargetInfo", "tl.extra.cuda": "InCuda", "tl.extra.libdevice": "InLibdevice", "triton": "InTriton",
    "triton.runtime.driver.active": "InDriver", "python": "InPython", "math": "InPythonMath", "itertools": "InItertools",
    "tensor": "OnTensor", "tensor_descriptor": "OnDescriptor", "dtype": "OnType", "str": "OnText", "dict": "OnDict",
    "int": "OnInteger", "sequence": "OnSequence",
}
#: Where what a file of the library holds is found.
LIBRARY = {"language": "tl", "scaled": "tl", "standard": "tl.standard", "sorting": "tl.standard", "random": "tl.random",
           "descriptor": "tensor_descriptor"}
#: What cannot name a handler.
KEYWORDS = {"and", "bool", "constexpr", "float", "int", "not", "or", "xor"}
DIRECTIONS = {"rn": "to nearest", "rz": "towards zero", "rd": "down", "ru": "up"}


@dataclass
class Row:
    """A function of the language."""

    homes: "tuple[str, ...]"
    function: ast.FunctionDef
    handler: str = ""
    takes_unknown: bool = False
    is_class: bool = False
    since: str = ""
    differs: str = ""
    name: str = field(init=False)
    doc: str = field(init=False)

    def __post_init__(self):
        self.name = self.function.name
        self.doc = ast.get_docstring(self.function) or ""
        self.handler = self.handler or handler_name(self.name)


def handler_name(name):
    first, *others = name.strip("_").split("_")
    handler = first + "".join(part[:1].upper() + part[1:] for part in others)
    return handler + "_" * (handler in KEYWORDS)


def decorations(function):
    """The decorators by name, each with its argument, or True."""
    return {item.id if isinstance(item, ast.Name) else item.func.id:
            True if isinstance(item, ast.Name) else ast.literal_eval(item.args[0]) for item in function.decorator_list}


def variants(row, ways):
    """A row for each way to round: `add_rn` and its like, of `add`."""
    for way in ways:
        one = copy.copy(row)
        one.name, one.doc = f"{row.name}_{way}", f"{row.doc}, rounded {DIRECTIONS[way]}."
        yield one


def rows_of(path):
    """The functions that a file describes, in its order."""
    is_library = path.suffix == ".py"
    homes, facts = (LIBRARY.get(path.stem, "tl.extra.libdevice"),), {}
    for node in ast.parse(path.read_text(), path).body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.func.id == "found_in":
            homes = tuple(home.value for home in node.value.args)
            facts = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.value.keywords}
        if not isinstance(node, ast.FunctionDef) or (is_library and node.name.startswith("_")):
            continue
        said = {**facts, **decorations(node)}
        row = Row(homes + ("tensor",) * ("tensor_method" in said), node, said.get("handler", ""),
                  "takes_unknown" in said, "is_class" in said, said.get("since", ""), said.get("differs", ""))
        yield from variants(row, said["rounded"]) if "rounded" in said else [row]


def description():
    for path in sorted(HERE.glob("builtins/*.pyi")) + sorted(HERE.glob("library/*.py")):
        yield from rows_of(path)


# The compiler's table.


def parameters_of(function):
    """The parameters as the compiler's `BuiltinParameter`s; those that begin with `_` are Triton's own."""
    given = function.args
    required = given.args[:len(given.args) - len(given.defaults)]
    kinds = [(parameter, "" if parameter in required else ", .required = false") for parameter in given.args]
    kinds += [(given.vararg, ", .required = false, .rest = true")]
    kinds += [(parameter, ", .keywordOnly = true" if default is None else ", .required = false, .keywordOnly = true")
              for parameter, default in zip(given.kwonlyargs, given.kw_defaults)]
    kinds += [(given.kwarg, ", .required = false, .keywords = true")]
    for parameter, kind in kinds:
        if parameter and not parameter.arg.startswith("_"):
            yield f'{{.name = "{parameter.arg}"{kind}}}'


def table(path):
    path = pathlib.Path(path)
    lists, rows = [], []
    for row in rows_of(path):
        parameters, place = list(parameters_of(row.function)), "{}"
        if parameters:
            place = f"parameters{len(lists)}"
            lists.append(f"constexpr BuiltinParameter {place}[] = {{{', '.join(parameters)}}};")
        homes = " | ".join(HOMES[home] for home in row.homes)
        rows.append(f'    {{"{row.name}", {homes}, {place}, {row.handler}, {str(row.takes_unknown).lower()}}},')
    return "\n".join([f"// Generated from {path.name}.", *lists, "constexpr Builtin table[] = {", *rows, "};", ""])


def main(command, *arguments):
    if command == "table":
        pathlib.Path(arguments[1]).write_text(table(arguments[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
