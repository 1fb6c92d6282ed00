"""Physical quantities of the fields of a description, and checks of the units of numbers with a unit in files.

The module is long because the table QUANTITIES lists all fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from typing import Any, get_type_hints

from multiloop.model.expressions.units import (
    DIMENSIONS,
    UNITS,
    Dimension,
    MixedUnitsError,
    dimension_of,
    dimension_with,
)
from multiloop.model.faults import Fault, name_text, short_repr
from multiloop.model.markers import as_mapping
from multiloop.model.serialise.validation import Place, classes_in

ROTARY_QUANTITIES = ("angle", "angular speed", "moment", "rotational stiffness", "rotational damping")
LINEAR_QUANTITIES = ("length", "speed", "force", "stiffness", "damping")
"""ROTARY_QUANTITIES are the physical quantities along the coordinate of a Revolute joint, LINEAR_QUANTITIES those along
the coordinate of a Prismatic joint."""

EXCLUDED_BY_JOINT = {"Revolute": LINEAR_QUANTITIES, "Prismatic": ROTARY_QUANTITIES}
"""For each class of joint, the physical quantities that cannot occur along the coordinate of such a joint."""

ANGLE_OR_LENGTH = "angle or length"
SPEEDS = "angular speed or speed"
EFFORTS = "moment or force"
STIFFNESSES = "rotational stiffness or stiffness"
DAMPINGS = "rotational damping or damping"
DIMENSIONLESS = ""

MASS_QUANTITIES = {"mass": "mass", "com": "length", "inertia": "moment of inertia"}
BODY_QUANTITIES = MASS_QUANTITIES | {"markers": "length"}
"""For each field of a body, its physical quantity. MASS_QUANTITIES contains the mass properties, BODY_QUANTITIES the
markers as well."""

QUANTITIES: dict[str, dict[str, str]] = {
    # fields of bodies
    "Body": BODY_QUANTITIES,
    "Beam": {
        "length": "length",
        "through": "length",
        "E": "stress",
        "G": "stress",
        "density": "density",
        "masses": "mass",
        "damping": DIMENSIONLESS,
    },
    "Solid": {"E": "stress", "nu": DIMENSIONLESS, "density": "density", "damping": DIMENSIONLESS},
    "Rayleigh": {"beta": "time"},
    "Section": {
        "A": "area",
        "Iz": "second moment of area",
        "Iy": "second moment of area",
        "J": "second moment of area",
        "y": "length",
        "z": "length",
        "hole": "length",
        "shear_factor": DIMENSIONLESS,
        "rectangle": "length",
        "tube": "length",
    },
    "Marker": {"point": "length", "angle": "angle"},
    "ground": {"markers": "length"},
    "rod": BODY_QUANTITIES | {"length": "length"},
    "plate": BODY_QUANTITIES | {"corners": "length"},
    # fields of joints
    "Revolute": {"diameter": "length", "width": "length"},
    "Helical": {"pitch": "length"},
    "Strut": {
        "length": "length",
        "mass": "mass",
        "bore": "length",
        "shaft": "length",
        "stop_stiffness": "stiffness",
        "stop_damping": "damping",
    },
    "Payload": MASS_QUANTITIES,
    # fields of pairs
    "Cam": {
        "lift": ANGLE_OR_LENGTH,
        "base": "length",
        "roller": "length",
        "offset": "length",
        "pressure_limit": "angle",
        "pivot": "length",
        "arm": "length",
        "width": "length",
        "E": "stress",
        "nu": DIMENSIONLESS,
    },
    "Circle": {"radius": "length", "centre": "length"},
    "Curve": {"x": "length", "y": "length"},
    "Distance": {"length": "length"},
    "RollingContact": {"radius": "length", "resistance": "length", "resistance_speed": "angular speed"},
    "Rolling": {"crown": "length"},
    "Gearing": {"phase": "angle"},
    "Toothed": {"teeth": DIMENSIONLESS, "radii": "length", "pressure_angle": "angle"},
    "Gear": {
        "module": "length",
        "helix_angle": "angle",
        "width": "length",
        "E": "stress",
        "nu": DIMENSIONLESS,
    },
    "Rack": {
        "radius": "length",
        "teeth": DIMENSIONLESS,
        "module": "length",
        "pressure_angle": "angle",
        "helix_angle": "angle",
    },
    "Worm": {"lead_angle": "angle", "radius": "length"},
    "Belt": {"radii": "length", "pretension": "force", "friction": DIMENSIONLESS},
    "Chain": {"teeth": DIMENSIONLESS, "pitch": "length"},
    # fields of drives and actuators
    "Motion": {
        "profile": ANGLE_OR_LENGTH,
        "angle": "angle",
        "slide": "length",
        "first": "angle",
        "second": "angle",
        "x": "length",
        "y": "length",
        "z": "length",
    },
    "Actuator": {
        "effort": EFFORTS,
        "limit": EFFORTS,
        "speed_limit": SPEEDS,
        "rotor_inertia": "moment of inertia",
        "ratio": DIMENSIONLESS,
    },
    # fields of loads
    "Force": {"force": "force"},
    "Torque": {"torque": "moment"},
    "Spring": {"stiffness": "stiffness", "length": "length", "preload": "force", "damping": "damping"},
    "JointSpring": {"stiffness": STIFFNESSES, "rest": ANGLE_OR_LENGTH, "damping": DAMPINGS},
    "Bushing": {"stiffness": STIFFNESSES, "damping": DAMPINGS},
    "Stop": {
        "low": ANGLE_OR_LENGTH,
        "high": ANGLE_OR_LENGTH,
        "stiffness": STIFFNESSES,
        "damping": DAMPINGS,
        "restitution": DIMENSIONLESS,
        "speed": SPEEDS,
    },
    "Backlash": {
        "play": ANGLE_OR_LENGTH,
        "rest": ANGLE_OR_LENGTH,
        "stiffness": STIFFNESSES,
        "damping": DAMPINGS,
    },
    "Friction": {
        "coefficient": DIMENSIONLESS,
        "radius": "length",
        "length": "length",
        "effort": EFFORTS,
        "viscous": DAMPINGS,
        "speed": SPEEDS,
    },
    "ToothFriction": {"coefficient": DIMENSIONLESS, "speed": "speed"},
    "UnilateralLoad": {"restitution": DIMENSIONLESS, "speed": "speed"},
    "Rope": {"length": "length"},
    "Contact": {"radius": "length", "coefficient": DIMENSIONLESS, "slip": "speed"},
    # fields of the mechanism
    "Mechanism": {"gravity": "acceleration", "guess": ANGLE_OR_LENGTH},
}
"""For each class and field, the possible physical quantities of a number with a unit; subclasses inherit from their
bases.

