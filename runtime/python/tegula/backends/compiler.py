"""The target of a compilation, and the compiler's side of a backend."""

from __future__ import annotations

from typing import Any, NamedTuple


class GPUTarget(NamedTuple):
    """A kind of GPU: `arch` is the compute capability as a number, 90 for 9.0."""

    backend: str
    arch: int | str
    warp_size: int


class BaseBackend:
    """A compiler for some targets."""

    def __init__(self, target: GPUTarget):
        if not self.supports_target(target):
            raise ValueError(f"no backend compiles for {target}: expected `GPUTarget(\"cuda\", 75, 32)` or later")
        self.target = target

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        raise NotImplementedError

    def hash(self) -> str:
        raise NotImplementedError

    def parse_options(self, options: dict) -> Any:
        raise NotImplementedError

    def load_dialects(self, context: Any) -> None:
        """The compiler's context is the library's: there is nothing to load."""

    def get_codegen_implementation(self, options: Any) -> dict[str, Any]:
        """Functions that Triton's front end takes from its backend; the library has its own."""
        return {}

    def get_module_map(self) -> dict[str, Any]:
        """Modules that stand for others in kernels: none."""
        return {}

    @staticmethod
    def parse_attr(key: str) -> list[list[Any]]:
        """A fact about an argument, as `native_specialize_impl` spells it, in the form of `ASTSource`."""
        return [["tt.divisibility", 16]] if "D" in key else []

    @staticmethod
    def get_int_specialization(arg: int, **kwargs: Any) -> str:
        return "D" if kwargs.get("align") and arg % 16 == 0 else ""

    @staticmethod
    def get_tensor_specialization(arg: Any, **kwargs: Any) -> str:
        return "D" if kwargs.get("align") and arg.data_ptr() % 16 == 0 else ""
