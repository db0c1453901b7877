"""`tegula.language`: the language in which kernels are written, Triton's.

    import tegula as triton
    import tegula.language as tl

Its functions work inside functions decorated with `@jit`. They are here with their signatures and meanings, so that
editors complete and check; called by Python they say where they belong. Kernels are never executed by Python.
"""

from . import _functions, core, extra, math, random, standard, target_info
from ._functions import *
from ._stub import language_name
from .core import (TRITON_MAX_TENSOR_NUMEL, aggregate_replace, block_type, const, constexpr_type, dtype, get_int_dtype,
                   pi32_t, pointer_type, slice, str_to_ty, tensor, tensor_descriptor, tuple, tuple_type, void)
from .math import *
from .math import PropagateNan
from .random import *
from .standard import *

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
    "PropagateNan", "TRITON_MAX_TENSOR_NUMEL", "aggregate_replace", "bfloat16", "block_type", "const", "constexpr",
    "constexpr_type", "dtype", "extra", "float16", "float32", "float64", "float8e4b15", "float8e4b8", "float8e4nv",
    "float8e5", "float8e5b16", "get_int_dtype", "int1", "int16", "int32", "int64", "int8", "math", "pi32_t", "pointer_type",
    "slice", "str_to_ty", "target_info", "tensor", "tensor_descriptor", "tuple", "tuple_type", "uint16", "uint32", "uint64",
    "uint8", "void",
]
__all__ += _functions.__all__
__all__ += math.__all__
__all__ += random.__all__
__all__ += standard.__all__
