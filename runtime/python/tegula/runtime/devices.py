"""The device that launches go to.

`set_device` decides, else the environment (TEGULA_DEVICE; TRITON_INTERPRET=1 for the interpreter), else what there is:
where PyTorch, or else CuPy, uses CUDA, its current device and stream at each launch; the first CUDA device; the emulator.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

from .. import _native, knobs

_chosen: str | None = None
_opened: dict[str, Any] = {}
_opening = threading.Lock()
_abandoned: list[dict[str, Any]] = []


def set_device(kind: str | None) -> None:
    """Sends launches to a device: "cuda", "cuda:N", "emulator", "interpret" (the reference interpreter), or "auto" for
    the first CUDA device, else the emulator. None goes back to what the environment says. "cuda" and "auto" follow
    PyTorch's current device and stream where PyTorch is imported."""
    global _chosen
    if kind is not None:
        _open(kind)  # an unknown kind is an error now, not at the first launch
    _chosen = kind
    _native.use_device(None)


def get_device() -> Any:
    """The device that a launch would go to now; `properties()` tells what it is."""
    return _native.current_device()


def _open(kind: str) -> Any:
    with _opening:  # two devices of one kind would each compile for themselves
        if kind not in _opened:
            _opened[kind] = _native.Device(kind)
        return _opened[kind]


def requested_kind() -> str:
    """Returns the kind of device that launches go to, as `set_device` takes it: "auto" where none was set."""
    if _chosen is not None:
        return _chosen
    if knobs.runtime.interpret:
        return "interpret"
    return os.environ.get("TEGULA_DEVICE") or "auto"


def torch_with_cuda() -> Any:
    """PyTorch where the program has imported it and it can use a GPU, else None. Never imports it."""
    torch = sys.modules.get("torch")
    cuda = getattr(torch, "cuda", None)
    return torch if cuda is not None and cuda.is_available() else None


def _cupy_on_cuda() -> Any:
    cupy = sys.modules.get("cupy")
    try:
        return cupy if cupy is not None and cupy.cuda.is_available() else None
    except AttributeError:  # still being imported
        return None


def _resolve() -> None:
    kind = requested_kind()
    follows = kind in ("auto", "cuda")
    torch = torch_with_cuda() if follows else None
    cupy = _cupy_on_cuda() if follows and torch is None else None
    if torch is not None:
        torch.cuda.init()
        _native.use_torch(torch._C._cuda_getDevice, torch._C._cuda_getCurrentRawStream, torch.cuda.device_count())
    elif cupy is not None:
        runtime = cupy.cuda.runtime
        _native.use_torch(runtime.getDevice, lambda _: cupy.cuda.get_current_stream().ptr, runtime.getDeviceCount())
    else:
        _native.use_device(_open(kind))


def reset_device_choice() -> None:
    """Called with the first array of PyTorch or CuPy: a device chosen before they were imported is chosen again."""
    if requested_kind() in ("auto", "cuda"):
        _native.use_device(None)


def _forget_after_fork() -> None:
    global _opening
    _opening = threading.Lock()  # a thread of the parent may have held it
    # The parent's devices are not the child's: neither contexts of CUDA nor threads survive a fork, so that they cannot be
    # closed either.
    _abandoned.append(dict(_opened))
    _opened.clear()
    _native.use_device(None)
    _native.set_main_thread(threading.get_ident())


_native.set_resolver(_resolve)
os.register_at_fork(after_in_child=_forget_after_fork)
