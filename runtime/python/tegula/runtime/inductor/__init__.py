"""What PyTorch's Inductor needs: stand-ins for functions of its own, threads for its worker processes."""
