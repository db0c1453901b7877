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
    # Of equals the left one wins, and a NaN loses against any number: in whichever order elements meet, one
    # of them wins.
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
def _integers(input, name):
    if input.dtype.is_int():
        return input
    return tl.static_assert(False, f"`tl.{name}`: expected integers, found {input.dtype}")


@jit
@tensor_method
def sum(input, axis=None, keep_dims=False, dtype=None):
    return tl.reduce(tl.cast(input, _sum_type(input.dtype, dtype)), axis, _add, keep_dims)


@jit
@tensor_method
def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    if return_indices:
        return _with_indices(input, axis, _leftmost_largest, keep_dims)
    return tl.reduce(tl.cast(input, _extremum_type(input.dtype)), axis, _larger, keep_dims)


@jit
@tensor_method
def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    if return_indices:
        return _with_indices(input, axis, _leftmost_smallest, keep_dims)
    return tl.reduce(tl.cast(input, _extremum_type(input.dtype)), axis, _smaller, keep_dims)


@jit
@tensor_method
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    value, index = _with_indices(input, axis, _leftmost_largest, keep_dims)
    return index


@jit
@tensor_method
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    value, index = _with_indices(input, axis, _leftmost_smallest, keep_dims)
    return index


@jit
@tensor_method
def xor_sum(input, axis=None, keep_dims=False):
    return tl.reduce(_integers(input, "xor_sum"), axis, _xor, keep_dims)


@jit
@tensor_method
def reduce_or(input, axis, keep_dims=False):
    return tl.reduce(_integers(input, "reduce_or"), axis, _or, keep_dims)


@jit
@tensor_method
def cumsum(input, axis=0, reverse=False, dtype=None):
    return tl.associative_scan(tl.cast(input, _sum_type(_scan_type(input.dtype), dtype)), axis, _add, reverse)


@jit
@tensor_method
def cumprod(input, axis=0, reverse=False):
    return tl.associative_scan(tl.cast(input, _scan_type(input.dtype)), axis, _times, reverse)


@jit
@tensor_method
def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    axis: tl.constexpr = 0 if dim is None else dim
    # A row has one maximum and one sum; of more dimensions each must keep its place.
    keep: tl.constexpr = len(x.shape) > 1
    powers = tl.exp(x - tl.max(x, axis, keep_dims=keep))
    return tl.fdiv(powers, tl.sum(powers, axis, keep_dims=keep), ieee_rounding)
