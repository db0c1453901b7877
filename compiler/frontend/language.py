#!/usr/bin/env python3
"""Makes what is needed elsewhere of the description of the language.

The description is `builtins/*/*.pyi`, functions that handlers in C++ carry out, and `library/*.py`, functions that are written
in the language itself: each a `def` with a docstring. Those whose `def` says what it returns are found in Python, too.

    language.py table FILE.pyi OUT    the functions of one file as a table in C++, for the end of the file of their handlers
    language.py sources OUT           the names of all these tables, and the texts of `library`
    language.py stubs FOLDER OUT      the modules of Python's package: the templates of FOLDER, `*.py.in`, completed
    language.py docs OUT              what an editor says of each, as rows in C++: places, name, signature, docstring
    language.py page OUT              what `LANGUAGE.md` says of each, as rows in C++: section, name, since, how it differs

`found_in(...)` says where the functions after it are found. Its keywords hold for all of them, a decorator for one:

    handler("name")     the handler that carries it out, where it is not called as the function is; what it takes after the call
                        are the arguments, in their order (`BuiltinTable.h`)
    section("...")      where `LANGUAGE.md` has it
    rounded([...])      one function for each way to round, `add_rn` and its like
    ends("...")         the end of the docstring
    since("3.7")        the version of Triton that brought it
    differs("...")      how it differs from Triton's
    takes_unknown       it may be handed names without a value
    is_class            Python has a class by this name
    tensor_method       it is a method of tensors, too
"""

import ast
import copy
import json
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent

#: Where a name may be found, and how the compiler calls that. What is found in a module of `tl` is found in `tl`, too.
HOMES = {
    "tl": "InLanguage", "tl.math": "InLanguage | InMath", "tl.standard": "InLanguage", "tl.random": "InLanguage",
    "tl.target_info": "InTargetInfo", "tl.extra.cuda": "InCuda", "tl.extra.libdevice": "InLibdevice", "triton": "InTriton",
    "triton.runtime.driver.active": "InDriver", "python": "InPython", "math": "InPythonMath", "itertools": "InItertools",
    "tensor": "OnTensor", "tensor_descriptor": "OnDescriptor", "dtype": "OnType", "str": "OnText", "dict": "OnDict",
    "int": "OnInteger", "sequence": "OnSequence",
}
#: What messages have in front of the name of a function that is found there, unless it is the place itself, or `tl.`.
PREFIXES = {"tl.extra.libdevice": "libdevice.", **dict.fromkeys(("python", "tensor", "dtype", "str", "dict", "int", "sequence"), "")}
#: Where the functions of a file of the library are found, unless it says so.
LIBRARY = {"language": "tl", "scaled": "tl", "standard": "tl.standard", "sorting": "tl.standard", "random": "tl.random",
           "descriptor": "tensor_descriptor"}
#: The sections of `LANGUAGE.md` where a function is found there; what is found in `tl` says it.
SECTIONS = {"tl.math": "Mathematics", "tl.random": "Random numbers", "tensor": "Of tensors", "tensor_descriptor": "Tensor descriptors",
            "tl.extra.cuda": "tl.extra.cuda", "tl.extra.libdevice": "tl.extra.libdevice"}
DIRECTIONS = {"rn": "to nearest", "rz": "towards zero", "rd": "down", "ru": "up"}
#: What may be said of a function; the last two decorate what is written in the language.
FACTS = {"handler", "section", "rounded", "ends", "since", "differs", "takes_unknown", "is_class", "tensor_method", "jit",
         "constexpr_function"}
#: Names of functions that no handler can have.
KEYWORDS = {"and", "bool", "class", "constexpr", "float", "int", "not", "or", "xor"}


class Row:
    """A function of the language."""

    def __init__(self, homes, function, facts):
        self.homes, self.function, self.facts = homes, function, facts
        self.name, self.doc = function.name, ast.get_docstring(function) or ""
        if "ends" in facts:
            self.doc += "\n\n" + facts["ends"]

    def rounded(self, way):
        """The variant that rounds in one direction."""
        one = copy.copy(self)
        one.name, one.doc = f"{self.name}_{way}", f"{self.doc}, rounded {DIRECTIONS[way]}."
        return one

    def handler(self):
        """The C++ function: `makeBlockPtr` of `make_block_ptr`."""
        first, *others = self.function.name.strip("_").split("_")
        name = first[0].lower() + first[1:] + "".join(part[:1].upper() + part[1:] for part in others)
        return self.facts.get("handler", name + "_" * (name in KEYWORDS))


