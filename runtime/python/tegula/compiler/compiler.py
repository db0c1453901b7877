"""`compile`: a kernel from types of its arguments, without a launch."""

from __future__ import annotations

import hashlib
import os
from typing import Any, Iterable, Mapping

from ..backends import CUDABackend, GPUTarget
from ..runtime.cache import get_cache_key, keep_as_triton, set_library_cache_dir
from ..runtime.driver import driver
from ..runtime.launch.compilation import Compilation, for_any_launcher
from ..runtime.launch.compiled import Asm, CompiledKernel, LazyDict, digest_of, metadata_of
from ..runtime.launch.options import architecture
from ..runtime.program import tuples
from . import pending
from .walk import Module

__all__ = ["ASTSource", "CompiledKernel", "GPUTarget", "IRSource", "LazyDict", "get_cache_key", "compile", "make_backend", "max_shared_mem"]


def make_backend(target: GPUTarget) -> CUDABackend:
    """The backend that compiles for `target`. ValueError where there is none."""
    return CUDABackend(target)


def max_shared_mem(device: int) -> int:
    """Bytes of shared memory that a block may have on this device."""
    return driver.active.utils.get_device_properties(device)["max_shared_mem"]  # type: ignore[attr-defined]


class ASTSource:
    """A kernel with the types of its arguments by name ("*fp32", "i32", "constexpr"), the values of those known when
    compiling, and facts: `attrs` {(index,): [["tt.divisibility", 16]]}.

    `constants` has the values by index of the parameter: {(3,): 128}.
    """

    def __init__(self, fn: Any, signature: Mapping[str, str], constexprs: Mapping[Any, Any] | None = None,
                 attrs: Mapping[tuple, Any] | None = None):
        self.fn = fn
        self.language = "triton"
        self.ext = "ttir"
        self.name = fn.__name__
        self.signature = dict(signature)
        self.constants = {self._path(key): value for key, value in (constexprs or {}).items()}
        self.attrs = dict(attrs or {})
        for name in self.signature:
            if not isinstance(name, str):
                raise TypeError(f"expected names of parameters in `signature`, found {name!r}")

    def _path(self, key: Any) -> tuple:
        if isinstance(key, str) and key not in self.fn.arg_names:
            raise ValueError(f"kernel `{self.name}` has no parameter `{key}`")
        return (self.fn.arg_names.index(key),) if isinstance(key, str) else tuple(key)

    def hash(self) -> str:
        """A digest of the source, the types, the values and the facts."""
        parts = (self.fn.cache_key, sorted(self.signature.items()), sorted(map(repr, self.constants.items())),
                 sorted(map(repr, self.attrs.items())))
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def parse_options(self) -> dict[str, Any]:
        return {}

    def values(self) -> dict[str, Any]:
        """The values known when compiling, by the names of parameters; what is known of a descriptor is its form."""
        names = self.fn.arg_names
        return {**{names[path[0]]: value for path, value in self.constants.items()},
                **{name: form for name, (form, _) in self._descriptors().items()}}

    def _descriptors(self) -> dict[str, tuple[tuple[Any, ...], list[str]]]:
        """The forms of tensor descriptors, and the types of what launches pass of them."""
        found = {name: tuples.descriptor_of(kind) for name, kind in self.signature.items()}
        return {name: descriptor for name, descriptor in found.items() if descriptor is not None}

    def make_ir(self, target: GPUTarget, options: Any, codegen_fns: Mapping[str, Any], module_map: Mapping[str, Any],
                context: Any) -> Any:
        """The kernel's tile IR for programs that walk it, under Triton's names; see `compiler/walk`."""
        given = {name: getattr(options, name) for name in ("num_warps", "num_stages", "debug") if hasattr(options, name)}
        request = _Request(self, target, given)
        variant, passed = request.prepared(None), list(request.types)
        # Triton's kernels have a descriptor, all its sides and all its strides; programs that write by it change the first
        # alone.
        shown: list[int | None] = list(range(len(passed)))
        for name, (form, _) in self._descriptors().items():
            sides = [shown.index(passed.index(f"{name}__{place}")) for place in range(2, len(form))]
            for place in sides:
                shown[place] = None
            shown.insert(sides[-1] + 1, None)
        module = Module(variant.stage("tile").decode())
        module.show_parameters(shown)
        return module

    def spelled(self, names: Iterable[str]) -> dict[str, str]:
        """The types of what launches pass by these names, with their facts, as the compiler reads them: "*fp32:16"."""
        of_descriptors = {f"{descriptor}__{place}": text for descriptor, (_, types) in self._descriptors().items()
                          for place, text in enumerate(types, 1)}
        return {name: of_descriptors.get(name) or self._spelled(name) for name in names}

    def _spelled(self, name: str) -> str:
        if name not in self.signature:
            raise ValueError(f"parameter `{name}` of kernel `{self.name}` has no type in `signature`")
        text = self.signature[name].replace("*k", "*")
        text = text[:-2] + "i1" if text in ("u1", "*u1") else text  # Triton has both spellings
        # Inductor says it of floats, too, to which Triton pays no attention.
        is_float = text.startswith(("fp", "bf", "f"))
        if not is_float and any(fact[0] == "tt.divisibility" and fact[1] % 16 == 0
                                for fact in self.attrs.get(self._path(name), ())):
            text += ":16"
        return text


