"""Facts about the GPU, under the name of Triton's module."""

from . import globaltimer, num_threads, num_warps, smid

__all__ = ["globaltimer", "num_threads", "num_warps", "smid"]
