"""Errors in the source of a kernel, with the compiler's own diagnostics: file, line and caret."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

from ..errors import TritonError


class Diagnostic(NamedTuple):
    """A message about a place in a source. `line` and `column` count from 1; `line` is 0 when it is about no line."""

    severity: str  # "error", "warning" or "note"
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    end_column: int = 0
    source_line: str = ""
    help: str = ""
    notes: "Sequence[Diagnostic]" = ()


class CompilationError(TritonError):
    """The source of a kernel is wrong.

    `str()` is what the compiler says, with the lines and carets; `diagnostics` is the same as data. `src`, `node` and
    `error_message` are Triton's attributes: the source of the kernel, the place (`lineno`, `col_offset`) and the first
    message.
    """

    def __init__(self, text: str | None = None, diagnostics: Sequence[Diagnostic] = (), src: str | None = None):
        super().__init__(text, diagnostics, src)
        self.message = text or ""
        self.diagnostics = tuple(diagnostics)
        self.src = src

    @property
    def _first(self) -> Diagnostic | None:
        errors = [found for found in self.diagnostics if found.severity == "error"]
        return errors[0] if errors else None

    @property
    def error_message(self) -> str:
        return self._first.message if self._first else self.message

    @property
    def node(self) -> SourcePlace | None:
        first = self._first
        return SourcePlace(first.line, max(first.column - 1, 0)) if first and first.line else None

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.diagnostics, self.src)


class SourcePlace(NamedTuple):
    """A line, from 1, and a column, from 0, as nodes of Python's `ast` count them."""

    lineno: int
    col_offset: int


class CompileTimeAssertionFailure(CompilationError):
    """A `tl.static_assert` did not hold."""


class UnsupportedLanguageConstruct(CompilationError):
    """A kernel uses a part of Python that the language does not have. Here that is a `CompilationError` like others;
    the name is for programs that catch it."""


_SEVERITIES = ("note", "warning", "error")


def diagnostic_from_native(found: Sequence[Any]) -> Diagnostic:
    """A diagnostic from the tuple of the extension module."""
    severity, message, file, line, column, end_column, source_line, help, notes = found
    return Diagnostic(_SEVERITIES[severity], message, file, line, column, end_column, source_line, help,
                      tuple(map(diagnostic_from_native, notes)))


def compilation_error(text: str, diagnostics: Sequence[Diagnostic], src: str | None = None) -> CompilationError:
    """The error of Triton's class that fits to what the compiler found."""
    errors = [found.message for found in diagnostics if found.severity == "error"]
    static = errors and all(message.startswith("static assertion failed") for message in errors)
    return (CompileTimeAssertionFailure if static else CompilationError)(text, diagnostics, src)
