"""Tables of texts for a terminal, a document and other programs, and where a document has them."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import Any

from cases import UsageError


@dataclass
class Table:
    """Rows of as many cells as there are heads. So many columns in front are `words`, aligned to the left, the others
    numbers."""
    heads: list[str]
    rows: list[list[str]]
    words: int = 0

    def plain(self) -> str:
        """Columns padded with blanks."""
        lines = [self.heads, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines)]
        padded = [[cell.ljust(width) if place < self.words else cell.rjust(width)
                   for place, (cell, width) in enumerate(zip(line, widths))] for line in lines]
        return "".join("  ".join(line).rstrip() + "\n" for line in padded)

    def markdown(self) -> str:
        lines = [self.heads, ["---"] * len(self.heads), *self.rows]
        return "".join("".join(f"| {cell} " if cell else "| " for cell in line) + "|\n" for line in lines).replace(
            "| --- ", "|---")

    def csv(self) -> str:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.heads, *self.rows])
        return text.getvalue()


def exact(number: float) -> str:
    """The shortest text that reads back as the number."""
    return repr(number).removesuffix(".0")


def json_text(head: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """An object of what is in `head` and "rows", a line for each; ends with a line's end."""
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    listed = ",\n".join(f"    {json.dumps(row)}" for row in rows)
    return "{\n" + ",\n".join([*lines, f'  "rows": [\n{listed}\n  ]']) + "\n}\n"


def section(name: str, text: str) -> str:
    """A part of a document that `with_sections` can replace. A blank line stands on both sides: a table begins a paragraph."""
    return f"{_first(name)}\n{text}\n{_last(name)}"


def with_sections(document: str, sections: dict[str, str]) -> str:
    """`document` with the text between each section's two lines replaced. UsageError where it has no such lines."""
    for name, text in sections.items():
        before, first, rest = document.partition(_first(name))
        _, last, behind = rest.partition(_last(name))
        if not last:
            raise UsageError(f"expected the lines\n{_first(name)}{_last(name)}around the table that is to be replaced")
        document = before + section(name, text) + behind
    return document


def _first(name: str) -> str:
    return f"<!-- tegula bench {name} -->\n"


def _last(name: str) -> str:
    return f"<!-- end of tegula bench {name} -->\n"
