"""The text of a jit function, and what its names mean: how source reaches the compiler.

The text is taken when a function is decorated, since files may change afterwards; it is parsed when the function is
first used. A kernel's body is never executed.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import symtable
import sys
import textwrap
import types
from typing import Any, Callable, Collection, Iterator, Mapping

from ... import _native
from ..._native import ValueKind
from ...language.core import constexpr, make_tensor_descriptor
from . import tuples, values
from .constexpr_function import ConstexprFunction
from .kernel_interface import unwrapped
from .values import Functions, Uses


class FunctionText:
    """The source of a function: where it lies, and its lines from `def` on."""

    def __init__(self, path: str, lines: list[str], first_line: int, names: frozenset[str] | None = None):
        self.path, self.lines, self.first_line = path, lines, first_line
        #: What `globals_used` gives, where that is known.
        self.names = names

    @staticmethod
    def of(function: Callable[..., Any]) -> FunctionText:
        """ValueError, as in Triton, where the source cannot be had."""
        inner = inspect.unwrap(function)
        found = _text_of(inner.__code__, inner.__globals__)
        if found is not None:
            return found
        path = inner.__code__.co_filename
        try:
            lines, first_line = inspect.getsourcelines(function)
        except (OSError, TypeError) as error:
            raise ValueError(f"@jit functions should be defined in a Python file: the source of "
                             f"`{getattr(function, '__qualname__', function)}` cannot be had ({error}). Code given to "
                             "`exec` needs an entry in `linecache.cache` under the name it was compiled with") from None
        start = _definition_in(lines)
        if start is None:
            raise ValueError(f"{path}:{first_line}: expected a function that `def` defines")
        return FunctionText(path, _with_newline(lines[start:]), first_line + start)

    @property
    def name(self) -> str:
        """Returns the function's name in the source."""
        found = re.match(r"\s*def\s+(\w+)", self.lines[0])
        assert found is not None
        return found[1]

    @property
    def text(self) -> str:
        return "".join(self.lines)


def _text_of(code: types.CodeType, space: dict[str, Any]) -> FunctionText | None:
    """Returns what `inspect` would find by parsing the text, in a tenth of the time: the code knows its first line, and
    its last but for what closes a bracket or a string there. None where that is not enough."""
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, space)
    start, end = code.co_firstlineno - 1, _last_line(code)
    if not 0 <= start < end <= len(lines):
        return None
    indent = _indent(lines[start])
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > indent):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    block = _with_newline(lines[start:end])
    skipped = _definition_in(block)
    if skipped is None:
        return None
    del block[:skipped]
    try:
        names = globals_used("".join(block))
    except SyntaxError:
        return None
    return FunctionText(code.co_filename, block, start + 1 + skipped, names)


def _with_newline(lines: list[str]) -> list[str]:
    """The lines, of which the last of a file may have no end."""
    return lines if lines[-1].endswith("\n") else [*lines[:-1], lines[-1] + "\n"]


def _definition_in(lines: list[str]) -> int | None:
    """The line of `def`, behind the decorators, which are indented as far."""
    indent = _indent(lines[0])
    head = re.compile(rf"\s{{{indent}}}def\s+\w+\s*\(")
    return next((place for place, line in enumerate(lines) if head.match(line)), None)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _last_line(code: types.CodeType) -> int:
    last = max((line for _, _, line in code.co_lines() if line), default=0)
    return max([last, *(_last_line(inner) for inner in code.co_consts if isinstance(inner, types.CodeType))])


def globals_used(text: str) -> frozenset[str]:
    """The names that a function takes from outside of itself. SyntaxError where the text is wrong."""
    found: set[str] = set()
    if text[:1].isspace():
        text = textwrap.dedent(text)
    tables = [symtable.symtable(text, "<kernel>", "exec")]
    found.update(symbol.get_name() for symbol in tables[0].get_symbols() if symbol.is_referenced())
    while tables:
        inner = tables.pop().get_children()
        found.update(symbol.get_name() for table in inner for symbol in table.get_symbols() if symbol.is_global())
        tables += inner
    return frozenset(found)


def names_used(definition: ast.FunctionDef) -> dict[str, Uses]:
    """The names that a function takes from outside of itself, each with the attributes that are used of it."""
    own = {argument.arg for argument in _arguments(definition)}
    own.update(node.id for node in ast.walk(definition)
               if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))
    found: dict[str, Uses] = {}
    for statement in definition.body:
        _collect(statement, found)
    found = {name: uses for name, uses in found.items() if name not in own}
    # Annotations and defaults stand outside: there a parameter's name is not the parameter.
    for expression in _outside(definition):
        _collect(expression, found)
    return found


def _arguments(definition: ast.FunctionDef) -> Iterator[ast.arg]:
    arguments = definition.args
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (rest for rest in (arguments.vararg, arguments.kwarg) if rest is not None)


