"""`tl.extra.cuda`: what only GPUs of NVIDIA have."""

from __future__ import annotations

import sys

from ..._stub import builtin
from ..._tensor import tensor
from .. import libdevice

__tegula_name__ = "triton.language.extra.cuda"


@builtin
def globaltimer() -> tensor:
    """Nanoseconds of the device's clock: int64."""


@builtin
def smid() -> tensor:
    """The number of the multiprocessor on which the program runs: int32."""


@builtin
def num_threads() -> int:
    """How many threads a program has, known at compile time."""


@builtin
def num_warps() -> int:
    """How many warps a program has, known at compile time."""


@builtin
def gdc_wait() -> None:
    """Waits until the kernel launched before has written what this one reads (programmatic dependent launch)."""


@builtin
def gdc_launch_dependents() -> None:
    """Lets the kernel launched next begin (programmatic dependent launch)."""


# The one module under both of its names.
sys.modules[__name__ + ".libdevice"] = libdevice
