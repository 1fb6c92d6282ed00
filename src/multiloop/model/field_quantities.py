"""Which physical quantity a field of a description holds, so that a number with a wrong unit is an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from multiloop.model.brief import brief, called
from multiloop.model.expressions.unit_literals import MixedUnitsError, dimension_of
from multiloop.model.faults import Fault
from multiloop.model.unit_table import DIMENSIONS, UNITS, Dimension

TURNING = ("angle", "angular speed", "moment", "rotational stiffness", "rotational damping")
SLIDING = ("length", "speed", "force", "stiffness", "damping")
"""Quantities of the coordinate of a Revolute, and of a Prismatic."""

OF_JOINTS = {"Revolute": SLIDING, "Prismatic": TURNING}
"""Quantities that do not belong to a coordinate, by the kind of its joint."""

FIELDS_OF: dict[tuple[str, ...], str] = {
    ("mass",): "mass masses",
    ("density",): "density",
    ("moment of inertia",): "inertia rotor_inertia",
    ("length",): "com point corners through length radius radii module crown roller offset base arm pitch "
    "rectangle tube y z hole",
    ("area",): "A",
    ("second moment of area",): "Iz Iy J",
    ("angle",): "angle pressure_angle helix_angle lead_angle pressure_limit phase",
    ("angle", "length"): "play low high rest guess profile",
    ("angular speed", "speed"): "speed slip resistance_speed speed_limit",
    ("acceleration",): "gravity",
    ("force",): "force preload pretension",
    ("moment",): "torque",
    ("moment", "force"): "effort limit",
    ("rotational stiffness", "stiffness"): "stiffness stop_stiffness",
    ("rotational damping", "damping"): "damping viscous stop_damping",
    ("stress",): "E G",
    (): "coefficient friction restitution ratio teeth nu shear_factor",
}
"""By what they may hold with a unit, the names of fields; fields that are not listed may hold anything."""

QUANTITIES = {name: held for held, names in FIELDS_OF.items() for name in names.split()}

NAMED = {"markers": "point", "corners": "point", "masses": "masses", "guess": "guess"}
"""Fields whose keys are the user's names, with the field that says what stands behind them."""

AXES = ("z", "x")
"""Fields of a marker that are directions."""


def unit_faults(where: str, content: Mapping[str, Any], joint: str = "") -> Iterator[Fault]:
    """The faults of numbers whose unit does not measure what their field holds.

    `joint` is the kind of the joint along whose coordinate the described part acts, where it is known.
    """
    yield from _faults(where, "", content, (), OF_JOINTS.get(joint, ()))


def joint_unit_faults(mechanism: Mapping[str, Any]) -> Iterator[Fault]:
    """The faults of units that do not fit the joint at which a drive, an actuator or a load acts."""
    named = [(one.get("name"), one.get("kind")) for one in _entries(mechanism, "joints")]
    joints = {name: kind for name, kind in named if isinstance(name, str)}
    for part in ("drives", "actuators", "loads"):
        for number, entry in enumerate(_entries(mechanism, part)):
            name = entry.get("joint", entry.get("of"))
            kind = joints.get(name) if isinstance(name, str) else None
            where = f"{entry.get('kind')} of '{name}'"
            if not isinstance(kind, str) or list(unit_faults(where, entry)):
                continue
            for fault in unit_faults(where, entry, kind):
                yield Fault(fault.code, where, fault.what, fault.remedy, (part, number, *fault.place))


def _entries(mechanism: Mapping[str, Any], part: str) -> list[Mapping[str, Any]]:
    found = mechanism.get(part)
    return (
        [one if isinstance(one, Mapping) else {} for one in found] if isinstance(found, list | tuple) else []
    )


def _faults(
    where: str, field: str, value: Any, place: tuple[str | int, ...], foreign: Sequence[str]
) -> Iterator[Fault]:
    if isinstance(value, Mapping):
        for key, held in value.items():
            inner = NAMED.get(field, called(key))
            if not (field == "point" and inner in AXES):
                yield from _faults(where, inner, held, (*place, called(key)), foreign)
    elif isinstance(value, list | tuple):
        for k, held in enumerate(value):
            yield from _faults(where, field, held, (*place, k), foreign)
    elif isinstance(value, str) and field in QUANTITIES:
        allowed = tuple(one for one in QUANTITIES[field] if one not in foreign)
        if what := _wrong_unit(value, allowed):
            yield Fault(
                "M91", where, f"{'.'.join(map(str, place))}: {brief(value)} {what}.", _remedy(allowed), place
            )


def _wrong_unit(text: str, allowed: tuple[str, ...]) -> str:
    """What is wrong with the units of a text; empty where nothing is, or where they cannot be judged."""
    try:
        found = dimension_of(text)
    except MixedUnitsError as error:
        return str(error)
    if found is None or found in [DIMENSIONS[one] for one in allowed]:
        return ""
    return f"is a number of {_quantity(found)}"


def _quantity(dimension: Dimension) -> str:
    """The quantity of a dimension, or its unit where it has no name."""
    named = next((name for name, of in DIMENSIONS.items() if of == dimension), "")
    units = (f"{unit}^{power}" for unit, power in zip(("m", "kg", "s"), dimension, strict=True) if power)
    return named or " ".join(units)


def _remedy(allowed: tuple[str, ...]) -> str:
    if not allowed:
        return "Give a number without a unit."
    named = (f"{one} ({', '.join(UNITS[one])})" for one in allowed)
    return f"Give a number of {' or '.join(named)}."
