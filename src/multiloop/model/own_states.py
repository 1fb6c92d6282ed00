"""Which states does a description have besides coordinates and rates, and where do they start?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from multiloop.model.expressions import Scalar, evaluate

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


PACE, GRAIN = ".pace", ".grain"
"""States of every run with loads that hold and let go: its characteristic rate ν in 1/s, and the part of a length, an
angle or a rate that counts as nothing. They do not flow; no load can have these names."""

FINEST = 1e-10
"""The grain where a run does not say how accurate it is."""


def pace_of(load: str) -> str:
    """The state that holds the characteristic rate, in 1/s, of the connected part to which a load belongs."""
    return f"{PACE}.{load}"


def return_of(load: str) -> str:
    """The state that holds the rate, in 1/s, at which what a load holds comes back from round-off."""
    return f".return.{load}"


def own_states(mechanism: Mechanism) -> dict[str, Scalar]:
    """All of them by name, in the order in which they are carried, with their values at the beginning.

    Integrals first, then the states of loads, "load.state", then the scales by which modes are told apart.
    """
    found = {integral.name: integral.start for integral in mechanism.integrals}
    for load in mechanism.all_loads:
        found |= {f"{load.name}.{state}": start for state, start in load.states.items()}
    return found | scales(mechanism)


def scales(mechanism: Mechanism) -> dict[str, float]:
    """The scales by which modes are distinguished, with their values at the beginning; none without such loads."""
    names = [load.name for load in mechanism.all_loads if load.modes]
    if not names:
        return {}
    own = {scale(name): 0.0 for name in names for scale in (pace_of, return_of)}
    return {PACE: 0.0, GRAIN: FINEST} | own


def is_pace(state: str) -> bool:
    """Whether a state is a characteristic rate, of the run or of a connected part."""
    return state == PACE or state.startswith(f"{PACE}.")


def switches(mechanism: Mechanism) -> bool:
    """Whether some load holds and lets go."""
    return any(load.modes for load in mechanism.all_loads)


def start_values(mechanism: Mechanism, parameters: Mapping[str, float]) -> dict[str, float]:
    """The values at the beginning in numbers, for given parameters."""
    return {
        name: float(evaluate(start, parameters=parameters)) for name, start in own_states(mechanism).items()
    }