A field that is not listed may have any quantity. For a mapping with the user's names as keys, the quantity is that of
its values.
"""

PARTS_AT_JOINTS = ("drives", "actuators", "loads")
"""Lists of a mechanism with objects that may act along the coordinate of a joint."""

RATES = {"angle": "angular speed", "length": "speed"}
"""For each physical quantity of a coordinate, the physical quantity of the coordinate's rate."""

UNIT_WORDS = {"angle": ("deg", "degrees"), "angular speed": ("deg/s",)}
"""For each physical quantity, units spelt as words (deg) in place of a special character (°)."""

SIMILAR = 0.65
"""Similarity (0 to 1) above which a known unit is suggested for an unknown one."""

USER_KEYED_FIELDS = ("markers", "corners", "masses", "guess")
"""Fields that are mappings with the user's names as keys."""


def unit_faults(where: str, kind: type, content: Mapping[str, Any], joint: str = "") -> Iterator[Fault]:
    """Faults of numbers whose unit does not fit the quantity of their field.

    `content` contains the fields of the class `kind` as plain data. `joint` is the class name of the joint along whose
    coordinate the described object acts, if it is known.
    """
    for text, held, place in _texts_of_fields((kind,), content, ()):
        allowed = _quantities_at(joint, held)
        if what := _wrong_unit(text, allowed):
            what = f"{'.'.join(map(str, place))}: {short_repr(text)} {what}."
            yield Fault("M91", where, what, _remedy(_needed_speeds(text, allowed) or allowed), place)


def with_units_of_field(fault: Fault, kind: type, content: Mapping[str, Any]) -> Fault:
    """The given fault; if its cause is an unknown unit, with a remedy that names the valid units of the field.

    `content` contains the fields of the class `kind` as plain data.
    """
    unknown = re.search(r"unknown (?:unit|name) `(\w+)`", fault.what)
    if unknown is None or not fault.place:
        return fault
    after_number = re.compile(rf"\d\s*(?:[^\W\d][\w°µ²³⁴^]*\s*[/·*]\s*)*{re.escape(unknown[1])}(?!\w)")
    for text, held, place in _texts_of_fields((kind,), content, ()):
        if place[0] == fault.place[0] and after_number.search(text):
            allowed = _needed_speeds(text, held) or held
            units = [
                unit for quantity in allowed for unit in (*UNITS[quantity], *UNIT_WORDS.get(quantity, ()))
            ]
            close = get_close_matches(unknown[1], units, n=1, cutoff=SIMILAR)
            remedy = f"Did you mean '{close[0]}'?" if close else _remedy(allowed)
            return replace(fault, what=fault.what.partition(" Available: ")[0], remedy=remedy)
    return fault


