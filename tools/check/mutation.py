"""Places in C++ where one operator can be changed, and sources rewritten so that one build carries all changed places.

A place becomes `(::tegula::mutant(K) ? (changed) : (original))`; the header that `header` returns says which K is on.

>>> source = b"bool below(int a, int b) { return a < b + 1; }"
>>> less, plus = [Place("f.cpp", 34, 43, 36, 37, "<=", "a < b + 1"), Place("f.cpp", 38, 43, 40, 41, "-", "b + 1")]
>>> print(rewritten(source, [(7, less)]).decode())
bool below(int a, int b) { return (::tegula::mutant(7) ? (a <= b + 1) : (a < b + 1)); }
>>> print(rewritten(source, [(8, plus)]).decode())
bool below(int a, int b) { return a < (::tegula::mutant(8) ? (b - 1) : (b + 1)); }

Places that share text would each need the other in both branches, so only one of them is taken:

>>> overlap(less, plus)
True

A `!` that is dropped leaves a condition, not the value that had been negated:

>>> dropped = Place("f.cpp", 8, 14, 8, 9, "", "!value")
>>> print(rewritten(b"return !value;", [(0, dataclasses.replace(dropped, start=7, end=13, begin=7, stop=8))]).decode())
return (::tegula::mutant(0) ? (static_cast<bool>(value)) : (!value));

What an operator may become; a number moves by one:

>>> changes("<"), changes("&&"), changes("min"), changes("64u"), changes("0"), changes("->")
(['<=', '>='], ['||'], ['max'], ['64u + 1', '64u - 1'], ['0 + 1'], [])
"""

import dataclasses
import re

CHANGES = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"], "&&": ["||"], "||": ["&&"], "!": [""],
    "true": ["false"], "false": ["true"], "min": ["max"], "max": ["min"],
}
NUMBER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)[uUlLzZ]*")

HEADER = """\
#pragma once
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace tegula {
/// Returns whether the mutant `number` is on, and leaves a file named after it in the folder TEGULA_MUTANT_TRACE.
inline bool mutant(int number) {
  static const char *const chosen = std::getenv("TEGULA_MUTANT"), *const folder = std::getenv("TEGULA_MUTANT_TRACE");
  static const int on = chosen ? std::atoi(chosen) : -1;
  static std::atomic<bool> seen[COUNT];
  if (folder && !seen[number].exchange(true))
    ::close(::open((std::string(folder) + "/" + std::to_string(number)).c_str(), O_CREAT | O_WRONLY, 0644));
  return number == on;
}
} // namespace tegula
"""


@dataclasses.dataclass(frozen=True)
class Place:
    """An expression, bytes `start` to `end` of a file, in which `change` replaces bytes `begin` to `stop`."""
    file: str
    start: int
    end: int
    begin: int
    stop: int
    change: str
    original: str

    def changed(self):
        head, tail = (self.original.encode()[:self.begin - self.start], self.original.encode()[self.stop - self.start:])
        text = (head + self.change.encode() + tail).decode()
        return text if self.change else f"static_cast<bool>({text})"


def header(count):
    """Returns the header of a tree with `count` mutants."""
    return HEADER.replace("COUNT", str(count))


def changes(operator):
    """Returns what may stand in an operator's place."""
    if NUMBER.fullmatch(operator):
        zero = re.fullmatch(r"[0xXbB']+[uUlLzZ]*", operator)
        return [f"{operator} + 1"] + ([] if zero else [f"{operator} - 1"])
    return CHANGES.get(operator, [])


def overlap(one, other):
    return one.file == other.file and one.start < other.end and other.start < one.end


def rewritten(source, numbered):
    """Returns a source, as bytes, in which each of the pairs of a number and a place of that file can be switched."""
    for number, place in sorted(numbered, key=lambda pair: -pair[1].start):
        text = f"(::tegula::mutant({number}) ? ({place.changed()}) : ({place.original}))"
        source = source[:place.start] + text.encode() + source[place.end:]
    return source


