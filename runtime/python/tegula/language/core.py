"""`triton.language.core`: types, and the functions that the compiler implements itself."""

from . import _aggregates, _along_axis, _arithmetic, _containers, _control, _creation, _dot, _memory, _shape
from ._aggregates import _aggregate, aggregate_replace
from ._along_axis import associative_scan, histogram, reduce
from ._arithmetic import add, mul, sub
from ._constexpr import (_unwrap_if_constexpr, _unwrap_shape, base_value, const, constexpr, constexpr_type)
from ._containers import slice, tuple, tuple_type
from ._control import (assume, condition, debug_barrier, device_assert, device_print, expect_zero, max_constancy,
                       max_contiguous, multiple_of, range, static_assert, static_print, static_range)
from ._creation import (arange, cast, cat, cdiv, full, num_programs, program_id, swizzle2d, to_tensor, zeros,
                        zeros_like)
from ._dot import dot, dot_scaled
from ._memory import (advance, atomic_add, atomic_and, atomic_cas, atomic_load, atomic_max, atomic_min, atomic_or,
                      atomic_poll, atomic_store, atomic_xchg, atomic_xor, load, load_tensor_descriptor, make_block_ptr, make_tensor_descriptor,
                      store, store_tensor_descriptor)
from ._shape import (broadcast, broadcast_to, expand_dims, flip, gather, inline_asm_elementwise, interleave, join,
                     map_elementwise, permute, ravel, reshape, split, squeeze, trans, unsqueeze, view, where)
from ._stub import builtin, must_use_result
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
    """Whether `fn` is a function of the language that the compiler implements."""
    return getattr(fn, "__triton_builtin__", False) is True


for _part in (_aggregates, _along_axis, _arithmetic, _containers, _control, _creation, _dot, _memory, _shape):
    # What users see of these rooms is this module.
    _part.__tegula_name__ = __tegula_name__  # type: ignore[attr-defined]
del _part
