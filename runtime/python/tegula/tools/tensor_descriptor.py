"""`TensorDescriptor`: a tensor that a kernel reads and writes by blocks, described on the host."""

from __future__ import annotations

from typing import Any, Sequence

from .._utils import validate_block_shape
from ..errors import RefusedValue
from ..runtime.program.tuples import DescriptorForm


def _address(array: Any) -> int:
    if hasattr(array, "data_ptr"):
        return int(array.data_ptr())
    for interface in ("__cuda_array_interface__", "__array_interface__"):
        if hasattr(array, interface):
            return int(getattr(array, interface)["data"][0])
    raise TypeError(f"expected a tensor or an array as the base of a descriptor, found {type(array).__name__}")


def strides_of(array: Any) -> Sequence[int]:
    """In elements."""
    return array.stride() if hasattr(array, "stride") else [step // array.dtype.itemsize for step in array.strides]


class TensorDescriptor:
    """The tensor at `base` with its `shape` and `strides` in elements, moved in blocks of `block_shape`; what a block has
    beyond the tensor is read as `padding` ("zero" or "nan"). With `round_f32_to_tf32` loads give float32 the precision of tf32.

    One to five dimensions of at least one element, blocks whose sides are powers of two; `base` is aligned to 16 bytes, so are all
    strides but the last, which is 1. ValueError otherwise.
    """

    def __init__(self, base: Any, shape: Sequence[int], strides: Sequence[int], block_shape: Sequence[int],
                 padding: str = "zero", round_f32_to_tf32: bool = False):
        self.base = base
        self.shape = list(shape)
        self.strides = list(strides)
        self.block_shape = [getattr(side, "value", side) for side in block_shape]
        self.padding = padding
        self.round_f32_to_tf32 = round_f32_to_tf32
        self._check()

    def _check(self) -> None:
        rank = len(self.shape)
        if not 1 <= rank <= 5:
            raise RefusedValue(f"expected one to five dimensions, found {rank}")
        if len(self.strides) != rank or len(self.block_shape) != rank:
            raise RefusedValue(f"expected {rank} strides and sides of a block, as the shape has, found "
                             f"{len(self.strides)} and {len(self.block_shape)}")
        if _address(self.base) % 16:
            raise RefusedValue("expected a tensor whose address is aligned to 16 bytes")
        validate_block_shape(self.block_shape)
        size = self.base.dtype.itemsize
        for stride in self.strides[:-1]:
            if stride * size % 16:
                raise RefusedValue(f"strides must be 16-byte aligned, found {stride} elements of {size}")
        if min(self.shape) < 1:
            raise RefusedValue(f"shape must be positive, found {self.shape}")
        if self.strides[-1] != 1:
            raise RefusedValue(f"expected the last dimension to be contiguous, found stride {self.strides[-1]}")
        if self.padding not in ("zero", "nan"):
            raise RefusedValue(f'expected `padding` to be "zero" or "nan", found {self.padding!r}')
        if self.round_f32_to_tf32 and not str(self.base.dtype).endswith("float32"):
            raise RefusedValue(f"expected float32 to round to tf32, found {self.base.dtype}")

    @staticmethod
    def from_tensor(tensor: Any, block_shape: Sequence[int], padding: str = "zero",
                    round_f32_to_tf32: bool = False) -> TensorDescriptor:
        """The descriptor of a whole tensor."""
        return TensorDescriptor(tensor, tensor.shape, strides_of(tensor), block_shape, padding, round_f32_to_tf32)

    def _parts(self) -> tuple[Any, ...]:
        """The parts that a launch passes, as in `runtime/program/tuples`. Fields may have been changed since: a tuner sets
        blocks."""
        self._check()
        form = DescriptorForm(tuple(int(getattr(side, "value", side)) for side in self.block_shape), self.padding,
                              self.round_f32_to_tf32)
        return (form, self.base, *self.shape, *self.strides[:-1])
