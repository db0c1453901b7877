"""`driver.active`: the current device, its stream, its properties; on machines without a GPU the emulator's."""

from __future__ import annotations

import ctypes.util
import functools
import os
from typing import Any

from ... import knobs
from ..._environment import TOOLKIT
from ..._native import Device
from ...runtime.devices import requested_kind, torch_with_cuda
from ..compiler import GPUTarget
from ..driver import DriverBase
from . import cuda


#: Where C that programs compile by themselves finds the headers of CUDA, and what it is linked with.
include_dirs = [os.path.join(home, "include") for home in (os.environ.get("CUDA_HOME"), TOOLKIT) if home]
libraries = ["libcuda.so.1"]


def libcuda_dirs() -> list[str]:
    """The folder of the driver's library, as a program finds it that links to it. RuntimeError where there is none."""
    path = ctypes.util.find_library("cuda")
    named = [os.path.dirname(knobs.nvidia.libcuda_path)] if knobs.nvidia.libcuda_path else []
    found = [folder for folder in (*named, *_LIBRARY_FOLDERS) if os.path.exists(os.path.join(folder, "libcuda.so.1"))]
    if not found:
        raise RuntimeError(f"libcuda.so.1 was not found in {', '.join(_LIBRARY_FOLDERS)}" + (f", but {path} is known" if path else ""))
    return found


def library_dirs() -> list[str]:
    """Folders of libraries that kernels' launchers in C are linked with."""
    return libcuda_dirs()


_LIBRARY_FOLDERS = ("/usr/local/nvidia/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib/wsl/lib")


def device_kind() -> str:
    """Returns where kernels run: "cuda", "emulator" or "interpret". Opens nothing: forked processes ask too."""
    wanted = requested_kind().partition(":")[0]
    if wanted != "auto":
        return wanted
    # A process that was forked from one that had asked the driver is told nothing by it; PyTorch remembers.
    return "cuda" if torch_with_cuda() or cuda.device_count() else "emulator"


@functools.lru_cache(maxsize=None)
def _host_properties(kind: str) -> dict[str, Any]:
    return Device(kind).properties()


class CudaUtils:
    """The functions of `driver.active.utils` in Triton."""

    @staticmethod
    def get_device_properties(device: int) -> dict[str, int]:
        """Numbers of a device: bytes of shared memory and registers of a block, multiprocessors, clocks in kHz, the
        width of its memory's bus in bits. Clocks and bus are 0 on a device without time."""
        kind = device_kind()
        names = ("max_shared_mem", "max_num_regs", "multiprocessor_count", "warpSize", "sm_clock_rate",
                 "mem_clock_rate", "mem_bus_width")
        if kind == "cuda":
            return {name: cuda.attribute(name, device) for name in names}
        found = _host_properties(kind)
        values = (found["max_shared_per_block"], found["registers_per_multiprocessor"], found["multiprocessors"],
                  found["warp_size"], 0, 0, 0)
        return dict(zip(names, values))


class CudaDriver(DriverBase):
    """CUDA devices; on a machine without, the emulator or the interpreter in their place."""

    def __init__(self) -> None:
        self.utils = CudaUtils()

    @staticmethod
    def is_active() -> bool:
        return device_kind() == "cuda"

    @property
    def has_time(self) -> bool:
        """Returns True if measuring on the device is meaningful: on hosts' stand-ins it is not."""
        return device_kind() == "cuda"

    def get_current_device(self) -> int:
        """The index of PyTorch's current device, or of the current context's."""
        torch = torch_with_cuda()
        return torch.cuda.current_device() if torch else cuda.current_device()

    def set_current_device(self, device: int) -> None:
        torch = torch_with_cuda()
        if torch:
            torch.cuda.set_device(device)

    def get_current_stream(self, device: int | None = None) -> int:
        """The address of PyTorch's current stream; 0, the default stream, without PyTorch."""
        torch = torch_with_cuda()
        if not torch:
            return 0
        return torch._C._cuda_getCurrentRawStream(self.get_current_device() if device is None else device)

    def get_device_capability(self, device: int | None = None) -> tuple[int, int]:
        if device_kind() == "cuda":
            index = self.get_current_device() if device is None else device
            return cuda.attribute("capability_major", index), cuda.attribute("capability_minor", index)
        # A host's stand-in has no capability of its own: it runs what is compiled for an architecture.
        digits = int("".join(filter(str.isdigit, _host_properties(device_kind())["arch"])))
        return digits // 10, digits % 10

    def get_current_target(self) -> GPUTarget:
        """Returns the target that kernels are compiled for now."""
        major, minor = self.get_device_capability()
        return GPUTarget("cuda", major * 10 + minor, 32)

    def get_device_properties(self, device: int | None = None) -> dict[str, int]:
        return self.utils.get_device_properties(self.get_current_device() if device is None else device)

    def get_active_torch_device(self) -> Any:
        """The `torch.device` of tensors that kernels take: the host's where kernels run there."""
        import torch

        if device_kind() == "cuda":
            return torch.device("cuda", self.get_current_device())
        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        """PyTorch's module for the device: events, streams, synchronisation."""
        import torch

        return torch.cuda if device_kind() == "cuda" else torch.cpu

    def get_empty_cache_for_benchmark(self) -> Any:
        """A tensor of 256 MB: writing it displaces what the L2 cache holds."""
        import torch

        return torch.empty(1 << 26, dtype=torch.int, device=self.get_active_torch_device())

    def clear_cache(self, cache: Any) -> None:
        cache.zero_()