def joint_unit_faults(
    mechanism: Mapping[str, Any], class_of: Callable[[Any], type | None]
) -> Iterator[Fault]:
    """Faults of units that do not fit the joint at which a drive, an actuator or a load acts.

    `class_of` returns the class for the value of the key "kind" in a file, None if it is unknown.
    """
    joints = _kinds_of_joints(mechanism)
    for part in PARTS_AT_JOINTS:
        for number, entry in enumerate(_entries(mechanism, part)):
            name, described = entry.get("joint", entry.get("of")), class_of(entry.get("kind"))
            kind = joints.get(name) if isinstance(name, str) else None
            where = f"{entry.get('kind')} of '{name}'"
            if not isinstance(kind, str) or described is None or list(unit_faults(where, described, entry)):
                continue
            for fault in unit_faults(where, described, entry, kind):
                yield Fault(fault.code, where, fault.what, fault.remedy, (part, number, *fault.place))


def parameter_unit_faults(
    mechanism: Mapping[str, Any], class_of: Callable[[Any], type | None], parameter: str, text: str
) -> Iterator[Fault]:
    """Faults of the value of a parameter, given as `text`, whose unit does not fit the fields that use the parameter.

    There is one fault for each field. `mechanism` is a description as plain data, with numbers in SI units; `class_of`
    returns the class for the value of the key "kind", None if it is unknown.
    """
    given = dimension_of(text)
    if given is None:
        return
    joints = _kinds_of_joints(mechanism)
    whole = {key: mechanism.get(key) for key in ("kind", "name", "gravity")}
    parts: list[tuple[str, Mapping[str, Any]]] = [("", whole)]
    parts += [
        (part, entry)
        for part in ("bodies", "joints", "pairs", *PARTS_AT_JOINTS)
        for entry in _entries(mechanism, part)
    ]
    for part, entry in parts:
        kind, at = class_of(entry.get("kind")), entry.get("joint", entry.get("of"))
        joint = str(joints.get(at)) if part in PARTS_AT_JOINTS else ""
        for use, held, place in _texts_of_fields((kind,), entry, ()) if kind is not None else ():
            allowed = _quantities_at(joint, held)
            if _dimension_fits(use, parameter, given, allowed):
                continue
            fitting = [one for one in allowed if _dimension_fits(use, parameter, DIMENSIONS[one], allowed)]
            fitting = fitting or [
                one
                for one, of in DIMENSIONS.items()
                if allowed and _dimension_fits(use, parameter, of, allowed)
            ]
            as_what = f"as {' or '.join(fitting)}" if fitting else "without a unit"
            where = f"{entry.get('kind')} '{entry.get('name', at)}' uses it {as_what} ({'.'.join(map(str, place))})"
            what = f"{short_repr(text)} has the dimension of {_quantity_name(given)}, but {where}."
            yield Fault("M91", f"parameter '{parameter}'", what, _remedy(tuple(fitting)))


def quantity_faults(where: str, text: str, allowed: tuple[str, ...]) -> Iterator[Fault]:
    """The fault of a value, given as text, whose unit does not fit the physical quantities `allowed`."""
    if what := _wrong_unit(text, allowed):
        yield Fault("M91", where, f"{short_repr(text)} {what}.", _remedy(allowed))


def _quantities_at(joint: str, quantities: tuple[str, ...]) -> tuple[str, ...]:
    """The possible physical quantities of a field at a joint of the class `joint`.

    `quantities` are the possible quantities at any joint. If there is only one, it is possible at every joint.
    """
    foreign = EXCLUDED_BY_JOINT.get(joint, ()) if len(quantities) > 1 else ()
    return tuple(one for one in quantities if one not in foreign)


def _dimension_fits(use: str, parameter: str, dimension: Dimension, allowed: Sequence[str]) -> bool:
    """Whether the expression `use` has one of the allowed physical quantities, or an unknown one, if its parameter
    `parameter` has the dimension `dimension`."""
    try:
        found = dimension_with(use, parameter, dimension)
    except MixedUnitsError:
        return False
    return found is None or found in [DIMENSIONS[one] for one in allowed]


