"""`nvidia.cublas`: products of matrices by cuBLAS, which programs compare their kernels with. PyTorch calls it."""

from __future__ import annotations

from typing import Any


class CublasLt:
    """Products by PyTorch, which has a workspace of its own; the one given is not used."""

    def __init__(self, workspace: Any):
        self.workspace = workspace

    def matmul(self, a: Any, b: Any, c: Any) -> None:
        """Writes the product of `a` and the transpose of `b` to `c`."""
        c.copy_(_product(a, b))

    def gemm(self, a: Any, b: Any, c: Any, d: Any, alpha: float, beta: float) -> None:
        """Writes `alpha` times that product and `beta` times `c` to `d`."""
        d.copy_(_product(a, b).to(c.dtype) * alpha + c * beta)


def _product(a: Any, b: Any) -> Any:
    if a.element_size() > 1:
        return a @ b.T
    import torch

    one = torch.ones((), device=a.device)
    return torch._scaled_mm(a, b.T, one, one, out_dtype=torch.bfloat16)


class cublas:
    """Namespace."""

    CublasLt = CublasLt
