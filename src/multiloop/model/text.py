"""Descriptions as plain data and as text, one way only, so that equal things have equal text.

Every described object becomes a mapping with its `kind`; fields at their default are left out; numbers stay
numbers and expressions become text in their own grammar. `from_data(to_data(x)) == x`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import MISSING, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from multiloop.model.bodies import Body
from multiloop.model.drives import Actuator, Motion
from multiloop.model.faults import Fault, ModelError, suggestion
from multiloop.model.joints import JOINTS, Pin
from multiloop.model.markers import Marker

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

PARTS: dict[str, type] = {kind.__name__: kind for kind in (Body, Marker, *JOINTS, Pin, Motion, Actuator)}
LISTS = ("bodies", "joints", "drives", "actuators")


def to_data(thing: Any) -> dict[str, Any]:
    """A described object as numbers, strings, lists and mappings."""
    kind = type(thing).__name__
    if kind in PARTS:
        return {"kind": kind} | _adapter(kind).dump_python(thing, mode="json", exclude_defaults=True)
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


def from_data(data: dict[str, Any]) -> Any:
    """The described object of its plain data; what does not fit is named together with its place."""
    from multiloop.model.expressions import parse
    from multiloop.model.mechanism import Mechanism

    content = dict(data)
    kind = content.pop("kind", None)
    if kind == "Mechanism":
        for part in LISTS:
            content[part] = tuple(from_data(entry) for entry in content.get(part, ()))
        if "gravity" in content:
            content["gravity"] = tuple(parse(g) if isinstance(g, str) else g for g in content["gravity"])
        unknown = set(content) - {entry.name for entry in fields(Mechanism)}
        if unknown:
            raise _misfit("Mechanism", [f"it has no field '{name}'" for name in sorted(unknown)])
        return Mechanism(**content)
    if kind not in PARTS:
        raise ModelError(
            "the text",
            [Fault("M90", f"kind '{kind}'", "is not a described thing.", suggestion(str(kind), PARTS))],
        )
    try:
        return _adapter(kind).validate_python(content)
    except ValidationError as error:
        places = [".".join(map(str, e["loc"])) + ": " + e["msg"] for e in error.errors()]
        raise _misfit(kind, places) from None


def to_text(thing: Any) -> str:
    """The canonical text (JSON with sorted keys)."""
    return json.dumps(to_data(thing), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def from_text(text: str) -> Any:
    """The described object of its text."""
    return from_data(json.loads(text))


def fingerprint_of(thing: Mechanism) -> str:
    """A digest of the canonical text."""
    return hashlib.sha256(to_text(thing).encode()).hexdigest()


@cache
def _adapter(kind: str) -> TypeAdapter:
    for part in PARTS.values():  # pydantic reads this attribute; a misspelt field is an error, not a silence
        part.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
    return TypeAdapter(PARTS[kind])


def _misfit(kind: str, places: list[str]) -> ModelError:
    remedy = "Compare with `multiloop.to_data` of a working description."
    return ModelError("the text", [Fault("M91", f"a {kind}", f"{place}.", remedy) for place in places])
