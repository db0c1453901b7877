"""Random numbers: the counter-based generator Philox, and distributions over it.

The same seed and offset give the same number on every device; offsets that differ give numbers that are
independent. A block of offsets gives a block of numbers.
"""

from __future__ import annotations

from typing import Tuple, Union

from ._constexpr import constexpr
from ._stub import builtin
from ._tensor import Value, tensor

__tegula_name__ = "triton.language.random"

#: Rounds of the generator.
N_ROUNDS_DEFAULT: constexpr[int] = constexpr(10)

#: How many of them a function takes.
Rounds = Union[int, constexpr]
Four = Tuple[tensor, tensor, tensor, tensor]


@builtin
def philox_impl(c0: tensor, c1: tensor, c2: tensor, c3: tensor, k0: Value, k1: Value,
                n_rounds: Rounds = N_ROUNDS_DEFAULT) -> Four:
    """`n_rounds` rounds of Philox over four counters with the key (k0, k1), all of 32 or all of 64 bits."""


@builtin
def philox(seed: Value, c0: Value, c1: Value, c2: Value, c3: Value, n_rounds: Rounds = N_ROUNDS_DEFAULT) -> Four:
    """Four random numbers for each counter (c0, c1, c2, c3) of 32 or 64 bits, without a sign."""


@builtin
def randint(seed: Value, offset: Value, n_rounds: Rounds = N_ROUNDS_DEFAULT) -> tensor:
    """A random integer of 32 bits for each offset. `randint4x` gives four for the price of one."""


@builtin
def randint4x(seed: Value, offset: Value, n_rounds: Rounds = N_ROUNDS_DEFAULT) -> Four:
    """Four random integers of 32 bits for each offset."""


@builtin
def uint_to_uniform_float(x: tensor) -> tensor:
    """Integers that are evenly distributed, as floats in [0, 1)."""


@builtin
def rand(seed: Value, offset: Value, n_rounds: Rounds = N_ROUNDS_DEFAULT) -> tensor:
    """A random float32 in [0, 1) for each offset."""


@builtin
def rand4x(seed: Value, offsets: Value, n_rounds: Rounds = N_ROUNDS_DEFAULT) -> Four:
    """Four random float32s in [0, 1) for each offset."""


@builtin
def pair_uniform_to_normal(u1: Value, u2: Value) -> tuple[tensor, tensor]:
    """Two normally distributed numbers from two evenly distributed ones in [0, 1)."""


@builtin
def randn(seed: Value, offset: Value, n_rounds: Rounds = N_ROUNDS_DEFAULT) -> tensor:
    """A float32 from the standard normal distribution for each offset."""


@builtin
def randn4x(seed: Value, offset: Value, n_rounds: Rounds = N_ROUNDS_DEFAULT) -> Four:
    """Four float32s from the standard normal distribution for each offset."""
