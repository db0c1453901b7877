"""The few calls of the CUDA driver that the Python side makes itself. Launching is the library's."""

from __future__ import annotations

import ctypes
import functools

from ... import knobs

# Numbers of CUdevice_attribute.
ATTRIBUTES = {
    "max_num_regs": 12, "warpSize": 10, "sm_clock_rate": 13, "multiprocessor_count": 16, "mem_clock_rate": 36,
    "mem_bus_width": 37, "l2_cache_size": 38, "capability_major": 75, "capability_minor": 76, "max_shared_mem": 97,
}


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL | None:
    """The driver, or None on a machine without one. Loads it and nothing more."""
    for name in (knobs.nvidia.libcuda_path, "libcuda.so.1"):
        try:
            if name:
                return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def check(status: int, call: str) -> None:
    if status:
        text = ctypes.c_char_p()
        library().cuGetErrorString(status, ctypes.byref(text))  # type: ignore[union-attr]
        raise RuntimeError(f"{call} failed: {(text.value or b'unknown error').decode()} ({status})")


def device_count() -> int:
    """Returns how many devices the driver offers, without making a context. 0 where there is no driver."""
    driver = library()
    count = ctypes.c_int()
    if driver is None or driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return 0
    return count.value


def attribute(name: str, device: int) -> int:
    """A property of a device; see ATTRIBUTES. Needs no context."""
    driver = library()
    if driver is None or device >= device_count():
        raise RuntimeError(f"there is no CUDA device {device}")
    value = ctypes.c_int()
    check(driver.cuDeviceGetAttribute(ctypes.byref(value), ATTRIBUTES[name], device), "cuDeviceGetAttribute")
    return value.value


def current_device() -> int:
    """The device of this thread's current context; 0 where none is current."""
    driver = library()
    device = ctypes.c_int()
    if driver is None or driver.cuCtxGetDevice(ctypes.byref(device)):
        return 0
    return device.value
