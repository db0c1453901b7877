"""Errors of launching and tuning, under Triton's names. All pickle and copy, as tuners in other processes need."""

from __future__ import annotations

from typing import Any

from ..errors import TritonError


class _MessageError(TritonError):
    """An error that is a message, behind the `_subject`."""

    _subject = ""

    def __init__(self, error_message: str | None = None):
        super().__init__(error_message)
        self.error_message = error_message

    def __str__(self) -> str:
        return self._subject + (self.error_message or "")


class InterpreterError(_MessageError):
    """A kernel did something wrong on the interpreter or the emulator."""


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


class PTXASError(_MessageError):
    """The assembler refused what was compiled."""

    _subject = "PTXAS error: "


class AutotunerError(_MessageError):
    """No config of a kernel could be used; the text says of each why."""

    _subject = "Autotuner error: "


class DeviceError(TritonError, RuntimeError):
    """A driver, a device or a part of it is missing, or failed."""


class FrozenError(_MessageError):
    """A launch would have had to compile, tune or load its kernel, after `tegula.freeze()` or while its stream is captured.
    The text names the kernel and what it would have been made for."""


class KernelFault(DeviceError):
    """A kernel misbehaved while running. On a GPU its memory is then lost to this process."""
