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
    `error_message` are Triton's attributes: the source of the function, the place in it (`lineno`, `col_offset`) and the first
    message. Without a source the place is that in the file.
    """

    def __init__(self, text: str | None = None, diagnostics: Sequence[Diagnostic] = (), src: str | None = None,
                 node: SourcePlace | None = None):
        super().__init__(text, diagnostics, src, node)
        self.message = text or ""
        self.diagnostics = tuple(diagnostics)
        self.src = src
        first = self._first
        self.node = SourcePlace(first.line, max(first.column - 1, 0)) if node is None and first and first.line else node

    @property
    def _first(self) -> Diagnostic | None:
        errors = [found for found in self.diagnostics if found.severity == "error"]
        return errors[0] if errors else None

    @property
    def error_message(self) -> str:
        return self._first.message if self._first else self.message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.diagnostics, self.src, self.node)


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
