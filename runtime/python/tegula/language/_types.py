"""The types of the language as host code sees them: scalars, pointers, blocks."""

from __future__ import annotations

import builtins
import enum
from typing import Any, Sequence

from ._stub import language_class

#: The most elements that a block may have.
TRITON_MAX_TENSOR_NUMEL = 1048576


class _Format:
    """Bits of a scalar; of a float also how many of them are the fraction, and the bias of its exponent."""

    __slots__ = ("bits", "fraction", "bias")

    def __init__(self, bits: int, fraction: int = 0, bias: int = 0):
        self.bits, self.fraction, self.bias = bits, fraction, bias


_FLOATS = {
    "fp8e4b15": _Format(8, 3, 15), "fp8e4nv": _Format(8, 3, 7), "fp8e4b8": _Format(8, 3, 8),
    "fp8e5": _Format(8, 2, 15), "fp8e5b16": _Format(8, 2, 16), "fp16": _Format(16, 10, 15),
    "bf16": _Format(16, 7, 127), "fp32": _Format(32, 23, 127), "fp64": _Format(64, 52, 1023),
}
_SIGNED = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
_UNSIGNED = {"int1": 1, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}
#: Names in the language that differ from `dtype.name`.
_LONG_NAMES = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64",
               **{name: name.replace("fp8", "float8") for name in _FLOATS if name.startswith("fp8")}}


class base_type:
    """Base class of every type of the language."""

    def is_block(self) -> bool:
        return False

    def is_ptr(self) -> bool:
        return False

    def mangle(self) -> str:
        """Letters that tell this type from every other, for the names of functions."""
        raise NotImplementedError


