"""Errors of ours and of PyTorch against double precision.

An error is taken in units of its row's typical magnitude, the root of the mean square of the row's exact values.
Each shape draws new data until there are ELEMENTS results.
"""

from __future__ import annotations

import math
import time
import traceback
from dataclasses import dataclass
from types import ModuleType

import torch
import torch.nn.functional as F

from arrays import filled, make_buffers
from cases import Case, Tensor, shape_text
from error_cases import chosen_cases
from launching import KernelFiles
from libraries import Buffers
from messages import note, progress
from request import Request
from results import ErrorResults, ErrorRow

ELEMENTS = 1 << 17
MOST_DRAWS = 256
# Means over so many independent errors differ by half a percent between two equally good programs; a twentieth
# is a difference in what is computed. The largest of them is one single error, and moves by a fifth or more from
# one draw of data to the next.
MEAN_MARGIN, MAX_MARGIN = 1.05, 1.5
# PyTorch has nothing like tf32x3, which is compared with its fp32 products here. Its two parts of a number hold 21 or
# 22 of 24 bits, which alone makes 3 times the error at K = 1; the limits only tell when it gets worse.
TF32X3_MARGINS = 4.0, 6.0


@dataclass
class Errors:
    """Errors of one side, over all draws of a shape."""
    total: float = 0
    count: int = 0
    largest: float = 0

    def add(self, scaled: torch.Tensor) -> None:
        self.total += scaled.sum().item()
        self.count += scaled.numel()
        largest = scaled.max().item()
        self.largest = max(self.largest, largest) if math.isfinite(largest) else math.inf

    @property
    def mean(self) -> float:
        return self.total / self.count if math.isfinite(self.total) else math.inf


def ratio(ours: float, theirs: float) -> float:
    """1 where neither errs: both may be exact."""
    return ours / theirs if theirs > 0 else 1.0 if ours == 0 else math.inf


def operands(case: Case, buffers: Buffers) -> tuple[torch.Tensor, torch.Tensor]:
    """a and b with the axes of a product, whatever the order in memory."""
    a, b = buffers["a_ptr"], buffers["b_ptr"]
    return a, b.t() if case.file == "quantized_matmul" else b


def exact(case: Case, buffers: Buffers, host: ModuleType) -> torch.Tensor:
    """In double precision, and not rounded afterwards."""
    if case.library == "product":
        a, b = operands(case, buffers)
        return case.arguments.get("scale", 1) * (a.double() @ b.double())
    inputs = [buffers[k].double() for k, v in case.arguments.items() if isinstance(v, Tensor) and v.fill != "nan"]
    if case.library.endswith("attention"):
        return host.reference(*inputs, causal=case.library.startswith("causal"), scale=case.arguments["scale"])[0]
    return host.reference(*inputs)


def padded(x: torch.Tensor, rows: int, columns: int) -> torch.Tensor:
    """With zeros up to multiples; sums stay what they are."""
    bits = x.view(torch.int8) if x.dtype.itemsize == 1 else x
    return F.pad(bits, (0, -x.shape[-1] % columns, 0, -x.shape[-2] % rows)).view(x.dtype)


def product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Returns a times b. Where fp32 has a side of 1, PyTorch takes other kernels, for vectors, that know no tf32 and
    sum in another order; padded with zeros, it takes those for matrices."""
    if a.dtype == torch.float32:
        return torch.matmul(padded(a, 16, 16), padded(b, 16, 16))[..., :a.shape[-2], :b.shape[-1]]
    return torch.matmul(a, b)


def by_pytorch(case: Case, buffers: Buffers) -> torch.Tensor:
    """PyTorch's own result for the same types."""
    if case.library.endswith("attention"):
        q, k, v = (buffers[f"{x}_ptr"].unsqueeze(0) for x in "qkv")
        causal = case.library.startswith("causal")
        return F.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=case.arguments["scale"]).squeeze(0)
    if case.library == "perceptron":
        x, w1, b1, w2, b2 = (buffers[f"{name}_ptr"] for name in ("x", "w1", "b1", "w2", "b2"))
        if case.dtype == "fp32":
            return product(F.gelu(product(x, w1) + b1, approximate="tanh"), w2) + b2
        return torch.addmm(b2, F.gelu(torch.addmm(b1, x, w1), approximate="tanh"), w2)
    a, b = operands(case, buffers)
    if case.dtype == "i8":  # cuBLAS wants such sides of 8-bit products
        found = torch._int_mm(padded(a, 32, 16), padded(b.t(), 16, 16).t())
    elif case.dtype == "fp8e4nv":
        scale, one = torch.full((), case.arguments["scale"], device="cuda"), torch.ones((), device="cuda")
        found = torch._scaled_mm(padded(a, 16, 16), padded(b.t(), 16, 16).t(), scale, one, out_dtype=torch.float16)
    elif case.dtype == "fp8e5":  # cuBLAS has no product of two of this type
        found = (case.arguments["scale"] * (a.float() @ b.float())).half()
    else:
        return product(a, b)
    return found[:a.shape[0], :b.shape[1]]