class IRSource:
    """Triton's source of a compilation that is a file of its IR. Tegula has none: files of tile IR and of PTX are compiled by
    `tegula compile`."""

    def __init__(self, path: Any, context: Any = None, backend: Any = None):
        raise NotImplementedError(f"{path}: Triton's IR is not compiled here; `tegula compile FILE` takes kernels (.py), "
                                  "tile IR (.mlir) and PTX (.ptx)")


class _Request:
    """The input of a compilation: the kernel of the library, the types of its parameters, and its options."""

    def __init__(self, src: ASTSource, target: GPUTarget, options: Mapping[str, Any]):
        make_backend(target).parse_options(dict(options))
        given = {"arch": architecture(target.arch), **options,
                 "without": for_any_launcher(options)}
        self.kernel = src.fn._kernel_for(src.values(), given)
        self.types = src.spelled(name for name, _ in self.kernel.parameters())
        set_library_cache_dir()
        self.compilation = Compilation(src.fn, self.types, src.values(), given)

    def prepared(self, device: Any) -> Any:
        """Compiled, and loaded where a device is given."""
        return self.kernel.prepare_typed(device, tuple(self.types.values()), self.compilation.entry)


def compile(src: ASTSource, target: GPUTarget | None = None, options: Mapping[str, Any] | None = None,
            _env_vars: Any = None) -> CompiledKernel:
    """Compiles for `target`, by default what the current device is. CompilationError where the source is wrong.

    Others may launch the code: it has the warps that were asked for and a block for each program. Where TRITON_CACHE_DIR is
    set they find it there, as Triton keeps it."""
    target = driver.active.get_current_target() if target is None else target
    found = pending.take(src, target, options or {})
    return compile_now(src, target, options or {}) if found is None else found.result()


def compile_now(src: ASTSource, target: GPUTarget, options: Mapping[str, Any]) -> CompiledKernel:
    """`compile`, whatever may be under way already."""
    if isinstance(src, (str, os.PathLike)):
        IRSource(src)  # says why not
    request = _Request(src, target, options)
    variant = request.prepared(None)
    asm = Asm(variant)
    metadata = metadata_of(request.compilation, variant.properties(),
                           digest_of(asm, request.compilation.stages))
    compiled = CompiledKernel(src, metadata, asm, tuple(request.types), request.prepared)
    compiled.report(request.kernel.program())
    keep_as_triton(compiled)
    return compiled
