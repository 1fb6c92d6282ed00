"""Code generation: C or CUDA source of traced functions, and the C compiler that builds the libraries."""
