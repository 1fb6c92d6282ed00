"""Conversion of descriptions to plain data and canonical text, and back: `from_data(to_data(x)) == x`.

Every object becomes a mapping with the name of its class as `kind`. Fields that have their default value and fields
that follow from others (such as the mass of a beam) are omitted; numbers stay numbers and expressions become text. If
a file contains a field that follows from others, its value must agree with the computed value.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from multiloop.model.bodies import MASS_FIELDS, Body
from multiloop.model.connection import Connection
from multiloop.model.expressions import parse
from multiloop.model.faults import MAX_FAULTS, Fault, ModelError, coordinate_text, first_faults, short_repr
from multiloop.model.loads import Load
from multiloop.model.markers import Vector, value_of
from multiloop.model.pairs import Coupling
from multiloop.model.serialise.bounded_input import parse_json
from multiloop.model.serialise.field_quantities import (
    joint_unit_faults,
    parameter_unit_faults,
    unit_faults,
    with_units_of_field,
)
from multiloop.model.serialise.kinds import (
    ALIASES,
    BODY_FUNCTIONS,
    PARTS,
    class_of_kind,
    described_class,
    description_error,
    make_body,
    type_adapter,
)
from multiloop.model.serialise.validation import (
    drop_misspelt,
    missing_field_fault,
    remaining_faults,
    required_field_faults,
    unknown_field_faults,
    validation_faults,
)
from multiloop.model.synonyms import suggest_kind

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

DESCRIPTION_REMEDY = (
    'Give a mapping of fields to values with the key "kind", e.g. {"kind": "Body", "name": "crank"}.'
)
PART_REMEDY = "Give a Mechanism or one of its parts."


LISTS = ("bodies", "joints", "pairs", "drives", "actuators", "integrals", "loads")


def to_data(thing: Any) -> dict[str, Any]:
    """Convert a mechanism, or a part of a mechanism, to plain data: numbers, strings, lists and mappings."""
    kind = type(thing).__name__
    if kind in PARTS:
        left = set(thing.derived_fields) if isinstance(thing, Body) else set()
        return {
            "kind": kind,
            **type_adapter(kind).dump_python(thing, mode="json", exclude_defaults=True, exclude=left),
        }
    if kind != "Mechanism":
        own = isinstance(thing, Connection | Coupling | Body | Load)
        further = ", action=…" if isinstance(thing, Load) else ""
        remedy = f"Register its class: `multiloop.register({kind}{further})`." if own else PART_REMEDY
        raise description_error(
            [Fault("M90", f"{short_repr(thing)}", "is not a mechanism or a part of one.", remedy)]
        )
    data: dict[str, Any] = {"kind": kind}
    for entry in fields(thing):
        value = getattr(thing, entry.name)
        if entry.name in LISTS:
            value = [to_data(part) for part in value]
        elif entry.name == "guess":
            value = {name: list(numbers) for name, numbers in value}
        elif entry.name == "gravity":
            value = [str(g) if not isinstance(g, float) else g for g in value]
        if value not in ([], {}) and (entry.default is MISSING or value != entry.default):
            data[entry.name] = value
    return data


def from_data(data: Mapping[str, Any]) -> Any:
    """Create the mechanism, or the part of a mechanism, that plain data describe.

    A ModelError reports all faults with their places in the data.
    """
    return _read_description(data)


def _read_description(data: Mapping[str, Any], *, complete: bool = False) -> Any:
    """Create the mechanism, or the part of a mechanism, that plain data describe.

    With `complete`, fields that a file must contain may be missing if they have a default in Python.
    """
    if not isinstance(data, Mapping):
        raise description_error(
            [Fault("M90", short_repr(data), "is not a mapping that describes an object.", DESCRIPTION_REMEDY)]
        )
    content = dict(data)
    kind = content.pop("kind", None)
    if kind == "Mechanism":
        return _read_mechanism(content)
    kind = ALIASES.get(kind, kind) if isinstance(kind, str) else kind
    if not isinstance(kind, str) or (kind not in PARTS and kind not in BODY_FUNCTIONS):
        remedy = suggest_kind(str(kind), [*PARTS, *BODY_FUNCTIONS, *ALIASES, "Mechanism"])
        raise description_error([Fault("M90", f"kind {short_repr(kind)}", "is unknown.", remedy, ("kind",))])
    return _read_part(kind, content, complete)


def _read_mechanism(content: dict[str, Any]) -> Mechanism:
    """Create a mechanism from plain data; the faults of all its objects are reported together."""
    from multiloop.model.mechanism import Mechanism

    names, given = [entry.name for entry in fields(Mechanism)], dict(content)
    faults = drop_misspelt(
        unknown_field_faults("a Mechanism", Mechanism, [(name,) for name in content if name not in names]),
        [missing_field_fault("a Mechanism", ("name",))] if "name" not in content else [],
    )
    for part in LISTS:
        if isinstance(content.get(part), list | tuple):
            content[part] = _read_parts(part, content[part], faults)
    faults += unit_faults(
        "a Mechanism", Mechanism, {key: given[key] for key in ("gravity", "guess") if key in given}
    )
    faults += joint_unit_faults(given, class_of_kind)
    content["guess"] = _numbers_of_guess(content.get("guess", ()))
    if "gravity" in content:
        try:
            content["gravity"] = TypeAdapter(Vector).validate_python(content["gravity"])
        except ValidationError as error:
            found = validation_faults("a Mechanism", Mechanism, content, error, "gravity")
            faults += [with_units_of_field(fault, Mechanism, given) for fault in found]
    if faults:
        sound = {name: value for name, value in content.items() if name in names}
        raise description_error(
            first_faults(
                [
                    *faults,
                    *remaining_faults(
                        sound, given, faults, partial(_read_description, complete=True), Mechanism
                    ),
                ]
            )
        )
    return Mechanism(**content)


def _read_parts(part: str, entries: Sequence[Any], faults: list[Fault]) -> list[Any]:
    """Create the objects in one list of a mechanism; `part` is the name of the list, such as "joints".

    The faults of the entries are added to `faults`.
    """
    found = []
    for number, entry in enumerate(entries):
        if len(faults) >= MAX_FAULTS:
            break
        try:
            found.append(from_data(entry))
        except ModelError as error:
            faults += [replace(fault, place=(part, number, *fault.place)) for fault in error.faults]
    return found


def _numbers_of_guess(guess: Any) -> Any:
    """The initial guess with text such as `20 deg` converted to numbers; invalid text, which the checks report, is
    unchanged."""
    if isinstance(guess, Mapping):
        return {name: _numbers_of_guess(value) for name, value in guess.items()}
    if isinstance(guess, list):
        return [_numbers_of_guess(value) for value in guess]
    try:
        number = value_of(parse(guess)) if isinstance(guess, str) else None
    except ValueError:
        number = None
    return guess if number is None else number


def to_text(thing: Any) -> str:
    """The canonical text of a mechanism, or of a part of a mechanism: JSON without spaces, in the order of the
    description."""
    return json.dumps(to_data(thing), ensure_ascii=False, separators=(",", ":"))


def from_text(text: str) -> Any:
    """Create a mechanism, or a part of a mechanism, from its canonical text."""
    if not isinstance(text, str):
        raise description_error(
            [Fault("M90", short_repr(text), "is not text.", "Give the text that `to_text` writes.")]
        )
    try:
        data = parse_json(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise description_error(
            [Fault("M90", where, f"{error.msg}.", "Give the text that `to_text` writes.")]
        ) from None
    return from_data(data)


def fingerprint_of(thing: Mechanism) -> str:
    """The SHA-256 hash of the canonical text of a mechanism, as hexadecimal digits."""
    return hashlib.sha256(to_text(thing).encode()).hexdigest()


def value_unit_faults(mechanism: Mechanism, values: Mapping[str, str]) -> list[Fault]:
    """Faults of parameter values, given as text, whose units do not fit the physical quantities of the parameters."""
    data, whole = to_data(mechanism), type(mechanism)

    def class_of(kind: Any) -> type | None:
        return whole if kind == "Mechanism" else class_of_kind(kind)

    return [
        fault for name, text in values.items() for fault in parameter_unit_faults(data, class_of, name, text)
    ]


def _read_part(kind: str, content: dict[str, Any], complete: bool) -> Any:
    described = described_class(kind)
    unread = fields_not_read(described)
    name = content.get("name", content.get("of", content.get("joint")))
    where = f"{kind} '{name}'" if isinstance(name, str) else f"a {kind}"
    wrong_units = list(unit_faults(where, described, content))
    try:
        found = type_adapter(kind).validate_python({k: v for k, v in content.items() if k not in unread})
    except ValidationError as error:
        found_faults = validation_faults(where, described, content, error, complete=complete)
        faults = [with_units_of_field(fault, described, content) for fault in found_faults]
        raise description_error([*wrong_units, *faults]) from None
    faults = [] if complete else required_field_faults(where, described, content)
    faults = wrong_units or faults or list(derived_faults(found, content))
    if faults:
        raise description_error(faults)
    return _make_described_body(where, found) if kind in BODY_FUNCTIONS else found


def _make_described_body(where: str, arguments: Any) -> Any:
    """The body that a function such as `rod` creates from arguments in a file; its faults are reported under the name
    `where`."""
    try:
        return make_body(arguments)
    except ModelError as error:
        raise description_error(
            [replace(f, where=where, what=f"{f.where} {f.what}") for f in error.faults]
        ) from None


AGREEMENT = 1e-6
"""Relative difference up to which a number in a file agrees with the value computed from other fields."""

DEPENDENT_FIELDS = ("inertia_at",)
"""Computed fields that are not compared with the values in a file, since they only specify another field: `inertia_at`
is the reference point of `inertia`."""

FIELD_UNITS = {"mass": " kg", "length": " m"}


def fields_not_read(kind: type) -> set[str]:
    """Names of the fields of a class that are computed from others and not read from files."""
    return {entry.name for entry in fields(kind) if not entry.init}


def derived_faults(body: Any, given: Mapping[str, Any]) -> Iterator[Fault]:
    """The fault of the first field whose value in a file, `given`, disagrees with the value computed from other
    fields."""
    known = body.derived_fields if isinstance(body, Body) else ()
    if not value_of(getattr(body, "mass", 0.0)):
        return  # the mass could not be computed, for a reason that the checks report
    held = [name for name in known if name in given and name not in DEPENDENT_FIELDS]
    for name in held:
        follows, said = getattr(body, name), _read_field(name, given[name])
        if not _agree(said, follows):
            unit, (code, source) = FIELD_UNITS.get(name, ""), body.derived_from
            what = (
                f"its {name} is {_number_text(said)}{unit}, but {source} give {_number_text(follows)}{unit}."
            )
            others = [one for one in known if one in given]
            listed, follow = (
                ", ".join(f"`{one}`" for one in others),
                "it follows" if len(others) == 1 else "they follow",
            )
            remedy = f"Remove {listed}: {follow} from these."
            yield Fault(code, f"body '{body.name}'", what, remedy, (name,))
            return


def _read_field(name: str, value: Any) -> Any:
    """The value of a field in a file, converted to the type of this field in a Body."""
    if name not in MASS_FIELDS:
        return value
    try:
        return getattr(TypeAdapter(Body).validate_python({"name": "", name: value}), name)
    except ValidationError:
        return value


def _agree(one: Any, other: Any) -> bool:
    """Whether two numbers, vectors or tensors agree within AGREEMENT; missing trailing components are zero."""
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    some, others = list(_numbers(one)), list(_numbers(other))
    largest = max((abs(number) for number in others if number is not None), default=0.0)
    return all(
        a is not None and b is not None and abs(a - b) <= AGREEMENT * largest
        for a, b in zip_longest(some, others, fillvalue=0.0)
    )


def _numbers(value: Any) -> Iterator[float | None]:
    """The values of all components of a scalar, a vector or a tensor; None for an invalid component."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from _numbers(part)
    else:
        yield value_of(value)


def _number_text(value: Any) -> str:
    numbers = list(_numbers(value))
    known = [number for number in numbers if number is not None]
    return coordinate_text(known, 5) if known and len(known) == len(numbers) else short_repr(value)
