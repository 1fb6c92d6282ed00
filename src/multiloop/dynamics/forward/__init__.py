"""Forward dynamics: accelerations and constraint multipliers for known forces, by several formulations."""

from typing import TYPE_CHECKING

from multiloop.lazy_packages import import_at_first_use

if TYPE_CHECKING:
    from multiloop.dynamics.forward.augmented_lagrangian import augmented
    from multiloop.dynamics.forward.computed_torque import computed_torque_efforts
    from multiloop.dynamics.forward.forward_dynamics import (
        FORMULATIONS,
        METHODS,
        ForwardFunctions,
        forward_functions,
    )
    from multiloop.dynamics.forward.forward_problem import ForwardProblem
    from multiloop.dynamics.forward.independent_coordinates import complement, embedding, virtual_work
    from multiloop.dynamics.forward.subsystem_multipliers import sslm
    from multiloop.dynamics.forward.whole_system import slm, system

__all__ = [
    "FORMULATIONS",
    "METHODS",
    "ForwardFunctions",
    "ForwardProblem",
    "augmented",
    "complement",
    "computed_torque_efforts",
    "embedding",
    "forward_functions",
    "slm",
    "sslm",
    "system",
    "virtual_work",
]

import_at_first_use(
    __name__,
    {
        "augmented_lagrangian": "augmented",
        "computed_torque": "computed_torque_efforts",
        "forward_dynamics": "FORMULATIONS METHODS ForwardFunctions forward_functions",
        "forward_problem": "ForwardProblem",
        "independent_coordinates": "complement embedding virtual_work",
        "subsystem_multipliers": "sslm",
        "whole_system": "slm system",
    },
)
