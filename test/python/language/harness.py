"""Arrays of the language's types with NumPy as the oracle, and launches on whichever device the tests run on.

The device is that of TEGULA_DEVICE: the emulator, the interpreter, or a GPU where PyTorch is installed.
"""

from __future__ import annotations

import numpy as np

import tegula as triton
import tegula.language as tl
from tegula.backends.nvidia.driver import device_kind

ON_GPU = device_kind() == "cuda"
INTERPRETED = device_kind() == "interpret"

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTS = SIGNED + UNSIGNED
FLOATS = ["float16", "bfloat16", "float32", "float64"]
NARROW = ["float8e4nv", "float8e5"]
#: Those that no GPU computes with: bits of fraction, bias of the exponent, whether 0x80 is a NaN.
PACKED = {"float8e4b15": (3, 15, False), "float8e4b8": (3, 8, True), "float8e5b16": (2, 16, True)}
NUMBERS = INTS + FLOATS

_STORED = {"bfloat16": "uint16", "float8e4nv": "uint8", "float8e5": "uint8", "int1": "bool",
           **{name: "uint8" for name in PACKED}}
_TORCH = {"float8e4nv": "float8_e4m3fn", "float8e5": "float8_e5m2", "int1": "bool", "float8e4b8": "float8_e4m3fnuz",
          "float8e5b16": "float8_e5m2fnuz"}


def type_of(name: str):
    """The type of the language called so."""
    return getattr(tl, name)


def storage(name: str) -> np.dtype:
    """How NumPy keeps elements of a type: bits where it has no such type."""
    return np.dtype(_STORED.get(name, name))


def encode(name: str, values) -> np.ndarray:
    """Values as elements of a type. Floats are rounded to nearest even; to 8 bits only what is exact there."""
    values = np.asarray(values)
    if name == "bfloat16":
        bits = values.astype(np.float32).view(np.uint32)
        rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
        return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)
    if name == "float8e5":
        bits = values.astype(np.float16).view(np.uint16)
        assert not (bits & 0xFF).any(), "not exact in float8e5"
        return (bits >> 8).astype(np.uint8)
    if name == "float8e4nv" or name in PACKED:
        table = decode(name, np.arange(128, dtype=np.uint8))
        places = {float(value): place for place, value in enumerate(table) if not np.isnan(value)}
        return np.array([places[abs(float(v))] | (0x80 if np.signbit(v) else 0) for v in values.ravel()],
                        np.uint8).reshape(values.shape)
    return values.astype(storage(name))


def decode(name: str, stored: np.ndarray) -> np.ndarray:
    """Elements as numbers that NumPy computes with: the inverse of `encode`."""
    if name == "bfloat16":
        return (stored.astype(np.uint32) << 16).view(np.float32)
    if name == "float8e5":
        return (stored.astype(np.uint16) << 8).view(np.float16).astype(np.float32)
    if name == "float8e4nv":
        sign = np.where(stored & 0x80, -1.0, 1.0)
        exponent, fraction = ((stored >> 3) & 15).astype(int), (stored & 7) / 8
        value = np.where(exponent == 0, fraction * 2.0**-6, (1 + fraction) * 2.0**(exponent - 7.0))
        return np.where((stored & 0x7F) == 0x7F, np.nan, sign * value).astype(np.float32)
    if name in PACKED:
        digits, bias, has_nan = PACKED[name]
        exponent, fraction = ((stored & 0x7F) >> digits).astype(int), (stored & (1 << digits) - 1) / (1 << digits)
        value = np.where(exponent == 0, fraction * 2.0**(1 - bias), (1 + fraction) * 2.0**(exponent - float(bias)))
        value = np.where(stored & 0x80, -value, value)
        return np.where((stored == 0x80) & has_nan, np.nan, value).astype(np.float32)
    return stored


class Array:
    """Elements of a type of the language, in the memory of the host; a launch moves them where they are needed."""

    def __init__(self, name: str, stored: np.ndarray):
        self.name = name
        self.stored = np.ascontiguousarray(stored)

    @property
    def values(self) -> np.ndarray:
        return decode(self.name, self.stored)

    def argument(self):
        """What a launch is given."""
        if not ON_GPU:
            plain = self.name in ("bfloat16", *NARROW, *PACKED)
            return triton.reinterpret(self.stored, type_of(self.name)) if plain else self.stored
        import torch

        tensor = torch.from_numpy(self.stored.view(f"int{self.stored.itemsize * 8}")).cuda()
        if self.name == "float8e4b15":  # which PyTorch has not
            return triton.reinterpret(tensor, type_of(self.name))
        return tensor.view(getattr(torch, _TORCH.get(self.name, self.name)))

    def take_back(self, argument) -> None:
        if ON_GPU:
            import torch

            bits = getattr(torch, f"int{self.stored.itemsize * 8}")
            argument = getattr(argument, "base", argument)
            self.stored[...] = argument.view(bits).cpu().numpy().view(self.stored.dtype)


def array(name: str, values) -> Array:
    return Array(name, encode(name, values))


def empty(name: str, shape) -> Array:
    """Elements that no test expects to stay."""
    return Array(name, np.full(shape, 0x5A, np.uint8).astype(storage(name)))


def numbers(name: str, shape, seed: int = 0, low: float = -4, high: float = 4) -> Array:
    """Numbers in a range that every type holds; exact multiples of 1/8 where the type is a float."""
    random = np.random.default_rng(seed)
    if name == "int1":
        return array(name, random.integers(0, 2, shape))
    if name in INTS:
        return array(name, random.integers(0 if name in UNSIGNED else int(low), int(high) + 1, shape))
    if name in NARROW:
        return array(name, random.integers(-8, 9, shape) / 4)
    return array(name, random.integers(int(low * 8), int(high * 8) + 1, shape) / 8)


def reals(name: str, shape, seed: int = 0, low: float = -4, high: float = 4) -> Array:
    """Floats anywhere in a range."""
    return array(name, np.random.default_rng(seed).uniform(low, high, shape))


def launch(kernel, *args, grid=(1,), **meta):
    """Launches with arrays and numbers; what the kernel wrote is in the arrays afterwards."""
    moved = [arg.argument() if isinstance(arg, Array) else arg for arg in args]
    compiled = kernel[grid](*moved, **meta)
    for arg, there in zip(args, moved):
        if isinstance(arg, Array):
            arg.take_back(there)
    return compiled


def synchronize() -> None:
    """Waits for a GPU; the host's devices are done when a launch returns."""
    if device_kind() == "cuda":
        import torch

        torch.cuda.synchronize()


_TOLERANCE = {"float16": 2e-3, "bfloat16": 1.6e-2, "float32": 2e-6, "float64": 1e-13, "float8e4nv": 0.07,
              "float8e5": 0.13}


def close(found: Array, expected, relative: float | None = None, absolute: float | None = None) -> None:
    """Floats to within a rounding or two of their type, NaNs equal; everything else exactly."""
    expected = np.asarray(expected)
    if found.name not in _TOLERANCE:
        np.testing.assert_array_equal(found.values, expected.astype(found.values.dtype))
        return
    tolerance = _TOLERANCE[found.name] if relative is None else relative
    np.testing.assert_allclose(found.values.astype(np.float64), expected.astype(np.float64), rtol=tolerance,
                               atol=tolerance if absolute is None else absolute)


def same(found: Array, expected) -> None:
    """Exactly, NaNs equal."""
    np.testing.assert_array_equal(found.values, np.asarray(expected))
