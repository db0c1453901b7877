"""Arrays in a device's memory without PyTorch."""

from __future__ import annotations

import math
import random
import struct
from typing import Any

from cases import SIZES, Case, Tensor

#: So many random elements are made and repeated: making them takes longer than to measure.
MADE = 1 << 16
#: How `struct` calls the types.
LETTERS = {"fp32": "f", "bf16": "f", "fp16": "e", "i8": "b", "i32": "i", "i64": "q"}


class DeviceArray:
    """An array as kernels take it, freed with the object."""

    def __init__(self, device: Any, tensor: Tensor):
        self.device, self.dtype = device, tensor.dtype
        self._address = device.allocate(tensor.bytes)
        if tensor.fill == "nan":
            return
        part = _made(tensor) if tensor.fill == "random" else _whole(tensor)
        for place in range(0, tensor.bytes, len(part)):
            device.upload(self._address + place, part[:tensor.bytes - place])

    def data_ptr(self) -> int:
        return self._address

    def __del__(self) -> None:
        if hasattr(self, "_address"):
            self.device.free(self._address)


def _made(tensor: Tensor) -> bytes:
    """Normal numbers, or whole ones; of 8-bit floats such between 1/16 and 2."""
    draw = random.Random(0)
    if tensor.dtype in ("fp32", "fp16", "bf16"):
        made = struct.pack(f"{MADE}{LETTERS[tensor.dtype]}", *(draw.gauss(0, 1) for _ in range(MADE)))
        # The upper half of a float.
        return b"".join(made[place:place + 2] for place in range(2, len(made), 4)) if tensor.dtype == "bf16" else made
    if tensor.dtype == "fp8e4nv":
        return bytes(draw.choices([*range(0x18, 0x40), *range(0x98, 0xC0)], k=MADE))
    low, high = (0, tensor.below) if tensor.below else (-128, 128)
    return struct.pack(f"{MADE}{LETTERS[tensor.dtype]}", *(draw.randrange(low, high) for _ in range(MADE)))


def _whole(tensor: Tensor) -> bytes:
    """All of an array of 0, 1, 2, ..., or what is repeated in one of the same number."""
    count = math.prod(tensor.shape)
    if tensor.fill == "arange":
        return struct.pack(f"{count}{LETTERS[tensor.dtype]}", *range(count))
    count = min(count, MADE)
    return struct.pack(f"{count}{LETTERS[tensor.dtype]}", *[tensor.value] * count) if tensor.value else \
        bytes(count * SIZES[tensor.dtype])


def own_arrays(device: Any, case: Case) -> dict[str, DeviceArray]:
    """The arrays of a case by name."""
    return {name: DeviceArray(device, value) for name, value in case.arguments.items() if isinstance(value, Tensor)}
