"""The compiled time loop: its C sources, the structs shared with Python, integrators and tolerances."""

from multiloop.kernels.runtime.integrators import COMPILED_LOOP, INTEGRATORS, Backend
from multiloop.kernels.runtime.run_kernels import (
    Control,
    CoordinatePlaces,
    LoopSettings,
    RunKernels,
    step_limits,
)
from multiloop.kernels.runtime.structs import StateLayout, Status
from multiloop.kernels.runtime.time_loop import (
    FINISHED,
    NOT_FINITE,
    OPEN,
    SINGULAR,
    STOPPED,
    STUCK,
    UNFINISHED,
    TimeLoop,
    event_tolerance,
)
from multiloop.kernels.runtime.tolerances import (
    CLOSE,
    CLOSED,
    OPEN_LIMIT,
    ROUNDS,
    SINGULAR_LIMIT,
    UNKNOWN_DIMENSION,
    StateScales,
    least_characteristic_rate,
)

__all__ = [
    "CLOSE",
    "CLOSED",
    "COMPILED_LOOP",
    "FINISHED",
    "INTEGRATORS",
    "NOT_FINITE",
    "OPEN",
    "OPEN_LIMIT",
    "ROUNDS",
    "SINGULAR",
    "SINGULAR_LIMIT",
    "STOPPED",
    "STUCK",
    "UNFINISHED",
    "UNKNOWN_DIMENSION",
    "Backend",
    "Control",
    "CoordinatePlaces",
    "LoopSettings",
    "RunKernels",
    "StateLayout",
    "StateScales",
    "Status",
    "TimeLoop",
    "event_tolerance",
    "least_characteristic_rate",
    "step_limits",
]