def places_of(unit, file, source):
    """Yields the places of a parsed file: those in bodies of functions whose values are not needed at compile time."""
    for cursor in unit.cursor.get_children():
        if cursor.location.file is not None and cursor.location.file.name == file:
            for whole, begin, stop in walk(cursor, None, source, False):
                # An expression from a macro has the extent of the macro, whose text is no operator.
                start, end = whole.extent.start.offset, whole.extent.end.offset
                for change in changes(source[begin:stop].decode()):
                    yield Place(file, start, end, begin, stop, change, source[start:end].decode())


def walk(cursor, parent, source, inside):
    """Yields (expression, begin, stop) of each operator below `cursor`; `inside` says whether it is in a body."""
    if needed_by_compiler(cursor, source) or (parent is not None and is_argument_of_template(cursor, parent)):
        return
    inside = inside or cursor.kind.name == "COMPOUND_STMT"
    if inside and (found := operator_of(cursor, parent, source)):
        yield (cursor, *found)
    children = list(cursor.get_children())
    if cursor.kind.name == "CASE_STMT":
        children = children[1:]
    for child in children:
        yield from walk(child, cursor, source, inside)


def needed_by_compiler(cursor, source):
    """Tells whether what stands here is, or may be, evaluated by the compiler."""
    kind = cursor.kind.name
    if kind in ("STATIC_ASSERT", "ENUM_DECL", "FIELD_DECL", "TYPE_ALIAS_DECL", "TYPEDEF_DECL", "PARM_DECL"):
        return True
    text = source[cursor.extent.start.offset:cursor.extent.end.offset]
    if kind in ("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "FUNCTION_TEMPLATE", "VAR_DECL"):
        return re.search(rb"\b(constexpr|consteval|constinit)\b", re.split(rb"[{=;]", text)[0]) is not None
    return kind == "IF_STMT" and re.match(rb"if\s+constexpr", text) is not None


def is_argument_of_template(cursor, parent):
    """Tells whether an expression is part of a name or of a type rather than of what is computed."""
    kind, name = parent.kind.name, parent.location.offset
    if kind in ("DECL_REF_EXPR", "TYPE_REF", "TEMPLATE_REF"):
        return True
    if kind == "MEMBER_REF_EXPR":
        return cursor.extent.start.offset > name
    if kind == "VAR_DECL":
        return cursor.extent.start.offset < name or parent.type.kind.name == "CONSTANTARRAY" and is_number(cursor)
    return False


def is_number(cursor):
    return cursor.kind.name == "INTEGER_LITERAL"


def operator_of(cursor, parent, source):
    """Returns where the operator of an expression begins and stops, None where there is none that can be changed."""
    start, end = cursor.extent.start.offset, cursor.extent.end.offset
    kind = cursor.kind.name
    if is_number(cursor) or (kind == "CXX_BOOL_LITERAL_EXPR" and parent.kind.name == "RETURN_STMT"):
        return start, end
    if kind in ("UNARY_OPERATOR", "CALL_EXPR") and re.match(rb"!(?!=)", source[start:end]):
        return start, start + 1
    if kind == "CALL_EXPR" and (found := re.match(rb"std::(min|max)\b", source[start:end])):
        return start + found.start(1), start + found.end(1)
    if kind == "BINARY_OPERATOR" or (kind == "CALL_EXPR" and cursor.spelling in ("operator==", "operator!=")):
        return between(cursor, source)
    return None


def between(cursor, source):
    """Returns where the operator between two operands stands."""
    operands = sorted((child.extent.start.offset, child.extent.end.offset) for child in cursor.get_children()
                      if not child.spelling.startswith("operator"))
    if len(operands) != 2:
        return None
    gap = source[operands[0][1]:operands[1][0]]
    found = re.fullmatch(rb"[\s)]*([<>=!+\-*/%&|]+)[\s(]*", gap)
    return found and (operands[0][1] + found.start(1), operands[0][1] + found.end(1))
