"""`JITFunction.device_caches`: what a function has compiled so far, as programs count and forget it. `device_caches[device]` is a
tuple whose first is {key: kernel}; the key is the one that hooks are told."""

from __future__ import annotations

from typing import Any


class DeviceCache(dict[str, Any]):
    """The kernels of a function on one device. Without them launches compile again, or find on disk what was compiled."""

    def __init__(self, function: Any, device: int):
        super().__init__()
        self._function = function
        self._device = device

    def clear(self) -> None:
        super().clear()
        self._function._forget_compiled(self._device)


class DeviceCaches(dict[int, tuple[DeviceCache, ...]]):
    """Those of all devices; of one on which nothing was compiled an empty one."""

    def __init__(self, function: Any, compiled: list[Any]):
        super().__init__()
        self._function = function
        for kernel in compiled:
            self[kernel.device_index][0][kernel._compilation.key()] = kernel

    def __missing__(self, device: int) -> tuple[DeviceCache, ...]:
        self[device] = (DeviceCache(self._function, device),)
        return self[device]

    def clear(self) -> None:
        super().clear()
        self._function._forget_compiled()
