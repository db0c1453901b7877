"""Tensor maps, which a launch makes from a kernel's arguments: the recipe in the PTX's first lines, and the driver's
bytes. The text is described in runtime/device/README.md."""

import ctypes
import re
from dataclasses import dataclass

BYTES, ALIGNMENT = 128, 64
ELEMENTS = {"i16": 1, "u16": 1, "i32": 3, "u32": 2, "i64": 5, "u64": 4, "fp16": 6, "fp32": 7, "fp64": 8,
            "bf16": 9}  # CUtensorMapDataType; what is not here has a byte
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
PROMOTE_TO_256_BYTES, NO_INTERLEAVE, FILL_WITH_ZEROS = 3, 0, 0


@dataclass
class TensorMap:
    """One line "map BASE ELEMENT sizes=... strides=... box=... swizzle=N": axes, the innermost first, in elements."""
    base: str
    element: str
    sizes: list
    strides: list
    box: list
    swizzle: int

    @staticmethod
    def read(text):
        found = re.fullmatch(r"map (\S+) (\S+) sizes=(\S+) strides=(\S+) box=(\S+) swizzle=(\d+)", text)
        if not found:
            raise RuntimeError(f"expected a tensor map, found {text!r}")
        base, element, *lists, swizzle = found.groups()
        return TensorMap(base, element, *(part.split(",") for part in lists), int(swizzle))

    def encode(self, cuda, arguments):
        """The map for `arguments`, numbers and addresses by the parameters' names."""
        rank = len(self.sizes)
        bytes_each = int(re.search(r"\d+", self.element).group()) // 8 if self.element in ELEMENTS else 1
        u64, u32 = ctypes.c_uint64 * rank, ctypes.c_uint32 * rank
        strides = [value_of(text, arguments) * bytes_each for text in self.strides]
        memory = ctypes.create_string_buffer(BYTES + ALIGNMENT)
        start = -ctypes.addressof(memory) % ALIGNMENT
        encoded = (ctypes.c_char * BYTES).from_buffer(memory, start)
        status = cuda.cuTensorMapEncodeTiled(
            ctypes.byref(encoded), ELEMENTS.get(self.element, 0), rank, ctypes.c_void_p(arguments[self.base]),
            u64(*(value_of(text, arguments) for text in self.sizes)), u64(*strides[1:]),
            u32(*(int(side) for side in self.box)), u32(*[1] * rank), NO_INTERLEAVE, SWIZZLES[self.swizzle],
            PROMOTE_TO_256_BYTES, FILL_WITH_ZEROS)
        if status:
            raise RuntimeError(f"the driver makes no tensor map of {self} for {arguments}: error {status}")
        return encoded


def value_of(text, arguments):
    """Of "4096", "K" or "2*K"."""
    factor, _, name = text.rpartition("*")
    value = int(name) if name.isdecimal() else arguments[name]
    return int(factor or 1) * value
