"""Loops, promises to the compiler, checks and prints of the language."""

from __future__ import annotations

from typing import Any, Iterator, Sequence, Union

from ._stub import builtin, language_class, outside_kernel
from ._tensor import Value, tensor


@language_class
class range:
    """`for i in tl.range(start, end, step)`: Python's `range`, with advice on how to compile the loop.

    `num_stages` is how many iterations' loads run ahead; `loop_unroll_factor` how many iterations become one.
    The other keywords are accepted as hints.
    """

    def __init__(self, start: Value, end: Value | None = None, step: Value = 1, num_stages: int | None = None,
                 loop_unroll_factor: int | None = None, disallow_acc_multi_buffer: bool = False,
                 flatten: bool = False, warp_specialize: bool = False, disable_licm: bool = False):
        outside_kernel("tl.range")

    def __iter__(self) -> Iterator[tensor]:
        outside_kernel("tl.range")


@language_class
class static_range:
    """`for i in tl.static_range(start, end, step)`: a loop that is unrolled while compiling. The bounds are known then,
    and so is `i` in each iteration."""

    def __init__(self, start: int, end: int | None = None, step: int = 1):
        outside_kernel("tl.static_range")

    def __iter__(self) -> Iterator[int]:
        outside_kernel("tl.static_range")


@language_class
class condition:
    """`while tl.condition(c)`: a loop with advice; `disable_licm` leaves in it what could be computed before it."""

    def __init__(self, arg: Value, disable_licm: bool = False):
        outside_kernel("tl.condition")


@builtin
def debug_barrier() -> None:
    """All threads of the program wait for each other; what they wrote before is seen by all afterwards."""


@builtin
def multiple_of(input: tensor, values: Union[int, Sequence[int]]) -> tensor:
    """Promises that `input` begins, along each dimension, at a multiple of `values`; returns `input`."""


@builtin
def max_contiguous(input: tensor, values: Union[int, Sequence[int]]) -> tensor:
    """Promises that the first `values` elements of each run of `input` are consecutive; returns `input`."""


@builtin
def max_constancy(input: tensor, values: Union[int, Sequence[int]]) -> tensor:
    """Promises that the first `values` elements of each run of `input` are equal; returns `input`."""


@builtin
def assume(cond: Value) -> None:
    """Promises that `cond` holds; code may be made under this assumption."""


@builtin
def expect_zero(x: Value, mask: Value) -> tensor:
    """Promises that `x` is zero where `mask` is false; returns `x`."""


@builtin
def static_assert(cond: Any, msg: str = "") -> None:
    """An error with the text `msg` while compiling, unless `cond`, which is known then, holds."""


@builtin
def static_print(*values: Any, sep: str = " ", end: str = "\n", file: Any = None, flush: bool = False) -> None:
    """Prints while the kernel is compiled: values known then, and the types of others."""


@builtin
def device_assert(cond: Value, msg: str = "", mask: Value | None = None) -> None:
    """Stops the kernel with `msg` where `cond` is false and `mask` holds; only in kernels compiled for debugging
    (`debug=True`, or TRITON_DEBUG=1)."""


@builtin
def device_print(prefix: str, *args: Value, hex: bool = False) -> None:
    """Prints `prefix` and the elements of `args` while the kernel runs, each with its place and its program."""
