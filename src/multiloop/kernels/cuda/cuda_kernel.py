"""Compilation of traced functions to kernels on a GPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from multiloop.dynamics import ConstraintProjection, closeness_and_size
from multiloop.kernels.codegen.recipe import Recipe, dense_tape
from multiloop.kernels.cuda.cuda_source import kernel_source, steps_source
from multiloop.kernels.cuda.device import CudaBatches, CudaSteps
from multiloop.symbols import Traced


class CudaKernel(CudaBatches):
    """A traced function as a CUDA kernel, called like `Kernel.batch`."""

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        super().__init__(kernel_source(*recipe.lowered), recipe.lowered[0], defaults)
        self.recipe = recipe

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the recipe; another process compiles it for its own device."""
        return CudaKernel, (self.recipe, self.defaults)

    @property
    def operations(self) -> int:
        """Number of scalar operations of one evaluation."""
        return self.recipe.lowered[1].total

    def __call__(self, *arguments: Any, **named: Any) -> NoReturn:
        """Raise an error: a launch for a single instance is not supported, since it would not be worthwhile."""
        raise TypeError(
            f"kernel '{self.signature.name}' runs on the GPU, which evaluates many instances at once: call `.batch` "
            'with arrays (entries, count), or compile with target="c" for single states'
        )


def cuda_steps(
    accelerations: Traced, projection: ConstraintProjection, defaults: Mapping[str, np.ndarray] | None = None
) -> CudaSteps:
    """Fixed time steps from the accelerations (q, v, tau, …) → q̇, v̇, λ and the projection onto the constraints."""
    inputs = {name: x for name, x in accelerations.inputs.items() if x.shape[0] * x.shape[1]}
    rate = {name: accelerations.outputs[name] for name in ("q_rate", "a")}
    v, rows = projection.project_velocities()
    functions = (
        Traced("rate", inputs, rate),
        Traced("close", inputs, {"q_next": projection.project_positions(), "gap": projection.gap}),
        Traced("straighten", inputs, {"v_next": v, "closeness": closeness_and_size(rows)}),
    )
    lowered = [dense_tape(function) for function in functions]
    return CudaSteps(steps_source(*lowered), lowered[0][0].inputs, defaults)
