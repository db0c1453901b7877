"""Errors of launching and tuning, under Triton's names. All pickle and copy, as tuners in other processes need."""

from __future__ import annotations

from typing import Any, Sequence

from ..errors import TritonError


class InterpreterError(TritonError):
    """A kernel did something wrong on the interpreter or the emulator."""

    def __init__(self, error_message: str | None = None):
        super().__init__(error_message)
        self.error_message = error_message

    def __str__(self) -> str:
        return self.error_message or ""


class OutOfResources(TritonError):
    """A kernel needs more of something than the device has: `required` against `limit` of `name` ("shared memory",
    "threads"). Tuners take it as a reason to try another config."""

    def __init__(self, required: int, limit: int, name: str):
        super().__init__(required, limit, name)
        self.required = required
        self.limit = limit
        self.name = name

    # Programs look for this text.
    def __str__(self) -> str:
        return (f"out of resource: {self.name}, Required: {self.required}, Hardware limit: {self.limit}. "
                "Reducing block sizes or `num_stages` may help.")

    def __reduce__(self) -> Any:
        return type(self), (self.required, self.limit, self.name)


class PTXASError(TritonError):
    """The assembler refused what was compiled."""

    def __init__(self, error_message: str | None = None):
        super().__init__(error_message)
        self.error_message = error_message

    def __str__(self) -> str:
        return f"PTXAS error: {self.error_message or ''}"


class AutotunerError(TritonError):
    """No config of a kernel could be used; the text says of each why."""

    def __init__(self, error_message: str | None = None):
        super().__init__(error_message)
        self.error_message = error_message

    def __str__(self) -> str:
        return f"Autotuner error: {self.error_message or ''}"


class DeviceError(TritonError, RuntimeError):
    """A driver, a device or a part of it is missing, or failed."""


class KernelFault(DeviceError):
    """A kernel misbehaved while running. On a GPU its memory is then lost to this process."""


def from_native(kind: int, text: str, diagnostics: Sequence[Any], resource: tuple | None) -> BaseException:
    """The exception for a failure in the library: `kind` is a `tegula_error_kind`, `diagnostics` are tuples, `resource`
    is (name, required, limit) or None."""
    from ..compiler.errors import diagnostic_from_native
    from .error_chain import chained

    if resource is not None:  # told by the compiler or by the device
        name, required, limit = resource
        return OutOfResources(required, limit, name)
    if kind == _COMPILE and not diagnostics and not text.startswith("internal error"):
        return PTXASError(text)  # code that the assembler, or the emulator, does not take
    if kind == _COMPILE:
        return chained(text, tuple(map(diagnostic_from_native, diagnostics)))
    exceptions = {_INVALID_ARGUMENT: ValueError, _FAULT: KernelFault, _IO: OSError, _INTERRUPTED: KeyboardInterrupt}
    return exceptions.get(kind, DeviceError)(text)


_INVALID_ARGUMENT, _COMPILE, _UNAVAILABLE, _OUT_OF_RESOURCES, _DRIVER, _FAULT, _IO, _INTERRUPTED = range(1, 9)
