"""`compile`: a kernel from types of its arguments, without a launch."""

from __future__ import annotations

import hashlib
from typing import Any, Mapping

from .. import _native
from ..backends import CUDABackend, GPUTarget
from ..runtime.cache import tell_library
from ..runtime.compilation import Compilation
from ..runtime.compiled import CompiledKernel, LazyDict
from ..runtime.driver import driver

__all__ = ["ASTSource", "CompiledKernel", "GPUTarget", "LazyDict", "compile", "make_backend"]

#: Architectures by compute capability where its number alone does not name them.
_ARCHS = {90: "sm_90a", 100: "sm_100a", 120: "sm_120a"}


def make_backend(target: GPUTarget) -> CUDABackend:
    """The backend that compiles for `target`. ValueError where there is none."""
    return CUDABackend(target)


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
        return (self.fn.arg_names.index(key),) if isinstance(key, str) else tuple(key)

    def hash(self) -> str:
        """A digest of the source, the types, the values and the facts."""
        parts = (self.fn.cache_key, sorted(self.signature.items()), sorted(map(repr, self.constants.items())),
                 sorted(map(repr, self.attrs.items())))
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def parse_options(self) -> dict[str, Any]:
        return {}

    def values(self) -> dict[str, Any]:
        """The values known when compiling, by the names of parameters."""
        names = self.fn.arg_names
        return {names[path[0]]: value for path, value in self.constants.items()}

    def spelled(self, name: str) -> str:
        """The type of an argument with its facts, as the compiler reads it: "*fp32:16"."""
        text = self.signature[name].replace("*k", "*")
        if any(fact[0] == "tt.divisibility" and fact[1] % 16 == 0 for fact in self.attrs.get(self._path(name), ())):
            text += ":16"
        return text


class PreparedKernel(CompiledKernel):
    """A kernel that was compiled without a launch. It is loaded on the current device when it is first launched or
    `_init_handles` is called: what only compiles touches no device."""

    def __init__(self, source: ASTSource, kernel: Any, compilation: Compilation, options: Mapping[str, Any]):
        self._kernel, self._types, self._entry = kernel, tuple(compilation.types.values()), compilation.entry
        super().__init__(source.fn, kernel, kernel.prepare_typed(None, self._types, self._entry), None, compilation)
        self.src = source
        self._options = options

    @property
    def device_index(self) -> int:
        return 0 if self._device is None else super().device_index

    def _init_handles(self) -> None:
        if self._device is None:
            device = _native.current_device()
            self._variant = self._kernel.prepare_typed(device, self._types, self._entry)
            self._properties = self._variant.properties()
            self._device = device

    def __reduce__(self) -> Any:
        return _compile_again, (self.src, self._options)

    def __getitem__(self, grid: Any) -> Any:
        self._init_handles()
        return super().__getitem__(grid)


def _compile_again(source: ASTSource, options: Mapping[str, Any]) -> CompiledKernel:
    return compile(source, options=options)


def compile(src: ASTSource, target: GPUTarget | None = None, options: Mapping[str, Any] | None = None,
            _env_vars: Any = None) -> CompiledKernel:
    """Compiles for `target`, by default what the current device is. CompilationError where the source is wrong."""
    target = driver.active.get_current_target() if target is None else target
    make_backend(target).parse_options(dict(options or {}))
    given = {"arch": _ARCHS.get(int(target.arch), f"sm_{target.arch}"), **(options or {})}
    kernel = src.fn._kernel_for(src.values(), given)
    types = {name: src.spelled(name) for name, _ in kernel.parameters()}
    tell_library()
    compiled = PreparedKernel(src, kernel, Compilation(src.fn, types, src.values(), given), given)
    compiled.report(kernel.program())
    return compiled
