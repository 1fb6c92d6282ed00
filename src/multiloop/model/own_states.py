"""State variables of a mechanism besides coordinates and rates, with their initial values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from multiloop.model.expressions import Scalar, evaluate

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


PACE, GRAIN = ".pace", ".grain"
"""States of every simulation with unilateral contacts or stiction: its characteristic rate ν in 1/s, and the relative
tolerance below which a length, an angle or a rate counts as zero. They are constant between events; no load can have
these names."""

FINEST = 1e-10
"""The default relative tolerance if the simulation does not set it."""


def pace_of(load: str) -> str:
    """The name of the state with the characteristic rate, in 1/s, of the connected part to which a load belongs."""
    return f"{PACE}.{load}"


def return_of(load: str) -> str:
    """The name of the state with the rate, in 1/s, at which the drift of a closed contact due to round-off decays."""
    return f".return.{load}"


def own_states(mechanism: Mechanism) -> dict[str, Scalar]:
    """All additional states by name, in the order in which they are stored, with their initial values.

    Integrals come first, then the states of loads, "load.state", then the scales that distinguish contact modes.
    """
    found = {integral.name: integral.start for integral in mechanism.integrals}
    for load in mechanism.all_loads:
        found |= {f"{load.name}.{state}": start for state, start in load.states.items()}
    return found | scales(mechanism)


def scales(mechanism: Mechanism) -> dict[str, float]:
    """The scales that distinguish contact modes, with their initial values; empty without loads that have modes."""
    names = [load.name for load in mechanism.all_loads if load.modes]
    if not names:
        return {}
    own = {scale(name): 0.0 for name in names for scale in (pace_of, return_of)}
    return {PACE: 0.0, GRAIN: FINEST} | own


def is_pace(state: str) -> bool:
    """Whether a state is a characteristic rate, of the whole mechanism or of a connected part."""
    return state == PACE or state.startswith(f"{PACE}.")


def switches(mechanism: Mechanism) -> bool:
    """Whether some load has contact modes (unilateral contact or stiction)."""
    return any(load.modes for load in mechanism.all_loads)


def start_values(mechanism: Mechanism, parameters: Mapping[str, float]) -> dict[str, float]:
    """The initial values as numbers, for given parameters."""
    return {
        name: float(evaluate(start, parameters=parameters)) for name, start in own_states(mechanism).items()
    }