def decorations(function):
    """The decorators by name, each with its argument, or True."""
    named = {item.id: True for item in function.decorator_list if isinstance(item, ast.Name)}
    called = {item.func.id: ast.literal_eval(item.args[0]) for item in function.decorator_list if isinstance(item, ast.Call)}
    return named | called


def check(path, node, homes, said):
    """Ends with a message where the description has unknown entries, or too few."""
    wrong = [f"unknown place `{home}`" for home in homes if home not in HOMES]
    wrong += [f"unknown fact `{fact}`" for fact in said if fact not in FACTS]
    if node.returns and homes[0] not in SECTIONS and "section" not in said and not node.name.startswith("_"):
        wrong.append("expected a section of `LANGUAGE.md`: `found_in(..., section=...)`")
    if wrong:
        sys.exit("\n".join(f"{path}:{node.lineno}: error: `{node.name}`: {message}" for message in wrong))


def rows_of(path):
    """The functions that a file describes, in its order; those of the library whose names begin with `_` are its own."""
    homes, facts = (LIBRARY.get(path.stem, "tl.extra.libdevice"),), {}
    for node in ast.parse(path.read_text(), path).body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.func.id == "found_in":
            homes = tuple(home.value for home in node.value.args)
            facts = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.value.keywords}
        elif isinstance(node, ast.FunctionDef) and not (path.suffix == ".py" and node.name.startswith("_")):
            said = {**facts, **decorations(node)}
            check(path, node, homes, said)
            row = Row(homes + ("tensor",) * ("tensor_method" in said), node, said)
            yield from map(row.rounded, said["rounded"]) if "rounded" in said else [row]


def description():
    """All functions of the language."""
    for path in sorted(HERE.glob("builtins/*/*.pyi"), key=lambda path: path.name) + sorted(HERE.glob("library/*.py")):
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
    return [f'{{.name = "{parameter.arg}"{kind}}}' for parameter, kind in kinds
            if parameter and not parameter.arg.startswith("_")]


def table(path):
    """The functions of a file as the array `table`."""
    lists, rows = [], []
    for row in rows_of(path):
        parameters, place = parameters_of(row.function), "{}"
        if parameters:
            place = f"parameters{len(lists)}"
            lists.append(f"constexpr BuiltinParameter {place}[] = {{{', '.join(parameters)}}};")
        homes = " | ".join(HOMES[home] for home in row.homes)
        takes_unknown = str("takes_unknown" in row.facts).lower()
        prefix = PREFIXES.get(row.homes[0], f"{row.homes[0]}.") if "InLanguage" not in HOMES[row.homes[0]] else "tl."
        rows.append(f'    {{"{row.name}", {homes}, {place}, handlerOf<{row.handler()}>, {takes_unknown}, "{prefix}"}},')
    function = f"namespace tegula::eval {{ std::span<const Builtin> {table_name(path)}() {{ return ::table; }} }}"
    return "\n".join([f"// Generated from {path.name}.", "namespace {", *lists, "constexpr Builtin table[] = {", *rows, "};",
                      "} // namespace", function, ""])


def table_name(path):
    """The function that returns the table: `builtinsMath` of `BuiltinsMath.pyi`."""
    return path.stem[0].lower() + path.stem[1:]


def sources():
    """The functions that return tables; of each file of the library its name, the module of its functions, and its text."""
    names = [table_name(path) for path in sorted(HERE.glob("builtins/*/*.pyi"))]
    yield from (f"namespace tegula::eval {{ std::span<const Builtin> {name}(); }}\n" for name in names)
    yield f"constexpr std::span<const Builtin> (*tables[])() = {{{', '.join(names)}}};\n"
    yield "constexpr std::tuple<std::string_view, ModuleId, std::string_view> library[] = {\n"
    begin = HERE / "library/libdevice_polynomials.py"
    for path in sorted(set(HERE.glob("library/*.py")) - {begin}):
        text = path.read_text()
        if "\nimport " not in text:  # a part of what begins with the polynomials
            text = begin.read_text() + text
        module = {"tensor_descriptor": "Descriptor", None: "Libdevice"}.get(LIBRARY.get(path.stem), "Language")
        yield f'    {{"<{path.name}>", ModuleId::{module}, R"library({text})library"}},\n'
    yield "};\n"


