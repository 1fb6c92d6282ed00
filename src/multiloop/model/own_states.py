"""Which states does a description have besides coordinates and rates, and where do they start?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from multiloop.model.expressions import Scalar, evaluate

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def own_states(mechanism: Mechanism) -> dict[str, Scalar]:
    """All of them by name, in the order in which they are carried, with their values at the beginning.

    Integrals first, then the states of loads, "load.state".
    """
    found = {integral.name: integral.start for integral in mechanism.integrals}
    for load in mechanism.all_loads:
        found |= {f"{load.name}.{state}": start for state, start in load.states.items()}
    return found


def start_values(mechanism: Mechanism, parameters: Mapping[str, float]) -> dict[str, float]:
    """The values at the beginning in numbers, for given parameters."""
    return {
        name: float(evaluate(start, parameters=parameters)) for name, start in own_states(mechanism).items()
    }
