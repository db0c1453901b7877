"""`tegula.language`: the language in which kernels are written, Triton's.

    import tegula as triton
    import tegula.language as tl

Its functions work inside functions decorated with `@jit`. They are here with their signatures and meanings, so that
editors complete and check; called by Python they say where they belong. Kernels are never executed by Python.
"""

from . import core, extra, math, random, standard, target_info
from ._stub import language_name
from .core import (TRITON_MAX_TENSOR_NUMEL, PropagateNan, add, advance, aggregate_replace, arange, assume,
                   associative_scan, atomic_add, atomic_and, atomic_cas, atomic_load, atomic_max, atomic_min,
                   atomic_or, atomic_poll, atomic_store, atomic_xchg, atomic_xor, block_type, broadcast, broadcast_to,
                   cast, cat, clamp, condition, const, constexpr_type, debug_barrier, device_assert, device_print,
                   dot, dot_scaled, dtype, expand_dims, expect_zero, full, gather, get_int_dtype, histogram,
                   inline_asm_elementwise, join, load, load_tensor_descriptor, make_block_ptr, make_tensor_descriptor,
                   map_elementwise, max_constancy, max_contiguous, maximum, minimum, mul, multiple_of, num_programs,
                   permute, pi32_t, pointer_type, program_id, range, reduce, reshape, slice, split, static_assert,
                   static_print, static_range, store, store_tensor_descriptor, str_to_ty, sub, tensor,
                   tensor_descriptor, to_tensor, trans, tuple, tuple_type, view, void, where)
from .math import (abs, ceil, cos, div_rn, erf, exp, exp2, fdiv, floor, fma, log, log2, rsqrt, sin, sqrt, sqrt_rn,
                   umulhi)
from .random import (pair_uniform_to_normal, philox, philox_impl, rand, rand4x, randint, randint4x, randn, randn4x,
                     uint_to_uniform_float)
from .standard import (argmax, argmin, bitonic_merge, cdiv, cumprod, cumsum, flip, interleave, max, min, ravel,
                       reduce_or, sigmoid, softmax, sort, squeeze, sum, swizzle2d, topk, unsqueeze, xor_sum, zeros,
                       zeros_like)

TYPE_CHECKING = False
if TYPE_CHECKING:
    # A parameter `BLOCK: tl.constexpr = 128` is given numbers, types and functions, and stands for them: checkers are to know nothing
    # of the name. That is what they know of what is imported from nowhere.
    from ._scalars import (bfloat16, float16, float32, float64, float8e4b15, float8e4b8, float8e4nv, float8e5,
                           float8e5b16, int1, int16, int32, int64, int8, uint16, uint32, uint64, uint8)
    from .nowhere import constexpr  # type: ignore
else:
    from .core import (bfloat16, constexpr, float16, float32, float64, float8e4b15, float8e4b8, float8e4nv, float8e5,
                       float8e5b16, int1, int16, int32, int64, int8, uint16, uint32, uint64, uint8)

__tegula_name__ = "triton.language"

__all__ = [
    "PropagateNan", "TRITON_MAX_TENSOR_NUMEL", "abs", "add", "advance", "aggregate_replace", "arange", "argmax", "argmin",
    "associative_scan", "assume", "atomic_add", "atomic_and", "atomic_cas", "atomic_load", "atomic_max", "atomic_min",
    "atomic_or", "atomic_poll", "atomic_store", "atomic_xchg", "atomic_xor", "bfloat16", "bitonic_merge", "block_type",
    "broadcast", "broadcast_to", "cast", "cat", "cdiv", "ceil", "clamp", "condition", "const", "constexpr",
    "constexpr_type", "cos", "cumprod", "cumsum", "debug_barrier", "device_assert", "device_print", "div_rn",
    "dot", "dot_scaled", "dtype", "erf", "exp", "exp2", "expand_dims", "expect_zero", "extra", "fdiv", "flip",
    "float16", "float32", "float64", "float8e4b15", "float8e4b8", "float8e4nv", "float8e5", "float8e5b16",
    "floor", "fma", "full", "gather", "get_int_dtype", "histogram", "inline_asm_elementwise", "int1", "int16",
    "int32", "int64",
    "int8", "interleave", "join", "load", "load_tensor_descriptor", "log", "log2", "make_block_ptr",
    "make_tensor_descriptor", "map_elementwise", "math", "max", "max_constancy", "max_contiguous", "maximum",
    "min", "minimum", "mul", "multiple_of", "num_programs", "pair_uniform_to_normal", "permute", "philox",
    "philox_impl", "pi32_t", "pointer_type", "program_id", "rand", "rand4x", "randint", "randint4x", "randn",
    "randn4x", "range", "ravel", "reduce", "reduce_or", "reshape", "rsqrt", "sigmoid", "sin", "slice", "softmax",
    "sort", "split", "sqrt", "sqrt_rn", "squeeze", "static_assert", "static_print", "static_range", "store",
    "store_tensor_descriptor", "str_to_ty", "sub", "sum", "swizzle2d", "target_info", "tensor", "tensor_descriptor",
    "to_tensor", "topk", "trans", "tuple", "tuple_type", "uint16", "uint32", "uint64", "uint8", "uint_to_uniform_float",
    "umulhi", "unsqueeze", "view", "void", "where", "xor_sum", "zeros", "zeros_like",
]
