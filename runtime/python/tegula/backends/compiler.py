"""What is compiled for, and the compiler's side of a backend."""

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
            raise ValueError(f"no backend compiles for {target}: expected `GPUTarget(\"cuda\", 80, 32)` or later")
        self.target = target

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        raise NotImplementedError

    def hash(self) -> str:
        raise NotImplementedError

    def parse_options(self, options: dict) -> Any:
        raise NotImplementedError
