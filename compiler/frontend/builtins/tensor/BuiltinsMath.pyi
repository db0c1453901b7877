"""Elementwise functions of `tl` and `tl.math`."""

found_in("tl.math", "tensor")

def exp(x: Value) -> tensor: """e to the power of `x`; of float32 by the unit for powers of two, `ex2.approx`."""
def exp2(x: Value) -> tensor: """2 to the power of `x`; of float32 `ex2.approx`."""
def log(x: Value) -> tensor: """The natural logarithm."""
def log2(x: Value) -> tensor: """The logarithm to base 2."""
def sin(x: Value) -> tensor: """The sine of radians."""
def cos(x: Value) -> tensor: """The cosine of radians."""
def sqrt(x: Value) -> tensor: """The square root; of float32 `sqrt.approx`."""
def sqrt_rn(x: Value) -> tensor: """The square root of float32, rounded to nearest as IEEE 754 says."""
def rsqrt(x: Value) -> tensor: """One over the square root; of float32 `rsqrt.approx`."""
def erf(x: Value) -> tensor: """The error function."""
def floor(x: Value) -> tensor: """The greatest whole number that is not above `x`."""
def ceil(x: Value) -> tensor: """The least whole number that is not below `x`."""
def abs(x: Value) -> tensor: """The absolute value of numbers of any type."""

found_in("tl", section="Mathematics")

@differs("a number gives way to 8-bit floats as to others, under operators and in `where` too")
def add(x: Value, y: Value, sanitize_overflow: bool = True) -> tensor:
    """`x + y`; with `sanitize_overflow`, kernels compiled for debugging check that integers do not wrap."""

def sub(x: Value, y: Value, sanitize_overflow: bool = True) -> tensor:
    """`x - y`; with `sanitize_overflow`, kernels compiled for debugging check that integers do not wrap."""

def mul(x: Value, y: Value, sanitize_overflow: bool = True) -> tensor:
    """`x * y`; with `sanitize_overflow`, kernels compiled for debugging check that integers do not wrap."""

found_in("tl.math")

def maximum(x: Value, y: Value, propagate_nan: PropagateNan = PropagateNan.NONE) -> tensor:
    """The larger of each two elements."""

def minimum(x: Value, y: Value, propagate_nan: PropagateNan = PropagateNan.NONE) -> tensor:
    """The smaller of each two elements."""

@differs("between two zeros the result is +0 or -0 by the bounds, not by the sign of the number")
def clamp(x: Value, min: Value, max: Value, propagate_nan: PropagateNan = PropagateNan.NONE) -> tensor:
    """Floats `x`, no smaller than `min` and no larger than `max`; undefined where `min > max`."""

@differs("takes integers and two types too, as `/` does: Triton asks for two floats of one type")
def fdiv(x: Value, y: Value, ieee_rounding: bool = False, approx: bool = False) -> tensor:
    """`x / y` of floats; quick, or from Triton 3.8 on rounded to nearest where `ieee_rounding` is set."""

@differs("takes every type, as `/` does: Triton takes fp32 alone")
def div_rn(x: Value, y: Value) -> tensor: """`x / y` of float32, rounded to nearest as IEEE 754 says."""

def fma(x: Value, y: Value, z: Value) -> tensor: """`x * y + z`, rounded once."""

def umulhi(x: Value, y: Value) -> tensor:
    """The upper half of the product of integers of 32 or 64 bits, taken without signs."""

found_in("tl", section="Indexing")

def where(condition: Value, x: Value, y: Value) -> tensor:
    """`x` where `condition` holds and `y` elsewhere, element by element, broadcast and promoted to a common type.

    Both are evaluated everywhere: to read memory under a condition, give `load` a mask.
    """

found_in("tensor")

@differs("numbers count as truths: Triton takes int1 alone")
def logical_and(input, other: Value) -> tensor: """`self and other` of truths, element by element."""

@differs("numbers count as truths: Triton takes int1 alone")
def logical_or(input, other: Value) -> tensor: """`self or other` of truths, element by element."""

found_in("tl.standard")

@handler("floorLog2")
def _log2(i: int) -> int: """The logarithm to base 2 of a power of two that is known at compile time."""

found_in("triton")

def next_power_of_2(n): ...

found_in("tl.extra.libdevice")

def div_rn(x: Value, y: Value) -> tensor: """`x / y`, rounded to nearest."""
def fma(x: Value, y: Value, z: Value) -> tensor: """`x * y + z`, rounded once."""

@handler("fma")
def fma_rn(x: Value, y: Value, z: Value) -> tensor: """`x * y + z`, rounded to nearest."""

found_in("tl.extra.libdevice", handler="quickQuotient")

def fast_dividef(x: Value, y: Value) -> tensor: """A quick quotient."""
def fast_fdividef(x: Value, y: Value) -> tensor: """A quick quotient."""
