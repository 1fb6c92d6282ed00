"""Which physical quantity a field of a description holds, so that a number with a wrong unit is an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from multiloop.model.brief import brief, called
from multiloop.model.expressions.unit_literals import unit_of
from multiloop.model.faults import Fault
from multiloop.model.unit_table import UNITS

MOVED = ("length", "angle")
"""Quantities of a joint coordinate."""

FIELDS_OF: dict[tuple[str, ...], str] = {
    ("mass",): "mass masses",
    ("density",): "density",
    ("moment of inertia",): "inertia rotor_inertia",
    ("length",): "com point corners through length radius radii module crown roller offset base arm pitch "
    "rectangle tube",
    ("area",): "A",
    ("angle",): "angle pressure_angle helix_angle lead_angle pressure_limit phase",
    MOVED: "play low high rest guess",
    ("speed", "angular speed"): "speed slip resistance_speed speed_limit",
    ("acceleration",): "gravity",
    ("force",): "force preload pretension",
    ("moment",): "torque",
    ("force", "moment"): "effort limit",
    ("stiffness", "rotational stiffness"): "stiffness stop_stiffness",
    ("stress",): "E G",
    (): "coefficient friction restitution ratio teeth nu shear_factor",
}
"""By what they may hold with a unit, the names of fields; fields that are not listed may hold anything."""

QUANTITIES = {name: held for held, names in FIELDS_OF.items() for name in names.split()}

NAMED = {"markers": "point", "corners": "point", "masses": "masses", "guess": "guess"}
"""Fields whose keys are the user's names, with the field that says what stands behind them."""


def unit_faults(where: str, content: Mapping[str, Any]) -> Iterator[Fault]:
    """The faults of numbers whose unit does not measure what their field holds."""
    yield from _faults(where, "", content, ())


def _faults(where: str, field: str, value: Any, place: tuple[str | int, ...]) -> Iterator[Fault]:
    if isinstance(value, Mapping):
        for key, held in value.items():
            yield from _faults(where, NAMED.get(field, called(key)), held, (*place, called(key)))
    elif isinstance(value, list | tuple):
        for k, held in enumerate(value):
            yield from _faults(where, field, held, (*place, k))
    elif isinstance(value, str) and field in QUANTITIES:
        quantity, _ = unit_of(value) or ("", "")
        if quantity and quantity not in QUANTITIES[field]:
            said = f"{'.'.join(map(str, place))}: {brief(value)} is a number of {quantity}."
            yield Fault("M91", where, said, _remedy(QUANTITIES[field]), place)


def _remedy(allowed: tuple[str, ...]) -> str:
    if not allowed:
        return "Give a number without a unit."
    named = (f"{one} ({', '.join(UNITS[one])})" for one in allowed)
    return f"Give a number of {' or '.join(named)}."
