"""Functions of libdevice on arrays."""

from __future__ import annotations

import numpy as np
from harness import array, empty, launch

import tegula as triton
import tegula.language as tl
from tegula.language.extra import libdevice


def kernel_of(name: str, count: int):
    """A kernel that calls a function of libdevice with so many arrays."""
    function = getattr(libdevice, name)

    @triton.jit
    def one(x, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i)))

    @triton.jit
    def two(x, y, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i), tl.load(y + i)))

    @triton.jit
    def three(x, y, z, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i), tl.load(y + i), tl.load(z + i)))

    @triton.jit
    def four(x, y, z, t, out, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.store(out + i, function(tl.load(x + i), tl.load(y + i), tl.load(z + i), tl.load(t + i)))

    return (one, two, three, four)[count - 1]


def apply(name: str, *arrays, result: str | None = None):
    """The function of arrays, each of as many elements, a power of two."""
    out = empty(result or arrays[0].name, arrays[0].stored.shape)
    launch(kernel_of(name, len(arrays)), *arrays, out, N=len(out.stored))
    return out


def of_rows(function: str, kind: str, rows, kinds: dict[int, str] | None = None, result: str | None = None):
    """What the function gives for rows of arguments, which are of type `kind` but for those whose places `kinds` has."""
    size = max(2, 1 << (len(rows) - 1).bit_length())
    padded = list(rows) + [rows[-1]] * (size - len(rows))
    types = [(kinds or {}).get(place, kind) for place in range(len(padded[0]))]
    columns = [array(name, np.array(column, name)) for name, column in zip(types, zip(*padded))]
    return apply(function, *columns, result=result or kind).values[:len(rows)]
