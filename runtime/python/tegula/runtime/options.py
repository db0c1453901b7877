"""The options of a launch: what of them a kernel is compiled with."""

from __future__ import annotations

import functools
import warnings
from typing import Any

from .. import imitated, knobs


def kernel_options(function: Any, options: dict[str, Any]
                   ) -> tuple[int, int, int, bool, bool, str | None, bool, bool, str, bool, str, str | None]:
    """num_warps, num_stages, the most registers, debug, no fp fusion, the architecture, a cooperative grid, programmatic
    dependent launch, what to do without, no overflow checks, the version of Triton and the precision of products that say
    none, as `_native.Program.kernel` takes them. An option that is None is not given; those that are not mentioned here
    change nothing."""
    given = {name: value for name, value in options.items() if value is not None}
    refuse_clusters_of_programs(given)
    for name, default in _WITHOUT_EFFECT.items():
        if given.get(name, default) != default:
            _say_without_effect(name)
    fusion = given.get("enable_fp_fusion", knobs.language.default_fp_fusion)
    debug = given.get("debug", function.debug) or knobs.runtime.debug
    # No stages are one: nothing is pipelined.
    stages = _count("num_stages", {**given, "num_stages": given["num_stages"] or 1}) if "num_stages" in given else 0
    return (_count("num_warps", given), stages, _count("maxnreg", given), bool(debug), not fusion,
            given.get("arch") or knobs.runtime.override_arch, bool(given.get("launch_cooperative_grid")),
            bool(given.get("launch_pdl")), given.get("without", knobs.compilation.without),
            not given.get("sanitize_overflow", knobs.runtime.sanitize_overflow), imitated.version(),
            knobs.language.fp32_default or None)


#: Options of Triton's compiler for NVIDIA that would change code or launches and do not here, with their defaults.
_WITHOUT_EFFECT = {"ptx_options": "", "min_shared_mem": 0, "enable_reflect_ftz": True, "fpsan_homomorphic_casts": False}


@functools.lru_cache(maxsize=None)
def _say_without_effect(name: str) -> None:
    warnings.warn(f"the option `{name}` has no effect here", stacklevel=6)


def refuse_clusters_of_programs(options: dict[str, Any]) -> None:
    """ValueError where `clc`, by which a GPU hands programs out while kernels run, is asked of one that cannot."""
    if not options.get("clc"):
        return
    from .driver import driver

    arch = str(options.get("arch") or driver.active.get_current_target().arch)
    if int("".join(filter(str.isdigit, arch))) < 100:
        raise ValueError(f"`clc` needs a GPU of compute capability 10.0 or later, found {arch}")


def _count(name: str, given: dict[str, Any]) -> int:
    """A positive number; 0 where none is given. ValueError, since 0 would otherwise mean the default."""
    if name not in given:
        return 0
    value = given[name]
    if not 1 <= value < 1 << 32:
        raise ValueError(f"expected `{name}` to be positive and of 32 bits, found {value!r}")
    return value