def _outside(definition: ast.FunctionDef) -> Iterator[ast.expr]:
    for argument in _arguments(definition):
        if isinstance(argument.annotation, ast.Constant) and isinstance(argument.annotation.value, str):
            try:  # an annotation in quotation marks
                yield ast.parse(argument.annotation.value, mode="eval").body
            except SyntaxError:
                continue
        elif argument.annotation is not None:
            yield argument.annotation
    yield from definition.args.defaults
    yield from (default for default in definition.args.kw_defaults if default is not None)


def _collect(tree: ast.AST, found: dict[str, Uses]) -> None:
    for node in ast.walk(tree):
        path: list[str] = []
        while isinstance(node, ast.Attribute):
            path.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            uses = found.setdefault(node.id, {})
            for attribute in reversed(path):
                uses = uses.setdefault(attribute, {})


#: A default that is a name alone, perhaps: what to look closer for.
_NAMED_DEFAULT = re.compile(r"=\s*[A-Za-z_]\w*\s*[,)]")


def defaults_named(function: Any) -> dict[str, Any]:
    """The names that a function reads for defaults of its parameters alone, `n=COUNT`, with the values that these had at `def`,
    whatever the names mean since."""
    if not any(param.has_default for param in function.params) or not _NAMED_DEFAULT.search(function.src):
        return {}
    definition = function.definition()
    arguments = definition.args
    places = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(places[len(places) - len(arguments.defaults):], arguments.defaults), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
    given = {param.name: param.default for param in function.params if param.has_default}
    found = {default.id: given[argument.arg] for argument, default in pairs
             if isinstance(default, ast.Name) and argument.arg in given}
    elsewhere: dict[str, Uses] = {}
    for node in (*definition.body, *(argument.annotation for argument in _arguments(definition) if argument.annotation is not None)):
        _collect(node, elsewhere)
    return {name: value for name, value in found.items() if name not in elsewhere}


def caller_of(function: Any, fixed: Collection[str], forms: Mapping[str, Any]) -> str:
    """A kernel of the function's name that calls it as BODY: with the names `fixed` from outside as these arguments, and
    with tuples of these forms put together of what they hold. Where a value is only passed on it stays what it is."""
    parameters, arguments = [], []
    for param in function.params:
        keyword = "*" if param.is_rest else f"{param.name}=" if param.is_keyword_only else ""
        form = forms.get(param.name, tuples.RUN_TIME)
        arguments.append(keyword + tuples.together(param.name, form))
        if param.name in forms:
            parameters += tuples.passed(param.name, form)
        elif param.name not in fixed:
            kind = CONSTEXPR if param.is_constexpr else repr(param.annotation_type)
            parameters.append(f"{param.name}: {kind}" if param.is_constexpr or param.annotation_type else param.name)
    return mark_generated(f"def {function.definition_name}({', '.join(parameters)}): {BODY}({', '.join(arguments)})\n")


def mark_generated(text: str) -> str:
    """Marks generated lines, so that no message shows them."""
    return text.replace("\n", "  # made by tegula\n")


#: What the caller calls the function, and the annotation of compile-time parameters.
BODY, CONSTEXPR = "tegula__body", "tegula__constexpr"


