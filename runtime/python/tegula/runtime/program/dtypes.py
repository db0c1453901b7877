"""Types of elements by the names that PyTorch, NumPy and the language have for them, and as signatures spell them."""

from __future__ import annotations

from typing import Any

from ..._native import Dtype

#: Types by all names that each has here or elsewhere; the last is that of signatures.
CODES = {
    name: Dtype[names.split()[-1]]
    for names in (
        "bool bool_ int1 i1", "int8 i8", "int16 i16", "int32 i32", "int64 i64", "uint8 u8", "uint16 u16", "uint32 u32",
        "uint64 u64", "float16 half fp16", "bfloat16 bf16", "float32 fp32", "float64 fp64",
        "float8_e4m3fn float8e4nv fp8e4nv", "float8_e5m2 float8e5 fp8e5", "float8e4b15 fp8e4b15",
        "float8_e4m3fnuz float8e4b8 fp8e4b8", "float8_e5m2fnuz float8e5b16 fp8e5b16")
    for name in names.split()
}


def dtype_code(dtype: Any) -> Dtype:
    """The number of an element type: torch's, NumPy's, the language's. TypeError where kernels have none such."""
    name = getattr(dtype, "name", None)
    code = CODES.get(name if isinstance(name, str) else str(dtype).rpartition(".")[2])
    if code is None or getattr(dtype, "byteorder", "=") == ">":
        raise TypeError(f"elements of type {dtype} have no type in a kernel")
    return code


def spelled(dtype: Any) -> str:
    """An element type in the spelling of signatures: "fp32", "u1". TypeError where kernels have none such."""
    name = dtype_code(dtype).name
    return "u1" if name == "i1" else name


#: How signatures spell the types that PyTorch, NumPy and the language have names for.
type_canonicalisation_dict = {**{name: code.name for name, code in CODES.items()}, "uint1": "u1", "float": "fp32",
                              "double": "fp64", "float8_e4m3b15": "fp8e4b15", "void": "void"}
