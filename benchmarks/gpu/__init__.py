"""Measurements on a GPU, in two halves: `python -m benchmarks gpu` prints kernels and answers to compare with, and
`python3 -m benchmarks.gpu.on_device` runs them on a machine that needs NumPy and CuPy only."""
