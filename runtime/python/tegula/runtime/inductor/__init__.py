"""The needs of PyTorch's Inductor: stand-ins for functions of its own, threads for its worker processes."""