def refill(case: Case, buffers: Buffers) -> None:
    for name, value in case.arguments.items():
        if isinstance(value, Tensor):
            fresh = filled(value)
            buffers[name].copy_(fresh * case.factors[name] if name in case.factors else fresh)


def measure(files: KernelFiles, case: Case) -> tuple[Errors, Errors]:
    """Errors of ours and of PyTorch on one shape."""
    host = files.module(case.file)
    buffers = make_buffers(case)
    output = buffers[case.output]
    launch, = files.launches(case, buffers)
    torch.backends.cuda.matmul.allow_tf32 = case.precision == "tf32"
    sides = Errors(), Errors()
    for _ in range(min(MOST_DRAWS, -(-ELEMENTS // output.numel()))):
        refill(case, buffers)
        launch()
        expected = exact(case, buffers, host)
        # A row of a few elements may happen to be all zeros, nearly: then the matrix tells what is typical.
        rows = expected if expected.shape[-1] >= 16 else expected.flatten(-2)
        typical = rows.square().mean(-1, keepdim=True).sqrt()
        typical = typical if rows is expected else typical.unsqueeze(-1)
        typical = torch.where(typical == 0, 1, typical)  # a row of zeros
        for errors, found in zip(sides, (output, by_pytorch(case, buffers))):
            errors.add((found.double() - expected).abs() / typical)
    return sides


def type_name(case: Case) -> str:
    return f"{case.dtype} {case.precision}".strip() + (f" D={case.shape[0]}" if case.library.endswith("attention") else "")


def row_of(name: str, kind: str, found: list[tuple[Case, Errors, Errors]]) -> ErrorRow:
    """The worst of a kernel's and type's shapes."""
    of_means, mean_at = max((ratio(ours.mean, theirs.mean), case.shape) for case, ours, theirs in found)
    of_maxima, max_at = max((ratio(ours.largest, theirs.largest), case.shape) for case, ours, theirs in found)
    mean_margin, max_margin = TF32X3_MARGINS if found[0][0].precision == "tf32x3" else (MEAN_MARGIN, MAX_MARGIN)
    mean = sum(ours.mean for _, ours, _ in found) / len(found)
    pytorch_mean = sum(theirs.mean for _, _, theirs in found) / len(found)
    return ErrorRow(name, kind, len(found), mean, pytorch_mean, of_means, shape_text(mean_at), of_maxima, shape_text(max_at),
                    of_means <= mean_margin and of_maxima <= max_margin)


def measure_errors(request: Request, files: KernelFiles, results: ErrorResults) -> None:
    """Adds a row for each kernel and type."""
    start = time.monotonic()
    cases = chosen_cases([entry.name for entry in request.entries], request.dtypes)
    # Sums kept in the type itself would be too easy to match.
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    device = torch.cuda.current_device()
    jobs = files.compile_all(cases, lambda: torch.cuda.set_device(device))
    note(f"{sum(not job.exception() for job in jobs)} shapes compiled in {time.monotonic() - start:.1f} s")
    results.margins = (f"{MEAN_MARGIN} of PyTorch's mean error or {MAX_MARGIN} of its largest (tf32x3: "
                       f"{TF32X3_MARGINS[0]} and {TF32X3_MARGINS[1]})")
    for name, kind in dict.fromkeys((c.name, type_name(c)) for c in cases):
        progress(f"{name} {kind}")
        found = []
        for case in (c for c in cases if (c.name, type_name(c)) == (name, kind)):
            try:
                found.append((case, *measure(files, case)))
            except Exception:
                results.failed.append(case.label)
                note(f"{case.label}:\n{traceback.format_exc()}")
        if found:
            results.rows.append(row_of(name, kind, found))
    note(f"{time.monotonic() - start:.0f} s")
