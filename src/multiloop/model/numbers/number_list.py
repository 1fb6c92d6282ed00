"""The list of all numbers of a description, each with its path, value, unit and place.

A path consists of the user's name of a part, the names of fields, and the names of components: `coupler.com.x`. The
origin of a marker needs no field name, `ground.D.x`. Numbers that are computed from others (the mass of a beam), the
guess, and tables of modes and meshes are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from multiloop.model.beams.beam_line import line_markers
from multiloop.model.beams.sections import Section, rectangle, tube
from multiloop.model.bodies import GROUND, MASS_FIELDS, Body
from multiloop.model.expressions import (
    Constant,
    Expression,
    depends_on_state,
    depends_on_time,
    parameters_of,
    time,
)
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.expression_text import shortened_text
from multiloop.model.expressions.nodes import Binary
from multiloop.model.expressions.units import UNITS
from multiloop.model.markers import Marker, value_of
from multiloop.model.numbers.number_table import DescribedNumber, NumberTable, Place
from multiloop.model.serialise.field_quantities import (
    EXCLUDED_BY_JOINT,
    RATES,
    field_quantities,
)
from multiloop.model.serialise.plain_data import LISTS

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

XYZ = ("x", "y", "z")
"""Names of the components of points and directions."""

VECTOR_FIELDS = ("gravity", "com", "point", "z", "x", "force", "torque", "centre", "pivot")
"""Fields with the components x, y, z; missing components are zero and are listed too."""

PLANE_VECTORS = ("centre", "pivot")
"""Vectors of two components in planar and in spatial mechanisms."""

COMPONENT_NAMES: dict[tuple[str, str], tuple[str, ...]] = {
    ("Toothed", "teeth"): ("first", "second"),
    ("Toothed", "radii"): ("first", "second"),
    ("Gear", "E"): ("first", "second"),
    ("Gear", "nu"): ("first", "second"),
    ("Cam", "E"): ("first", "second"),
    ("Cam", "nu"): ("first", "second"),
    ("Belt", "radii"): ("first", "second"),
    ("Chain", "teeth"): ("first", "second"),
    ("Actuator", "limit"): ("least", "largest"),
    ("Friction", "coefficient"): ("static", "sliding"),
    ("Strut", "length"): ("shortest", "longest"),
    ("Strut", "mass"): ("barrel", "rod"),
    ("Section", "hole"): ("y", "z"),
}
"""For each class and field with several numbers, the names of the numbers in paths; in other fields their names are 1,
2, …"""

BUSHING_COMPONENTS = {3: ("x", "y", "angle"), 6: (*XYZ, "rx", "ry", "rz")}
"""Names of the numbers in the fields of a bushing that has one number for each component, by their count."""

COMPONENT_JOINTS = dict.fromkeys((*XYZ, "slide"), "Prismatic") | dict.fromkeys(
    ("angle", "rx", "ry", "rz", "first", "second"), "Revolute"
)
"""For the name of a component or coordinate, the class of joint with the same physical quantities."""

LEFT_OUT: dict[str, tuple[str, ...]] = {
    "Mechanism": ("guess",),
    "ModalBody": ("shapes", "momentum", "moments", "products", "stiffness", "damping"),
    "Solid": ("mesh",),
}
"""For each class, the fields that are not listed: values that only guide a search, and tables of modes and meshes."""

ABSENT_AT_ZERO: dict[str, tuple[str, ...]] = {
    "Cam": ("base", "roller", "offset", "arm"),
    "Stop": ("stiffness", "damping"),
    "Spring": ("stiffness",),
}
"""For each class, the fields whose value 0 means that the part lacks the property that the field describes."""

ABSENT = "the value 0 means that the part does not have this property"
PLAIN_POINTS = "the points of a centreline must be plain numbers"
COUNT = "it is a count"
FIXED_CHOICE = "its field must contain a plain number"
FIXED_REASONS = (ABSENT, PLAIN_POINTS, COUNT, FIXED_CHOICE)
"""Reasons why a number cannot become a parameter, other than that an expression describes the number."""


@dataclass(frozen=True)
class _Walk:
    """Position of a value in the description, while all numbers are listed.

    `words` are the parts of the value's path, and `place` are the fields and indices that lead to the value.
    `quantities` are the physical quantities that the field can have, None if any is possible; `joint` is the class of
    joint at which the part acts. `refusal` is the reason why a number in this position cannot become a parameter, empty
    if it can.
    """

    planar: bool
    words: tuple[str, ...] = ()
    place: Place = ()
    quantities: tuple[str, ...] | None = None
    joint: str = ""
    refusal: str = ""

    def to(self, word: str | None, *steps: str | int, **known: Any) -> _Walk:
        """The position of a component of this value; `word` is its name in the path, None if the path contains none.

        `steps` lead from the place of the value to that of the component; `known` replaces further fields.
        """
        words = self.words if word is None else (*self.words, word)
        own = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return _Walk(**{**own, "words": words, "place": (*self.place, *steps), **known})

    def number(self, value: Any, *more: Place) -> DescribedNumber:
        """The `DescribedNumber` for a value in this position; `more` are further places with the same number."""
        listed = [] if self.quantities is None else _quantities_of(self.quantities, self.joint)
        unit = " or ".join(dict.fromkeys(map(_si_unit, listed)))
        known = value_of(value)
        text = shortened_text(value).strip("`") if isinstance(value, Expression) else ""
        return DescribedNumber(
            path=".".join(self.words),
            value=known,
            unit=unit,
            expression=text,
            refusal=_refusal_of(value) or self.refusal,
            quantities=None if self.quantities is None else tuple(listed),
            places=(self.place, *more),
        )


def list_numbers(mechanism: Mechanism) -> NumberTable:
    """All numbers of a description by path; see `Mechanism.numbers`.

    If several numbers would have the same path, only the first, in the order of the lists of a mechanism, has this
    path; the paths of the others begin with the name of their list: `drives.platform.c.x`.
    """
    walk = _Walk(planar=mechanism.planar)
    joints = {joint.name: type(joint).__name__ for joint in mechanism.binary_joints}
    found: dict[str, DescribedNumber] = {}
    parts = [("", one) for one in _field_numbers(walk, mechanism, ("gravity",))]
    for part in LISTS:
        for k, thing in enumerate(getattr(mechanism, part)):
            at = getattr(thing, "joint", getattr(thing, "of", None))
            component = getattr(thing, "component", "")
            joint = joints.get(at, "") if isinstance(at, str) else ""
            joint = COMPONENT_JOINTS.get(component, joint)
            name = getattr(thing, "name", at)
            own = walk.to(str(name), part, k, joint=joint)
            own = own.to(component) if component and part == "actuators" else own
            parts += [(part, one) for one in _object_numbers(own, thing)]
    for part, one in parts:
        path = one.path if one.path not in found else f"{part}.{one.path}"
        again = (f"{path}.{k}" for k in range(2, len(parts) + 2))
        path = path if path not in found else next(new for new in again if new not in found)
        found[path] = DescribedNumber(**{**vars(one), "path": path})
    return NumberTable(mechanism.name, found)


def _object_numbers(walk: _Walk, thing: Any) -> Iterator[DescribedNumber]:
    """The numbers of a dataclass, field by field."""
    if isinstance(thing, Section) and (form := section_form(thing)):
        kind, sizes = form
        for name, value in sizes.items():
            yield walk.to(name, kind, name, quantities=("length",)).number(value)
        return
    yield from _field_numbers(walk, thing, tuple(_listed_fields(thing)))


def _listed_fields(thing: Any) -> Iterator[str]:
    """Names of the fields of a description that may contain numbers, without those that are computed from others."""
    derived = set(getattr(thing, "derived_fields", ()))
    left_out = {name for one in type(thing).__mro__ for name in LEFT_OUT.get(one.__name__, ())}
    left_out |= set(MASS_FIELDS) if isinstance(thing, Body) and thing.name == GROUND else set()
    for entry in fields(thing):
        if entry.init and entry.name not in derived | left_out:
            yield entry.name


def _field_numbers(walk: _Walk, thing: Any, names: tuple[str, ...]) -> Iterator[DescribedNumber]:
    kind: type = type(thing)
    known, hints = field_quantities(kind), _hints(kind)
    for name in names:
        value = getattr(thing, name)
        if value is None or isinstance(value, bool | str):
            continue
        absent = value == 0.0 and any(
            name in ABSENT_AT_ZERO.get(one.__name__, ()) for one in type(thing).__mro__
        )
        own = walk.to(
            None if isinstance(thing, Marker) and name == "point" else name,
            name,
            quantities=known.get(name),
            joint=COMPONENT_JOINTS.get(name, walk.joint) if name in known else walk.joint,
            refusal=walk.refusal or (ABSENT if absent else _refusal_of_hint(hints.get(name))),
        )
        if name == "markers":
            yield from _marker_numbers(own.to(None), walk, thing)
        elif name == "inertia":
            yield from _inertia_numbers(own, value)
        elif name == "through":
            for k, point in enumerate(value):
                at = walk.to(name, name).to(str(k + 1), k, quantities=("length",), refusal=PLAIN_POINTS)
                yield from _vector_numbers(at, point, len(point))
        elif name in VECTOR_FIELDS and isinstance(value, tuple):
            yield from _vector_numbers(own, value, 2 if walk.planar or name in PLANE_VECTORS else 3)
        else:
            yield from _value_numbers(own, value, _component_names(thing, name, value))


def _marker_numbers(own: _Walk, body: _Walk, thing: Any) -> Iterator[DescribedNumber]:
    """The numbers of the markers of the body `thing`, without the markers at the ends and corners of a beam.

    `own` is the position of the field `markers`, and `body` that of the body.
    """
    implied = implied_markers(thing)
    for k, (name, marker) in enumerate(thing.markers):
        if implied.get(name) == marker:
            continue
        at = body.to(name, *own.place[len(body.place) :], k, 1)
        yield from _field_numbers(at, marker, ("point", "angle") if body.planar else ("point", "z", "x"))


def implied_markers(body: Any) -> dict[str, Marker]:
    """The markers of a beam that follow from its length or its centreline; empty for other bodies."""
    if not hasattr(body, "through"):
        return {}
    return {name: Marker(point) for name, point in line_markers(body.through, body.length).items()}


def _inertia_numbers(walk: _Walk, value: Any) -> Iterator[DescribedNumber]:
    """The numbers of an inertia: the moment about z in a planar mechanism, else the principal moments or the tensor.

    A product of inertia is one number in two places of the tensor.
    """
    rows = isinstance(value, tuple) and len(value) == 3 and all(isinstance(row, tuple) for row in value)
    if walk.planar:
        place = () if not isinstance(value, tuple) else (2, 2) if rows else (len(value) - 1,)
        inner = value[2][2] if rows else value[-1] if isinstance(value, tuple) else value
        yield walk.to(None, *place).number(inner)
    elif rows:
        for i in range(3):
            for j in range(i, 3):
                mirrored = () if i == j else ((*walk.place, j, i),)
                yield walk.to(f"{XYZ[i]}{XYZ[j]}", i, j).number(value[i][j], *mirrored)
    elif isinstance(value, tuple):
        for k, moment in enumerate(value):
            yield walk.to(f"{XYZ[k]}{XYZ[k]}", k).number(moment)
    elif value == 0.0:
        for k in range(3):
            yield walk.to(f"{XYZ[k]}{XYZ[k]}", k).number(0.0)
    else:
        yield walk.number(value)


def _vector_numbers(walk: _Walk, value: tuple[Any, ...], size: int) -> Iterator[DescribedNumber]:
    """The numbers for the components of a vector; components that are missing, up to `size`, are zero."""
    for k in range(max(size, len(value))):
        yield walk.to(XYZ[k], k).number(value[k] if k < len(value) else 0.0)


def _value_numbers(walk: _Walk, value: Any, names: tuple[str, ...]) -> Iterator[DescribedNumber]:
    """The numbers in any other value: a number, an expression, an object, a tuple, or pairs of name and value."""
    if is_number(value) and not isinstance(value, bool):
        yield walk.number(value)
    elif isinstance(value, Expression):
        if laws := constant_speed_of(value):
            rates = None if walk.quantities is None else tuple(RATES.get(q, q) for q in walk.quantities)
            for name, part in laws.items():
                own = walk.to(name, "constant_speed", name)
                yield (own if name == "start" else own.to(None, quantities=rates)).number(part)
        else:
            yield walk.number(value)
    elif is_dataclass(value):
        yield from _object_numbers(walk.to(None, quantities=None), value)
    elif isinstance(value, tuple):
        for k, part in enumerate(value):
            if isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], str):
                if not isinstance(part[1], str):
                    yield from _value_numbers(walk.to(part[0], k, 1), part[1], ())
            elif not isinstance(part, str):
                word = names[k] if k < len(names) else str(k + 1)
                own = walk.to(word, k, joint=COMPONENT_JOINTS.get(word, walk.joint))
                yield from _value_numbers(own, part, ())


def _component_names(thing: Any, name: str, value: Any) -> tuple[str, ...]:
    if type(thing).__name__ == "Bushing" and isinstance(value, tuple):
        return BUSHING_COMPONENTS.get(len(value), ())
    known = (COMPONENT_NAMES.get((one.__name__, name)) for one in type(thing).__mro__)
    return next((names for names in known if names), ())


def section_form(section: Section) -> tuple[str, dict[str, Any]] | None:
    """The name of the function that creates a section and its arguments; None for a section given by its properties."""
    width, height = 2 * section.z, 2 * section.y
    if isinstance(width, Expression) or isinstance(height, Expression) or not (width > 0 and height > 0):
        return None
    if section == rectangle(width, height):
        return "rectangle", {"width": width, "height": height}
    inner = section.hole[0]
    if not isinstance(inner, Expression) and section == tube(height, 2 * inner):
        return "tube", {"outer": height, "inner": 2 * inner}
    return None


def constant_speed_of(law: Expression) -> dict[str, Any] | None:
    """The values `start` and `speed` of a motion law start + speed · t, by name; None for any other expression."""
    start: Expression = Constant(0.0)
    if isinstance(law, Binary) and law.operator == "+":
        start, law = law.operands
    if not isinstance(law, Binary) or law.operator != "*" or law.operands[1] != time:
        return None
    speed = law.operands[0]
    if any(depends_on_time(part) or depends_on_state(part) for part in (start, speed)):
        return None
    return {"speed": _plain(speed), "start": _plain(start)}


def _plain(part: Expression) -> Any:
    return part.value if isinstance(part, Constant) else part


def _refusal_of(value: Any) -> str:
    """The reason why a value cannot become a parameter; empty for a number or an expression without variables."""
    if not isinstance(value, Expression):
        return ""
    if depends_on_time(value) or depends_on_state(value):
        return "varies with time or state"
    names = sorted({one.name for one in parameters_of(value)})
    listed = ", ".join(f"'{name}'" for name in names)
    return f"depends on parameter{'s' * (len(names) > 1)} {listed}" if names else ""


def _refusal_of_hint(hint: Any) -> str:
    """The reason why a field with the type annotation `hint` cannot contain a parameter; empty if it can."""
    types = _types_in(hint)
    if Expression in types or any(is_dataclass(one) for one in types):
        return ""
    return COUNT if int in types and float not in types else FIXED_CHOICE


@cache
def _types_in(hint: Any) -> frozenset[Any]:
    """All types in a type annotation, including nested ones."""
    inner = frozenset().union(*(_types_in(part) for part in get_args(hint) if _is_hashable(part)))
    return inner | {hint} if isinstance(hint, type) else inner


def _is_hashable(part: Any) -> bool:
    try:
        hash(part)
    except TypeError:
        return False
    return True


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _quantities_of(quantities: tuple[str, ...], joint: str) -> list[str]:
    """Those of the given physical quantities that a field can have at a joint of the class `joint`."""
    excluded = EXCLUDED_BY_JOINT.get(joint, ()) if len(quantities) > 1 else ()
    return [one for one in quantities if one not in excluded] or list(quantities)


def _si_unit(quantity: str) -> str:
    return next(unit for unit, factor in UNITS[quantity].items() if factor == 1.0)
