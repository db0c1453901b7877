"""Stand-ins for tensors in a launch: a tensor with another dtype, or none but its dtype."""

from __future__ import annotations

import sys
from typing import Any


class TensorWrapper:
    """A tensor whose elements kernels take for `dtype`; otherwise as `base`."""

    def __init__(self, base: Any, dtype: Any):
        self.dtype = dtype
        self.base = base
        self.data = getattr(base, "data", base)
        self.device = getattr(base, "device", None)
        self.shape = base.shape

    def data_ptr(self) -> int:
        base = self.base
        if hasattr(base, "data_ptr"):
            return base.data_ptr()
        interface = getattr(base, "__cuda_array_interface__", None) or base.__array_interface__
        return interface["data"][0]

    def stride(self, *dim: int) -> Any:
        if hasattr(self.base, "stride"):
            return self.base.stride(*dim)
        steps = tuple(step // self.base.itemsize for step in self.base.strides)
        return steps[dim[0]] if dim else steps

    def element_size(self) -> int:
        return self.base.element_size() if hasattr(self.base, "element_size") else self.base.itemsize

    def cpu(self) -> TensorWrapper:
        return TensorWrapper(self.base.cpu(), self.dtype)

    def copy_(self, other: TensorWrapper) -> None:
        self.base.copy_(other.base)

    def clone(self) -> TensorWrapper:
        return TensorWrapper(self.base.clone(), self.dtype)

    def to(self, device: Any) -> TensorWrapper:
        return TensorWrapper(self.base.to(device), self.dtype)

    def new_empty(self, sizes: Any) -> TensorWrapper:
        return TensorWrapper(self.base.new_empty(sizes), self.dtype)

    def __str__(self) -> str:
        return f"TensorWrapper[{self.dtype}]({self.base})"


def reinterpret(tensor: Any, dtype: Any) -> Any:
    """The memory of a tensor with its elements taken for `dtype`: how a tensor of bytes becomes one of 8-bit floats.
    TypeError where `tensor` is no tensor."""
    if isinstance(tensor, TensorWrapper):
        tensor = tensor.base
    elif not (hasattr(tensor, "data_ptr") or hasattr(tensor, "__cuda_array_interface__")
              or hasattr(tensor, "__array_interface__")):
        raise TypeError(f"expected a tensor or an array, found {type(tensor).__name__}")
    # Back to what it was: the tensor itself.
    return tensor if dtype == tensor.dtype else TensorWrapper(tensor, dtype)


class MockTensor:
    """A tensor of which only the dtype is known, for `warmup`: its address counts as aligned to 16 bytes."""

    def __init__(self, dtype: Any, shape: Any = None):
        self.dtype = dtype
        self.shape = [1] if shape is None else shape

    @staticmethod
    def wrap_dtype(arg: Any) -> Any:
        """`MockTensor` of a dtype of PyTorch; everything else as it is."""
        torch = sys.modules.get("torch")
        return MockTensor(arg) if torch is not None and isinstance(arg, torch.dtype) else arg

    def stride(self) -> tuple[int, ...]:
        strides = [1]
        for side in reversed(self.shape[1:]):
            strides.append(strides[-1] * side)
        return tuple(reversed(strides))

    @staticmethod
    def data_ptr() -> int:
        return 0

    @staticmethod
    def ptr_range() -> int:
        return 0
