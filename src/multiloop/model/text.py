"""Conversion of descriptions to plain data and canonical text, and back: `from_data(to_data(x)) == x`.

Every described object becomes a mapping with its `kind`. Fields that have their default value and fields that follow
from others are omitted; numbers stay numbers and expressions become text. Equal objects have equal text.
"""

from __future__ import annotations

import hashlib
import json
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from multiloop.model.beam import Beam
from multiloop.model.bodies import Body
from multiloop.model.brief import brief
from multiloop.model.connection import Connection
from multiloop.model.derived_numbers import derived_faults, unread_fields
from multiloop.model.drives import Actuator, Motion
from multiloop.model.expressions import parse
from multiloop.model.faults import MOST_FAULTS, Fault, ModelError, first_faults
from multiloop.model.faults_beside import faults_beside
from multiloop.model.field_quantities import joint_unit_faults, parameter_unit_faults, unit_faults
from multiloop.model.integrals import Integral
from multiloop.model.joints import COMPOSITES, JOINTS
from multiloop.model.json_text import json_data
from multiloop.model.loads import LOADS
from multiloop.model.makers import ALIASES, MAKERS, argument_class, made_body
from multiloop.model.markers import Marker, Vector, value_of
from multiloop.model.modal import ModalBody
from multiloop.model.other_names import meant_kind
from multiloop.model.pairs import PAIRS, Coupling
from multiloop.model.solid import Solid
from multiloop.model.validation import (
    missing_field,
    unknown_fields,
    unsaid_fields,
    validation_faults,
    without_misspelt,
)

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

Kind = TypeVar("Kind")
PART = "Give a Mechanism or a part of one."
DESCRIBED = (Body, ModalBody, Beam, Solid, Marker, *JOINTS, *COMPOSITES, *PAIRS, Motion, Actuator, Integral)
PARTS: ChainMap[str, type] = ChainMap({kind.__name__: kind for kind in DESCRIBED}, LOADS)
"""The classes of all parts by name; loads that are registered later are included."""
LISTS = ("bodies", "joints", "pairs", "drives", "actuators", "integrals", "loads")


def register(kind: type[Kind]) -> type[Kind]:
    """Register a user-defined joint, pair or coupling, so that mechanisms, texts and files may contain it by name.

    `kind` is a frozen dataclass; `register` may be used as a decorator.
    """
    known = PARTS.setdefault(kind.__name__, kind)
    if (known.__module__, known.__qualname__) != (kind.__module__, kind.__qualname__):
        what = f"stands for {known.__module__}.{known.__qualname__} already."
        raise _refused([Fault("M01", f"kind '{kind.__name__}'", what, "Give the class a name of its own.")])
    PARTS[kind.__name__] = kind
    _adapter.cache_clear()
    return kind


def to_data(thing: Any) -> dict[str, Any]:
    """A described object as plain data: numbers, strings, lists and mappings."""
    kind = type(thing).__name__
    if kind in PARTS:
        left = set(thing.derived) if isinstance(thing, Body) else set()
        return {
            "kind": kind,
            **_adapter(kind).dump_python(thing, mode="json", exclude_defaults=True, exclude=left),
        }
    if kind != "Mechanism":
        own = isinstance(thing, Connection | Coupling)
        remedy = f"Register its class: `multiloop.register({kind})`." if own else PART
        raise _refused([Fault("M90", f"{brief(thing)}", "is not a described thing.", remedy)])
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
    """The described object from plain data; a ModelError reports all faults with their places."""
    return _read(data)


def _read(data: Mapping[str, Any], *, complete: bool = False) -> Any:
    """The described object; with `complete` fields that have a default in Python are never reported as missing."""
    if not isinstance(data, Mapping):
        raise _refused(
            [Fault("M90", f"{brief(data)}", "is no description.", 'Give a mapping with its "kind".')]
        )
    content = dict(data)
    kind = content.pop("kind", None)
    if kind == "Mechanism":
        return _mechanism(content)
    kind = ALIASES.get(kind, kind) if isinstance(kind, str) else kind
    if not isinstance(kind, str) or (kind not in PARTS and kind not in MAKERS):
        remedy = meant_kind(str(kind), [*PARTS, *MAKERS, *ALIASES, "Mechanism"])
        raise _refused([Fault("M90", f"kind {brief(kind)}", "is not a described thing.", remedy, ("kind",))])
    return _validated(kind, content, complete)


