"""Tools beside kernels."""
