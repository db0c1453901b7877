"""Functions of the language that make values: ids of programs, ranges, constants, conversions."""

from __future__ import annotations

from typing import Sequence

from ._stub import builtin
from ._tensor import Value, tensor
from ._types import dtype as dtype_class


@builtin
def program_id(axis: int) -> tensor:
    """The index of this program in the grid along `axis` (0, 1 or 2): an int32, the block index of CUDA."""


@builtin
def num_programs(axis: int) -> tensor:
    """How many programs the grid has along `axis` (0, 1 or 2): an int32."""


@builtin
def arange(start: int, end: int) -> tensor:
    """The int32s from `start` to `end - 1` as a block.

    Both bounds are known at compile time, and their difference is a power of two.
    """


@builtin
def full(shape: Sequence[int], value: Value, dtype: dtype_class) -> tensor:
    """A block of `shape` in which every element is `value`, converted to `dtype`. `[]` as shape gives a scalar."""


@builtin
def zeros(shape: Sequence[int], dtype: dtype_class) -> tensor:
    """A block of `shape` of zeros."""


@builtin
def zeros_like(input: tensor) -> tensor:
    """Zeros in the shape and type of `input`."""


@builtin
def cast(input: Value, dtype: dtype_class, fp_downcast_rounding: str | None = None, bitcast: bool = False) -> tensor:
    """`input` converted to `dtype`.

    Floats become shorter floats by rounding to nearest even, or towards zero where `fp_downcast_rounding` is
    "rtz"; floats become integers by truncation; anything becomes `int1` by comparing it with zero.
    With `bitcast` the bits stay and only the type changes; both types have then the same width.
    """


@builtin
def cat(input: tensor, other: tensor, can_reorder: bool = False, dim: int = 0) -> tensor:
    """The elements of both blocks, one behind the other along `dim`. With `can_reorder` in any order."""


@builtin
def to_tensor(x: Value) -> tensor:
    """A number as a scalar of a kernel: int32 where it fits, else uint32, int64 or uint64; float32 where its range
    suffices, else float64. A tensor stays what it is."""


@builtin
def cdiv(x: Value, div: Value) -> tensor:
    """`x / div` rounded up: how many steps of `div` cover `x`. For integers that are not negative."""


@builtin
def swizzle2d(i: Value, j: Value, size_i: Value, size_j: Value, size_g: Value) -> tuple[tensor, tensor]:
    """Coordinates for tile (i, j) of `size_i * size_j` tiles such that consecutive tiles walk down groups of
    `size_g` rows, which share more of what they read. Plain arithmetic of integers."""

