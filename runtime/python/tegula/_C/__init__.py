"""The parts of Triton's extension module that programs reach."""
