"""`explain`: what a launch costs, line by line, without launching it here: `tegula explain` runs the kernel on the emulator."""

from __future__ import annotations

import html
import inspect
import json
import os
import pathlib
import subprocess
import tempfile
from typing import Any, Callable, Mapping, Sequence

from ..command import executable
from ..errors import TritonError
from .errors import KernelFault
from .jit import JITFunction
from .program.kernel_file import file_of
from .program.kernel_interface import unwrapped

#: Options of a launch, and what the command calls them.
_OPTIONS = {"num_warps": "--num-warps", "num_stages": "--num-stages"}
#: Types of elements that NumPy has no name for: as words of the same width.
_WORDS = {"bfloat16": ("bf16", "int16"), "float8_e4m3fn": ("fp8e4nv", "uint8"), "float8_e5m2": ("fp8e5", "uint8")}
_KERNEL_FAULTED = 3  # the exit status


class Explanation:
    """The report of a launch: it prints as text, and shows itself in notebooks."""

    def __init__(self, text: str, document: str, page: str):
        #: The report, as `tegula explain` prints it.
        self.text = text
        self._document = document
        self._page = page

    def json(self) -> dict[str, Any]:
        """Returns all of it, in the form `tegula-insight/1`."""
        return dict(json.loads(self._document))

    def findings(self) -> list[dict[str, Any]]:
        """Returns what costs more than it must, the dearest first."""
        return list(self.json()["findings"])

    def html(self) -> str:
        """Return the page that `tegula explain --html` writes: one file, which asks the network for nothing."""
        return self._page

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        # A frame of its own origin: the page can reach nothing of the notebook, nor the notebook's style it.
        frame = f'<iframe sandbox="allow-scripts" style="width:100%;height:640px;border:0" srcdoc="{html.escape(self._page)}"></iframe>'
        return {"text/plain": self.text, "text/html": frame}


def explain(kernel: Any, *args: Any, grid: int | Sequence[int] | Callable[[Mapping[str, Any]], Any], arch: str | None = None,
            **meta: Any) -> Explanation:
    """Explain `kernel[grid](*args, **meta)`: which lines cost more than they must, why, and what a block takes.

    The kernel runs on the emulator, on copies of the arrays, which stay as they are; no GPU is needed. `arch` is the
    architecture to compile for, by default that of the environment. The kernel's own file is compiled, or the text of its cell.
    TypeError for arguments that cannot be passed so, KernelFault where the kernel faults, TritonError for other errors
    of the command.
    """
    function = unwrapped(kernel)
    if not isinstance(function, JITFunction):
        raise TypeError(f"expected a function of `jit`, found {type(kernel).__name__}")
    options = [word for name, option in _OPTIONS.items() if name in meta for word in (option, str(meta.pop(name)))]
    bound = inspect.signature(function.fn).bind_partial(*args, **meta)
    sides = grid(bound.arguments) if callable(grid) else grid
    words = ["--grid=" + ",".join(str(side) for side in (sides if isinstance(sides, Sequence) else (sides,))), *options]
    with tempfile.TemporaryDirectory() as folder:
        for parameter in function.params:
            if parameter.name in bound.arguments:
                words += _words_of(parameter, bound.arguments[parameter.name], pathlib.Path(folder))
        return _run(file_of(function, folder), function.__name__, words + ([f"--arch={arch}"] if arch else []), folder)


def _run(path: str, name: str, words: list[str], folder: str) -> Explanation:
    document, page = os.path.join(folder, "document.json"), os.path.join(folder, "page.html")
    command = [executable(), "explain", path, "-k", name, f"--json={document}", f"--html={page}", *words]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if done.returncode:
        message = done.stderr.strip().removeprefix("error: ")
        raise KernelFault(message) if done.returncode == _KERNEL_FAULTED else TritonError(message)
    return Explanation(done.stdout, *(pathlib.Path(file).read_text(encoding="utf-8") for file in (document, page)))


def _words_of(parameter: Any, value: Any, folder: pathlib.Path) -> list[str]:
    """The option that gives a parameter its value."""
    if parameter.is_constexpr:
        return ["-D", f"{parameter.name}={_constant(parameter.name, value)}"]
    if value is None:
        return [f"--arg={parameter.name}=none"]
    if isinstance(value, (bool, int, float)):
        return [f"--arg={parameter.name}={str(value).lower()}"]
    if hasattr(value, "data_ptr") or hasattr(value, "__array_interface__"):
        return [f"--arg={parameter.name}={_array(parameter.name, value, folder)}"]
    raise TypeError(f"argument `{parameter.name}` cannot be explained: found {type(value).__name__}")


def _constant(name: str, value: Any) -> str:
    """A compile-time value as `-D` takes it."""
    value = getattr(value, "value", value)  # of a `constexpr`
    if value is None or isinstance(value, (bool, int, float)):
        return str(value)
    if isinstance(value, str):
        return repr(value)
    if isinstance(unwrapped(value), JITFunction):
        return "@" + unwrapped(value).__name__
    if hasattr(value, "primitive_bitwidth"):
        return str(value)
    raise TypeError(f"compile-time value `{name}` cannot be explained: found {type(value).__name__}")


def _array(name: str, value: Any, folder: pathlib.Path) -> str:
    """Writes memory from an array's first element to its last, and says where it is. The kernel sees strides as numbers, so
    what lies between counts; and its address modulo 16."""
    import numpy

    address, kind = (value.data_ptr(), None) if hasattr(value, "data_ptr") else (value.__array_interface__["data"][0], None)
    if hasattr(value, "data_ptr"):
        span = 1 + sum((size - 1) * stride for size, stride in zip(value.shape, value.stride())) if value.numel() else 0
        flat = value.detach().as_strided((span,), (1,)).cpu()
        kind, words = _WORDS.get(str(flat.dtype).rpartition(".")[2], (None, None))
        if words:
            import torch

            flat = flat.view(getattr(torch, words))
        elements = flat.numpy()
    else:
        steps = [stride // value.itemsize for stride in value.strides]
        if any(step < 0 for step in steps):
            raise TypeError(f"argument `{name}` cannot be explained: its elements go backwards")
        span = 1 + sum((size - 1) * step for size, step in zip(value.shape, steps)) if value.size else 0
        elements = numpy.lib.stride_tricks.as_strided(value, (span,), (value.itemsize,))
    before = address % 16 // elements.itemsize
    file = folder / f"{name}.npy"
    numpy.save(file, numpy.concatenate([numpy.zeros(before, elements.dtype), elements]) if before else elements)
    return f"@{file}{':' + kind if kind else ''}{f'+{before}' if before else ''}"
