"""The arguments `start` and `state` of the analyses: time, held coordinates and rates that they give.

`start` is where a motion or a search begins, `state` is the state at which something is evaluated. Both are a mapping
from joints to coordinates, a State or an Equilibrium. A State also has a time and rates, which are used where the
analysis has them and the caller does not give others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from multiloop.kinematics.assembly.requests import values_by_name
from multiloop.kinematics.constraints import drive_targets
from multiloop.model import ETA, Fault, Mechanism, SolveError, count_text, elastic_names


@runtime_checkable
class NamedState(Protocol):
    """Coordinates and rates by joint at a time: a State."""

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism in this state."""

    @property
    def time(self) -> float:
        """Time in seconds."""

    @property
    def positions(self) -> Mapping[str, tuple[float, ...]]:
        """Coordinates by joint, and by "body.eta"."""

    @property
    def rates(self) -> Mapping[str, tuple[float, ...]]:
        """Rates by joint, and by "body.eta"."""


class WithState(Protocol):
    """An object with a State: an Equilibrium, or a periodic motion with its initial state."""

    @property
    def state(self) -> NamedState:
        """Its State."""


StateValues: TypeAlias = Mapping[str, Any] | NamedState | WithState
"""A mapping from joints to coordinates, a State or an Equilibrium."""


def start_conditions(
    mechanism: Mechanism,
    start: StateValues | None,
    rates: Mapping[str, Any] | None = None,
    t: float | None = None,
) -> tuple[float, dict[str, Any], Mapping[str, Any] | None]:
    """Initial conditions of an analysis: time, held coordinates and rates.

    The time and the rates are those given by the caller, else those of a State, else 0 and none. Rates that drives
    prescribe are taken from the drives, component by component, and joints without coordinates are omitted.
    """
    known = named_state(start)
    if not isinstance(known, NamedState):
        held = {} if known is None else dict(values_by_name(mechanism, known, "start"))
        return 0.0 if t is None else t, held, rates
    driven = {
        (target.of, component)
        for target in drive_targets(mechanism)
        if not target.on_marker
        for component in target.components
    }
    held = {}
    moving: dict[str, Any] = {}
    for name, q in known.positions.items():
        elastic = name.endswith(f".{ETA}")
        names = elastic_names(len(q)) if elastic else mechanism.connection(name).components(mechanism.planar)
        if len(names) != len(known.rates[name]):
            raise _foreign_state_error(mechanism, known, name, len(names))
        free = [
            None if (name, component) in driven else v
            for component, v in zip(names, known.rates[name], strict=True)
        ]
        if len(q):
            held[name] = q
        if any(rate is not None for rate in free):
            moving[name] = tuple(free)
    return known.time if t is None else t, held, rates if rates is not None else moving


def held_coordinates(mechanism: Mechanism, start: StateValues | None) -> dict[str, Any]:
    """The coordinates that a start prescribes, without time and rates."""
    return start_conditions(mechanism, start)[1]


def named_state(value: Any) -> Any:
    """The State of an object that has one, such as an Equilibrium; anything else unchanged."""
    inner = None if isinstance(value, Mapping | NamedState) else getattr(value, "state", None)
    return inner if isinstance(inner, NamedState) else value


def _foreign_state_error(mechanism: Mechanism, state: NamedState, name: str, count: int) -> SolveError:
    """The error for a State of another mechanism, in which a joint of this name has another number of rates."""
    has = count_text(len(state.rates[name]), "rate")
    what = f"belongs to '{state.mechanism.name}', whose joint '{name}' has {has}, but here {count}."
    fault = Fault("S09", "the State", what, f"Give a State of '{mechanism.name}'.")
    return SolveError(f"mechanism '{mechanism.name}'", [fault])
