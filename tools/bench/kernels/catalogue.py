"""All that `tegula bench` measures, in the order of tables."""

from __future__ import annotations

from cases import Entry, shape_text
from memory_kernels import memory_kernels
from product_kernels import product_kernels

CATALOGUE = [*memory_kernels(), *product_kernels()]


def _listed(entry: Entry) -> list[str]:
    others = f" ({' '.join(entry.other_dtypes)})" if entry.other_dtypes else ""
    shapes = [shape_text(shape) for shape in entry.shapes]
    shapes += [f"{shape_text(shape)}  {dtype}" for shape, dtype in entry.typed_shapes]
    return [f"{entry.name}  {entry.sides}, {entry.unit}, {' '.join(entry.dtypes)}{others}", *(f"    {text}" for text in shapes)]


def list_text() -> str:
    return "".join(f"{line}\n" for entry in CATALOGUE for line in _listed(entry))
