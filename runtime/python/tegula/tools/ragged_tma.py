"""Descriptors of arrays whose rows belong to parts of unequal length, one behind the other: loads give zero and stores do
nothing beyond the end of the part that they name, though rows of the next part lie there.

A descriptor knows one size of each side, and where a part ends differs by part. So coordinates move instead of the end: the
ragged side has `_ROWS` rows, and a part's end lies at the end of that side. What that adds to the address two sides in front
take back: `_ROWS * (2**34 - stride)` is `-_ROWS * stride` in 64 bits.
"""

# mypy: disable-error-code="no-untyped-def,assignment,misc"
# (Kernels are not typed as functions of Python are.)

from __future__ import annotations

from typing import Any, Sequence

from .. import jit, language as tl
from .tensor_descriptor import TensorDescriptor, strides_of

__all__ = ["atomic_add_ragged", "create_ragged_descriptor", "load_ragged", "store_ragged", "to_ragged_indices"]

#: The rows that the ragged side is said to have; with 2^34 in the stride of the first side it is all of 64 bits.
_ROWS: Any = tl.constexpr(2**30)
#: Of sides that bound nothing.
_ANY = 0x7FFF0000


def create_ragged_descriptor(T: Any, block_shape: Sequence[int], ragged_dim: int = 0) -> TensorDescriptor:
    """A descriptor for `load_ragged`, `store_ragged` and `atomic_add_ragged`, whose blocks have `block_shape`. `T` has two
    or three dimensions, of which `ragged_dim`, not the last, holds the parts."""
    rank = len(T.shape)
    ragged = ragged_dim + rank if ragged_dim < 0 else ragged_dim
    assert rank <= 3, f"a ragged descriptor has at most 3 dimensions, this tensor {rank}"
    assert 0 <= ragged < rank - 1, f"dimension {ragged_dim} cannot be ragged: of {rank} only the first {rank - 1} can"
    assert len(block_shape) == rank, f"a block of {len(block_shape)} dimensions for a tensor of {rank}"
    assert T.shape[ragged] <= _ROWS.value, f"{T.shape[ragged]} rows, but at most {_ROWS.value} can be ragged"
    sides = list(T.shape)
    sides[ragged] = _ROWS.value
    strides = list(strides_of(T))
    return TensorDescriptor(T, [_ANY, _ANY, *sides], [2**34 - strides[ragged], strides[ragged], *strides],
                            [1, 1, *block_shape])


@jit
def to_ragged_indices(slice_off, slice_size, row):
    """The coordinates of the two sides in front, and of `row` of the part."""
    return _ROWS, slice_off + slice_size, _ROWS - slice_size + row


@jit
def _place(TMA, slice_off, slice_size, coords, ragged_dim: tl.constexpr):
    """Returns where the block at `coords` of the part begins in the descriptor."""
    tl.static_assert(len(TMA.shape) == len(coords) + 2,
                     "the descriptor is not one of create_ragged_descriptor for these coordinates")
    first, second, row = to_ragged_indices(slice_off, slice_size, coords[ragged_dim])
    return [first, second] + coords[:ragged_dim] + [row] + coords[ragged_dim + 1:]


@jit
def load_ragged(TMA, slice_off, slice_size, coords, ragged_dim: tl.constexpr = 0):
    """The block at `coords` within `T[slice_off : slice_off + slice_size]`; zeros outside of it."""
    block = TMA.load(_place(TMA, slice_off, slice_size, coords, ragged_dim))
    return tl.reshape(block, block.shape[2:])


@jit
def store_ragged(TMA, slice_off, slice_size, coords, data, ragged_dim: tl.constexpr = 0):
    """Stores `data` at `coords` within `T[slice_off : slice_off + slice_size]`, and nothing outside of it."""
    place = _place(TMA, slice_off, slice_size, coords, ragged_dim)
    TMA.store(place, tl.reshape(data, [1, 1] + data.shape))


@jit
def atomic_add_ragged(TMA, slice_off, slice_size, coords, data, ragged_dim: tl.constexpr = 0):
    """Adds `data` at `coords` within `T[slice_off : slice_off + slice_size]`, and nothing outside of it."""
    place = _place(TMA, slice_off, slice_size, coords, ragged_dim)
    TMA.atomic_add(place, tl.reshape(data, [1, 1] + data.shape))
