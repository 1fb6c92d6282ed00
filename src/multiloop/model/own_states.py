"""Which states does a description have besides coordinates and rates, and where do they start?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from multiloop.model.expressions import Scalar, evaluate

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


PACE, GRAIN, RETURN = SCALES = (".pace", ".grain", ".return")
"""States of every run with loads that hold and let go: its characteristic rate ν in 1/s; the part of a length, an angle
or a rate that counts as nothing; and the rate, in 1/s, at which what is held comes back from round-off. They do not
flow; no load can have these names."""

FINEST = 1e-10
"""The grain where a run does not say how accurate it is."""


def own_states(mechanism: Mechanism) -> dict[str, Scalar]:
    """All of them by name, in the order in which they are carried, with their values at the beginning.

    Integrals first, then the states of loads, "load.state", then the scales by which modes are told apart.
    """
    found = {integral.name: integral.start for integral in mechanism.integrals}
    for load in mechanism.all_loads:
        found |= {f"{load.name}.{state}": start for state, start in load.states.items()}
    return found | ({PACE: 0.0, GRAIN: FINEST, RETURN: 0.0} if switches(mechanism) else {})


def switches(mechanism: Mechanism) -> bool:
    """Whether some load holds and lets go."""
    return any(load.modes for load in mechanism.all_loads)


def start_values(mechanism: Mechanism, parameters: Mapping[str, float]) -> dict[str, float]:
    """The values at the beginning in numbers, for given parameters."""
    return {
        name: float(evaluate(start, parameters=parameters)) for name, start in own_states(mechanism).items()
    }
