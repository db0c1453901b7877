"""Mathematics of the language, element by element. `tl.math.exp` and `tl.exp` are the same function.

The elementary functions take float32 and float64; convert other types first.
"""

from __future__ import annotations

import enum

from ._stub import builtin, language_class
from ._tensor import Value, tensor

__tegula_name__ = "triton.language.math"


class PropagateNan(enum.Enum):
    """What becomes of a NaN beside a number in `maximum`, `minimum` and `clamp`."""

    #: The number wins.
    NONE = 0
    #: The NaN wins.
    ALL = 0xFFFF


language_class(PropagateNan)
PropagateNan.__tegula_name__ = "triton.language.PropagateNan"  # type: ignore[attr-defined]


@builtin
def abs(x: Value) -> tensor:
    """The absolute value of numbers of any type."""


@builtin
def ceil(x: Value) -> tensor:
    """The least whole number that is not below `x`."""


@builtin
def clamp(x: Value, min: Value, max: Value, propagate_nan: PropagateNan = PropagateNan.NONE) -> tensor:
    """Floats `x`, no smaller than `min` and no larger than `max`; undefined where `min > max`."""


@builtin
def cos(x: Value) -> tensor:
    """The cosine of radians."""


@builtin
def div_rn(x: Value, y: Value) -> tensor:
    """`x / y` of float32, rounded to nearest as IEEE 754 says."""


@builtin
def erf(x: Value) -> tensor:
    """The error function."""


@builtin
def exp(x: Value) -> tensor:
    """e to the power of `x`; of float32 by the unit for powers of two, `ex2.approx`."""


@builtin
def exp2(x: Value) -> tensor:
    """2 to the power of `x`; of float32 `ex2.approx`."""


@builtin
def fdiv(x: Value, y: Value, ieee_rounding: bool = False, approx: bool = False) -> tensor:
    """`x / y` of floats; quick, or from Triton 3.8 on rounded to nearest where `ieee_rounding` is set."""


@builtin
def floor(x: Value) -> tensor:
    """The greatest whole number that is not above `x`."""


@builtin
def fma(x: Value, y: Value, z: Value) -> tensor:
    """`x * y + z`, rounded once."""


@builtin
def log(x: Value) -> tensor:
    """The natural logarithm."""


@builtin
def log2(x: Value) -> tensor:
    """The logarithm to base 2."""


@builtin
def maximum(x: Value, y: Value, propagate_nan: PropagateNan = PropagateNan.NONE) -> tensor:
    """The larger of each two elements."""


@builtin
def minimum(x: Value, y: Value, propagate_nan: PropagateNan = PropagateNan.NONE) -> tensor:
    """The smaller of each two elements."""


@builtin
def rsqrt(x: Value) -> tensor:
    """One over the square root; of float32 `rsqrt.approx`."""


@builtin
def sin(x: Value) -> tensor:
    """The sine of radians."""


@builtin
def sqrt(x: Value) -> tensor:
    """The square root; of float32 `sqrt.approx`."""


@builtin
def sqrt_rn(x: Value) -> tensor:
    """The square root of float32, rounded to nearest as IEEE 754 says."""


@builtin
def umulhi(x: Value, y: Value) -> tensor:
    """The upper half of the product of integers of 32 or 64 bits, taken without signs."""
