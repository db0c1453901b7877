"""Errors of a compilation as the calls led to them, which is how programs know them of Triton: what is raised is about the
kernel, its `__cause__` about the function that it calls, and so on; where a function of the language refuses what it was given, the
last cause is that message alone.

    CompilationError    at 3:4: in `kernel`          the call of `helper`, from `def kernel` on
      CompilationError  at 2:8: in `helper`          the call of `tl.arange`
        ValueError      arange's range must be a power of 2
"""

from __future__ import annotations

import ast
import re
import threading
import weakref
from typing import Any, NamedTuple, Sequence

from ..._native import ErrorKind
from ...compiler.errors import (CompilationError, CompileTimeAssertionFailure, Diagnostic, SourcePlace,
                                diagnostic_from_native)
from ..errors import DeviceError, FrozenError, KernelFault, OutOfResources, PTXASError

#: The functions that were decorated: messages have lines of files, and Triton's count from `def`.
_decorated: weakref.WeakSet[Any] = weakref.WeakSet()
_lock = threading.Lock()

#: The note at a call that led to an error.
_CALL = re.compile(r"`(.+)` is called here")
#: What a message begins with that a function or an operator of the language gives: "`tl.arange`: ...".
_SOURCE = re.compile(r"`([^`]+)`: ")
#: Errors of a name, which no function of the language has refused, wherever it stands.
_OF_A_NAME = re.compile(r"name `|Cannot access global variable")


class _Step(NamedTuple):
    """A place on the way to an error, the function that it is in, and line and column from its `def`."""

    found: Diagnostic
    function: Any
    place: SourcePlace


def remember(function: Any) -> None:
    """Lets errors in the text of this function say where they are in it."""
    with _lock:
        _decorated.add(function)


def decorated() -> list[Any]:
    """The functions that were decorated and are still in use."""
    with _lock:
        return list(_decorated)


def chained(text: str, diagnostics: Sequence[Diagnostic]) -> CompilationError:
    """The exception for what the compiler has found, with its causes. Without them where the function is not known."""
    errors = [found for found in diagnostics if found.severity == "error"]
    static = errors and all(found.message.startswith("static assertion failed") for found in errors)
    kind = CompileTimeAssertionFailure if static else CompilationError
    steps = _steps(errors[0]) if errors else []
    if not steps:
        return kind(text, diagnostics)
    first = errors[0]
    refused = None if static else _refused_call(first, steps[0])
    cause: BaseException | None = None
    if refused is not None:
        cause = ValueError(_SOURCE.sub("", first.message, count=1))
        steps[0] = steps[0]._replace(place=refused)
    for step in steps:
        is_last = step is steps[-1]
        found = step.found
        said = text.rstrip("\n") if is_last else f"{found.file}:{found.line}:{found.column}: error: {first.message}"
        place = f"at {step.place.lineno}:{step.place.col_offset}: in `{step.function.__name__}`"
        error = kind(f"{said}\n{place}\n{first.message}", diagnostics if is_last else (first,), step.function.src, step.place)
        error.__cause__ = cause
        cause = error
    return error


def _steps(error: Diagnostic) -> list[_Step]:
    """From the place of the error to the kernel's call; nothing where one of the functions is not known."""
    calls = [note for note in error.notes if _CALL.fullmatch(note.message)]
    functions = decorated()
    steps = []
    for found in (error, *calls):
        function = _around(found, functions)
        if function is None:
            return []
        column = max(found.column - function.def_file_col_number, 0)
        steps.append(_Step(found, function, SourcePlace(found.line - function.def_file_line_number + 1, column)))
    return steps


def _around(found: Diagnostic, functions: Sequence[Any]) -> Any:
    """The innermost function in whose text the place is."""
    holding = [function for function in functions
               if function.path == found.file and 0 <= found.line - function.def_file_line_number < len(function.raw_src)]
    return max(holding, key=lambda function: function.def_file_line_number, default=None)


def _refused_call(error: Diagnostic, step: _Step) -> SourcePlace | None:
    """The call in which a function of the language found this error, if one did: the innermost, or the one of the function that
    the message begins with."""
    source = _SOURCE.match(error.message)
    if _OF_A_NAME.match(error.message) or (source and not re.search(r"\w", source[1])):
        return None  # an operator is no call
    name = source[1].rpartition(".")[2] if source else ""
    calls = [node for node in ast.walk(step.function.definition()) if isinstance(node, ast.Call) and _covers(node, step.place)
             and (not name or ast.unparse(node.func).rpartition(".")[2] == name)]
    if not calls:
        return None
    innermost = max(calls, key=lambda node: (node.lineno, node.col_offset))
    return SourcePlace(innermost.lineno, innermost.col_offset)


def _covers(node: ast.Call, place: SourcePlace) -> bool:
    end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    return (node.lineno, node.col_offset) <= place < end


def from_native(kind: int, text: str, diagnostics: Sequence[Any], resource: tuple | None) -> BaseException:
    """The exception for a failure in the library: `kind` is an `ErrorKind`, `diagnostics` are tuples, `resource`
    is (name, required, limit) or None."""
    if resource is not None:  # told by the compiler or by the device
        name, required, limit = resource
        return OutOfResources(required, limit, name)
    if kind == ErrorKind.COMPILE and not diagnostics and not text.startswith("internal error"):
        return PTXASError(text)  # code that the assembler, or the emulator, does not take
    if kind == ErrorKind.COMPILE:
        return chained(text, tuple(map(diagnostic_from_native, diagnostics)))
    exceptions = {ErrorKind.INVALID_ARGUMENT: ValueError, ErrorKind.FAULT: KernelFault, ErrorKind.IO: OSError,
                  ErrorKind.INTERRUPTED: KeyboardInterrupt, ErrorKind.FROZEN: FrozenError}
    return exceptions.get(ErrorKind(kind), DeviceError)(text)