@cache
def field_quantities(kind: type) -> dict[str, tuple[str, ...]]:
    """The possible physical quantities of the fields of a class and its bases, by name of the field."""
    listed = [QUANTITIES.get(one.__name__, {}) for one in reversed(kind.__mro__)]
    return {name: _quantities(held) for fields in listed for name, held in fields.items()}


def _quantities(held: str) -> tuple[str, ...]:
    return tuple(held.split(" or ")) if held else ()


@cache
def _classes_within(kind: type) -> dict[str, tuple[type, ...]]:
    """For each field of a class, the dataclasses of which the value of the field may be an instance."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: found for name, hint in hints.items() if (found := tuple(classes_in(hint)))}


def _kinds_of_joints(mechanism: Mapping[str, Any]) -> dict[str, Any]:
    """The value of "kind" of every joint in a file, by name of the joint; invalid names are omitted."""
    named = [(one.get("name"), one.get("kind")) for one in _entries(mechanism, "joints")]
    return {name: kind for name, kind in named if isinstance(name, str)}


def _entries(mechanism: Mapping[str, Any], part: str) -> list[Mapping[str, Any]]:
    found = mechanism.get(part)
    return (
        [one if isinstance(one, Mapping) else {} for one in found] if isinstance(found, list | tuple) else []
    )


def _texts_of_fields(
    kinds: tuple[type, ...], content: Mapping[str, Any], place: Place
) -> Iterator[tuple[str, tuple[str, ...], Place]]:
    """All strings in a mapping with the fields of one of the classes `kinds`.

    Each string is yielded with the possible physical quantities of its field, and its path of keys in the data.
    """
    for key, value in content.items():
        name, here = name_text(key), (*place, name_text(key))
        within = next((known[name] for known in map(_classes_within, kinds) if name in known), ())
        held = next((listed[name] for listed in map(field_quantities, kinds) if name in listed), None)
        named = (
            value if name == "corners" else as_mapping(value)
        )  # corners may be a list of points without names
        if name in USER_KEYED_FIELDS and isinstance(named, Mapping):
            for user, one in named.items():
                yield from _texts_of_value(within, one, (*here, name_text(user)), held)
        else:
            yield from _texts_of_value(within, value, here, held)


def _texts_of_value(
    within: tuple[type, ...], value: Any, place: Place, quantities: tuple[str, ...] | None
) -> Iterator[tuple[str, tuple[str, ...], Place]]:
    """All strings in the value of one field, each with the possible quantities and its path of keys in the data.

    `quantities` are the possible physical quantities of the field; if any is possible, they are None and nothing is
    yielded. The value may be a string, a list, or a mapping that describes an object of one of the classes `within`.
    """
    if isinstance(value, Mapping):
        yield from _texts_of_fields(within, value, place)
    elif isinstance(value, list | tuple):
        for k, one in enumerate(value):
            yield from _texts_of_value(within, one, (*place, k), quantities)
    elif isinstance(value, str) and quantities is not None:
        yield value, quantities, place


def _wrong_unit(text: str, allowed: tuple[str, ...]) -> str:
    """Message about the units in a text (a number or expression) if they fit none of the quantities `allowed`,
    otherwise empty."""
    try:
        found = dimension_of(text)
    except MixedUnitsError as error:
        return str(error)
    if found is None or found in [DIMENSIONS[one] for one in allowed]:
        return ""
    if speeds := _needed_speeds(text, allowed):
        length, mass, time = found
        return f"has the dimension of {_quantity_name((length, mass, time - 1))} where {' or '.join(speeds)} is needed"
    return f"has the dimension of {_quantity_name(found)}"


def _needed_speeds(text: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """If the text is a call of `constant_speed`, the physical quantities that its argument may have so that the result
    has one of the quantities `allowed`; otherwise empty."""
    if not re.fullmatch(r"\s*constant_speed\([^()]*\)\s*", text):
        return ()
    return tuple(RATES[one] for one in allowed if one in RATES)


def _quantity_name(dimension: Dimension) -> str:
    """The name of the physical quantity with this dimension; its SI unit if it has no name."""
    named = next((name for name, of in DIMENSIONS.items() if of == dimension), "")
    units = (f"{unit}^{power}" for unit, power in zip(("m", "kg", "s"), dimension, strict=True) if power)
    return named or " ".join(units)


def _remedy(allowed: tuple[str, ...]) -> str:
    if not allowed:
        return "Give a number without a unit."
    named = (f"{one} ({', '.join(UNITS[one])})" for one in allowed)
    return f"Give a value of {' or '.join(named)}."
