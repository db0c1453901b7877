"""The backend for GPUs of NVIDIA."""
