"""Fixed time steps of many instances on the GPU: RK4, each step followed by projection onto the constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from multiloop.kernels.cuda.launch import Program, gpu, passed, placed
from multiloop.kernels.kernel_call import completed
from multiloop.kernels.lanes import counted_instances, rooms, shaped
from multiloop.kernels.signature import Array
from multiloop.kernels.tolerances import LOST, SINGULAR_BELOW


class Advanced(NamedTuple):
    """Final states of all instances; `status` is 0 if all steps were taken, `taken` the number of steps taken.

    Other statuses are those of the time loop: 2 singular, 3 open loops, 5 not finite. Such an instance is in its state
    before the step that failed.
    """

    q: Any
    v: Any
    status: Any
    taken: Any


class CudaSteps:
    """Simultaneous time integration of many instances with fixed steps.

    q and v are (entries, count). Other inputs of the equations (tau, p, …) are (entries, count), (entries,) if all
    instances share them, or omitted with their default values; they are constant over time. `tuned` are the threads
    per block and the blocks per multiprocessor: few, because state and parameters of an instance fill the registers.
    """

    def __init__(
        self,
        source: str,
        inputs: Sequence[Array],
        defaults: Mapping[str, np.ndarray] | None = None,
        *,
        tuned: tuple[int, int] = (128, 1),
    ) -> None:
        self.inputs = tuple(inputs)
        self.defaults = {name: np.asarray(value, float) for name, value in (defaults or {}).items()}
        self.program = Program(source, *tuned)

    def advance(
        self,
        q: Any,
        v: Any,
        *,
        step: float,
        steps: int,
        project: bool = True,
        open: float = LOST,
        singular: float = SINGULAR_BELOW,
        out: Any = None,
        **given: Any,
    ) -> Advanced:
        """Take `steps` steps of `step` seconds; `out` are arrays for q and v, which may be q and v themselves.

        With `project`, positions (by Newton's method) and rates are projected onto the constraints after each step. An
        instance stops if its loops stay open by more than `open`, relative to the size of the mechanism, or if the
        closeness to a singular configuration falls below `singular`.
        """
        name = "ml_projected_steps" if project else "ml_steps"
        own = (np.int64(steps), np.float64(step), np.float64(open), np.float64(singular))
        return self._run(name, own, q, v, given, out, counts=True)

    def project(
        self,
        q: Any,
        v: Any,
        *,
        open: float = LOST,
        singular: float = SINGULAR_BELOW,
        out: Any = None,
        **given: Any,
    ) -> Advanced:
        """Project positions and rates onto the constraints, without a step."""
        own = (np.float64(open), np.float64(singular))
        return self._run("ml_project", own, q, v, given, out, counts=False)

    def resources(self, *, project: bool = True) -> dict[str, int]:
        """Registers and bytes in local memory per thread of `advance`."""
        return self.program.resources("ml_projected_steps" if project else "ml_steps")

    def _run(
        self,
        name: str,
        own: tuple[Any, ...],
        q: Any,
        v: Any,
        given: Mapping[str, Any],
        out: Any,
        *,
        counts: bool,
    ) -> Advanced:
        cupy = gpu()
        values = completed(name, self.inputs, self._at_hand, (q, v), given)
        count = counted_instances(self.inputs, values)
        taken = [passed(name, array, value, count) for array, value in zip(self.inputs, values, strict=True)]
        ends = rooms(self.inputs[:2], out, count, cupy.empty)
        status, done = cupy.zeros(count, np.int32), cupy.zeros(count, np.int64)
        told = (status, done) if counts else (status,)
        flat = (part for parts in (*taken, *map(placed, ends)) for part in parts)
        self.program.launch(name, count, *own, *told, *flat)
        q_end, v_end = shaped(self.inputs[:2], ends, count, out)
        return Advanced(q_end, v_end, status, done)

    @cached_property
    def _at_hand(self) -> dict[str, Any]:
        """The defaults, on the device."""
        return {name: gpu().asarray(value) for name, value in self.defaults.items()}

    def __repr__(self) -> str:
        takes = ", ".join(f"{array.name} ({array.size})" for array in self.inputs)
        return f"Fixed steps on the GPU of {takes}."
