"""Reductions and scans of `triton.language`: what combines two elements, and in which type they meet."""

import triton.language as tl


@constexpr_function
def _sum_type(own, wanted):
    if wanted is not None:
        return wanted
    if own.is_int() and own.primitive_bitwidth < 32:
        return tl.int32 if own.is_int_signed() else tl.uint32
    return own


@constexpr_function
def _extremum_type(own):
    if own.primitive_bitwidth >= 32:
        return own
    return tl.float32 if own.is_floating() else tl.int32


@constexpr_function
def _scan_type(own):
    return tl.float32 if own.is_bf16() else own


@jit
def _add(a, b):
    return a + b


@jit
def _times(a, b):
    return a * b


@jit
def _larger(a, b):
    return tl.maximum(a, b)


@jit
def _smaller(a, b):
    return tl.minimum(a, b)


@jit
def _xor(a, b):
    return a ^ b


@jit
def _or(a, b):
    return a | b


@jit
def _prefer(better, value1, index1, value2, index2):
    # The left of two equals wins, and a NaN loses against any number: in whichever order elements meet, one of them
    # wins.
    if value1.dtype.is_floating():
        absent = value2 != value2
        tie = (value1 == value2) | absent
        first = better | (tie & (index1 < index2)) | (absent & (value1 == value1))
    else:
        first = better | ((value1 == value2) & (index1 < index2))
    return tl.where(first, value1, value2), tl.where(first, index1, index2)


@jit
def _leftmost_largest(value1, index1, value2, index2):
    return _prefer(value1 > value2, value1, index1, value2, index2)


@jit
def _leftmost_smallest(value1, index1, value2, index2):
    return _prefer(value1 < value2, value1, index1, value2, index2)


@jit
def _with_indices(input, axis, combine, keep_dims):
    if input.dtype.is_bf16():
        return tl.reduce((tl.cast(input, tl.float32), tl._axis_index(input, axis)), axis, combine, keep_dims)
    return tl.reduce((input, tl._axis_index(input, axis)), axis, combine, keep_dims)


@jit
def _leftmost(input, axis, combine, keep_dims):
    # The extremum first and then the least place of those that equal it: two reductions of one number each, which
    # compare less than one of pairs, and the first is that of `tl.max` where a kernel has both.
    elements = tl.cast(input, _extremum_type(input.dtype))
    found = tl.reduce(elements, axis, combine, True)
    if elements.dtype.is_floating():
        chosen = (elements == found) | (found != found)  # a NaN loses, unless there is nothing else
    else:
        chosen = elements == found
    return tl.reduce(tl.where(chosen, tl._axis_index(input, axis), 2147483647), axis, _smaller, keep_dims)


@jit
def _integers(input, name):
    if input.dtype.is_int():
        return input
    return tl.static_assert(False, f"`tl.{name}`: expected integers, found {input.dtype}")


found_in("tl.standard", section="Reduction")


@jit
@tensor_method
def sum(input: tensor, axis: int | None = None, keep_dims: bool = False, dtype: Type | None = None) -> tensor:
    """The sum along `axis`, or of all elements. With `keep_dims` the axis stays with size 1.

    Integers below 32 bits are summed in 32 bits, other types in themselves, or all in `dtype`.
    """
    return tl.reduce(tl.cast(input, _sum_type(input.dtype, dtype)), axis, _add, keep_dims)


@jit
@tensor_method
def max(input: tensor, axis: int | None = None, return_indices: bool = False,
        return_indices_tie_break_left: bool = True, keep_dims: bool = False) -> Any:
    """The largest element along `axis`, or of all; with `return_indices` its place too, of equals the leftmost.
    A NaN loses against numbers. Types below 32 bits become float32 or int32."""
    if return_indices:
        return _with_indices(input, axis, _leftmost_largest, keep_dims)
    return tl.reduce(tl.cast(input, _extremum_type(input.dtype)), axis, _larger, keep_dims)


@jit
@tensor_method
def min(input: tensor, axis: int | None = None, return_indices: bool = False,
        return_indices_tie_break_left: bool = True, keep_dims: bool = False) -> Any:
    """The smallest element along `axis`, or of all; otherwise as `max`."""
    if return_indices:
        return _with_indices(input, axis, _leftmost_smallest, keep_dims)
    return tl.reduce(tl.cast(input, _extremum_type(input.dtype)), axis, _smaller, keep_dims)


@jit
@tensor_method
@differs("`tie_break_left=False` gives the leftmost too; a NaN loses, in whichever order elements meet")
def argmax(input: tensor, axis: int, tie_break_left: bool = True, keep_dims: bool = False) -> tensor:
    """Returns the place of the largest element along `axis`, of equals the leftmost: int32."""
    return _leftmost(input, axis, _larger, keep_dims)


@jit
@tensor_method
@differs("as `argmax`")
def argmin(input: tensor, axis: int, tie_break_left: bool = True, keep_dims: bool = False) -> tensor:
    """Returns the place of the smallest element along `axis`, of equals the leftmost: int32."""
    return _leftmost(input, axis, _smaller, keep_dims)


@jit
@tensor_method
def xor_sum(input: tensor, axis: int | None = None, keep_dims: bool = False) -> tensor:
    """The exclusive or of the integers along `axis`, or of all."""
    return tl.reduce(_integers(input, "xor_sum"), axis, _xor, keep_dims)


@jit
@tensor_method
def reduce_or(input: tensor, axis: int, keep_dims: bool = False) -> tensor:
    """The bits that are set in any of the integers along `axis`."""
    return tl.reduce(_integers(input, "reduce_or"), axis, _or, keep_dims)


@jit
@tensor_method
def softmax(x: tensor, dim: int | None = None, keep_dims: bool = False, ieee_rounding: bool = False) -> tensor:
    """`exp(x) / sum(exp(x))` along `dim`, by default the first dimension, computed without overflow."""
    axis: tl.constexpr = 0 if dim is None else dim
    # A row has one maximum and one sum; of more dimensions each must keep its place.
    keep: tl.constexpr = len(x.shape) > 1
    powers = tl.exp(x - tl.max(x, axis, keep_dims=keep))
    return tl.fdiv(powers, tl.sum(powers, axis, keep_dims=keep), ieee_rounding)


found_in("tl.standard", section="Scan")


@jit
@tensor_method
def cumsum(input: tensor, axis: int = 0, reverse: bool = False, dtype: Type | None = None) -> tensor:
    """The sums of all elements up to each along `axis`; with `reverse` from each to the end. Types as of `sum`, but that
    bfloat16 is summed in float32."""
    return tl.associative_scan(tl.cast(input, _sum_type(_scan_type(input.dtype), dtype)), axis, _add, reverse)


@jit
@tensor_method
def cumprod(input: tensor, axis: int = 0, reverse: bool = False) -> tensor:
    """The products of all elements up to each along `axis`; with `reverse` from each to the end."""
    return tl.associative_scan(tl.cast(input, _scan_type(input.dtype)), axis, _times, reverse)
