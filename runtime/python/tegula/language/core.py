"""`triton.language.core`: types, and the functions that the compiler implements itself."""

from . import _aggregates, _containers, _functions
from ._aggregates import _aggregate, aggregate_replace
from ._constexpr import (_unwrap_if_constexpr, _unwrap_shape, base_value, const, constexpr, constexpr_type)
from ._containers import slice, tuple, tuple_type
from ._functions import *
from ._stub import builtin, extern, must_use_result
from ._tensor import tensor, tensor_descriptor, tensor_descriptor_base
from ._types import (TRITON_MAX_TENSOR_NUMEL, base_type, bfloat16, block_type, dtype, float8e4b8, float8e4b15,
                     float8e4nv, float8e5, float8e5b16, float16, float32, float64, get_int_dtype, int1, int8, int16,
                     int32, int64, pi32_t, pointer_type, str_to_ty, uint8, uint16, uint32, uint64, void)
from .math import PropagateNan, clamp, maximum, minimum

__tegula_name__ = "triton.language.core"

_aggregate = _aggregates._aggregate
aggregate = _aggregate
CONSTEXPR_0: constexpr = constexpr(0)


def is_builtin(fn: object) -> bool:
    """Returns True if `fn` is a function of the language that the compiler implements."""
    return getattr(fn, "__triton_builtin__", False) is True


for _part in (_aggregates, _containers, _functions):
    # Users see these modules as this one.
    _part.__tegula_name__ = __tegula_name__  # type: ignore[attr-defined]
del _part
