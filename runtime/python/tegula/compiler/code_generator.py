"""`ast_to_ttir`: a kernel's IR for programs that walk it, by the name of Triton's front end."""

from __future__ import annotations

from typing import Any, Mapping

from ..backends.compiler import GPUTarget
from ..runtime.driver import driver


def ast_to_ttir(fn: Any, src: Any, context: Any, options: Any, codegen_fns: Mapping[str, Any], module_map: Mapping[str, Any],
                module: Any = None) -> Any:
    """As `src.make_ir`; see `compiler/walk`."""
    target: GPUTarget = driver.active.get_current_target()  # type: ignore[attr-defined]
    return src.make_ir(target, options, codegen_fns, module_map, context)
