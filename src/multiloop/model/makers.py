"""Bodies in files by the functions that make them in Python: `kind: rod`, `kind: plate`, `kind: ground`.

A file is read by the fields of a class. The arguments of these functions are converted to such a class from their
signatures, so that errors are reported like those of any other kind.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, field, fields, make_dataclass
from functools import cache
from typing import Annotated, Any, get_type_hints

from pydantic import BeforeValidator, ConfigDict

from multiloop.model.bodies import Body
from multiloop.model.make_bodies import ground, plate, rod
from multiloop.model.markers import Markers, NamedPoints, Point

MAKERS: dict[str, Callable[..., Body]] = {"ground": ground, "rod": rod, "plate": plate}
"""Functions that make a Body, by the kind that a file names."""

ALIASES = {"beam": "Beam", "solid": "Solid"}
"""Functions in Python whose arguments are the fields of the class that a file names."""


def _named_points(value: Any) -> Any:
    """Corners listed without names are called c1, c2, …, as by `plate`."""
    return {f"c{k}": point for k, point in enumerate(value, 1)} if isinstance(value, list) else value


LISTED = BeforeValidator(_named_points, json_schema_input_type=NamedPoints | list[Point])

READ_AS = {"markers": Markers, "corners": Annotated[Markers, LISTED]}
"""Arguments that are read from files like the markers of a Body."""


@cache
def argument_class(name: str) -> type:
    """The arguments of a maker as a class of fields, each with its type and default."""
    made = MAKERS[name]
    hints = get_type_hints(made, include_extras=True)
    given = [
        (
            one.name,
            READ_AS.get(one.name, hints[one.name]),
            field(default=MISSING if one.default is one.empty else _default(one)),
        )
        for one in inspect.signature(made).parameters.values()
        if one.kind is not one.VAR_KEYWORD
    ]
    found = make_dataclass(name, given, frozen=True)
    found.__doc__ = inspect.getdoc(made)
    found.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
    return found


def made_body(arguments: Any) -> Body:
    """The body that a maker returns for its arguments."""
    named = {entry.name: getattr(arguments, entry.name) for entry in fields(arguments)}
    return MAKERS[type(arguments).__name__](**named)


def _default(argument: inspect.Parameter) -> Any:
    return () if argument.name in READ_AS and argument.default is None else argument.default