@language_class
class dtype(base_type):
    """A scalar type, `tl.float32` for example, by its short name ("fp32").

    `name` and `str()` are the short name; `primitive_bitwidth` counts bits, `itemsize` bytes in memory. Types are
    equal when their names are.
    """

    SINT_TYPES = [*_SIGNED]
    UINT_TYPES = [*_UNSIGNED]
    FP_TYPES = [*_FLOATS]
    STANDARD_FP_TYPES = ["fp16", "bf16", "fp32", "fp64"]
    OTHER_TYPES = ["void"]

    class SIGNEDNESS(enum.Enum):
        SIGNED = 0
        UNSIGNED = 1

    class KIND(enum.Enum):
        BOOLEAN = 0
        INTEGRAL = 1
        FLOATING = 2

    name: str
    primitive_bitwidth: int

    def __init__(self, name: str):
        name = getattr(name, "value", name)
        self.name = name
        if name in _FLOATS:
            form = _FLOATS[name]
            self.primitive_bitwidth = form.bits
            self.fp_mantissa_width = form.fraction
            self.exponent_bias = form.bias
        elif name in _SIGNED or name in _UNSIGNED:
            signed = name in _SIGNED
            self.int_signedness = dtype.SIGNEDNESS.SIGNED if signed else dtype.SIGNEDNESS.UNSIGNED
            self.int_bitwidth = self.primitive_bitwidth = (_SIGNED if signed else _UNSIGNED)[name]
        elif name == "void":
            self.primitive_bitwidth = 0
        else:
            raise ValueError(f"no type of the language is called {name!r}")

    @property
    def itemsize(self) -> int:
        """Bytes of an element in memory; a truth takes one."""
        return (self.primitive_bitwidth + 7) // 8

    @property
    def scalar(self) -> dtype:
        return self

    def with_element_ty(self, element_ty: dtype) -> dtype:
        return element_ty

    def is_fp8e4nv(self) -> bool: return self.name == "fp8e4nv"
    def is_fp8e4b8(self) -> bool: return self.name == "fp8e4b8"
    def is_fp8e4b15(self) -> bool: return self.name == "fp8e4b15"
    def is_fp8e5(self) -> bool: return self.name == "fp8e5"
    def is_fp8e5b16(self) -> bool: return self.name == "fp8e5b16"
    def is_fp8(self) -> bool: return self.name.startswith("fp8")
    def is_fp16(self) -> bool: return self.name == "fp16"
    def is_bf16(self) -> bool: return self.name == "bf16"
    def is_fp32(self) -> bool: return self.name == "fp32"
    def is_fp64(self) -> bool: return self.name == "fp64"
    def is_int1(self) -> bool: return self.name == "int1"
    def is_int8(self) -> bool: return self.name == "int8"
    def is_int16(self) -> bool: return self.name == "int16"
    def is_int32(self) -> bool: return self.name == "int32"
    def is_int64(self) -> bool: return self.name == "int64"
    def is_uint8(self) -> bool: return self.name == "uint8"
    def is_uint16(self) -> bool: return self.name == "uint16"
    def is_uint32(self) -> bool: return self.name == "uint32"
    def is_uint64(self) -> bool: return self.name == "uint64"
    def is_floating(self) -> bool: return self.name in _FLOATS
    def is_standard_floating(self) -> bool: return self.name in dtype.STANDARD_FP_TYPES
    def is_int_signed(self) -> bool: return self.name in _SIGNED
    def is_int_unsigned(self) -> bool: return self.name in _UNSIGNED
    def is_int(self) -> bool: return self.is_int_signed() or self.is_int_unsigned()
    def is_bool(self) -> bool: return self.name == "int1"
    def is_void(self) -> bool: return self.name == "void"
    def is_const(self) -> bool: return False

    @staticmethod
    def is_dtype(type_str: str) -> bool:
        """Returns True if `type_str` is the short name of a type."""
        return type_str in _FLOATS or type_str in _SIGNED or type_str in _UNSIGNED or type_str == "void"

    def kind(self) -> KIND:
        if self.is_bool():
            return dtype.KIND.BOOLEAN
        if self.is_int():
            return dtype.KIND.INTEGRAL
        if self.is_floating():
            return dtype.KIND.FLOATING
        raise ValueError(f"{self.name} is neither a truth nor a number")

    def _require_int(self) -> None:
        if not self.is_int():
            raise ValueError(f"expected a type of integers, found {self.name}")

    def get_int_max_value(self) -> int:
        self._require_int()
        return (1 << (self.int_bitwidth - self.is_int_signed())) - 1

    def get_int_min_value(self) -> int:
        self._require_int()
        return -(1 << (self.int_bitwidth - 1)) if self.is_int_signed() else 0

    @property
    def cache_key_part(self) -> str:
        """The spelling of signatures: "i32", "fp16"."""
        if self.is_int():
            return ("u" if self.is_int_unsigned() and not self.is_bool() else "i") + str(self.primitive_bitwidth)
        return self.name

    def codegen_name(self) -> str:
        """The name in `triton.language`: "float32" for "fp32"."""
        return _LONG_NAMES.get(self.name, self.name)

    def mangle(self) -> str:
        return self.cache_key_part

    def __eq__(self, other: object) -> bool:
        return type(other) is dtype and self.name == other.name

    def __hash__(self) -> int:
        return hash((self.name,))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"triton.language.{self.codegen_name()}"

    def __reduce__(self) -> Any:
        return _scalar_type, (self.name,)


def _scalar_type(name: str) -> dtype:
    """The one type of this name: pickles of types come back as the objects of this module."""
    return _SCALARS.get(name) or dtype(name)


@language_class
class pointer_type(dtype):
    """A pointer to `element_ty`; with `const` what it points to is not written."""

    def __init__(self, element_ty: dtype, address_space: int = 1, const: bool = False):
        element_ty = getattr(element_ty, "value", element_ty)
        if not isinstance(element_ty, dtype):
            raise TypeError(f"expected a type of the language to point to, found {type(element_ty).__name__}")
        self.element_ty = element_ty
        self.address_space = address_space
        self.const = const
        self.name = f"{'const_' if const else ''}pointer<{element_ty}>"
        self.primitive_bitwidth = 64

    def is_ptr(self) -> bool: return True
    def is_const(self) -> bool: return self.const

    @property
    def cache_key_part(self) -> str:
        return ("*k" if self.const else "*") + self.element_ty.cache_key_part

    def mangle(self) -> str:
        return ("CP" if self.const else "P") + self.element_ty.mangle()

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, pointer_type) and self.element_ty == other.element_ty
                and self.address_space == other.address_space and self.const == other.const)

    def __hash__(self) -> int:
        return hash((self.name, self.address_space))

    def __repr__(self) -> str:
        return str(self)

    def __reduce__(self) -> Any:
        return pointer_type, (self.element_ty, self.address_space, self.const)


