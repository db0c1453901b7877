"""What programs reach of Triton's extension module."""
