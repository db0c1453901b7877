"""Programmatic dependent launch, under the name of Triton's module."""

from . import gdc_launch_dependents, gdc_wait

__all__ = ["gdc_launch_dependents", "gdc_wait"]
