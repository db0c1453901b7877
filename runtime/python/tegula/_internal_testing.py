"""Helpers of Triton's tests, and of libraries that follow them: names of types, arrays of random numbers on both sides of
PyTorch, abilities of the GPU. It imports PyTorch, NumPy and pytest."""

from __future__ import annotations

import os
from typing import Any, Callable, Collection

import numpy as np
import pytest
import torch

from . import knobs
from .language.core import dtype, str_to_ty
from .runtime.driver import driver
from .runtime.jit import type_canonicalisation_dict
from .runtime.program.tensors import TensorWrapper, reinterpret

int_dtypes = [f"int{bits}" for bits in (8, 16, 32, 64)]
uint_dtypes = ["u" + name for name in int_dtypes]
integral_dtypes = int_dtypes + uint_dtypes
float_dtypes = [f"float{bits}" for bits in (16, 32, 64)]
float_dtypes_with_bfloat16 = float_dtypes + ["bfloat16"]
dtypes = integral_dtypes + float_dtypes
dtypes_with_bfloat16 = dtypes + ["bfloat16"]
torch_float8_dtypes = ["float8_e4m3fn", "float8_e5m2"]
torch_dtypes = ["bool", *int_dtypes, "uint8", *float_dtypes_with_bfloat16]
tma_dtypes = sorted(name for name in dtypes_with_bfloat16 if not name.endswith("64"))


#--- what runs the kernels ---


def is_interpreter() -> bool:
    return os.environ.get("TRITON_INTERPRET") == "1"


def get_current_target() -> Any:
    return None if is_interpreter() else driver.active.get_current_target()


def _backend() -> str:
    return getattr(get_current_target(), "backend", "")


def is_cuda() -> bool:
    return _backend() == "cuda"


def _major() -> int:
    """Returns the major compute capability: 9 for Hopper."""
    target = get_current_target()
    return target.arch // 10 if is_cuda() else 0


def is_ampere_or_newer() -> bool:
    return _major() >= 8


def is_hopper() -> bool:
    return _major() == 9


def is_hopper_or_newer() -> bool:
    return _major() >= 9


def is_blackwell() -> bool:
    return _major() == 10


def is_sm12x() -> bool:
    return _major() == 12


def get_arch() -> str:
    return str(getattr(get_current_target(), "arch", ""))


def _never() -> bool:
    """Returns True for devices of makers whose code is not compiled here: never."""
    return False


is_hip = is_hip_cdna = is_hip_cdna2 = is_hip_cdna3 = is_hip_cdna4 = is_hip_gfx11 = is_hip_gfx12 = is_hip_gfx1250 = is_xpu = _never


def get_hip_lds_size() -> int:
    return 64 << 10


def supports_ws() -> bool:
    return is_interpreter() or is_hopper_or_newer()


def supports_tma(byval_only: bool = False) -> bool:
    return is_interpreter() or is_hopper_or_newer()


def tma_skip_msg(byval_only: bool = False) -> str:
    return "TMA came with Hopper"


#--- arrays ---


def numpy_random(shape: Any, dtype_str: str, rs: Any = None, low: Any = None, high: Any = None) -> Any:
    """Random numbers of a type, of integers none that is 0. Without `rs` they are the same each time. Those of bfloat16 are
    of float32 and can be written so, those of 8-bit floats are integers whose bits are finite ones."""
    shape = (shape,) if isinstance(shape, int) else shape
    source = np.random.RandomState(17) if rs is None else rs
    if dtype_str in integral_dtypes:
        limits = np.iinfo(dtype_str)
        first = limits.min if low is None else max(low, limits.min)
        end = limits.max if high is None else min(high, limits.max)
        found = source.randint(first, end, shape, dtype=dtype_str)
        found[found == 0] = 1
        return found
    if dtype_str.startswith("float8"):
        return source.randint(20, 40, shape, dtype=np.int8)
    if dtype_str in float_dtypes:
        return source.normal(0, 1, shape).astype(dtype_str)
    if dtype_str == "bfloat16":
        bits = source.normal(0, 1, shape).astype(np.float32).view(np.uint32)
        return (bits & np.uint32(0xFFFF0000)).view(np.float32)
    if dtype_str in ("bool", "bool_", "int1"):
        return source.normal(0, 1, shape) > 0
    raise RuntimeError(f"there are no random numbers of type {dtype_str}")


def to_triton(x: Any, device: Any, dst_type: str | None = None) -> Any:
    """An array of NumPy as a tensor, of `dst_type` where NumPy has no such type, wrapped where PyTorch has none."""
    name = x.dtype.name
    if name in uint_dtypes:
        return reinterpret(torch.tensor(x.view(name[1:]), device=device), dtype(name))
    tensor = torch.tensor(x, device=device)
    if dst_type and "float8" in dst_type:
        return reinterpret(tensor, str_to_triton_dtype(dst_type))
    return tensor.bfloat16() if name == "float32" and dst_type == "bfloat16" else tensor


def to_numpy(x: Any) -> Any:
    """The other way; bfloat16 becomes float32."""
    if isinstance(x, TensorWrapper):
        return x.base.cpu().numpy().astype(torch_dtype_name(x.dtype))
    if not isinstance(x, torch.Tensor):
        raise ValueError(f"expected a tensor, found {type(x).__name__}")
    return (x.float() if x.dtype is torch.bfloat16 else x).cpu().numpy()


def unwrap_tensor(t: Any) -> Any:
    return t.base if isinstance(t, TensorWrapper) else t


def str_to_triton_dtype(x: str) -> Any:
    return str_to_ty(type_canonicalisation_dict[x], None)


def torch_dtype_name(dtype: Any) -> str:
    if isinstance(dtype, torch.dtype):
        return str(dtype).removeprefix("torch.")
    if hasattr(dtype, "primitive_bitwidth"):
        return dtype.name
    raise TypeError(f"expected a type of PyTorch's or of the language, found {type(dtype).__name__}")


def default_alloc_fn(size: int, align: int, _: Any) -> Any:
    """An allocator for `triton.set_allocator`."""
    return torch.empty(size, dtype=torch.int8, device="cuda")


#--- knobs ---


def _fresh_knobs_impl(skipped_attr: Collection[str] | None = None) -> tuple[Callable[[], Any], Callable[[], None]]:
    """Two functions: the first gives `knobs` as nothing has set them, neither a program nor the environment, the second puts
    everything back."""
    groups = {name: group for name, group in vars(knobs).items()
              if isinstance(group, knobs.base_knobs) and name not in (skipped_attr or ())}
    variables = {knob.key for group in groups.values() for knob in group.knob_descriptors.values() if knob.key}
    before = {key: os.environ.get(key) for key in variables}
    propagated = knobs.propagate_env

    def fresh() -> Any:
        for name, group in groups.items():
            setattr(knobs, name, group.copy().reset())
        for key in variables:
            os.environ.pop(key, None)
        knobs.propagate_env = True
        return knobs

    def restore() -> None:
        for name, group in groups.items():
            setattr(knobs, name, group)
        for key, value in before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value
        knobs.propagate_env = propagated

    return fresh, restore


requires_tma = pytest.mark.skipif(not supports_tma(), reason=tma_skip_msg())
