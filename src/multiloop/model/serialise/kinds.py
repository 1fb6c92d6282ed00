"""Registry of the kinds of objects in a description: classes, and functions that create bodies.

In a file, the value of the key "kind" names the class of an object. `PARTS` maps this name to the class; `add_kind`
adds a user-defined class. A file may also name the functions `rod`, `plate` and `ground`: their arguments are converted
to the fields of a class, so that their errors are reported like the errors of any other kind.
"""

from __future__ import annotations

import inspect
from collections import ChainMap
from collections.abc import Callable, Iterable
from dataclasses import MISSING, field, fields, make_dataclass
from functools import cache
from typing import Annotated, Any, get_type_hints

from pydantic import BeforeValidator, ConfigDict, PydanticUserError, TypeAdapter

from multiloop.model.beams.beam import Beam
from multiloop.model.bodies import Body
from multiloop.model.drives import Actuator, Motion
from multiloop.model.faults import Fault, ModelError
from multiloop.model.joints import COMPOSITES, JOINTS
from multiloop.model.loads import LOADS, Load
from multiloop.model.markers import Marker, Markers, NamedPoints, Point
from multiloop.model.modal_body import ModalBody
from multiloop.model.pairs import PAIRS
from multiloop.model.rods_and_plates import ground, plate, rod
from multiloop.model.solids.solid import Solid
from multiloop.model.states import Integral

BUILT_IN_KINDS = (
    Body,
    ModalBody,
    Beam,
    Solid,
    Marker,
    *JOINTS,
    *COMPOSITES,
    *PAIRS,
    Motion,
    Actuator,
    Integral,
)
PARTS: ChainMap[str, type] = ChainMap({kind.__name__: kind for kind in BUILT_IN_KINDS}, LOADS)
"""The classes of all objects of a mechanism by name, including loads that are registered later."""


def add_kind(kind: type) -> None:
    """Add a user-defined type to the registry, so that mechanisms and files may contain it."""
    name = kind.__name__
    known = PARTS.get(name, kind)
    if (known.__module__, known.__qualname__) != (kind.__module__, kind.__qualname__):
        what = f"is already registered for {known.__module__}.{known.__qualname__}."
        raise description_error([Fault("M01", f"kind '{name}'", what, "Give the class a unique name.")])
    registry: dict[str, Any] = LOADS if issubclass(kind, Load) else PARTS.maps[0]  # type: ignore[assignment]
    before = registry.get(name)
    registry[name] = kind
    type_adapter.cache_clear()
    try:
        type_adapter(name)
    except PydanticUserError as error:
        if before is None:
            del registry[name]
        else:
            registry[name] = before
        reason = str(error).partition(". ")[0].partition("\n")[0]
        what = f"has a field that files cannot contain: {reason}."
        remedy = "Annotate its fields by float, int, bool, str, tuple[…] or, for parameters, `float | ml.Expression`."
        raise ModelError(f"type '{name}'", [Fault("M18", f"type '{name}'", what, remedy)]) from None


@cache
def type_adapter(kind: str) -> TypeAdapter[Any]:
    for part in PARTS.values():  # with this configuration pydantic reports unknown fields
        part.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
    return TypeAdapter(described_class(kind))


def described_class(kind: str) -> type:
    """The class whose fields an object of this kind has in a file."""
    kind = ALIASES.get(kind, kind)
    return PARTS[kind] if kind in PARTS else argument_class(kind)


def class_of_kind(kind: Any) -> type | None:
    """The class whose fields an object of this kind has in a file; None if the kind is unknown."""
    known = isinstance(kind, str) and any(kind in kinds for kinds in (PARTS, BODY_FUNCTIONS, ALIASES))
    return described_class(kind) if known else None


def description_error(faults: Iterable[Fault]) -> ModelError:
    return ModelError("the text", faults)


BODY_FUNCTIONS: dict[str, Callable[..., Body]] = {"ground": ground, "rod": rod, "plate": plate}
"""Functions that create a Body, by the kind that names them in a file."""

ALIASES = {"beam": "Beam", "solid": "Solid"}
"""Functions whose names files accept as a kind, each with the class that it creates."""


def _named_points(value: Any) -> Any:
    """Convert corners listed without names to a mapping with the names c1, c2, …, as `plate` does."""
    return {f"c{k}": point for k, point in enumerate(value, 1)} if isinstance(value, list) else value


LISTED_POINTS = BeforeValidator(_named_points, json_schema_input_type=NamedPoints | list[Point])

FIELD_TYPES = {"markers": Markers, "corners": Annotated[Markers, LISTED_POINTS]}
"""Types, in a file, of the arguments `markers` and `corners` of `ground`, `rod` and `plate`, by name of the argument;
they are read like the markers of a Body."""


@cache
def argument_class(name: str) -> type:
    """A dataclass whose fields are the arguments of a function in BODY_FUNCTIONS, with their types and defaults."""
    made = BODY_FUNCTIONS[name]
    hints = get_type_hints(made, include_extras=True)
    given = [
        (
            one.name,
            FIELD_TYPES.get(one.name, hints[one.name]),
            field(default=MISSING if one.default is one.empty else _default(one)),
        )
        for one in inspect.signature(made).parameters.values()
        if one.kind is not one.VAR_KEYWORD
    ]
    found = make_dataclass(name, given, frozen=True)
    found.__doc__ = inspect.getdoc(made)
    found.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
    return found


def make_body(arguments: Any) -> Body:
    """The body that a function in BODY_FUNCTIONS creates; `arguments` is an instance of its `argument_class`."""
    named = {entry.name: getattr(arguments, entry.name) for entry in fields(arguments)}
    return BODY_FUNCTIONS[type(arguments).__name__](**named)


def _default(argument: inspect.Parameter) -> Any:
    return () if argument.name in FIELD_TYPES and argument.default is None else argument.default
