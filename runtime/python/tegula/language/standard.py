"""Functions of the language that are made of others: reductions, scans, sorting, and what kernels often need."""

from __future__ import annotations

from typing import Any

from ._creation import cdiv, swizzle2d, zeros, zeros_like
from ._shape import flip, interleave, ravel, squeeze, unsqueeze
from ._stub import builtin
from ._tensor import Value, tensor
from ._types import dtype as dtype_class

__tegula_name__ = "triton.language.standard"


@builtin
def _log2(i: int) -> int:
    """The logarithm to base 2 of a power of two that is known at compile time."""


@builtin
def sigmoid(x: Value) -> tensor:
    """`1 / (1 + exp(-x))`."""


@builtin
def softmax(x: tensor, dim: int | None = None, keep_dims: bool = False, ieee_rounding: bool = False) -> tensor:
    """`exp(x) / sum(exp(x))` along `dim`, by default the first dimension, computed without overflow."""


@builtin
def sum(input: tensor, axis: int | None = None, keep_dims: bool = False,
        dtype: dtype_class | None = None) -> tensor:
    """The sum along `axis`, or of all elements. With `keep_dims` the axis stays with size 1.

    Integers below 32 bits are summed in 32 bits, other types in themselves, or all in `dtype`.
    """


@builtin
def max(input: tensor, axis: int | None = None, return_indices: bool = False,
        return_indices_tie_break_left: bool = True, keep_dims: bool = False) -> Any:
    """The largest element along `axis`, or of all; with `return_indices` its place too, of equals the leftmost.
    A NaN loses against numbers. Types below 32 bits become float32 or int32."""


@builtin
def min(input: tensor, axis: int | None = None, return_indices: bool = False,
        return_indices_tie_break_left: bool = True, keep_dims: bool = False) -> Any:
    """The smallest element along `axis`, or of all; otherwise as `max`."""


@builtin
def argmax(input: tensor, axis: int, tie_break_left: bool = True, keep_dims: bool = False) -> tensor:
    """Where along `axis` the largest element is, of equals the leftmost: int32."""


@builtin
def argmin(input: tensor, axis: int, tie_break_left: bool = True, keep_dims: bool = False) -> tensor:
    """Where along `axis` the smallest element is, of equals the leftmost: int32."""


@builtin
def xor_sum(input: tensor, axis: int | None = None, keep_dims: bool = False) -> tensor:
    """The exclusive or of the integers along `axis`, or of all."""


@builtin
def reduce_or(input: tensor, axis: int, keep_dims: bool = False) -> tensor:
    """The bits that are set in any of the integers along `axis`."""


@builtin
def cumsum(input: tensor, axis: int = 0, reverse: bool = False, dtype: dtype_class | None = None) -> tensor:
    """The sums of all elements up to each along `axis`; with `reverse` from each to the end. Types as of `sum`, but that
    bfloat16 is summed in float32."""


@builtin
def cumprod(input: tensor, axis: int = 0, reverse: bool = False) -> tensor:
    """The products of all elements up to each along `axis`; with `reverse` from each to the end."""


@builtin
def sort(x: tensor, dim: int | None = None, descending: bool = False) -> tensor:
    """`x` sorted along its last dimension."""


@builtin
def topk(x: tensor, k: int, dim: int | None = None, descending: bool = True) -> tensor:
    """The `k` largest elements along the last dimension, the largest first, or the smallest; `k` is a power of two."""


@builtin
def bitonic_merge(x: tensor, dim: int | None = None, descending: bool = False) -> tensor:
    """Sorts along the last dimension what rises and then falls, or the other way round."""