def _mechanism(content: dict[str, Any]) -> Mechanism:
    """A mechanism from plain data; the faults of all its parts are reported together."""
    from multiloop.model.mechanism import Mechanism

    names, given = [entry.name for entry in fields(Mechanism)], dict(content)
    faults = without_misspelt(
        unknown_fields("a Mechanism", Mechanism, [(name,) for name in content if name not in names]),
        [missing_field("a Mechanism", ("name",))] if "name" not in content else [],
    )
    for part in LISTS:
        if isinstance(content.get(part), list | tuple):
            content[part] = _parts(part, content[part], faults)
    faults += unit_faults(
        "a Mechanism", Mechanism, {key: given[key] for key in ("gravity", "guess") if key in given}
    )
    faults += joint_unit_faults(given, _class_of)
    content["guess"] = _numbers_of_guess(content.get("guess", ()))
    if "gravity" in content:
        try:
            content["gravity"] = TypeAdapter(Vector).validate_python(content["gravity"])
        except ValidationError as error:
            faults += validation_faults("a Mechanism", Mechanism, content, error, "gravity")
    if faults:
        sound = {name: value for name, value in content.items() if name in names}
        raise _refused(
            first_faults(
                [*faults, *faults_beside(sound, given, faults, partial(_read, complete=True), Mechanism)]
            )
        )
    return Mechanism(**content)


def _parts(part: str, entries: Sequence[Any], faults: list[Fault]) -> list[Any]:
    """The described parts; their faults are added to `faults`."""
    found = []
    for number, entry in enumerate(entries):
        if len(faults) >= MOST_FAULTS:
            break
        try:
            found.append(from_data(entry))
        except ModelError as error:
            faults += [replace(fault, place=(part, number, *fault.place)) for fault in error.faults]
    return found


def _numbers_of_guess(guess: Any) -> Any:
    """The guess with texts such as `20 deg` converted to numbers; invalid texts are left for the checks to report."""
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
    """The canonical text: JSON without spaces, with fields and markers in the order of the description."""
    return json.dumps(to_data(thing), ensure_ascii=False, separators=(",", ":"))


def from_text(text: str) -> Any:
    """The described object from its canonical text."""
    if not isinstance(text, str):
        raise _refused([Fault("M90", brief(text), "is no text.", "Give the text that `to_text` writes.")])
    try:
        data = json_data(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _refused(
            [Fault("M90", where, f"{error.msg}.", "Give the text that `to_text` writes.")]
        ) from None
    return from_data(data)


def fingerprint_of(thing: Mechanism) -> str:
    """The SHA-256 digest of the canonical text."""
    return hashlib.sha256(to_text(thing).encode()).hexdigest()


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    for part in PARTS.values():  # pydantic reads this attribute; unknown fields are then errors
        part.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
    return TypeAdapter(described_class(kind))


def described_class(kind: str) -> type:
    """The class with the fields that a file has for this kind."""
    kind = ALIASES.get(kind, kind)
    return PARTS[kind] if kind in PARTS else argument_class(kind)


def _class_of(kind: Any) -> type | None:
    """The class with the fields of a kind, or None if the kind is unknown."""
    known = isinstance(kind, str) and any(kind in kinds for kinds in (PARTS, MAKERS, ALIASES))
    return described_class(kind) if known else None


def value_unit_faults(mechanism: Mechanism, values: Mapping[str, str]) -> list[Fault]:
    """Faults of parameter values, as written, whose units do not fit the quantities of the parameters."""
    data, whole = to_data(mechanism), type(mechanism)

    def class_of(kind: Any) -> type | None:
        return whole if kind == "Mechanism" else _class_of(kind)

    return [
        fault for name, text in values.items() for fault in parameter_unit_faults(data, class_of, name, text)
    ]


def _validated(kind: str, content: dict[str, Any], complete: bool) -> Any:
    described = described_class(kind)
    unread = unread_fields(described)
    name = content.get("name", content.get("of", content.get("joint")))
    where = f"{kind} '{name}'" if isinstance(name, str) else f"a {kind}"
    wrong_units = list(unit_faults(where, described, content))
    try:
        found = _adapter(kind).validate_python({k: v for k, v in content.items() if k not in unread})
    except ValidationError as error:
        faults = validation_faults(where, described, content, error, complete=complete)
        raise _refused([*wrong_units, *faults]) from None
    faults = [] if complete else unsaid_fields(where, described, content)
    faults = wrong_units or faults or list(derived_faults(found, content))
    if faults:
        raise _refused(faults)
    return _made(where, found) if kind in MAKERS else found


def _made(where: str, arguments: Any) -> Any:
    """The body that a function makes from these arguments; faults are reported with the name of the body."""
    try:
        return made_body(arguments)
    except ModelError as error:
        raise _refused([replace(f, where=where, what=f"{f.where} {f.what}") for f in error.faults]) from None


def _refused(faults: Iterable[Fault]) -> ModelError:
    return ModelError("the text", faults)