class Program:
    """A function with all that it uses as sources of one program. `fixed` are values of its parameters that reach it as
    names: functions, named tuples; `forms` those that are tuples of what launches pass. With any of them, empty or not,
    the types of parameters are those that the function's annotations say, not its text."""

    def __init__(self, entry: Any, fixed: dict[str, Any] | None = None, forms: dict[str, Any] | None = None):
        self._builder = _native.Builder()
        self._numbers: dict[int, int] = {}
        self._functions: list[Any] = []
        self._handle = Functions(self._number, lambda number: self._functions[number], self._add_host_function,
                                 self._add_class)
        #: Those of the host that it may call, directly or through others.
        self.host_functions: list[Any] = []
        #: What launches compare with the present: (globals, name, value).
        self.used_globals: list[tuple[dict[str, Any], str, Any]] = []
        #: The `tl.constexpr` among them and among what functions have captured, by name.
        self.used_constants: dict[str, Any] = {}
        self._finished: Any = None
        self._entry = self._number(entry)
        if fixed is not None or forms is not None:
            self._entry = self._add_caller(entry, fixed or {}, forms or {})

    def _number(self, function: Any) -> int:
        number = self._numbers.get(id(function))
        return self._add(function) if number is None else number

    def _add_source(self, function: Any, text: str, first_line: int) -> int:
        number = self._builder.add_source(function.path, text, first_line)
        self._functions.append(function)
        self._finished = None
        return number

    def _add(self, function: Any) -> int:
        text, first_line = function.compiled_text()
        number = self._numbers[id(function)] = self._add_source(function, text, first_line)
        defaults = defaults_named(function)
        for name, uses in self._names_of(function).items():
            if name in defaults:
                self._builder.bind(number, name, values.describe(defaults[name], self._handle, uses, True))
            else:
                self._bind(function, number, name, uses)
        return number

    def _add_class(self, cls: type) -> int:
        number = self._numbers.get(id(cls))
        if number is None:
            path, text, first_line = values.class_source(cls)
            text = text if values.is_aggregate(cls) else mark_generated(text)
            number = self._numbers[id(cls)] = self._builder.add_source(path, text, first_line)
            self._functions.append(cls)
            self._finished = None
            if values.is_aggregate(cls):
                self._bind_names_of(cls, number, text)
        return number

    def _bind_names_of(self, cls: type, number: int, text: str) -> None:
        """Binds the names that the functions of an aggregate take from outside of it: of its module, and of functions
        around it."""
        space = {**vars(sys.modules[cls.__module__])}
        for member in vars(cls).values():
            function = unwrapped(member)
            if function is not None:
                space.update(function.closure())
        space[cls.__name__] = cls
        uses: dict[str, Uses] = {}
        _collect(ast.parse(text), uses)
        for name in globals_used(text) & space.keys():
            if not values.is_python_builtin(name, space[name]):
                self._watch(space, name, uses.get(name, {}))
                self._builder.bind(number, name, values.describe(space[name], self._handle, uses.get(name, {}),
                                                                 values.every_global_is_constexpr()))

    def _add_caller(self, function: Any, fixed: dict[str, Any], forms: dict[str, Any]) -> int:
        text = mark_generated(function.decorator({*fixed, *forms})) + caller_of(function, fixed, forms)
        number = self._add_source(function, text, function.starting_line_number - 1)
        known = dict(fixed)
        for name, form in forms.items():
            known.update(tuples.known(name, form))
        if any(tuples.has_descriptor(form) for form in forms.values()):
            self._builder.bind(number, tuples.MAKE_DESCRIPTOR, values.describe(make_tensor_descriptor, self._handle))
            rounding = values.Value(ValueKind.LANGUAGE, text=tuples.ROUNDING_IN_LANGUAGE)
            self._builder.bind(number, tuples.ROUNDING, rounding)
        for name, value in known.items():
            self._builder.bind(number, name, values.describe(value, self._handle, None, True))
        self._builder.bind(number, BODY, values.describe(function, self._handle))
        self._builder.bind(number, CONSTEXPR, values.describe(constexpr, self._handle))
        return number

    @staticmethod
    def _names_of(function: Any) -> dict[str, Uses]:
        """The names that the function uses, each with its attributes where those of its value are told one by one."""
        names = function.names()
        if names is not None:
            space = {**(function.__globals__ or {}), **function.closure()}
            if not any(name in space and values.needs_attributes(space[name]) for name in names):
                return {name: {} for name in names}
        return names_used(function.definition())

    def _bind(self, function: Any, number: int, name: str, uses: Uses) -> None:
        closure = function.closure()
        space = closure if name in closure else function.__globals__ or {}
        if name not in space or values.is_python_builtin(name, space[name]):
            return
        if space is not closure:
            self._watch(space, name, uses)
        if isinstance(space[name], constexpr):
            self.used_constants[name] = space[name]
        is_constant = values.every_global_is_constexpr() or getattr(function, "reads_all_globals", False)
        self._builder.bind(number, name, values.describe(space[name], self._handle, uses, is_constant))

    def _watch(self, space: dict[str, Any], name: str, uses: Uses) -> None:
        """Remembers what is compiled in: the value of the name, or of the attributes of a module."""
        value = space[name]
        if values.may_be_used(value):
            self.used_globals.append((space, name, value))
        elif isinstance(value, types.ModuleType) and values.language_name(value) is None:
            for attribute in uses:
                if attribute in vars(value):
                    self._watch(vars(value), attribute, uses[attribute])

    def _add_host_function(self, function: Any) -> None:
        if function in self.host_functions:
            return
        self.host_functions.append(function)
        for space, name in function.names_used():
            if isinstance(space[name], ConstexprFunction):
                self._add_host_function(space[name])
            else:
                self._watch(space, name, {})

    @property
    def functions(self) -> list[Any]:
        """The function itself, then those it uses, directly or through others."""
        return [function for function in self._functions if not isinstance(function, type)]

    @property
    def classes(self) -> list[type]:
        """The classes that it makes values of: of named tuples, and aggregates."""
        return [cls for cls in self._functions if isinstance(cls, type)]

    def describe(self, value: Any) -> values.Value:
        """A compile-time value of a launch."""
        return values.describe(value, self._handle, is_constexpr=True)

    def finish(self) -> Any:
        """The program of the library with all sources so far."""
        if self._finished is None:
            self._finished = self._builder.finish(self._entry)
        return self._finished
