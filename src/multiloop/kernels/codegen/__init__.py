"""Code generation: a traced function as C or CUDA source, and the C compiler that builds it."""
