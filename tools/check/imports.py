"""Python's imports in the package `tegula`: which way they run, and which of them stand inside functions.

A part is a folder with all below it, or, in the folders of LOOSE, a single module: those have Triton's names, and some of
their modules are ground while others are roof. No two parts need each other at the top of their modules. An import of ours
inside a function has its reason in a comment on the same line.
"""

import ast
import pathlib
import re

ROOT = pathlib.Path("runtime/python")
LOOSE = ["tegula", "tegula/backends", "tegula/compiler", "tegula/runtime", "tegula/tools"]


def part_of(path):
    """The part of a module, a path without suffix from ROOT."""
    loose = [folder for folder in LOOSE if path.startswith(folder + "/")]
    longest = max(loose, key=len, default="")
    return "/".join(path.split("/")[:longest.count("/") + 2])


def target_of(path, node, alias):
    """The module of ours, a path as above, that one name of an `import` leads to; None for others' modules."""
    if isinstance(node, ast.Import):
        words = alias.name.split(".")
    else:
        here = path.split("/")[:-1]
        base = here[:len(here) - node.level + 1] if node.level else []
        words = [*base, *(node.module or "").split("."), alias.name]
    words = [word for word in words if word]
    for count in (len(words), len(words) - 1):
        found = "/".join(words[:count])
        if count and words[0] == "tegula" and ((ROOT / f"{found}.py").exists() or (ROOT / found / "__init__.py").exists()):
            return found
    return None


def imports_of(path, tree):
    """(line, target, whether it stands in a function) of each import of ours that is carried out."""
    found = []

    def visit(node, in_function):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            for statement in node.orelse:
                visit(statement, in_function)
            return
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            targets = {target_of(path, node, alias) for alias in node.names} - {None}
            found.extend((node.end_lineno, target, in_function) for target in sorted(targets))
        inner = in_function or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for child in ast.iter_child_nodes(node):
            visit(child, inner)

    visit(tree, False)
    return found


def circles(arrows):
    """The groups of names that need each other; `arrows` are pairs of names."""
    needs = {}
    for name, other in arrows:
        if name != other:
            needs.setdefault(name, set()).add(other)

    def reached(name):
        seen, left = set(), [name]
        while left:
            for other in needs.get(left.pop(), set()) - seen:
                seen.add(other)
                left.append(other)
        return seen

    reach = {name: reached(name) for name in needs}
    groups = {frozenset(other for other in reach if other in reach[name] and name in reach[other])
              for name in reach if name in reach[name]}
    return sorted(map(sorted, groups))


def problems():
    """Returns the violations, a line each."""
    found, arrows = [], set()
    for file in sorted((ROOT / "tegula").rglob("*.py")):
        path = str(file.relative_to(ROOT).with_suffix("")).removesuffix("/__init__")
        own = path + "/__init__" if file.name == "__init__.py" else path
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        for line, target, in_function in imports_of(own, ast.parse(text)):
            if not in_function:
                arrows.add((part_of(path), part_of(target)))
            elif not re.search(r"#\s*(?!type:|noqa)\w", lines[line - 1]):
                found.append(f"{file}:{line}: an import of {target} inside a function, without its reason on the same line")
    found += [f"{ROOT}: parts that need each other: {' '.join(group)}" for group in circles(arrows)]
    return found
