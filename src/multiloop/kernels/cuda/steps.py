"""Fixed steps of many instances on the GPU: RK4, each step followed by the way back onto the loops."""

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
    """Where the lanes are, and how each fared: `status` 0 where it took all its steps, `taken` how many it took.

    Other statuses are those of the time loop: 2 singular, 3 open, 5 not finite. Such a lane is where it was
    before the step that failed.
    """

    q: Any
    v: Any
    status: Any
    taken: Any


class CudaSteps:
    """Positions and rates of many instances, carried through time together.

    q and v are (entries, count); whatever else the equations take (tau, p, …) is (entries, count), (entries,)
    where all lanes share it, or left out at its default, and stays the same along a lane. `tuned` are the
    threads of a block and the blocks at a time: few, since a lane's state and parameters fill the registers.
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
        """`steps` steps of `step` seconds; `out` takes arrays for q and v, which may be q and v themselves.

        With `project`, Newton's method closes the loops after every step and the rates are made consistent. A
        lane stops where its loops stay open by more than `open`, relative to the mechanism's size, or where the
        closeness to a singular position falls below `singular`.
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
        """The nearest closed positions and consistent rates; no step is taken."""
        own = (np.float64(open), np.float64(singular))
        return self._run("ml_project", own, q, v, given, out, counts=False)

    def resources(self, *, project: bool = True) -> dict[str, int]:
        """Registers of a thread of `advance`, and its bytes outside registers."""
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
