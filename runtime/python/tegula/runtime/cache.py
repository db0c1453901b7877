"""Names in the cache: the key of this compiler, and how Triton's files are named."""

from __future__ import annotations

import base64
import functools


@functools.lru_cache(maxsize=None)
def triton_key() -> str:
    """A text that changes with every build of the compiler, and that stock Triton never gives."""
    from .. import _native

    return f"tegula-{_native.version()}-{_native.build_id()}"


def _base32(key: str) -> str:
    """A hash in hexadecimal digits as letters and digits for file names, without padding."""
    return base64.b32encode(bytes.fromhex(key)).decode().rstrip("=")
