"""Kernels, the compiled functions of a mechanism: C and CUDA code generation, library cache, and compiled time loop."""

from typing import TYPE_CHECKING

from multiloop.lazy_packages import import_at_first_use

if TYPE_CHECKING:
    from multiloop.kernels.codegen.build import COMPILER_REMEDY, compiler_available
    from multiloop.kernels.codegen.compiler import processor_count
    from multiloop.kernels.codegen.recipe import Recipe
    from multiloop.kernels.kernel import InterpretedKernel, Kernel, build_kernel, warn_interpreted
    from multiloop.kernels.library_cache import UnbuiltError

__all__ = [
    "COMPILER_REMEDY",
    "InterpretedKernel",
    "Kernel",
    "Recipe",
    "UnbuiltError",
    "build_kernel",
    "compiler_available",
    "processor_count",
    "warn_interpreted",
]

import_at_first_use(
    __name__,
    {
        "codegen.build": "COMPILER_REMEDY compiler_available",
        "codegen.compiler": "processor_count",
        "codegen.recipe": "Recipe",
        "kernel": "InterpretedKernel Kernel build_kernel warn_interpreted",
        "library_cache": "UnbuiltError",
    },
)