@language_class
class block_type(dtype):
    """A block of `element_ty` with these sides, which are powers of two."""

    def __init__(self, element_ty: dtype, shape: Sequence[int]):
        sides = [getattr(side, "value", side) for side in shape]
        if not sides:
            raise TypeError("expected a shape with dimensions, found []: a scalar has the type of its elements")
        for place, side in enumerate(sides):
            if side <= 0 or side & (side - 1):
                raise ValueError(f"Shape element {place} must be a power of 2, found {side}")
        self.element_ty = element_ty
        self.shape = builtins.tuple(sides)
        self.numel = 1
        for side in sides:
            self.numel *= side
        if self.numel > TRITON_MAX_TENSOR_NUMEL:
            raise ValueError(f"expected at most {TRITON_MAX_TENSOR_NUMEL} elements, found {self.numel}")
        self.name = f"<[{', '.join(map(str, sides))}], {element_ty.name}>"
        self.primitive_bitwidth = element_ty.primitive_bitwidth

    def is_block(self) -> bool: return True

    def get_block_shapes(self) -> Sequence[int]:
        return self.shape

    def with_element_ty(self, element_ty: dtype) -> block_type:
        return block_type(element_ty, self.shape)

    @property
    def scalar(self) -> dtype:
        return self.element_ty

    @property
    def nbytes(self) -> int:
        return self.numel * self.element_ty.itemsize

    def mangle(self) -> str:
        return f"{self.element_ty.mangle()}S{'_'.join(map(str, self.shape))}S"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, block_type) and self.element_ty == other.element_ty and self.shape == other.shape

    def __hash__(self) -> int:
        return hash((self.name,))

    def __repr__(self) -> str:
        return str(self)

    def __reduce__(self) -> Any:
        return block_type, (self.element_ty, self.shape)


_SCALARS = {name: dtype(name) for name in (*_FLOATS, *_SIGNED, *_UNSIGNED, "void")}

void = _SCALARS["void"]
int1 = _SCALARS["int1"]
int8, int16, int32, int64 = (_SCALARS[name] for name in ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = (_SCALARS[name] for name in ("uint8", "uint16", "uint32", "uint64"))
float8e5, float8e5b16 = _SCALARS["fp8e5"], _SCALARS["fp8e5b16"]
float8e4nv, float8e4b8, float8e4b15 = (_SCALARS[name] for name in ("fp8e4nv", "fp8e4b8", "fp8e4b15"))
float16, bfloat16, float32, float64 = (_SCALARS[name] for name in ("fp16", "bf16", "fp32", "fp64"))
pi32_t = pointer_type(int32)


def get_int_dtype(bitwidth: int, signed: bool) -> dtype:
    """The type of integers with `bitwidth` bits; of one bit there is only the one without a sign."""
    name = "int1" if bitwidth == 1 else f"{'' if signed else 'u'}int{bitwidth}"
    if name not in _SCALARS:
        raise ValueError(f"no integers of the language have {bitwidth} bits")
    return _SCALARS[name]


def str_to_ty(name: Any, c: Any = None) -> Any:
    """The type that signatures spell so: "i32", "*fp16", "*kbf16" (a pointer to what is not written); "constexpr" is that
    of the value `c`. A tuple of spellings is one of types."""
    from ._constexpr import constexpr_type  # a class of that module is one of these types

    if isinstance(name, builtins.tuple):
        values = c if isinstance(c, builtins.tuple) else (c,) * len(name)
        return builtins.tuple(str_to_ty(item, value) for item, value in zip(name, values))
    if name == "constexpr":
        return constexpr_type(c)
    if name.startswith("*"):
        const = name.startswith("*k")
        return pointer_type(str_to_ty(name[1 + const:]), const=const)
    for scalar in _SCALARS.values():
        if name in (scalar.name, scalar.cache_key_part, scalar.codegen_name()):
            return scalar
    raise ValueError(f"no type of the language is spelled {name!r}")
