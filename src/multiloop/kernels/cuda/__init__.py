"""Kernels on an NVIDIA GPU, through CuPy: the text they are made of, batches of instances, and fixed steps in time."""
