"""The arguments `start` and `state` of the analyses, and the time, coordinates and rates that they contain.

`start` is the state in which a motion or a search begins, `state` is the state at which a quantity is evaluated. Each
of them is a mapping from joints to coordinates, a State or an Equilibrium. A State also has a time and rates; these are
used if the analysis needs a time or rates and the caller does not give other values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from multiloop.kinematics.assembly.requests import values_by_name
from multiloop.kinematics.constraints import drive_targets
from multiloop.model import ETA, Fault, Mechanism, SolveError, count_text, elastic_names


@runtime_checkable
class NamedState(Protocol):
    """Protocol of a State: coordinates and rates of all joints at a time."""

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism in this state."""

    @property
    def time(self) -> float:
        """Time in seconds."""

    @property
    def positions(self) -> Mapping[str, tuple[float, ...]]:
        """Coordinates by joint name; elastic coordinates by "body.eta"."""

    @property
    def rates(self) -> Mapping[str, tuple[float, ...]]:
        """Rates by joint name; elastic rates by "body.eta"."""


class WithState(Protocol):
    """An object with a State: an Equilibrium, or a periodic motion with its initial state."""

    @property
    def state(self) -> NamedState:
        """The State that this object contains."""


StateValues: TypeAlias = Mapping[str, Any] | NamedState | WithState
"""Type of the arguments `start` and `state`: a mapping from joint names to coordinates, a State, or an object that
contains a State, such as an Equilibrium."""


def start_conditions(
    mechanism: Mechanism,
    start: StateValues | None,
    rates: Mapping[str, Any] | None = None,
    t: float | None = None,
) -> tuple[float, dict[str, Any], Mapping[str, Any] | None]:
    """Initial conditions of an analysis: time, prescribed coordinates by joint, and rates by joint.

    The arguments `t` and `rates` have priority over the time and rates of a State; without either, the time is 0 and
    the rates are None. In the rates of a State, components that a drive prescribes are replaced by None, since the
    drive determines them; joints without coordinates are omitted.
    """
    known = named_state(start)
    if not _is_state(known):
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
    """The coordinates that the argument `start` of an analysis prescribes, without time and rates."""
    return start_conditions(mechanism, start)[1]


def named_state(value: Any) -> Any:
    """The attribute `state` of an object such as an Equilibrium; any other value is returned unchanged."""
    if value is None or isinstance(value, Mapping) or _is_state(value):
        return value
    inner = getattr(value, "state", None)
    return inner if _is_state(inner) else value


def _is_state(value: Any) -> bool:
    """Whether an object is a State; None and mappings are excluded first, because comparing with a protocol is slow."""
    return not (value is None or isinstance(value, Mapping)) and isinstance(value, NamedState)


def _foreign_state_error(mechanism: Mechanism, state: NamedState, name: str, count: int) -> SolveError:
    """The error for a State of another mechanism, whose joint of the same name has a different number of rates."""
    has = count_text(len(state.rates[name]), "rate")
    what = (
        f"belongs to '{state.mechanism.name}', whose joint '{name}' has {has}; "
        f"joint '{name}' of this mechanism has {count}."
    )
    fault = Fault("S09", "the State", what, f"Give a State of '{mechanism.name}'.")
    return SolveError(f"mechanism '{mechanism.name}'", [fault])
