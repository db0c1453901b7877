"""The error that all others of this package are."""


class TritonError(Exception):
    """Base of the errors in compiling, tuning or launching a kernel."""


class RefusedValue(ValueError, AssertionError):
    """A value that a function does not take, where Triton asserts and Python's word is `ValueError`."""
