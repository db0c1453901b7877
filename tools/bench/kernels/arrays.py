"""The arrays of a case, as PyTorch's tensors on the GPU."""

from __future__ import annotations

import math

import torch

from cases import Case, Tensor

TYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16", "i8": "int8", "i32": "int32", "i64": "int64",
         "fp8e4nv": "float8_e4m3fn", "fp8e5": "float8_e5m2"}


def filled(tensor: Tensor) -> torch.Tensor:
    """Normal numbers, whole ones, those that the case says, zeros, or what no kernel writes."""
    dtype = getattr(torch, TYPES[tensor.dtype])
    if tensor.fill == "arange":
        return torch.arange(math.prod(tensor.shape), device="cuda", dtype=dtype).view(tensor.shape)
    if tensor.fill == "full":
        return torch.full(tensor.shape, tensor.value, device="cuda", dtype=dtype)
    if tensor.fill != "random":
        value = 0 if tensor.fill == "zeros" else unwritten(dtype)
        return torch.full(tensor.shape, value, device="cuda", dtype=dtype)
    if not dtype.is_floating_point:
        low, high = (0, tensor.below) if tensor.below else (-128, 128)
        return torch.randint(low, high, tensor.shape, device="cuda", dtype=dtype)
    if dtype.itemsize == 1:
        return torch.randn(tensor.shape, device="cuda", dtype=torch.float16).to(dtype)
    return torch.randn(tensor.shape, device="cuda", dtype=dtype)


def unwritten(dtype: torch.dtype) -> float:
    return float("nan") if dtype.is_floating_point else -1


def make_buffers(case: Case) -> dict[str, torch.Tensor]:
    """name -> tensor."""
    torch.manual_seed(0)
    return {name: filled(value) for name, value in case.arguments.items() if isinstance(value, Tensor)}
