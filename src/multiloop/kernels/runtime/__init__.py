"""The compiled time loop, which integrates the equations of motion: C sources, shared structs, integrators,
tolerances."""

from typing import TYPE_CHECKING

from multiloop.lazy_packages import import_at_first_use

if TYPE_CHECKING:
    from multiloop.kernels.runtime.integrators import COMPILED_LOOP, INTEGRATORS, SUNDIALS, Backend
    from multiloop.kernels.runtime.structs import StateLayout, Status
    from multiloop.kernels.runtime.time_loop import (
        FINISHED,
        NOT_FINITE,
        OPEN,
        SINGULAR,
        STOPPED,
        STUCK,
        UNFINISHED,
        Control,
        CoordinatePlaces,
        LoopSettings,
        RunKernels,
        TimeLoop,
        event_tolerance,
        step_limits,
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
    "SUNDIALS",
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

import_at_first_use(
    __name__,
    {
        "integrators": "COMPILED_LOOP INTEGRATORS SUNDIALS Backend",
        "structs": "StateLayout Status",
        "time_loop": (
            "FINISHED NOT_FINITE OPEN SINGULAR STOPPED STUCK UNFINISHED Control CoordinatePlaces "
            "LoopSettings RunKernels TimeLoop event_tolerance step_limits"
        ),
        "tolerances": (
            "CLOSE CLOSED OPEN_LIMIT ROUNDS SINGULAR_LIMIT UNKNOWN_DIMENSION StateScales "
            "least_characteristic_rate"
        ),
    },
)
