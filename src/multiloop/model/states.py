"""State variables besides coordinates and rates: user-defined integrals, states of loads, and contact scales.

Integrals and states of loads are integrated together with the motion; contact scales are constant between events.
`additional_states` lists all of them in the order in which they are stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from multiloop.model.expressions import Scalar, evaluate
from multiloop.model.markers import scalar
from multiloop.model.synonyms import SuggestsArguments

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Integral(SuggestsArguments):
    """A user-defined state variable x, whose rate is the expression `of`.

        ẋ = of(t, positions, rates, parameters, integrals),      x = start at the beginning

    Expressions refer to x as `integral("name")`, also in `of` itself, so that filters can be written. If `of` is a
    control error, x is used for the integral part of a PI controller.
    """

    name: str
    of: Scalar
    start: Scalar = 0.0

    def __post_init__(self) -> None:
        for entry in ("of", "start"):
            object.__setattr__(self, entry, scalar(getattr(self, entry)))


RATE_SCALE, RESOLUTION = ".pace", ".grain"
"""Names of two states of every simulation with unilateral contacts or stiction: the characteristic rate ν in 1/s, and
the fraction of the characteristic length, of one radian or of a characteristic rate below which a length, an angle or a
rate is taken as zero. Both states are constant between events; no load can have these names."""

DEFAULT_RESOLUTION = 1e-10
"""Default value of the state RESOLUTION."""


def rate_scale_of(load: str) -> str:
    """The name of the state with the characteristic rate (1/s) of the group of bodies on which a load acts."""
    return f"{RATE_SCALE}.{load}"


def return_rate_of(load: str) -> str:
    """The name of the state with the rate (1/s) at which the round-off drift of a closed contact is reduced to zero."""
    return f".return.{load}"


def additional_states(mechanism: Mechanism) -> dict[str, Scalar]:
    """All state variables besides coordinates and rates, by name and in the order in which they are stored, with
    initial values.

    User-defined integrals come first, then the states of loads, named "load.state", and last the states of
    `contact_scales`.
    """
    found = {integral.name: integral.start for integral in mechanism.integrals}
    for load in mechanism.all_loads:
        found |= {f"{load.name}.{state}": start for state, start in load.states.items()}
    return found | contact_scales(mechanism)


def contact_scales(mechanism: Mechanism) -> dict[str, float]:
    """Initial values, by name, of the states that contain the characteristic rates and the tolerance for contact modes.

    The mapping is empty if no load has contact modes.
    """
    names = [load.name for load in mechanism.all_loads if load.modes]
    if not names:
        return {}
    own = {scale(name): 0.0 for name in names for scale in (rate_scale_of, return_rate_of)}
    return {RATE_SCALE: 0.0, RESOLUTION: DEFAULT_RESOLUTION} | own


def is_rate_scale(state: str) -> bool:
    """Whether a state is a characteristic rate, of the whole mechanism or of a connected group of bodies."""
    return state == RATE_SCALE or state.startswith(f"{RATE_SCALE}.")


def has_contact_modes(mechanism: Mechanism) -> bool:
    """Whether any load has contact modes (unilateral contact or stiction)."""
    return any(load.modes for load in mechanism.all_loads)


def initial_states(mechanism: Mechanism, parameters: Mapping[str, float]) -> dict[str, float]:
    """The initial values, by name, of all state variables besides coordinates and rates, for given values of the
    parameters."""
    return {
        name: float(evaluate(start, parameters=parameters))
        for name, start in additional_states(mechanism).items()
    }
