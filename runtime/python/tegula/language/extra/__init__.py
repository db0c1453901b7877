"""`tl.extra`: what only some devices have."""

from . import cuda, libdevice

__tegula_name__ = "triton.language.extra"
