"""Products of matrices."""

from __future__ import annotations

from ._stub import builtin
from ._tensor import tensor
from ._types import dtype, float32


@builtin
def dot(input: tensor, other: tensor, acc: tensor | None = None, input_precision: str | None = None,
        allow_tf32: bool | None = None, max_num_imprecise_acc: int | None = None,
        out_dtype: dtype | None = None) -> tensor:
    """The product of an [M, K] and a [K, N] matrix, or of stacks of them, added to `acc`.

    Lowered to the matrix units. Both operands have one type (two types of 8-bit floats go together); floats are
    summed in float32, or float16 where `out_dtype` or the type of `acc` says so, 8-bit integers in int32. K is at least
    what 32 bytes hold.
    `input_precision` is about float32 operands: "tf32" (the default), "tf32x3" or "ieee". `allow_tf32=False` is the old
    spelling of "ieee". `max_num_imprecise_acc` bounds how many products of 8-bit floats the matrix unit sums by itself.
    """


@builtin
def dot_scaled(lhs: tensor, lhs_scale: tensor | None, lhs_format: str, rhs: tensor, rhs_scale: tensor | None,
               rhs_format: str, acc: tensor | None = None, fast_math: bool = False, lhs_k_pack: bool = True,
               rhs_k_pack: bool = True, out_dtype: dtype = float32) -> tensor:
    """The product of matrices of narrow floats whose every 32 elements along K share a scale, a power of two of eight
    bits. Formats are "e2m1", "e4m3", "e5m2", "bf16" and "fp16"."""
