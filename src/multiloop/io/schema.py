"""JSON Schema of mechanism files, with which text editors complete and check such files while they are written.

The schema is generated from the classes of the parts of a mechanism. If a field can be read from shorter forms than the
type of the class, the schema follows from the type that the reader of the field states (`json_schema_input_type`). The
schema describes only the form; `load` checks whether names exist and numbers are valid.
"""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from multiloop.model import Actuator, Body, Integral, Mechanism, Motion
from multiloop.model.joints import Composite, Joint
from multiloop.model.loads import Load
from multiloop.model.pairs import Coupling, Pair
from multiloop.model.serialise.kinds import ALIASES, BODY_FUNCTIONS, PARTS, described_class
from multiloop.model.serialise.plain_data import LISTS

DRAFT = "https://json-schema.org/draft/2020-12/schema"

NUMBER: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string"}]}
"""Schema of a number: a JSON number, or a text with an expression or with a number and its unit."""

NUMBERS: dict[str, Any] = {"type": "array", "items": NUMBER}

LIST_CLASSES: dict[str, tuple[type, ...]] = {
    "bodies": (Body,),
    "joints": (Joint, Composite),
    "pairs": (Pair, Coupling),
    "drives": (Motion,),
    "actuators": (Actuator,),
    "integrals": (Integral,),
    "loads": (Load,),
}
"""Classes of the entries of each list in a mechanism file."""


def model_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a mechanism file, including registered user-defined types of parts."""
    shared: dict[str, Any] = {}
    kinds = {
        kind: _kind_schema(kind, shared) for kind in [*PARTS, *BODY_FUNCTIONS, *ALIASES] if kind != "Marker"
    }
    members = {part: [kind for kind in kinds if _belongs(kind, LIST_CLASSES[part])] for part in LISTS}
    lists = {
        part: {"type": "array", "items": {"oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in named]}}
        for part, named in members.items()
    }
    return {
        "$schema": DRAFT,
        "title": "multiloop mechanism",
        "description": Mechanism.__doc__,
        "type": "object",
        "properties": {
            "kind": {"const": "Mechanism"},
            "name": {"type": "string"},
            "planar": {"type": "boolean", "default": False},
            "gravity": {**NUMBERS, "minItems": 2, "maxItems": 3},
            **lists,
            "guess": {"type": "object", "additionalProperties": _guess_schema()},
        },
        "required": ["kind", "name"],
        "additionalProperties": False,
        "$defs": {**shared, **kinds},
    }


def _kind_schema(kind: str, shared: dict[str, Any]) -> dict[str, Any]:
    """The schema of one kind of part; definitions to which it refers are added to `shared`."""
    described = described_class(kind)
    found: dict[str, Any] = TypeAdapter(described).json_schema(mode="validation")
    shared.update(found.pop("$defs", {}))
    properties = {name: _without_title(of) for name, of in found["properties"].items()}
    asked = [first for first, *others in getattr(described, "asked_for", ()) if not others]
    return {
        "type": "object",
        "description": described.__doc__ or "",
        "properties": {"kind": {"const": kind}, **properties},
        "required": ["kind", *found.get("required", []), *asked],
        "additionalProperties": False,
    }


def _guess_schema() -> dict[str, Any]:
    value = {"anyOf": [*NUMBER["anyOf"], {"type": "null"}]}
    return {"anyOf": [*value["anyOf"], {"type": "array", "items": value}]}


def _belongs(kind: str, classes: tuple[type, ...]) -> bool:
    """Whether parts of a kind, a class or a function that creates bodies such as `rod`, belong to one of the
    classes."""
    return Body in classes if kind in BODY_FUNCTIONS else issubclass(described_class(kind), classes)


def _without_title(of: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in of.items() if key != "title"}
