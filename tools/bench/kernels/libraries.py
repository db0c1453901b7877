"""The calls of cuBLAS, cuDNN and PyTorch that a case is compared with, and the expected results."""

from __future__ import annotations

import types
from typing import Any, Callable

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from cases import Case
from messages import first_lines, note

Buffers = dict[str, "torch.Tensor"]
Way = Callable[[], "torch.Tensor"]


def attention_of(case: Case, buffers: Buffers) -> torch.Tensor:
    q, k, v = (buffers[f"{x}_ptr"].unsqueeze(0) for x in "qkv")
    return scaled_dot_product_attention(q, k, v, is_causal=case.library.startswith("causal"))


def cudnn_attention(case: Case, buffers: Buffers) -> torch.Tensor:
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        return attention_of(case, buffers)


def factors_of(case: Case, buffers: Buffers) -> tuple[torch.Tensor, torch.Tensor]:
    """The operands of a product, of which a case may have the transposed."""
    a, b = buffers["a_ptr"], buffers["b_ptr"]
    return (a.t() if case.arguments["stride_ak"] != 1 else a), (b.t() if case.arguments["stride_bk"] == 1 else b)


def cublas_products(case: Case, buffers: Buffers) -> list[Way]:
    a, b = factors_of(case, buffers)
    if case.dtype == "i8":
        return [lambda: torch._int_mm(a, b)]
    if case.dtype.startswith("fp8"):
        scale = torch.full((), case.arguments["scale"], device="cuda")
        one = torch.ones((), device="cuda")
        return [lambda: torch._scaled_mm(a, b, scale, one, out_dtype=torch.float16)]
    out = torch.empty_like(buffers["c_ptr"])
    rows, columns = b.contiguous(), b.transpose(-1, -2).contiguous().transpose(-1, -2)
    return [lambda: torch.matmul(a, rows, out=out), lambda: torch.matmul(a, columns, out=out)]


def libraries_of(case: Case, buffers: Buffers) -> tuple[str, list[Way]]:
    """The library's ways to compute the same: (name, [function])."""
    if case.library.endswith("attention"):
        return "cuDNN", [lambda: cudnn_attention(case, buffers)]
    return "cuBLAS", cublas_products(case, buffers) if case.library else []


def names_of(case: Case, module: types.ModuleType, buffers: Buffers) -> dict[str, Any]:
    """Returns the names that the expressions of a case may use, with their values."""
    return {"torch": torch, "host": types.SimpleNamespace(**module.__dict__), **case.arguments, **buffers}


def expected_of(case: Case, module: types.ModuleType, buffers: Buffers, ways: list[Way]) -> torch.Tensor:
    """Returns what every side must come near: what the case says, the library's attention or PyTorch's, or a product in double
    precision."""
    if case.expected:
        return eval(case.expected, names_of(case, module, buffers))
    if case.library.endswith("attention"):
        return (ways[0]() if ways else attention_of(case, buffers)).squeeze(0).clone()
    a, b = factors_of(case, buffers)
    return (case.arguments.get("scale", 1) * (a.double() @ b.double())).to(buffers[case.output].dtype)


def agreeing(case: Case, name: str, ways: list[Way], expected: torch.Tensor) -> list[Way]:
    """Returns those whose result is the expected one: cuBLAS was seen to leave out the last terms of odd shapes."""
    good = []
    for way in ways:
        try:
            torch.testing.assert_close(way().view_as(expected), expected, rtol=case.tolerance[0], atol=case.tolerance[1])
            good.append(way)
        except AssertionError as error:
            note(f"{case.label}: a result of {name} is wrong: {first_lines(error)}")
    return good


def working(case: Case, name: str, ways: list[Way]) -> list[Way]:
    """Those that run here: a library may lack a kernel for a shape."""
    good = []
    for way in ways:
        try:
            way()
            torch.cuda.synchronize()
            good.append(way)
        except Exception as error:
            note(f"{case.label}: {name}: {first_lines(error)}")
    return good
