"""Kernels on an NVIDIA GPU through CuPy: generated source, batches of instances, and fixed time steps."""
