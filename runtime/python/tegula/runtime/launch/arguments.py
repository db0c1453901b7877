"""Classifies Python objects as arguments of a kernel: each type of objects is examined once, here; from then on the
extension module knows it."""

from __future__ import annotations

import math
import sys
from typing import Any

from ... import _native
from ..._native import Form
from ...language.core import constexpr, dtype
from ...tools.tensor_descriptor import TensorDescriptor
from ..program.dtypes import CODES, dtype_code
from ..program.kernel_interface import KernelInterface
from ..program.tuples import DescriptorForm
from .. import devices


def _use_torch(torch: Any) -> None:
    """Tells the extension how a tensor is asked."""

    def found(name: str) -> Any:
        return next(vars(base)[name] for base in torch.Tensor.__mro__ if name in vars(base))

    codes = {dtype: CODES[name] for name, dtype in vars(torch).items()
             if isinstance(dtype, torch.dtype) and name in CODES}
    _native.use_tensor_type((torch.Tensor, torch.nn.Parameter), torch.Tensor.data_ptr, found("dtype"), found("is_cuda"),
                            torch.Tensor.get_device, codes)
    devices.reset_device_choice()


def identify(value: Any) -> tuple[Form, bool]:
    """Returns how `value` is passed, and whether that is so for every object of its type."""
    cls = type(value)
    if isinstance(value, constexpr):
        return Form.CONSTEXPR, True
    if isinstance(value, (dtype, KernelInterface, DescriptorForm)):
        return Form.COMPILE_TIME, True
    if isinstance(value, TensorDescriptor):
        return Form.DESCRIPTOR, True
    if isinstance(value, tuple):
        return Form.TUPLE, True
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "Tensor") and isinstance(value, torch.Tensor):
        _use_torch(torch)
        return (Form.TENSOR if cls in (torch.Tensor, torch.nn.Parameter) else Form.DATA_PTR), True
    if cls.__module__.partition(".")[0] == "cupy":
        devices.reset_device_choice()
    for attribute, form in (("data_ptr", Form.DATA_PTR), ("__cuda_array_interface__", Form.CUDA_ARRAY)):
        if hasattr(value, attribute):
            return form, hasattr(cls, attribute)
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, numpy.generic):  # whose numbers have an interface of arrays, too
        for attribute, form in (("__array_interface__", Form.HOST_ARRAY), ("__dlpack__", Form.DLPACK)):
            if hasattr(value, attribute):
                return form, hasattr(cls, attribute)
    if numpy is not None and isinstance(value, numpy.bool_):
        return Form.TRUTH, True
    if hasattr(cls, "__index__"):
        return Form.INTEGER, True
    if isinstance(value, float) or numpy is not None and isinstance(value, numpy.floating):
        return Form.FLOATING, True
    return Form.UNSUPPORTED, True


def host_range(value: Any) -> tuple[int, int, bool] | None:
    """Returns start and size in bytes of the host's memory that an argument lies in: all that was allocated with it, since
    kernels reach beyond a view as they do on a GPU; and whether it is read-only, which a view may be of memory that others
    may write. None where that is unknown."""
    base = getattr(value, "base", None)
    if hasattr(value, "data_ptr"):
        if hasattr(value, "untyped_storage"):
            storage = value.untyped_storage()
            return storage.data_ptr(), storage.nbytes(), False
        if hasattr(value, "storage"):  # PyTorch before 2.0
            storage = value.storage()
            return storage.data_ptr(), storage.nbytes(), False
        return host_range(base) if base is not None else None  # `reinterpret`
    interface = getattr(value, "__array_interface__", None)
    if interface is None:
        return _dlpack_range(value)
    is_read_only = interface["data"][1]
    while base is not None and hasattr(base, "__array_interface__"):
        value, base = base, getattr(base, "base", None)
        interface = value.__array_interface__
    size = _extent(interface["shape"], interface["strides"], int(interface["typestr"][2:]))
    return interface["data"][0], size, is_read_only


def _extent(shape: tuple[int, ...], strides: tuple[int, ...] | None, itemsize: int) -> int:
    """Bytes from the first element to the end of the last."""
    if 0 in shape:
        return 0
    if strides is None:
        return itemsize * math.prod(shape)
    return sum((side - 1) * stride for side, stride in zip(shape, strides) if stride > 0) + itemsize


def _dlpack_range(value: Any) -> tuple[int, int, bool] | None:
    try:
        import numpy
        found = host_range(numpy.from_dlpack(value))
    except (ImportError, TypeError, RuntimeError, BufferError):
        return None
    # NumPy may take it as read-only for want of a word on it.
    return None if found is None else (*found[:2], False)


def host_pointer(index: int, name: str, value: Any) -> None:
    """Raises where a GPU does not reach the memory of an argument that lies on the host. ValueError, as in Triton."""
    is_pinned = getattr(value, "is_pinned", None)
    if is_pinned is not None and is_pinned():
        return
    raise ValueError(f"Pointer argument (at {index}) cannot be accessed from Triton (cpu tensor?): `{name}` is a "
                     f"{type(value).__module__}.{type(value).__qualname__} in memory of the host, but kernels run on "
                     "the GPU; move it there, or choose another device: tegula.set_device('emulator')")


_native.set_argument_helpers(identify, dtype_code)
_native.set_memory_helpers(host_range, host_pointer)
