"""Compiled kernels of a mechanism: code generation in C and CUDA, a cache of built libraries, and the time loop."""

from multiloop.kernels.cache import UnbuiltError
from multiloop.kernels.compiler_search import REMEDY, compiler_found
from multiloop.kernels.interpreted import Interpreted
from multiloop.kernels.kernel import Kernel, kernel_of, say_interpreted
from multiloop.kernels.recipe import Recipe

__all__ = [
    "REMEDY",
    "Interpreted",
    "Kernel",
    "Recipe",
    "UnbuiltError",
    "compiler_found",
    "kernel_of",
    "say_interpreted",
]
