"""Options of a compilation for GPUs of NVIDIA."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any, Callable

from ... import _native, knobs
from ...errors import RefusedValue
from ...runtime.cache import triton_key
from ...runtime.errors import OutOfResources
from ..compiler import BaseBackend, GPUTarget


@dataclasses.dataclass(frozen=True)
class CUDAOptions:
    """Options of a compilation; the options of a launch besides its arguments. Programs read its `__dict__`, too."""

    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 3
    maxnreg: int | None = None
    enable_fp_fusion: bool = True
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    debug: bool = False
    sanitize_overflow: bool = True
    extern_libs: tuple = ()
    backend_name: str = "cuda"
    arch: str = ""
    warp_size: int = 32
    clc: bool = False
    min_shared_mem: int | None = None
    ptx_options: str | None = None
    enable_reflect_ftz: bool = True
    fpsan_homomorphic_casts: bool = False
    instrumentation_mode: str = ""

    def hash(self) -> str:
        return hashlib.sha256(repr(self).encode()).hexdigest()


def check_warps(count: Any) -> None:
    """RefusedValue where a number of warps is no power of two, OutOfResources where a block cannot have as many."""
    if not isinstance(count, int) or count <= 0 or count & (count - 1):
        raise RefusedValue(f"num_warps must be a power of 2, found {count!r}")
    if count > _native.MAX_WARPS:
        raise OutOfResources(count * 32, _native.MAX_WARPS * 32, "threads")


def refuse_clusters_of_programs(options: dict[str, Any], current_arch: Callable[[], Any]) -> None:
    """ValueError where `clc`, by which a GPU hands programs out while kernels run, or clusters of blocks are asked of one that
    cannot; `current_arch` says of which where the options do not."""
    is_cluster = (options.get("num_ctas") or 1) > 1
    if not options.get("clc") and not is_cluster:
        return
    arch = str(options.get("arch") or current_arch())
    capability = int("".join(filter(str.isdigit, arch)))
    if options.get("clc") and capability < 100:
        raise ValueError(f"`clc` needs a GPU of compute capability 10.0 or later, found {arch}")
    if is_cluster and capability < 90:
        raise ValueError(f"num_ctas > 1 requires NVIDIA SM90+ (Hopper), found {arch}")


def min_dot_size(target: GPUTarget) -> Callable[[Any, Any], tuple[int, int, int]]:
    """A function that says of the types of two operands how small `tl.dot` may be: (M, N, K)."""
    return lambda left, right: (1, 1, 32 if left.scalar.primitive_bitwidth == 8 else 16)


def get_ptxas(arch: int = 80) -> Any:
    """The `knobs.NvidiaTool` that assembles for this compute capability. RuntimeError where there is none."""
    return knobs.nvidia.ptxas_blackwell if arch >= 100 and "ptxas_blackwell" in vars(knobs.nvidia) else knobs.nvidia.ptxas


def get_ptxas_version(arch: int = 80) -> str:
    """The version of that tool: "13.0"."""
    version: str = get_ptxas(arch).version
    return version


def sm_arch_from_capability(capability: int) -> str:
    """The name of an architecture by its number: "sm_90a"."""
    return f"sm_{capability}{'a' if capability >= 90 else ''}"


class CUDABackend(BaseBackend):
    """Tegula itself."""

    binary_ext = "cubin"

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == "cuda"

    def hash(self) -> str:
        return f"{triton_key()}-{self.target.arch}"

    def parse_options(self, options: dict[str, Any]) -> CUDAOptions:
        """Keeps what is an option and drops the rest. ValueError where a number of warps is no power of two."""
        names = CUDAOptions.__dataclass_fields__
        known = {name: value for name, value in options.items() if name in names and value is not None}
        known.setdefault("enable_fp_fusion", knobs.language.default_fp_fusion)
        known.setdefault("arch", f"sm{self.target.arch}")
        refuse_clusters_of_programs(known, lambda: self.target.arch)
        parsed = CUDAOptions(**known)
        check_warps(parsed.num_warps)
        return parsed
