"""The error that all others of this package are."""


class TritonError(Exception):
    """What went wrong in compiling, tuning or launching a kernel."""
