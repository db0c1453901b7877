"""The options of a launch: what of them a kernel is compiled with."""

from __future__ import annotations

import functools
import os
import re
import warnings
from typing import Any, NamedTuple

from ... import _native, imitated, knobs
from ...backends.nvidia.compiler import CUDAOptions, check_warps, refuse_clusters_of_programs
from ..driver import driver

#: What a launch may say beyond the arguments of the kernel.
OPTIONS = (*CUDAOptions.__dataclass_fields__, "allow_fp8e4nv", "max_num_imprecise_acc_default", "default_dot_input_precision",
           "ir_override")


class KernelOptions(NamedTuple):
    """The options of `_native.Program.kernel`, by the names of `tegula_kernel_options`; 0 and None say nothing."""

    num_warps: int
    num_stages: int
    max_registers: int
    debug: bool
    no_fp_fusion: bool
    arch: str | None
    launch_cooperative_grid: bool
    launch_pdl: bool
    without: str
    no_overflow_checks: bool
    triton_version: str
    dot_precision: str | None
    num_ctas: int
    extern_libs: tuple[tuple[str, str], ...]


def kernel_options(function: Any, options: dict[str, Any]) -> KernelOptions:
    """Returns what the options of a launch and the knobs say. An option that is None is not given; those that are not
    mentioned here change nothing."""
    given = {name: value for name, value in options.items() if value is not None}
    refuse_clusters_of_programs(given, lambda: driver.active.get_current_target().arch)
    check_warps(given.get("num_warps", 4))
    for name, default in _WITHOUT_EFFECT.items():
        if given.get(name, default) != default:
            _warn_without_effect(name)
    fusion = given.get("enable_fp_fusion", knobs.language.default_fp_fusion)
    debug = given.get("debug", function.debug) or knobs.runtime.debug
    stages = _count("num_stages", {**given, "num_stages": given["num_stages"] or 1}) if "num_stages" in given else 0
    return KernelOptions(
        num_warps=_count("num_warps", given),
        # No stages are one: nothing is pipelined. More than a pipeline can have are as many as it can have, as in `tl.range`.
        num_stages=min(stages, _native.MAX_STAGES),
        max_registers=_count("maxnreg", given),
        debug=bool(debug),
        no_fp_fusion=not fusion,
        arch=architecture(given.get("arch") or knobs.runtime.override_arch),
        launch_cooperative_grid=bool(given.get("launch_cooperative_grid")),
        launch_pdl=bool(given.get("launch_pdl")),
        without=given.get("without", knobs.compilation.without),
        no_overflow_checks=not given.get("sanitize_overflow", knobs.runtime.sanitize_overflow),
        triton_version=imitated.version(),
        dot_precision=knobs.language.fp32_default or None,
        # Clusters have 8 blocks at most, and a power of two.
        num_ctas=1 << (min(_count("num_ctas", given), 8) or 1).bit_length() - 1,
        extern_libs=libraries(given.get("extern_libs")))


def libraries(given: Any) -> tuple[tuple[str, str], ...]:
    """The option `extern_libs`, files of bitcode by name, as pairs. TypeError where it is neither a dict nor pairs."""
    pairs = tuple(dict(given or {}).items())
    for name, path in pairs:
        if not isinstance(name, str) or not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"expected names and paths in `extern_libs`, found {name!r}: {path!r}")
    return tuple((name, os.fspath(path)) for name, path in pairs)


def architecture(name: Any) -> str | None:
    """An architecture as the compiler calls it, "sm_90a", of how options and Triton do: 90, "sm90", "90"."""
    if not name:
        return None
    number = re.fullmatch(r"(?:sm)?(\d+)", str(name))
    return _native.architectures().get(int(number[1]), f"sm_{number[1]}") if number else str(name)


#: Options of Triton's compiler for NVIDIA that would change code or launches and do not here, with their defaults.
_WITHOUT_EFFECT = {"ptx_options": "", "min_shared_mem": 0, "enable_reflect_ftz": True, "fpsan_homomorphic_casts": False,
                   "ir_override": None, "instrumentation_mode": ""}


@functools.lru_cache(maxsize=None)
def _warn_without_effect(name: str) -> None:
    warnings.warn(f"the option `{name}` has no effect here", stacklevel=6)


def _count(name: str, given: dict[str, Any]) -> int:
    """A positive number; 0 where none is given. ValueError, since 0 would otherwise mean the default."""
    if name not in given:
        return 0
    value = given[name]
    if not 1 <= value < 1 << 32:
        raise ValueError(f"expected `{name}` to be positive and of 32 bits, found {value!r}")
    return value