# Python's package.


def said_by(row, home):
    """The docstring of a function as a string of Python; methods point to the function that they are."""
    doc = row.doc if home != "tensor" or row.homes[0] == home else f"As `tl.{row.name}`."
    end = "\n" if "\n" in doc or doc.endswith('"') else ""
    return '"""' + doc.replace("\\", "\\\\") + end + '"""' if doc else "..."


def stub(row, home):
    """A function as Python sees it: its signature and its docstring."""
    arguments, returns = copy.deepcopy(row.function.args), ast.unparse(row.function.returns)
    if home in ("tensor", "tensor_descriptor"):
        arguments.args[0] = ast.arg("self")
    if "is_class" in row.facts:
        return stub_of_class(row, arguments, returns)
    ignored = "  # type: ignore[override]" * (row.name in ("__eq__", "__ne__"))
    signature = f"def {row.name}({ast.unparse(arguments)}) -> {returns}:{ignored}".replace("tl.", "")
    return f"@builtin\n{signature}\n" + textwrap.indent(said_by(row, home), "    ") + "\n"


def stub_of_class(row, arguments, returns):
    """A class that is made with the arguments, and iterated over where the function returns an iterator."""
    arguments.args.insert(0, ast.arg("self"))
    methods = [f"def __init__({ast.unparse(arguments)}):"]
    methods += [f"def __iter__(self) -> {returns}:"] * returns.startswith("Iterator")
    inside = [said_by(row, "tl")] + [f'{method}\n    outside_kernel("tl.{row.name}")' for method in methods]
    return f"@language_class\nclass {row.name}:\n" + textwrap.indent("\n\n".join(inside), "    ") + "\n"


def completed(template, rows):
    """A module of the package: where it says `found_in(...)`, the functions follow that are found there and say a type."""

    def place(found):
        blanks, home = found.groups()
        here = [row for row in rows if home in row.homes and row.function.returns]
        texts = [stub(row, home) for row in here]
        if not blanks:
            texts.append(f"__all__ = {[row.name for row in here if not row.name.startswith('_')]}\n")
        return textwrap.indent("\n" * (not blanks) + "\n\n".join(texts), blanks)

    return re.sub(r'^( *)found_in\("(.*)"\)\n', place, template, flags=re.MULTILINE)


def complete(folder, out):
    """Completes the templates of a folder."""
    rows = list(description())
    for path in sorted(folder.rglob("*.py.in")):
        made = out / path.relative_to(folder).with_suffix("")
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(completed(path.read_text(), rows))


# For editors.


def shown():
    """The functions that are found in Python."""
    return [row for row in description() if row.function.returns and not row.name.startswith("_")]


def docs():
    """Each function with its places, its signature and its docstring."""
    for row in shown():
        signature = f"({ast.unparse(row.function.args)}) -> {ast.unparse(row.function.returns)}".replace("tl.", "")
        cells = (json.dumps(text) for text in (" ".join(row.homes), row.name, signature, row.doc, row.facts.get("differs", "")))
        yield f"    {{{', '.join(cells)}}},\n"


# The page.


def page():
    """The functions in the order of their description; those of libdevice by their names."""
    for row in sorted(shown(), key=lambda row: row.name if row.homes[0] == "tl.extra.libdevice" else ""):
        home = row.homes[0]
        name = f"{home}.{row.name}" if home in ("tensor", "tensor_descriptor") else row.name
        section = row.facts.get("section") or SECTIONS[home]
        cells = (json.dumps(text) for text in (section, name, row.facts.get("since", ""), row.facts.get("differs", "")))
        yield f"    {{{', '.join(cells)}}},\n"


def main(command, *paths):
    *given, out = map(pathlib.Path, paths)
    if command == "stubs":
        complete(*given, out)
    else:
        out.write_text("".join({"table": table, "sources": sources, "docs": docs, "page": page}[command](*given)))


if __name__ == "__main__":
    main(*sys.argv[1:])
