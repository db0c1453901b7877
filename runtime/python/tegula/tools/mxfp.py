"""Tensors of the microscaling formats on the host: to make operands of `tl.dot_scaled`, and to check what it gives.

They hold tensors of PyTorch or arrays of NumPy, whichever they are made of; those made of a size alone PyTorch's, where it is
there.
"""

from __future__ import annotations

from typing import Any, Sequence

#: What the codes 0 to 7 of E2M1 mean; those from 8 on are the same below zero.
_MAGNITUDES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
_E8M0_BIAS = 127
_E8M0_NAN = 255


def _library(data: Any = None) -> Any:
    """PyTorch or NumPy, whose functions used here are called alike."""
    if data is not None and type(data).__module__.partition(".")[0] == "numpy":
        import numpy
        return numpy
    try:
        import torch
        return torch
    except ImportError:
        import numpy
        return numpy


def _cast(data: Any, kind: Any) -> Any:
    return data.to(kind) if hasattr(data, "to") else data.astype(kind)


def _uniform(size: Sequence[int], low: float, high: float, device: Any) -> Any:
    """Whole numbers from `low` up to and without `high`, as uint8."""
    library = _library()
    if hasattr(library, "Tensor"):
        return library.randint(int(low), int(high), tuple(size), dtype=library.uint8, device=device)
    return library.random.randint(int(low), int(high), tuple(size)).astype(library.uint8)


class _Coded:
    """A tensor of codes of one byte each."""

    data: Any
    device: Any
    size: tuple[int, ...]

    def __init__(self, data: Any = None, size: Sequence[int] | None = None, device: Any = None):
        if (data is None) == (size is None):
            raise ValueError("expected either `data` or `size`")
        self.device = getattr(data, "device", device)
        if data is None:
            self.size = tuple(size or ())
        else:
            self.size = tuple(data.shape)
            self.data = self._encode(data)

    @staticmethod
    def _encode(data: Any) -> Any:
        raise NotImplementedError

    @classmethod
    def _of_codes(cls, codes: Any) -> Any:
        made = cls(size=tuple(codes.shape), device=getattr(codes, "device", None))
        made.data = codes
        return made


class MXFP4Tensor(_Coded):
    """Numbers of four bits, E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and those below zero, as codes in `data`, a byte each."""

    def random(self) -> MXFP4Tensor:
        """Fills it with codes, each as likely as any other."""
        self.data = _uniform(self.size, 0, 16, self.device)
        return self

    @staticmethod
    def _encode(data: Any) -> Any:
        """The nearest number of the format, of two the one with the even code; what is too large becomes 6 or -6."""
        library = _library(data)
        magnitude = abs(_cast(data, library.float32))
        code = library.zeros_like(magnitude, dtype=library.uint8)
        for lower in range(7):
            middle = (_MAGNITUDES[lower] + _MAGNITUDES[lower + 1]) / 2
            # At the middle an odd code goes up, to the even one.
            above = magnitude >= middle if lower % 2 else magnitude > middle
            code = code + _cast(above, library.uint8)
        return code + _cast(library.signbit(data), library.uint8) * 8

    def to(self, dtype: Any) -> Any:
        """The numbers, in a type that has them all."""
        library = _library(self.data)
        table = [*_MAGNITUDES, *(-magnitude for magnitude in _MAGNITUDES)]
        if hasattr(library, "Tensor"):
            values = library.tensor(table, dtype=library.float32, device=self.data.device)
        else:
            values = library.asarray(table, dtype=library.float32)
        return _cast(values[_cast(self.data, library.int64)], dtype)

    def to_packed_tensor(self, dim: int) -> Any:
        """Two codes in a byte, neighbours along `dim`, the first in the lower half. A last one without a neighbour gets a
        zero."""
        library = _library(self.data)
        rank = len(self.data.shape)
        if not -rank <= dim < rank:
            raise ValueError(f"expected `dim` of a tensor of rank {rank}, found {dim}")
        first, second = _along(self.data, dim, slice(0, None, 2)), _along(self.data, dim, slice(1, None, 2))
        if second.shape != first.shape:
            second = library.concatenate((second, library.zeros_like(_along(first, dim, slice(-1, None)))), dim)
        return first | second << 4

    @staticmethod
    def unpack_packed_tensor(packed_tensor: Any, dim: int, original_shape: Sequence[int]) -> Any:
        """The codes that `to_packed_tensor(dim)` of a tensor of this shape has packed."""
        library = _library(packed_tensor)
        rank = len(original_shape)
        dim %= rank
        halves = library.stack((packed_tensor & 15, packed_tensor >> 4), dim + 1)
        sides = list(packed_tensor.shape)
        sides[dim] *= 2
        codes = halves.reshape(sides)
        return codes[tuple(map(slice, original_shape))]


def _along(data: Any, dim: int, part: slice) -> Any:
    return data[(slice(None),) * (dim % len(data.shape)) + (part,)]


class MXScaleTensor(_Coded):
    """Scales of eight bits, E8M0: the powers of two from 2**-127 to 2**127, as codes in `data`; 255 is no number."""

    def random(self, low: float | None = None, high: float | None = None) -> MXScaleTensor:
        """Fills it with powers of two from `low` to `high`, without them from all; each exponent as likely as any other."""
        import math

        first = 0 if low is None else max(0, math.ceil(math.log2(low)) + _E8M0_BIAS)
        last = 254 if high is None else min(254, math.floor(math.log2(high)) + _E8M0_BIAS)
        if first > last:
            raise ValueError(f"expected a power of two between {low} and {high}")
        self.data = _uniform(self.size, first, last + 1, self.device)
        return self

    @staticmethod
    def _encode(data: Any) -> Any:
        """The power of two nearest by its exponent, which is rounded down; what has none, for want of a positive number,
        becomes no number."""
        library = _library(data)
        numbers = _cast(data, library.float32)
        positive = (numbers > 0) & (numbers < float("inf"))
        # `frexp` gives a fraction from a half on: 8 is 0.5 * 2**4.
        _, exponent = library.frexp(library.where(positive, numbers, library.ones_like(numbers)))
        codes = exponent + (_E8M0_BIAS - 1)
        codes = library.where(codes < 0, library.zeros_like(codes), codes)
        return _cast(library.where(positive, codes, library.full_like(codes, _E8M0_NAN)), library.uint8)

    def to(self, dtype: Any) -> Any:
        """The scales as numbers of a type; of no number a NaN."""
        library = _library(self.data)
        exponents = _cast(self.data, library.int32) - _E8M0_BIAS
        powers = library.ldexp(library.ones_like(exponents, dtype=library.float64), exponents)
        return _cast(library.where(self.data == _E8M0_NAN, powers * float("nan"), powers), dtype)
