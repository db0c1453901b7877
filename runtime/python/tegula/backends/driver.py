"""The common part of Triton's drivers: the way to a device and its streams."""

from __future__ import annotations

from typing import Any, Callable

from .compiler import GPUTarget


class DriverBase:
    """A way to devices of one kind."""

    @staticmethod
    def is_active() -> bool:
        """Returns True if there is such a device. Does not touch it: forked processes ask too."""
        raise NotImplementedError

    def get_current_target(self) -> GPUTarget:
        raise NotImplementedError

    def get_current_device(self) -> int:
        raise NotImplementedError

    def get_device_properties(self, device: int | None = None) -> dict[str, int]:
        raise NotImplementedError

    def get_benchmarker(self) -> Callable[..., Any]:
        """Returns the function that measures others: called with one and `quantiles`, it returns milliseconds."""
        from ..testing import do_bench  # which asks the driver in use for its clock

        return do_bench


#: Triton's name for drivers of GPUs.
GPUDriver = DriverBase
