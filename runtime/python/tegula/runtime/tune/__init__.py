"""Configs of a tuner, what it shows, and what it keeps on disk."""
