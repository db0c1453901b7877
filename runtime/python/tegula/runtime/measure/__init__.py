"""Clocks, and what benchmarks print."""
