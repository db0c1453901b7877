"""The target that a kernel is compiled for. In kernels the answers are known at compile time; on the host they are about
the current device."""

from __future__ import annotations

from typing import Any

from ._stub import name_in_language

__tegula_name__ = "triton.language.target_info"


def current_target() -> Any:
    """The `GPUTarget` of the current device."""
    from ..runtime.driver import driver  # the language itself needs no device

    return driver.active.get_current_target()


def is_cuda() -> bool:
    """Returns True if the target is a GPU of NVIDIA: always, here."""
    return current_target().backend == "cuda"


def cuda_capability_geq(major: int, minor: int = 0) -> bool:
    """Returns True if the target's compute capability is at least `major.minor`."""
    target = current_target()
    return target.backend == "cuda" and target.arch >= major * 10 + minor


def is_hip() -> bool:
    """Returns True if the target is a GPU of AMD: never, here."""
    return current_target().backend == "hip"


def is_hip_cdna3() -> bool:
    """Returns True if the target is a gfx942 of AMD: never, here."""
    return current_target().arch == "gfx942"


def is_hip_cdna4() -> bool:
    """Returns True if the target is a gfx950 of AMD: never, here."""
    return current_target().arch == "gfx950"


def is_hip_gfx1250() -> bool:
    """Returns True if the target is a gfx1250 of AMD: never, here."""
    return current_target().arch == "gfx1250"


for _function in (is_cuda, cuda_capability_geq, is_hip, is_hip_cdna3, is_hip_cdna4, is_hip_gfx1250):
    name_in_language(_function, __name__)
del _function
