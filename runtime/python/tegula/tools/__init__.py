"""Tools for programs with kernels."""
