"""The backends by name. There is one, called "nvidia" as Triton's is."""

from __future__ import annotations

from typing import NamedTuple

from .compiler import BaseBackend, GPUTarget
from .driver import DriverBase
from .nvidia.compiler import CUDABackend
from .nvidia.driver import CudaDriver


class Backend(NamedTuple):
    compiler: type[BaseBackend]
    driver: type[DriverBase]


backends: dict[str, Backend] = {"nvidia": Backend(CUDABackend, CudaDriver)}
